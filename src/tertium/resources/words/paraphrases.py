"""Paraphrase tables: METEOR's text, which is compiled once into a store, or a store given as it is."""

import mmap
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.cache import cache_folder, content_key
from tertium.files.opening import open_bytes
from tertium.files.paths import check_not_pipe, show_path
from tertium.files.reading import checksum_content
from tertium.files.writing import write_atomically
from tertium.kernels import PhraseReader, PhraseTable, open_phrases
from tertium.progress import report_progress
from tertium.resources.words.word_lists import find_in_package

# So begins a store, whatever its version, as a machine of either order of bytes writes it.
_MAGIC = re.compile(rb"TRTIUMP.|.PMUITRT", re.DOTALL)


def is_store(path: Path) -> bool:
    """Whether a file begins like a store; one that cannot be read does not."""
    try:
        with path.open("rb") as file:
            return _MAGIC.fullmatch(file.read(8)) is not None
    except OSError:
        return False


def map_store(path: Path) -> PhraseTable:
    """Map a store into memory and check that it is whole and sound.

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
    """Write the bytes of a table, all of them or none."""
    with write_atomically(path, ResourceError) as temporary, temporary.open("wb") as file:
        file.write(data.data)


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


_LAYOUT = "phrases 2"  # stores of another layout are made anew beside the old ones


@dataclass(frozen=True)
class ParaphraseFile:
    """A table on disk; it is opened when it is first asked for its phrases, and then kept."""

    path: Path
    identity: str
    language: str | None = None
    opened: list[PhraseTable] = field(default_factory=list, repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Travel to another process as a path: each one maps the table by itself."""
        return load_paraphrases, (self.path, self.language)

    def phrases(self) -> PhraseTable:
        """Open the table; METEOR's text is compiled into a store in the cache unless that has been done.

        Raises
        ------
        ResourceError
            If the file is damaged or not in METEOR's format; the message has the line.
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
        except ResourceError:  # absent, or damaged, which counts as absent
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
        except (OSError, ResourceError):  # a cache that cannot be written costs time, but no score
            return open_phrases(data)


def load_paraphrases(path: str | Path, language: str | None = None) -> ParaphraseFile:
    """Find a table, which must exist; its content is checked when it is opened."""
    file = Path(path)
    check_not_pipe(file, "a table of paraphrases", error=ResourceError)
    if is_store(file):
        opened = map_store(file)
        return ParaphraseFile(file, opened.name, language, [opened])
    checksum = checksum_content(file, error=ResourceError)
    return ParaphraseFile(file, f"{file.name.removesuffix('.gz')}[{checksum:08x}]", language)


def find_paraphrases() -> ParaphraseFile | None:
    """METEOR's English table, if the package pycocoevalcap that brings it is installed."""
    path = find_in_package("data/paraphrase-en.gz")
    return None if path is None else load_paraphrases(path, "en")


def convert_paraphrases(source: str | Path, target: str | Path) -> PhraseTable:
    """Compile a table in METEOR's format into a store, which opens at once and has the same identity.

    Raises
    ------
    ResourceError
        If the table cannot be read, is a store already, or the store cannot be written.
    """
    table = load_paraphrases(source)
    if is_store(table.path):
        raise ResourceError(f"{source} is a store already; copy the file")
    write_store(Path(target), compile_text(table.path, table.identity))
    return map_store(Path(target))
