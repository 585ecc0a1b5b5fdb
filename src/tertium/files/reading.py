"""Whole files in memory as bytes, text or lines, with errors that name the place, and checksums of files."""

import os
import zlib

from tertium.errors import InputError, TertiumError
from tertium.files.opening import PathLike, open_bytes, read_start
from tertium.files.paths import Address, show_path

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


_GZIP = b"\x1f\x8b"
_SHORTEST_GZIP = 18  # bytes of header and trailer
_BLOCK = 1 << 22


def checksum_file(path: str) -> str:
    """Compute the SHA-256 of a file's bytes as they lie on the disk.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - Path refuses names that open takes
            import hashlib  # noqa: PLC0415 - loads OpenSSL, and few runs need checksums

            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{show_path(path)} cannot be read: {why}; check the path") from None


def checksum_content(path: PathLike, *, error: type[TertiumError] = InputError) -> int:
    """Compute the CRC-32 of what a file holds below its compression.

    A gzip file ends with it, so a large one is not unpacked for its checksum.
    """
    if read_start(path, len(_GZIP), error=error) == _GZIP:
        return _recorded_checksum(path, error)
    checksum = 0
    with open_bytes(path, error=error) as content:
        while block := content.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum


def _recorded_checksum(path: PathLike, error: type[TertiumError]) -> int:
    with open(path, "rb") as raw:  # noqa: PTH123 - as above
        if raw.seek(0, 2) < _SHORTEST_GZIP:
            raise error(f"{show_path(path)} is damaged or cut off; fetch or make it again")
        raw.seek(-8, 2)
        return int.from_bytes(raw.read(4), "little")
