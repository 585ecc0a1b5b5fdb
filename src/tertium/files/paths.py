"""Questions about paths that never raise on odd names, and paths as messages show them."""

import os
import stat
from pathlib import Path

from tertium.errors import InputError, TertiumError

__all__ = [
    "exists",
    "file_size",
    "is_file",
    "is_folder",
    "list_folder",
    "may_write",
    "refuse_pipe",
    "show_path",
    "spell_name",
]


def exists(path: str | os.PathLike[str]) -> bool:
    """Whether there is something; a name that is too long or not allowed names nothing."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises for names that are too long


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a regular file, behind any links."""
    return os.path.isfile(path)  # noqa: PTH113 - as above


def file_size(path: str | os.PathLike[str]) -> int:
    """How many bytes a file has on the disk; -1 if there is none that can be seen."""
    try:
        return os.path.getsize(path)  # noqa: PTH202 - as above
    except (OSError, ValueError):
        return -1


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether there is a folder, behind any links."""
    return os.path.isdir(path)  # noqa: PTH112 - as above


def may_write(path: str | os.PathLike[str]) -> bool:
    """Whether the user may write what is there."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def list_folder(path: str | os.PathLike[str], *, error: type[TertiumError] = InputError) -> list[Path]:
    """List what a folder holds, in the order of the names; raise `error` if it may not be read."""
    try:
        return sorted(Path(path).iterdir())
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or reason
        raise error(
            f"the folder {show_path(path)} cannot be read: {why}; check the path and its mode"
        ) from None


def refuse_pipe(path: str | os.PathLike[str], what: str, *, error: type[TertiumError] = InputError) -> None:
    """Raise `error` for a pipe or a device: it cannot be read twice, and may have no end.

    `what` says what would be read from it. A path with nothing behind it passes: whoever opens it says so.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - Path.stat is no better
    except (OSError, ValueError):
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise error(
            f"{show_path(path)} is a pipe or a device, from which {what} cannot be read; save it into a file first"
        )


def show_path(path: str | os.PathLike[str]) -> str:
    r"""Write a path so that it can be printed: bytes that are not UTF-8 and control characters as escapes.

    Examples
    --------
    >>> show_path(os.fsdecode(b"caf\xe9.txt"))
    'caf\\udce9.txt'
    """
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in os.fspath(path))


def spell_name(name: str) -> str:
    r"""Make a file's name a text that can be written as UTF-8, for names of systems and the like.

    Examples
    --------
    >>> spell_name(os.fsdecode(b"caf\xe9"))
    'caf\\udce9'
    """
    return name.encode("utf-8", "backslashreplace").decode()
