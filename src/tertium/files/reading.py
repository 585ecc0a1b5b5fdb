"""Bytes and text out of files and standard input: gzip, xz and UTF-8, with errors that name the place."""

import gzip
import lzma
import sys
import weakref
import zlib
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import TextIO

from tertium.errors import InputError
from tertium.files.addresses import STDIN, Address

__all__ = ["read_bytes", "read_text"]

BYTE_ORDER_MARK = "\ufeff"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

# The streams that were read to their end; a second read would return nothing and look like an empty file.
_spent_streams: weakref.WeakSet[TextIO] = weakref.WeakSet()


def read_bytes(path: str) -> bytes:
    """Read a file, or standard input for `-`, and undo gzip or xz compression.

    Compressed data is known by its first bytes, whatever the file is called. A file called `.gz` or
    `.xz` must hold compressed data.
    """
    return _decompress(path, _read_stdin() if path == STDIN else _read_file(path))


def read_text(path: str) -> str:
    """Read and decode UTF-8; a byte order mark at the start of the file is not part of the text."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(_undecodable(path, data, error.start)) from None
    return text.removeprefix(BYTE_ORDER_MARK)


def _read_file(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"no such file: {path!r}; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path!r} is a directory; give a file inside it") from None
    except PermissionError:
        raise InputError(f"{path} may not be read; change its permissions") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path!r} cannot be read: {reason}; check the path") from None


def _read_stdin() -> bytes:
    stream = sys.stdin
    if getattr(stream, "buffer", None) is None:
        raise InputError("standard input is not open; give a file instead of '-'")
    if stream in _spent_streams:
        raise InputError("standard input was read already and can be read only once; save it to a file first")
    _spent_streams.add(stream)
    try:
        return stream.buffer.read()
    except (OSError, ValueError) as error:  # ValueError: the stream is closed
        raise InputError(f"standard input cannot be read: {error}; give a file instead of '-'") from None


def _unxz(data: bytes) -> bytes:
    # lzma.decompress ignores what it cannot read behind the first stream, and so hides damage.
    parts = []
    while data:
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ)
        parts.append(decompressor.decompress(data))
        if not decompressor.eof:
            raise EOFError("the data ends in the middle of a stream")
        data = decompressor.unused_data.lstrip(b"\0")  # padding between streams is legal
    return b"".join(parts)


# suffix: first bytes, how to decompress, how to test a file by hand. Neither mark can start UTF-8 text.
_COMPRESSIONS: dict[str, tuple[bytes, Callable[[bytes], bytes], str]] = {
    ".gz": (b"\x1f\x8b", gzip.decompress, "gzip -t"),
    ".xz": (b"\xfd7zXZ\x00", _unxz, "xz -t"),
}


def _decompress(path: str, data: bytes) -> bytes:
    for magic, undo, test in _COMPRESSIONS.values():
        if data.startswith(magic):
            return _undo(path, data, undo, test)
    suffix = PurePath(path).suffix.lower()
    if suffix in _COMPRESSIONS:
        found = "does not start as such a file does" if data else "is empty"
        raise InputError(f"{path} is called {suffix} but {found}; rename it, or fetch or make it again")
    return data


def _undo(path: str, data: bytes, undo: Callable[[bytes], bytes], test: str) -> bytes:
    try:
        return undo(data)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        label = Address(path).label
        raise InputError(
            f"{label} is damaged or cut off ({error}); check it with '{test}', then fetch or make it again"
        ) from None


def _undecodable(path: str, data: bytes, offset: int) -> str:
    line = data.count(b"\n", 0, offset) + 1
    encoding = "UTF-16" if data.startswith(UTF16_MARKS) else "ENCODING"
    return (
        f"{Address(path).label}: line {line:,} is not UTF-8 at byte offset {offset} of the file"
        f" (0x{data[offset]:02X}); convert it: iconv -f {encoding} -t UTF-8"
    )
