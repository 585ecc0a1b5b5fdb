"""Paraphrase tables in METEOR's text format, which is compiled once, or in the compiled format (a store)."""

import mmap
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.cache import cache_folder, content_key
from tertium.files.overwriting import note_input
from tertium.files.paths import check_not_pipe, show_path
from tertium.files.reading import checksum_content, open_bytes
from tertium.files.writing import write_atomically
from tertium.kernels.meteor import PhraseReader, PhraseTable, open_phrases
from tertium.progress import report_progress
from tertium.records import record
from tertium.resources.word_lists import find_in_package

# The first bytes of a store of any version, in either byte order.
_MAGIC = re.compile(rb"TRTIUMP.|.PMUITRT", re.DOTALL)


def is_store(path: Path) -> bool:
    """Whether a file is a store, by its first bytes; False if it cannot be read."""
    try:
        with path.open("rb") as file:
            return _MAGIC.fullmatch(file.read(8)) is not None
    except (OSError, ValueError):  # a path with a NUL character is a ValueError
        return False


def map_store(path: Path) -> PhraseTable:
    """Map a store into memory and check that it is complete and undamaged.

    Raises
    ------
    ResourceError
        If it cannot be read, or is damaged.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return open_phrases(np.frombuffer(data, dtype=np.uint8))
    except ResourceError as error:
        raise ResourceError(f"{show_path(path)}: {error}; convert the paraphrases again") from None
    except (OSError, ValueError) as error:  # an empty file cannot be mapped
        why = getattr(error, "strerror", None) or error
        raise ResourceError(
            f"{show_path(path)} cannot be read: {why}; convert the paraphrases again"
        ) from None


def write_store(path: Path, data: npt.NDArray[np.uint8]) -> None:
    """Write the bytes of a store atomically."""
    with write_atomically(path, ResourceError) as temporary, temporary.open("wb") as file:
        file.write(data.data)


_BLOCK = 1 << 22
_PARTS = ("a probability", "a phrase", "a phrase")
_FORMAT = "METEOR's format has lines of probability, phrase, phrase"
_MAX_SHOWN = 40  # characters of a wrong line


def compile_text(path: Path, name: str) -> npt.NDArray[np.uint8]:
    """Compile a table in METEOR's format to the bytes of a store.

    Raises
    ------
    ResourceError
        If the file is damaged or not in METEOR's format; the message names the line.
    """
    reader = PhraseReader()
    for block in _blocks(path):
        first = reader.lines
        if (line := reader.read(block)) > 0:
            raise _wrong(path, line, _explain_line(line, block.split(b"\n")[line - first - 1]))
    if not reader.lines:
        raise ResourceError(f"{path} is empty; {_FORMAT}")
    if reader.lines % 3:
        raise _wrong(path, reader.lines, "the file ends within an entry of three lines")
    return reader.finish(name).view(np.uint8)


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield blocks of whole lines, a few megabytes each."""
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


def _explain_line(line: int, given: bytes) -> str:
    """Describe the mistake in a line."""
    try:
        text = given.decode().rstrip("\r")
    except UnicodeDecodeError as error:
        return (
            f"byte {given[error.start]:#04x} is not UTF-8 (convert the file, for example with iconv -t UTF-8)"
        )
    shown = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
    return f"{_PARTS[(line - 1) % 3]} was expected, not {shown!r}"


_LAYOUT = "phrases 2"  # part of the cache key: another layout gets another file in the cache


@record
class ParaphraseFile:
    """A paraphrase table in a file, which is opened on first use."""

    path: Path
    identity: str
    language: str | None = None
    opened: list[PhraseTable] = field(default_factory=list, repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle as the path; each process maps the table itself."""
        return load_paraphrases, (self.path, self.language)

    def phrases(self) -> PhraseTable:
        """Open the table; METEOR's text is compiled to a store, which is cached.

        Raises
        ------
        ResourceError
            If the file is damaged or not in METEOR's format; the message names the line.
        """
        if not self.opened:
            self.opened.append(map_store(self.path) if is_store(self.path) else self._open_text())
        return self.opened[0]

    def _open_text(self) -> PhraseTable:
        store = self._cached_store()
        if store is None:
            return open_phrases(compile_text(self.path, self.identity))
        try:
            return map_store(store)
        except ResourceError:  # missing or damaged
            return self._compile_into(store)

    def _cached_store(self) -> Path | None:
        folder = cache_folder()
        if folder is None:
            return None
        key = content_key(_LAYOUT, self.identity, str(self.path.stat().st_size))
        return folder / f"paraphrases-{key.hex()}.store"

    def _compile_into(self, store: Path) -> PhraseTable:
        data = compile_text(self.path, self.identity)
        try:
            store.parent.mkdir(parents=True, exist_ok=True)
            write_store(store, data)
            return map_store(store)
        except (OSError, ResourceError):  # if the cache cannot be written, scoring still works
            return open_phrases(data)


def load_paraphrases(path: str | Path, language: str | None = None) -> ParaphraseFile:
    """Find the file of a table; METEOR's text is checked when it is opened."""
    file = Path(path)
    check_not_pipe(file, "a table of paraphrases", error=ResourceError)
    if is_store(file):
        note_input(file)
        opened = map_store(file)
        return ParaphraseFile(file, opened.name, language, [opened])
    checksum = checksum_content(file, error=ResourceError)
    return ParaphraseFile(file, f"{file.name.removesuffix('.gz')}[{checksum:08x}]", language)


def find_paraphrases() -> ParaphraseFile | None:
    """Find METEOR's English table in the package pycocoevalcap; None if that is not installed."""
    path = find_in_package("data/paraphrase-en.gz")
    return None if path is None else load_paraphrases(path, "en")


def convert_paraphrases(source: str | Path, target: str | Path) -> PhraseTable:
    """Compile a table in METEOR's format to a store, which opens immediately and has the same identity.

    Raises
    ------
    ResourceError
        If the table cannot be read or is already a store, or the store cannot be written.
    """
    table = load_paraphrases(source)
    if is_store(table.path):
        raise ResourceError(f"{source} is already a store; copy the file")
    write_store(Path(target), compile_text(table.path, table.identity))
    return map_store(Path(target))
