"""Import of optional dependencies, and the command that installs them."""

import importlib
from types import ModuleType

from tertium.errors import MissingExtraError


def import_extra(module: str, *, extra: str, path: str, purpose: str = "read") -> ModuleType:
    """Import an optional dependency; raise MissingExtraError with an install hint."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingExtraError(f"{path} needs {package} to be {purpose}: {install_hint(extra)}") from None


def install_hint(*extras: str) -> str:
    """Return the pip command that installs extras.

    The command works in any folder and for any kind of installation: pip finds Tertium installed, and installs only the
    packages of the extras.

    >>> install_hint("sacrebleu", "sentencepiece")
    "pip install 'tertium[sacrebleu,sentencepiece]'"
    """
    return f"pip install 'tertium[{','.join(extras)}]'"
