"""Reading of whole files as bytes, text or lines, with errors that name file and line, and checksums of files."""

import os
import zlib
from typing import Any

from tertium.errors import InputError, TertiumError
from tertium.files.opening import PathLike, check_not_endless, open_bytes, read_start
from tertium.files.overwriting import note_input
from tertium.files.paths import Address, show_path

BYTE_ORDER_MARK = "\ufeff"
# Byte order marks of other encodings; that of UTF-32 begins with that of UTF-16.
_MARKS = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def read_bytes(path: PathLike, *, error: type[TertiumError] = InputError) -> bytes:
    """Read a file, or standard input for `-`, with gzip or xz decompression."""
    with open_bytes(path, error=error) as stream:
        return stream.read()


def read_text(path: PathLike, *, error: type[TertiumError] = InputError) -> str:
    """Read a UTF-8 file; a byte order mark at its start is removed."""
    return decode_file(path, read_bytes(path, error=error), error=error)


def decode_file(path: PathLike, data: bytes, *, error: type[TertiumError] = InputError) -> str:
    """Decode the bytes of a file; raise with the line number if they are not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as reason:
        line = data.count(b"\n", 0, reason.start) + 1
        raise error(describe_undecodable(path, data[:4], line, reason.start, data[reason.start])) from None
    return text.removeprefix(BYTE_ORDER_MARK)


def read_lines(path: PathLike, *, error: type[TertiumError] = InputError) -> list[str]:
    r"""Read the lines of a UTF-8 file, of a gzip or xz file, or of standard input (`-`).

    Only `\n` and `\r\n` end a line: U+2028, U+0085, form feeds, a lone `\r` and NUL are text. Blank lines
    count, the last line may lack its end, and an empty file has no lines. A byte order mark at the start of
    the file is removed; anywhere else U+FEFF is text.

    Raises
    ------
    InputError
        If the file is missing, unreadable, damaged or not UTF-8, or standard input was already read.
    """
    return split_lines(read_text(path, error=error))


def split_lines(text: str) -> list[str]:
    """Split a text into lines, as `read_lines` defines them."""
    if "\r" in text:  # searching for one character is much faster than for two
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()  # the empty text after the last line end is not a line
    return lines


_LONGEST_TOML = 100_000  # characters of a line; the time for a key of many parts grows with their square


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document.

    Raises
    ------
    ValueError
        If it is not TOML, nested too deeply, or has a line or a number that is too long.
    """
    import tomllib  # noqa: PLC0415 - most runs read no TOML

    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > _LONGEST_TOML or line.count(".") > _LONGEST_TOML // 100:
            raise ValueError(f"line {number:,} is too long")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def describe_undecodable(path: PathLike, start: bytes, line: int, offset: int, byte: int) -> str:
    """Write the message about a file that is not UTF-8; `start` holds its first four bytes."""
    encoding = next((name for mark, name in _MARKS.items() if start.startswith(mark)), "ENCODING")
    return (
        f"{Address(os.fspath(path)).label}: line {line:,} is not UTF-8 at byte offset {offset} of the file"
        f" (0x{byte:02X}); convert it: iconv -t UTF-8 -f {encoding}"
    )


_GZIP = b"\x1f\x8b"
_MIN_GZIP_SIZE = 18  # bytes of header and trailer
_BLOCK = 1 << 22


def checksum_file(path: PathLike) -> str:
    """Compute the SHA-256 of a file's bytes, without decompression.

    Raises
    ------
    InputError
        If the file cannot be read.
    """
    note_input(path)
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - Path rejects names that open accepts
            check_not_endless(file.fileno(), path)
            import hashlib  # noqa: PLC0415 - loads OpenSSL, and few runs need checksums

            return hashlib.file_digest(file, "sha256").hexdigest()
    except InputError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{show_path(path)} cannot be read: {why}; check the path") from None


def checksum_content(path: PathLike, *, error: type[TertiumError] = InputError) -> int:
    """Compute the CRC-32 of a file's decompressed content.

    A gzip file ends with this checksum, so it is not decompressed.
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
        if raw.seek(0, 2) < _MIN_GZIP_SIZE:
            raise error(f"{show_path(path)} is damaged or truncated; download or create it again")
        raw.seek(-8, 2)
        return int.from_bytes(raw.read(4), "little")
