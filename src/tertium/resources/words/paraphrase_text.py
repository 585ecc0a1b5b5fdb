"""Paraphrase tables in METEOR's format: lines of probability, phrase, phrase, repeating; gzip or plain."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.kernels import PhraseReader
from tertium.resources.progress import report_progress

__all__ = ["checksum_text", "compile_text"]

_BLOCK = 1 << 22
_GZIP = b"\x1f\x8b"
_SHORTEST_GZIP = 18  # bytes of header and trailer
_PARTS = ("a probability", "a phrase", "a phrase")
_FORMAT = "METEOR's format has lines of probability, phrase, phrase"
_SHOWN = 40  # characters of a wrong line


def compile_text(path: Path, name: str) -> npt.NDArray[np.uint8]:
    """Read through a table and make the bytes of a store from it.

    Raises
    ------
    ResourceError
        If the file is damaged or not in METEOR's format; the message has the line.
    """
    reader = PhraseReader()
    for block in _blocks(path):
        first = reader.lines
        if (line := reader.read(block)) > 0:
            raise _wrong(path, line, _complaint(line, block.split(b"\n")[line - first - 1]))
    if not reader.lines:
        raise ResourceError(f"{path} is empty; {_FORMAT}")
    if reader.lines % 3:
        raise _wrong(path, reader.lines, "the file ends within an entry of three lines")
    return reader.finish(name).view(np.uint8)


def checksum_text(path: Path) -> int:
    """The CRC-32 of the text, which a gzip file ends with; so a large table is not read for its name.

    Raises
    ------
    ResourceError
        If the file cannot be read.
    """
    try:
        with path.open("rb") as raw:
            return _checksum(raw)
    except (OSError, EOFError) as error:
        raise _unreadable(path, error) from error


def _blocks(path: Path) -> Iterator[bytes]:
    """Whole lines, a few megabytes at a time."""
    rest = b""
    try:
        with path.open("rb") as raw, _unpacked(raw) as stream:
            total = path.stat().st_size
            while block := stream.read(_BLOCK):
                report_progress(f"compiling {path.name}", raw.tell(), total)
                end = block.rfind(b"\n") + 1
                if end > 0:
                    yield rest + block[:end]
                    rest = b""
                rest += block[end:]
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from error
    yield rest


def _wrong(path: Path, line: int, what: str) -> ResourceError:
    return ResourceError(f"{path}, line {line:,}: {what}; {_FORMAT}")


def _unpacked(raw: BinaryIO) -> BinaryIO | gzip.GzipFile:
    is_packed = raw.read(2) == _GZIP
    raw.seek(0)
    return gzip.GzipFile(fileobj=raw) if is_packed else raw


def _checksum(raw: BinaryIO) -> int:
    if raw.read(2) == _GZIP:
        if raw.seek(0, 2) < _SHORTEST_GZIP:
            raise EOFError("the gzip file is cut off")
        raw.seek(-8, 2)
        return int.from_bytes(raw.read(4), "little")
    raw.seek(0)
    checksum = 0
    while block := raw.read(_BLOCK):
        checksum = zlib.crc32(block, checksum)
    return checksum


def _complaint(line: int, given: bytes) -> str:
    """Say what is wrong with a line."""
    try:
        text = given.decode().rstrip("\r")
    except UnicodeDecodeError as error:
        return f"byte {given[error.start]:#04x} is no UTF-8 (convert the file, as with iconv -t UTF-8)"
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return f"{_PARTS[(line - 1) % 3]} was expected, not {shown!r}"


def _unreadable(path: Path, error: Exception) -> ResourceError:
    """Name the file, the reason, and for a damaged gzip file what would help."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    remedy = "give a table in METEOR's format, plain or gzip"
    if isinstance(error, (gzip.BadGzipFile, EOFError, zlib.error)):
        remedy = "the gzip file is damaged, get it again"
    return ResourceError(f"{path} cannot be read: {reason}; {remedy}")
