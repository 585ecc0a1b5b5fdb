"""How the core was built, for bug reports."""

from pathlib import PurePath

import tertium._core as _core

__all__ = ["describe_core"]


def describe_core() -> str:
    """Name the compiler and the interface of Python that the core was built with.

    >>> describe_core().partition(",")[0] != ""
    True
    """
    is_stable = ".abi3." in PurePath(_core.__file__ or "").name
    return f"{_core.compiler}, {'stable ABI' if is_stable else 'this Python only'}"
