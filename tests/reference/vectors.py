"""Word vectors for tests: a few written by hand, the golden table, or one made up for every word."""

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.values import Embedding, TokenColumn

__all__ = ["BY_HAND", "ContextVectors", "HandVectors", "MadeUpVectors", "golden_vectors"]

GOLDEN = Path(__file__).parent.parent / "golden" / "emb25_unk.txt"

Vector = npt.NDArray[np.float32]


class HandVectors:
    """A table of words, looked up as written and then, unless `as_written`, in lower case."""

    identity = "by-hand"

    def __init__(self, vectors: Mapping[str, Sequence[float] | Vector], *, as_written: bool = False) -> None:
        self.vectors = {word: np.array(vector, dtype=np.float32) for word, vector in vectors.items()}
        self._rows = {word: row for row, word in enumerate(self.vectors)}
        self._lower = str if as_written else str.lower
        self._matrix = np.stack(list(self.vectors.values()))

    def embed(self, tokens: TokenColumn) -> Embedding:
        words = tokens.vocabulary.words(tokens.ids)
        rows = [self._rows.get(word, self._rows.get(self._lower(word), -1)) for word in words]
        return Embedding(np.array(rows, dtype=np.int32), self._matrix)


BY_HAND = HandVectors({"a": [1, 0], "b": [0.6, 0.8], "c": [-1, 0], "nil": [0, 0]})


class MadeUpVectors:
    """A vector for every word, drawn from its spelling; words that begin with `unk` have none."""

    identity = "made-up"

    def __init__(self, width: int = 7) -> None:
        self.width = width

    def vector(self, word: str) -> Vector:
        rng = np.random.default_rng(zlib.crc32(word.encode()))
        return rng.normal(0.2, 1.0, self.width).astype(np.float32)

    def embed(self, tokens: TokenColumn) -> Embedding:
        ids, places = np.unique(tokens.ids, return_inverse=True)
        words = tokens.vocabulary.words(ids)
        rows = np.where([word.startswith("unk") for word in words], -1, np.arange(len(words)))
        matrix = np.array([self.vector(word) for word in words], dtype=np.float32)
        return Embedding(rows[places].astype(np.int32), matrix.reshape(-1, self.width))


class ContextVectors(MadeUpVectors):
    """A vector per occurrence: the word's own, moved a little by its left neighbour."""

    identity = "in-context"

    def embed(self, tokens: TokenColumn) -> Embedding:
        words = tokens.vocabulary.words(tokens.ids)
        starts = set(tokens.offsets.tolist())
        vectors = [
            self.vector(word) + (0 if i in starts else 0.3 * self.vector(words[i - 1]))
            for i, word in enumerate(words)
        ]
        matrix = np.array(vectors, dtype=np.float32).reshape(-1, self.width)
        return Embedding(np.arange(len(words), dtype=np.int32), matrix)


def golden_vectors(*, with_unk: bool = False, as_written: bool = False) -> HandVectors:
    """The 25-d vectors of the golden pairs' words; some words are left out, and `zerovec` is all zero."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()[1:]
    rows = [line.split(" ") for line in lines]
    kept = {word: np.array(values, dtype=np.float32) for word, *values in rows if with_unk or word != "unk"}
    return HandVectors(kept, as_written=as_written)
