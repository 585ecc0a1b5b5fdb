"""How a user names a text: `FILE`, `FILE#COLUMN`, or `-` for standard input."""

from dataclasses import dataclass
from pathlib import PurePath

from tertium.errors import InputError
from tertium.files.paths import exists, is_file, show_path, spell_name

__all__ = [
    "COMPRESSION_SUFFIXES",
    "STDIN",
    "Address",
    "default_name",
    "format_suffix",
    "parse_address",
    "strip_packing",
]

STDIN = "-"
COMPRESSION_SUFFIXES = frozenset({".gz", ".xz"})
TEXT_SUFFIXES = frozenset({".txt", ".tsv", ".jsonl", ".ndjson", ".parquet", ".sgm", ".sgml", ".xml"})


@dataclass(frozen=True)
class Address:
    """A file, and the column, system or translator inside it if the user named one."""

    path: str
    column: str | None = None

    @property
    def label(self) -> str:
        """The address as messages show it."""
        if self.path == STDIN:
            return "standard input"
        path = show_path(self.path)
        return path if self.column is None else f"{path}#{self.column}"


def parse_address(text: str) -> Address:
    """Split `FILE#COLUMN` at its last `#`; a string that names an existing file is that file.

    A colon would be ambiguous (drive letters, URLs, times in file names), hence the `#`.

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
        raise InputError(f"no such file: {show_path(path)} (its column {column!r} was asked for)")
    return Address(path, column)


def format_suffix(path: str) -> str:
    """Return the suffix that tells the format, below `.gz` and `.xz`, in lower case.

    Examples
    --------
    >>> format_suffix("wmt/Output.JSONL.gz")
    '.jsonl'
    """
    return strip_packing(path).suffix.lower()


def strip_packing(path: str | PurePath) -> PurePath:
    """Take `.gz` or `.xz` from the end of a path.

    Examples
    --------
    >>> str(strip_packing("vectors.txt.gz")), str(strip_packing("vectors.txt"))
    ('vectors.txt', 'vectors.txt')
    """
    name = PurePath(path)
    return name.with_suffix("") if name.suffix.lower() in COMPRESSION_SUFFIXES else name


def default_name(address: Address) -> str:
    """Name a system after its column, or else after its file without the text suffixes.

    Examples
    --------
    >>> default_name(Address("wmt/online-A.0.txt.gz"))
    'online-A.0'
    >>> default_name(Address("out.jsonl", "mt_b"))
    'mt_b'
    """
    if address.column is not None:
        return spell_name(address.column)
    if address.path == STDIN:
        return "stdin"
    name = strip_packing(address.path)
    if name.suffix.lower() in TEXT_SUFFIXES:
        name = name.with_suffix("")
    return spell_name(name.name)
