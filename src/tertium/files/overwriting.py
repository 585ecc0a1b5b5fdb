"""Inputs are never overwritten: files that a command writes are compared with files that it reads.

Files are the same if they have the same device and inode, regardless of their paths. Readers call `note_input`, writers
call `check_target`; outside `protect_inputs` neither does anything.
"""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path

from tertium.errors import InputError, OptionError
from tertium.files.paths import show_path
from tertium.records import record

Target = str | os.PathLike[str] | int
_Identity = tuple[int, int] | str


@record
class _Protection:
    """The files of one command: those that it writes, by the option that names them, and those that it has read."""

    written: Mapping[_Identity, str]
    updated: frozenset[_Identity]
    read: set[_Identity] = field(default_factory=set)


# A stack for all threads, because texts are read by several threads of one command.
_protections: list[_Protection] = []


@contextmanager
def protect_inputs(
    *,
    read: Mapping[str, Iterable[str]],
    written: Mapping[str, str],
    updated: Mapping[str, str] | None = None,
) -> Iterator[None]:
    """Raise if a file is both read and written within this context, and now if the options say so already.

    Parameters
    ----------
    read
        The files that each option reads; more may follow, such as the files of a folder.
    written
        The file that each option writes.
    updated
        The file that each option reads and writes, such as a journal.

    Raises
    ------
    OptionError
        If an option names a file to write that another option reads or writes too.
    """
    outputs: dict[_Identity, str] = {}
    updates = updated or {}
    for name, path in {**written, **updates}.items():
        identity = _identify(path)
        if identity in outputs:
            raise OptionError(f"{outputs[identity]} and {name} name the same file, {show_path(path)}")
        if identity is not None:
            outputs[identity] = name
    for reader, paths in read.items():
        for path in paths:
            writer = outputs.get(_identify(path) or "")
            if writer is not None:
                raise OptionError(_describe(path, f" ({reader})", writer))
    exempt = frozenset(key for path in updates.values() if (key := _identify(path)) is not None)
    protection = _Protection({key: name for key, name in outputs.items() if key not in exempt}, exempt)
    _protections.append(protection)
    try:
        yield
    finally:
        _protections.remove(protection)


def note_input(file: Target) -> None:
    """Remember that a file is read, given by its path or its descriptor; raise if it is to be written."""
    identity = _identify(file) if _protections else None
    if identity is None:
        return
    for protection in _protections:
        if identity in protection.written:
            shown = "standard input" if isinstance(file, int) else file
            raise InputError(_describe(shown, "", protection.written[identity]))
        protection.read.add(identity)


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise if a file that is to be written was read by the same command."""
    if _protections:
        identity = _identify(path)
        if any(
            identity in protection.read and identity not in protection.updated for protection in _protections
        ):
            raise InputError(_describe(path, "", "its output"))


def _identify(file: Target) -> _Identity | None:
    """Return what two names of a file have in common; None for pipes and devices, which are never replaced."""
    with suppress(OSError, ValueError, RuntimeError):
        try:
            found = os.stat(file)  # noqa: PTH116 - also takes descriptors
        except FileNotFoundError:
            return None if isinstance(file, int) else str(Path(file).resolve())
        if stat.S_ISREG(found.st_mode):
            return found.st_dev, found.st_ino
    return None


def _describe(path: str | os.PathLike[str], reader: str, writer: str) -> str:
    return (
        f"{show_path(path)} is an input of this command{reader} and would be overwritten by {writer};"
        " write to another file"
    )
