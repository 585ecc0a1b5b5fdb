"""Paths given by users: checks that never raise, addresses such as `FILE#COLUMN`, and texts in several files."""

import glob
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path, PurePath
from typing import NamedTuple

from tertium.errors import InputError, TertiumError
from tertium.records import record


def exists(path: str | os.PathLike[str]) -> bool:
    """Whether the path exists; invalid names count as missing."""
    return os.path.exists(path)  # noqa: PTH110 - Path.exists raises for names that are too long


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether the path is a regular file or a link to one."""
    return os.path.isfile(path)  # noqa: PTH113 - as above


def file_size(path: str | os.PathLike[str]) -> int:
    """Return the size of a file in bytes; -1 if it is missing or not accessible."""
    try:
        return os.path.getsize(path)  # noqa: PTH202 - as above
    except (OSError, ValueError):
        return -1


def total_memory() -> int:
    """Return the memory of this machine in bytes; a very large number if it is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no such function
        return 1 << 62


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether the path is a folder or a link to one."""
    return os.path.isdir(path)  # noqa: PTH112 - as above


def may_write(path: str | os.PathLike[str]) -> bool:
    """Whether the user has write permission."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def list_folder(path: str | os.PathLike[str], *, error: type[TertiumError] = InputError) -> list[Path]:
    """List the content of a folder, sorted by name; raise `error` if it cannot be read."""
    try:
        return sorted(Path(path).iterdir())
    except (OSError, ValueError) as reason:
        why = getattr(reason, "strerror", None) or reason
        raise error(
            f"the folder {show_path(path)} cannot be read: {why}; check the path and its permissions"
        ) from None


