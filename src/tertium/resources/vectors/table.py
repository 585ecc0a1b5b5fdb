"""The word vectors that metrics use: one vector per word, from a file in any format."""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tertium.errors import ResourceError
from tertium.interfaces import VectorKind
from tertium.kernels.strings import TextColumn, Vocabulary
from tertium.resources.vectors.sources import Matrix, Rows, VectorSource
from tertium.text.languages import LANGUAGES
from tertium.values import Embedding, IdArray, TokenColumn

# The names of the tables in the package, and their names in the table of languages.
TABLES: Mapping[str, VectorKind] = {"tertium-english": "english", "tertium-multilingual": "multilingual"}

# If this number of distinct words has no vector at all, the vectors do not fit the text.
MAX_UNKNOWN_WORDS = 50


class WordTable:
    """One vector per word, looked up as written, then in lower case, then composed from the word's parts.

    Only the rows of words that occur are read, and each of them once. A table is thread-safe.
    """

    def __init__(
        self, source: VectorSource, name: str, reopen: tuple[Callable[..., Any], tuple[Any, ...]]
    ) -> None:
        self.source = source
        self.name = name
        self._reopen = reopen
        self._lock = threading.Lock()  # guards the next three fields, which grow together
        self._words = Vocabulary()
        self._rows: Rows = np.empty(0, dtype=np.int64)  # of each word in the matrix, or -1
        self._matrix: Matrix = np.empty((0, source.dimension), dtype=np.float32)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle as a call that opens the file; each process opens it itself."""
        return self._reopen

    def __repr__(self) -> str:
        return f"WordTable({self.identity}, {len(self.source):,} words, {self.source.dimension} dimensions)"

    @cached_property
    def identity(self) -> str:
        """Name and checksum."""
        name = re.sub(r"[^\w.+-]", "_", self.name)  # signatures use | and : as separators
        return f"{name}[{self.source.checksum[:8]}]"

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages that the table covers; None for a user's file."""
        table = TABLES.get(self.name)
        if table is None:
            return None
        return frozenset(row.code for row in LANGUAGES.values() if row.vectors == table)

    @property
    def kind(self) -> VectorKind:
        """The kind of a table in the package; `static` for any other file."""
        return TABLES.get(self.name, "static")

    @property
    def dimension(self) -> int:
        return self.source.dimension

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Look up every token; `matrix` holds the vectors of the distinct words, or of all words looked up so far.

        It is not copied if the texts use half of it: fresh memory costs more than the unused vectors.
        """
        ids = tokens.distinct
        words = tokens.vocabulary
        if isinstance(words, Vocabulary):  # the usual case, without a Python string for every word
            found, matrix = self._look_up(lambda: self._words.intern_words(words, ids))
        else:
            found, matrix = self._look_up(lambda: self._words.intern_all(words.words(ids)))
        if 2 * len(ids) < len(matrix):
            is_known = found >= 0
            matrix = matrix.take(found[is_known], axis=0)
            found[is_known] = np.arange(len(matrix))
        rows = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
        rows[ids] = found
        return Embedding(rows.take(tokens.ids), matrix)

    def vectors(self, words: Sequence[str]) -> list[Matrix | None]:
        """Return the vector of each word, or None."""
        rows, matrix = self._look_up(lambda: self._words.intern_all(list(words)))
        return [matrix[row] if row >= 0 else None for row in rows]

    def _look_up(self, number: Callable[[], IdArray]) -> tuple[Rows, Matrix]:
        """Return the row of each word, or -1, and the matrix of all vectors read so far; `number` numbers the words."""
        with self._lock:
            numbers = number()
            try:
                if len(self._words) > len(self._rows):
                    self._load(list(TextColumn.from_words(self._words, len(self._rows))))
            finally:
                if len(self._words) > len(self._rows):  # after an error or Ctrl-C: forget the new words
                    known = list(TextColumn.from_words(self._words)[: len(self._rows)])
                    self._words = Vocabulary()
                    self._words.intern_all(known)
            return self._rows[numbers], self._matrix

    def _load(self, words: Sequence[str]) -> None:
        """Read or compose the vectors of new words and append them to the matrix."""
        in_source = self._find(words)
        known = np.unique(in_source[in_source >= 0])
        rows = np.where(in_source >= 0, np.searchsorted(known, in_source) + len(self._matrix), -1)
        missing = np.flatnonzero(in_source < 0)
        which, composed = self.source.compose([words[i] for i in missing.tolist()])
        rows[missing[which]] = np.arange(len(which)) + len(self._matrix) + len(known)
        self._matrix = np.concatenate([self._matrix, self.source.read(known), composed])
        self._rows = np.concatenate([self._rows, rows])
        if len(self._rows) >= MAX_UNKNOWN_WORDS and not len(self._matrix):
            some = ", ".join(repr(word) for word in TextColumn.from_words(self._words, 0)[:3])
            raise ResourceError(
                f"{self.source.path}: none of the text's {len(self._rows):,} words ({some}, …) has a vector; "
                "check that the vectors are for the text's language and were trained on text tokenised in the same way"
            )

    def _find(self, words: Sequence[str]) -> Rows:
        rows = self.source.find([word.encode() for word in words])
        missing = [i for i in np.flatnonzero(rows < 0).tolist() if words[i].lower() != words[i]]
        rows[missing] = self.source.find([words[i].lower().encode() for i in missing])
        return rows
