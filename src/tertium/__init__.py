"""Tertium: which translation system is better, by how much, how sure is that, and why.

>>> import tertium
>>> result = tertium.score(["the cat sat on the mat"], ["the cat sat on a mat"], "bleu,wer")
>>> round(result["wer"]["system"].value, 2)
16.67
"""

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.api import Result, score

__all__ = ["Result", "__version__", "score"]

__version__ = version("tertium")


def __getattr__(name: str) -> Any:
    """Import the API when it is first asked for: the command line starts without numpy."""
    if name in ("Result", "score"):
        from tertium import api  # noqa: PLC0415 - see above

        return getattr(api, name)
    raise AttributeError(f"module 'tertium' has no attribute {name!r}")
