"""Whole files in memory: their bytes, their text or their lines, with errors that name the place."""

import os

from tertium.errors import InputError, TertiumError
from tertium.files.addresses import Address
from tertium.files.opening import PathLike, open_bytes

__all__ = [
    "BYTE_ORDER_MARK",
    "decode_file",
    "describe_undecodable",
    "read_bytes",
    "read_lines",
    "read_text",
    "split_lines",
]

BYTE_ORDER_MARK = "\ufeff"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_bytes(path: PathLike, *, error: type[TertiumError] = InputError) -> bytes:
    """Read a file, or standard input for `-`, and undo gzip or xz compression."""
    with open_bytes(path, error=error) as stream:
        return stream.read()


def read_text(path: PathLike, *, error: type[TertiumError] = InputError) -> str:
    """Read and decode UTF-8; a byte order mark at the start of the file is not part of the text."""
    return decode_file(path, read_bytes(path, error=error), error=error)


def decode_file(path: PathLike, data: bytes, *, error: type[TertiumError] = InputError) -> str:
    """Decode the bytes of a file; raise with the line if they are not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = data.count(b"\n", 0, reason.start) + 1
        raise error(describe_undecodable(path, data[:2], line, reason.start, data[reason.start])) from None
    return text.removeprefix(BYTE_ORDER_MARK)


def read_lines(path: PathLike, *, error: type[TertiumError] = InputError) -> list[str]:
    r"""Read the lines of a UTF-8 file, of a gzip or xz file, or of standard input (`-`).

    A line is what `\n` or `\r\n` ends and nothing else: U+2028, U+0085, form feeds, a lone `\r` and NUL
    are text. Blank lines count, the last line may lack its end, and an empty file has no lines. A byte
    order mark at the start of the file is removed; anywhere else U+FEFF is text.

    Raises
    ------
    InputError
        If the file is missing, unreadable, damaged or not UTF-8, or standard input was read before.
    """
    return split_lines(read_text(path, error=error))


def split_lines(text: str) -> list[str]:
    """Cut a text into its lines."""
    if "\r" in text:  # one character is found much faster than two
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()  # what follows the last line end is a line only if there is something
    return lines


def describe_undecodable(path: PathLike, start: bytes, line: int, offset: int, byte: int) -> str:
    """Say where a file is not UTF-8; `start` holds its first two bytes."""
    encoding = "UTF-16" if start in UTF16_MARKS else "ENCODING"
    return (
        f"{Address(os.fspath(path)).label}: line {line:,} is not UTF-8 at byte offset {offset} of the file"
        f" (0x{byte:02X}); convert it: iconv -f {encoding} -t UTF-8"
    )
