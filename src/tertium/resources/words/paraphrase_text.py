"""Paraphrase tables in METEOR's format: lines of probability, phrase, phrase, repeating; packed or plain."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.opening import open_bytes
from tertium.kernels import PhraseReader
from tertium.resources.progress import report_progress

__all__ = ["compile_text"]

_BLOCK = 1 << 22
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


def _blocks(path: Path) -> Iterator[bytes]:
    """Whole lines, a few megabytes at a time."""
    rest = b""
    with open_bytes(path, error=ResourceError) as content:
        total = path.stat().st_size
        while block := content.read(_BLOCK):
            report_progress(f"compiling {path.name}", content.n_packed, total)
            end = block.rfind(b"\n") + 1
            if end > 0:
                yield rest + block[:end]
                rest = b""
            rest += block[end:]
    yield rest


def _wrong(path: Path, line: int, what: str) -> ResourceError:
    return ResourceError(f"{path}, line {line:,}: {what}; {_FORMAT}")


def _complaint(line: int, given: bytes) -> str:
    """Say what is wrong with a line."""
    try:
        text = given.decode().rstrip("\r")
    except UnicodeDecodeError as error:
        return f"byte {given[error.start]:#04x} is no UTF-8 (convert the file, as with iconv -t UTF-8)"
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return f"{_PARTS[(line - 1) % 3]} was expected, not {shown!r}"
