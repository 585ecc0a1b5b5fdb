"""Vectors that an encoder makes: one for each occurrence of a word in its sentence."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.cache import content_key, open_cache
from tertium.interfaces import VectorKind
from tertium.resources.progress import report_progress
from tertium.resources.vectors.sources import Matrix
from tertium.types import Embedding, TokenColumn

__all__ = ["CACHE", "EncodedVectors", "SequenceEncoder"]

# Texts that are encoded and then kept in the cache at once: what a killed run loses.
CHUNK_TEXTS = 256
CACHE = "contextual-1"  # the number goes up whenever what is kept changes

Halves = npt.NDArray[np.float16]
Cut = tuple[Sequence[int], Sequence[int]]
"""A text's pieces as ids, and the number of the word that each belongs to."""


class SequenceEncoder(Protocol):
    """A model that gives every word piece of a sequence a state."""

    @property
    def max_pieces(self) -> int:
        """The most pieces that a sequence may have."""

    def cut(self, texts: Sequence[Sequence[str]]) -> list[Cut]:
        """Cut the words of each text into pieces."""

    def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
        """Encode sequences of pieces, in any order: the number of each and its states."""


class EncodedVectors:
    """A vector per token occurrence: the mean of the states of the token's word pieces.

    A text is encoded as a whole. One of more pieces than the encoder takes is encoded in windows, so nothing is
    cut off; tokens near a window's border see less context. A token without any piece (control
    characters) has no vector. Values are rounded to half precision, so that a text has the same vectors
    whether they come from the cache or not.
    """

    languages: ClassVar[frozenset[str] | None] = None
    kind: ClassVar[VectorKind] = "contextual"
    remedy: ClassVar[str]
    """What to do if the encoder gives no numbers."""

    def __init__(self, encoder: SequenceEncoder, identity: str) -> None:
        self._encoder = encoder
        self.identity = identity

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.identity})"

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Encode every text; `matrix` holds one row per token occurrence that has a vector."""
        texts = [tuple(tokens.words(i)) for i in range(len(tokens))]
        found = self._vectors_of(list(dict.fromkeys(texts)))
        parts = [found[words] for words in texts if words]
        if not parts:
            return Embedding(np.empty(0, dtype=np.int32), np.empty((0, 1), dtype=np.float32))
        matrix = np.concatenate(parts).astype(np.float32)
        if not np.isfinite(matrix).all():
            raise ResourceError(f"{self.identity} gave NaN or an infinite number; {self.remedy}")
        is_known = matrix.any(axis=1)
        rows = np.where(is_known, np.cumsum(is_known) - 1, -1).astype(np.int32)
        return Embedding(rows, matrix[is_known])

    def _vectors_of(self, texts: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Halves]:
        cache = open_cache(CACHE)
        keys = {words: content_key(self.identity, *words) for words in texts if words}
        kept = {} if cache is None else cache.get_many(list(keys.values()))
        found = {
            words: np.frombuffer(kept[key], "<f2").reshape(len(words), -1)
            for words, key in keys.items()
            if key in kept
        }
        missing = sorted((words for words in keys if words not in found), key=len)
        if missing and cache is not None:
            cache.check_writable()  # before the work
        for start in range(0, len(missing), CHUNK_TEXTS):
            chunk = missing[start : start + CHUNK_TEXTS]
            fresh = dict(zip(chunk, self._encode(chunk), strict=True))
            if cache is not None:
                cache.put_many(
                    {keys[words]: matrix.astype("<f2").tobytes() for words, matrix in fresh.items()}
                )
            found |= fresh
            report_progress("encoding", start + len(chunk), len(missing))
        return found

    def _encode(self, texts: Sequence[Sequence[str]]) -> list[Halves]:
        cut, width = self._encoder.cut(texts), self._encoder.max_pieces
        windows = [
            (number, start) for number, (ids, _) in enumerate(cut) for start in range(0, len(ids), width)
        ]
        states: list[list[Matrix]] = [[] for _ in texts]
        encoded = dict(self._encoder.encode([cut[n][0][start : start + width] for n, start in windows]))
        for place, (number, _) in enumerate(windows):
            states[number].append(encoded[place])
        return [
            _average_words(states[n], word_ids, len(texts[n])).astype(np.float16)
            for n, (_, word_ids) in enumerate(cut)
        ]


def _average_words(states: Sequence[Matrix], word_ids: Sequence[int], n_words: int) -> Matrix:
    """The mean state of each word's pieces; zeros for a word without any."""
    sums: Matrix = np.zeros((n_words, states[0].shape[1] if states else 1), dtype=np.float32)
    if not states:
        return sums
    words, starts, counts = np.unique(word_ids, return_index=True, return_counts=True)  # they rise
    sums[words] = np.add.reduceat(np.concatenate(states), starts, axis=0) / counts[:, None]
    return sums
