"""Paraphrase tables: METEOR's text, which is compiled once into a store, or a store given as it is."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.errors import ResourceError
from tertium.files.cache import cache_folder, content_key
from tertium.files.checksums import checksum_content
from tertium.files.paths import refuse_pipe
from tertium.kernels import PhraseTable, open_phrases
from tertium.resources.words.meteor_package import find_in_package
from tertium.resources.words.paraphrase_store import is_store, map_store, write_store
from tertium.resources.words.paraphrase_text import compile_text

__all__ = ["ParaphraseFile", "convert_paraphrases", "find_paraphrases", "load_paraphrases"]

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
    refuse_pipe(file, "a table of paraphrases", error=ResourceError)
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
