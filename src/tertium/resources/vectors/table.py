"""Word vectors as metrics ask for them: one vector per word, from any file of vectors."""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tertium.errors import ResourceError
from tertium.interfaces import VectorKind
from tertium.resources.vectors.sources import Matrix, Rows, VectorSource, read_blocks
from tertium.resources.vectors.store import CONTINUATION
from tertium.text.languages import LANGUAGES
from tertium.types import Embedding, TokenColumn

# The names of the tables inside the package, and under which they stand in the rows of languages.
TABLES: Mapping[str, VectorKind] = {"tertium-english": "english", "tertium-multilingual": "multilingual"}

# So many different words, none of them known, are no accident: the vectors do not fit the text.
SUSPICIOUS_WORDS = 50


class WordTable:
    """One vector per word, looked up as written, then in lower case, then made from the word's parts.

    Only the rows of words that occur are read, and each of them once. Threads may share a table.
    """

    def __init__(
        self, source: VectorSource, name: str, reopen: tuple[Callable[..., Any], tuple[Any, ...]]
    ) -> None:
        self.source = source
        self.name = name
        self._reopen = reopen
        self._lock = threading.Lock()  # over the two below, which grow together
        self._places: dict[str, int] = {}
        self._matrix: Matrix = np.empty((0, source.dimension), dtype=np.float32)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Travel to another process as the way to open the file there."""
        return self._reopen

    def __repr__(self) -> str:
        return f"WordTable({self.identity}, {len(self.source):,} words, {self.source.dimension} dimensions)"

    @cached_property
    def identity(self) -> str:
        """Name and checksum."""
        name = re.sub(r"[^\w.+-]", "_", self.name)  # a signature has its own use for | and :
        return f"{name}[{self.source.checksum[:8]}]"

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages that the words are of; None if only the user knows."""
        table = TABLES.get(self.name)
        if table is None:
            return None
        return frozenset(row.code for row in LANGUAGES.values() if row.vectors == table)

    @property
    def kind(self) -> VectorKind:
        """Which table of the package it is; `static` for any other."""
        return TABLES.get(self.name, "static")

    @property
    def dimension(self) -> int:
        return self.source.dimension

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Look up every token; `matrix` holds the vectors of the words that occur, each once."""
        ids = tokens.distinct
        places, matrix = self._look_up(tokens.vocabulary.words(ids))
        is_known = places >= 0
        rows = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
        rows[ids[is_known]] = np.arange(np.count_nonzero(is_known))
        return Embedding(rows[tokens.ids], matrix[places[is_known]])

    def vectors(self, words: Sequence[str]) -> list[Matrix | None]:
        """The vector of each word, or None."""
        places, matrix = self._look_up(words)
        return [matrix[place] if place >= 0 else None for place in places]

    def _look_up(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """Where each word's vector stands, or -1, and the matrix in which it stands there."""
        with self._lock:
            try:
                places = self._places_of(words)
            except KeyError:  # seldom: new words come in one text, old ones in all
                self._learn([word for word in words if word not in self._places])
                places = self._places_of(words)
            return places, self._matrix

    def _places_of(self, words: Sequence[str]) -> Rows:
        return np.fromiter(map(self._places.__getitem__, words), np.int64, len(words))

    def _learn(self, words: Sequence[str]) -> None:
        rows = self._find(words)
        known = np.unique(rows[rows >= 0])
        places = np.where(rows >= 0, np.searchsorted(known, rows) + len(self._matrix), -1)
        missing = np.flatnonzero(rows < 0)
        which, composed = self.source.compose([words[i] for i in missing.tolist()])
        places[missing[which]] = np.arange(len(which)) + len(self._matrix) + len(known)
        self._matrix = np.concatenate([self._matrix, self.source.read(known), composed])
        self._places.update(zip(words, places.tolist(), strict=True))
        self._check_overlap()

    def _find(self, words: Sequence[str]) -> Rows:
        rows = self.source.find([word.encode() for word in words])
        missing = [i for i in np.flatnonzero(rows < 0).tolist() if words[i].lower() != words[i]]
        rows[missing] = self.source.find([words[i].lower().encode() for i in missing])
        return rows

    def _check_overlap(self) -> None:
        if len(self._places) >= SUSPICIOUS_WORDS and not len(self._matrix):
            some = ", ".join(repr(word) for word in list(self._places)[:3])
            raise ResourceError(
                f"{self.source.path}: none of the text's {len(self._places):,} words ({some}, …) has a vector; "
                "are the vectors for the text's language, and its words cut as the vectors' words are?"
            )


def find_similar(
    source: VectorSource, vector: Matrix, count: int, *, without: str
) -> list[tuple[str, float]]:
    """The nearest words by cosine and their cosines, best first, without one word and without word pieces."""
    cosines = np.concatenate([_cosines(block, vector) for _, block in read_blocks(source)])
    words = source.words()
    found: list[tuple[str, float]] = []
    for row in np.argsort(-cosines, kind="stable").tolist():
        word = words[row].decode(errors="replace")
        if word.lower() != without.lower() and not word.startswith(CONTINUATION):
            found.append((word, float(cosines[row])))
        if len(found) == count:
            break
    return found


def _cosines(block: Matrix, vector: Matrix) -> Matrix:
    lengths = np.linalg.norm(block, axis=1) * np.linalg.norm(vector)
    return (block @ vector / np.where(lengths > 0, lengths, 1)).astype(np.float32)