def check_not_pipe(
    path: str | os.PathLike[str], what: str, *, error: type[TertiumError] = InputError
) -> None:
    """Raise `error` if the path is a pipe or a device, which cannot be read twice and may never end.

    `what` names the kind of file that is expected. A missing file passes; opening it will raise.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - Path.stat is no better
    except (OSError, ValueError):
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise error(
            f"{show_path(path)} is a pipe or a device, but {what} can only be read from a file; save it to one first"
        )


def show_path(path: str | os.PathLike[str]) -> str:
    r"""Format a path for printing: control characters and bytes that are not UTF-8 become escapes.

    Examples
    --------
    >>> show_path(os.fsdecode(b"caf\xe9.txt"))
    'caf\\udce9.txt'
    """
    return "".join(
        character if character.isprintable() else repr(character)[1:-1] for character in os.fspath(path)
    )


def format_name(name: str) -> str:
    r"""Escape the bytes of a file's name that are not UTF-8, so that it can be used as the name of a system.

    Examples
    --------
    >>> format_name(os.fsdecode(b"caf\xe9"))
    'caf\\udce9'
    """
    return name.encode("utf-8", "backslashreplace").decode()


STDIN = "-"
COMPRESSION_SUFFIXES = frozenset({".gz", ".xz"})
TEXT_SUFFIXES = frozenset(
    [
        ".txt",
        ".tsv",
        ".csv",
        ".jsonl",
        ".ndjson",
        ".parquet",
        ".xlsx",
        ".sgm",
        ".sgml",
        ".xml",
        ".xlf",
        ".xliff",
        ".sdlxliff",
        ".mqxliff",
        ".mxliff",
        ".tmx",
        ".srt",
        ".vtt",
        ".docs",
    ]
)
"""The suffixes of plain text and of every format in `corpus.texts.formats`, which names of systems do not have."""


@record
class Address:
    """A file, and optionally a column, system or translator inside it."""

    path: str
    column: str | None = None

    @property
    def label(self) -> str:
        """The address as shown in messages."""
        if self.path == STDIN:
            return "standard input"
        path = show_path(self.path)
        return path if self.column is None else f"{path}#{self.column}"


def parse_address(text: str) -> Address:
    """Split `FILE#COLUMN` at its last `#`; if a file with the whole name exists, there is no column.

    The separator is not a colon, which would be ambiguous (drive letters, URLs, times in file names).

    Examples
    --------
    >>> parse_address("online-A.txt")
    Address(path='online-A.txt', column=None)
    """
    path, mark, column = text.rpartition("#")
    if not mark or is_file(text):
        return Address(text)
    if not path or not column:
        raise InputError(f"{text!r} is not FILE#COLUMN: the {'column' if path else 'file'} is missing")
    if path == STDIN:
        raise InputError(f"{text!r}: standard input is read as plain text and has no columns; use a file")
    if not exists(path):
        raise InputError(f"no such file: {show_path(path)} (column {column!r} was requested)")
    return Address(path, column)


class NamedPath(NamedTuple):
    """A path, `FILE#COLUMN` or pattern, and the name that the user gives it, if any."""

    name: str | None
    path: str


def split_name(given: str | NamedPath, *, below: str | os.PathLike[str] = "") -> NamedPath:
    """Split `NAME=FILE` and `NAME=FILE,FILE`, also where the name or the path contains `=`.

    If the whole argument is a path, there is no name. Otherwise the name ends at the first `=` that a path follows; if none
    does, at the first `=`. A path is an existing file or folder, `FILE#COLUMN`, a pattern that files match, or `-`.

    Parameters
    ----------
    below
        The folder of relative paths; by default the current one.

    Examples
    --------
    >>> split_name("baseline=-"), split_name("lr=0.1=-")
    (NamedPath(name='baseline', path='-'), NamedPath(name='lr=0.1', path='-'))
    """
    if isinstance(given, NamedPath):
        return given
    ends = [i for i, character in enumerate(given) if character == "=" and i > 0]
    if not ends or _names_files(given, below):
        return NamedPath(None, given)
    splits = [NamedPath(given[:i], given[i + 1 :]) for i in ends]
    for split in splits:
        if _names_files(split.path, below) or all(
            _names_files(file, below) for file in split.path.split(",")
        ):
            return split
    return splits[0]


def _names_files(text: str, below: str | os.PathLike[str]) -> bool:
    """Whether `FILE`, `FILE#COLUMN` or a pattern names existing files, or `-` standard input."""
    paths = [text, *(text[: match.start()] for match in re.finditer("#", text))]
    return text == STDIN or any(
        exists(os.path.join(below, path))  # noqa: PTH118 - Path rejects some texts
        or (_WILDCARDS.search(path) and glob.glob(path, root_dir=below or None))  # noqa: PTH207 - the shell's rules
        for path in filter(None, paths)
    )


def is_pattern(path: str) -> bool:
    """Whether the path has wildcards, and no file has exactly this name."""
    return _WILDCARDS.search(path) is not None and not exists(path)


def expand_pattern(pattern: str) -> list[str]:
    """List the files and folders that match a pattern, sorted by name.

    Raises
    ------
    InputError
        If there are none.
    """
    found = sorted(glob.glob(pattern))  # noqa: PTH207 - the shell's rules
    if not found:
        raise InputError(f"no file matches {pattern!r}; check the pattern")
    return found


def format_suffix(path: str) -> str:
    """Return the suffix that indicates the format, without `.gz` and `.xz`, in lower case.

    Examples
    --------
    >>> format_suffix("wmt/Output.JSONL.gz")
    '.jsonl'
    """
    return strip_compression(path).suffix.lower()


def strip_compression(path: str | PurePath) -> PurePath:
    """Remove `.gz` or `.xz` from the end of a path.

    Examples
    --------
    >>> str(strip_compression("vectors.txt.gz")), str(strip_compression("vectors.txt"))
    ('vectors.txt', 'vectors.txt')
    """
    name = PurePath(path)
    return name.with_suffix("") if name.suffix.lower() in COMPRESSION_SUFFIXES else name


def default_name(address: Address) -> str:
    """Return the default name of a system: its column, or its file without the suffixes of text formats.

    Examples
    --------
    >>> default_name(Address("wmt/online-A.0.txt.gz"))
    'online-A.0'
    >>> default_name(Address("out.jsonl", "mt_b"))
    'mt_b'
    """
    if address.column is not None:
        return format_name(address.column)
    if address.path == STDIN:
        return "stdin"
    name = strip_compression(address.path)
    if name.suffix.lower() in TEXT_SUFFIXES:
        name = name.with_suffix("")
    return format_name(name.name)


_WILDCARDS = re.compile(r"[*?\[]")
# Hadoop, Spark and file managers write files with these prefixes next to the data.
_IGNORED = (".", "_")


@record
class Shards:
    """The files that an address refers to, sorted by name; a single file is its own only shard."""

    address: Address
    paths: tuple[str, ...]
    is_sharded: bool

    @property
    def name(self) -> str:
        """Default system name: the folder's name, or the pattern without wildcards.

        Examples
        --------
        >>> Shards(Address("out/online-A/*.txt.gz"), (), is_sharded=True).name
        'online-A'
        >>> Shards(Address("online-A-*.jsonl"), (), is_sharded=True).name
        'online-A'
        """
        if not self.is_sharded or self.address.column is not None:
            return default_name(self.address)
        plain = _WILDCARDS.split(default_name(self.address))[0].rstrip("-_.")
        return plain or PurePath(self.address.path).parent.name or "shards"


def find_shards(text: str) -> Shards:
    """Find the files of an address: one file, or the files of a folder or of a pattern with `*`, `?` or `[`.

    In a folder, files whose names begin with a full stop or an underscore are skipped.

    Raises
    ------
    InputError
        If there are no files, or the folder cannot be read or contains a folder.
    """
    path, mark, column = text.rpartition("#")
    if not mark or exists(text):
        path, column = text, ""
    if column or path == text:
        if is_folder(path):
            return Shards(Address(path, column or None), _files_in(path), is_sharded=True)
        if is_pattern(path):
            return Shards(Address(path, column or None), _matching(path), is_sharded=True)
    address = parse_address(text)
    return replace(single_file(address.path), address=address)


def single_file(path: str) -> Shards:
    """Return the shards of a single file, even if its name looks like a pattern."""
    return Shards(Address(path), (path,), is_sharded=False)


def match_shards(parts: Sequence[Shards]) -> list[Shards]:
    """Sort the shards of several addresses so that those with the same index belong together.

    Shards match by their names without suffixes, or otherwise by the text that the wildcards match.

    Raises
    ------
    InputError
        If one address lacks a shard that another has.
    """
    by_stem = [_name_shards(part, _stem) for part in parts]
    if len({frozenset(names) for names in by_stem}) > 1:
        by_star = [_name_shards(part, _star) for part in parts]
        if len({frozenset(names) for names in by_star}) > 1:
            raise _mismatch(parts, by_stem)
        by_stem = by_star
    order = sorted(by_stem[0]) if by_stem else []
    return [
        Shards(part.address, tuple(names[name] for name in order), is_sharded=True)
        for part, names in zip(parts, by_stem, strict=True)
    ]


def _files_in(folder: str) -> tuple[str, ...]:
    paths = [str(path) for path in list_folder(folder) if not path.name.startswith(_IGNORED)]
    if not paths:
        raise InputError(
            f"the folder {show_path(folder)} has no files; give a folder with the parts of a text"
        )
    for path in paths:
        if is_folder(path):
            raise InputError(
                f"{show_path(path)} is a folder inside a folder of texts; give a folder that contains only files"
            )
    return tuple(paths)


def _matching(pattern: str) -> tuple[str, ...]:
    paths = tuple(path for path in expand_pattern(pattern) if not is_folder(path))
    if not paths:
        raise InputError(f"only folders match {pattern!r}; check the pattern")
    return paths


def _stem(_: Shards, path: str) -> str:
    return default_name(Address(path))


def _star(shards: Shards, path: str) -> str:
    """Return the text that the wildcards of a pattern match; the stem if the address is a folder."""
    name, pattern = PurePath(path).name, PurePath(shards.address.path).name
    positions = [match.start() for match in _WILDCARDS.finditer(pattern)]
    if not positions or is_folder(shards.address.path):
        return _stem(shards, path)
    return name[positions[0] : len(name) - (len(pattern) - positions[-1] - 1)]


def _name_shards(shards: Shards, name: Callable[[Shards, str], str]) -> dict[str, str]:
    names = [name(shards, path) for path in shards.paths]
    twice = next((label for label, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        both = " and ".join(
            show_path(path) for path, label in zip(shards.paths, names, strict=True) if label == twice
        )
        raise InputError(f"{both} are both the part {twice!r} of {shards.address.label}; remove one of them")
    return dict(zip(names, shards.paths, strict=True))


def _mismatch(parts: Sequence[Shards], names: Sequence[dict[str, str]]) -> InputError:
    """Describe the first part that one text has and another lacks."""
    named = zip(parts, names, strict=True)
    part, other, missing, path = next(
        (part, other, name, path)
        for (part, own), (other, theirs) in permutations(named, 2)
        for name, path in theirs.items()
        if name not in own
    )
    return InputError(
        f"{part.address.label} has no part {missing!r}, but {other.address.label} has"
        f" ({show_path(path)}); parts are matched by name"
    )
