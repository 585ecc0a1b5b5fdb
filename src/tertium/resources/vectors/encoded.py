"""Vectors that an encoder makes: one for each occurrence of a word in its sentence."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.cache import DiskCache, content_key, open_cache
from tertium.interfaces import VectorKind
from tertium.resources.progress import report_progress
from tertium.resources.vectors.sources import Matrix
from tertium.types import Embedding, TokenColumn

__all__ = ["CACHE", "EncodedVectors", "SequenceEncoder"]

# Texts that are encoded and then kept in the cache at once: what a killed run loses.
CHUNK_TEXTS = 256
# Texts that are looked up and sorted by length at once: sequences of one length need no padding.
WINDOW_TEXTS = 4096
# Bytes of vectors that stay in memory where the cache is off: outputs of many systems have sentences in common.
RECENT_BYTES = 256_000_000
CACHE = "contextual-1"  # the number goes up whenever what is kept changes

Words = tuple[str, ...]
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
        self._recent = _RecentVectors()
        self.identity = identity

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.identity})"

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Encode every text; `matrix` holds one row per token occurrence that has a vector."""
        matrix = self._fill_matrix(tokens)
        if not np.isfinite(matrix).all():
            raise ResourceError(f"{self.identity} gave NaN or an infinite number; {self.remedy}")
        is_known = matrix.any(axis=1)
        rows = np.where(is_known, np.cumsum(is_known) - 1, -1).astype(np.int32)
        return Embedding(rows, matrix if is_known.all() else matrix[is_known])

    def _fill_matrix(self, tokens: TokenColumn) -> Matrix:
        """Give every token a row, of zeros if it has no vector; no more than a window's texts are kept twice."""
        places: dict[Words, list[int]] = {}
        for number, start in enumerate(tokens.offsets[:-1].tolist()):
            places.setdefault(tuple(tokens.words(number)), []).append(start)
        matrix: Matrix = np.zeros((len(tokens.ids), 1), dtype=np.float32)
        for words, vectors in self._vectors_of(sorted(filter(None, places), key=len)):
            if vectors.shape[1] > matrix.shape[1]:  # texts without any piece have no width
                matrix = np.zeros((len(tokens.ids), vectors.shape[1]), dtype=np.float32)
            for start in places[words]:
                matrix[start : start + len(words)] = vectors
        return matrix

    def _vectors_of(self, texts: Sequence[Words]) -> Iterator[tuple[Words, Halves]]:
        """Find or make the vectors of texts, in any order."""
        cache = open_cache(CACHE)
        memory = self._recent if cache is None else _KeptVectors(cache, self.identity)
        for start in range(0, len(texts), WINDOW_TEXTS):
            window = texts[start : start + WINDOW_TEXTS]
            found = memory.get(window)
            yield from found.items()
            done = start + len(found)
            for fresh in self._encode([words for words in window if words not in found], memory):
                yield from fresh.items()
                done += len(fresh)
                report_progress("encoding", done, len(texts))

    def _encode(
        self, texts: Sequence[Words], memory: "_RecentVectors | _KeptVectors"
    ) -> Iterator[dict[Words, Halves]]:
        """Encode texts, those of few pieces first, and keep them chunk by chunk."""
        if texts:
            memory.check()  # before the work
        cut = sorted(zip(self._encoder.cut(texts), texts, strict=True), key=lambda each: len(each[0][0]))
        for start in range(0, len(cut), CHUNK_TEXTS):
            chunk = cut[start : start + CHUNK_TEXTS]
            vectors = self._encode_chunk([pieces for pieces, _ in chunk], [len(words) for _, words in chunk])
            fresh = {words: each for (_, words), each in zip(chunk, vectors, strict=True)}
            memory.put(fresh)
            yield fresh

    def _encode_chunk(self, cut: Sequence[Cut], n_words: Sequence[int]) -> list[Halves]:
        width = self._encoder.max_pieces
        windows = [ids[start : start + width] for ids, _ in cut for start in range(0, len(ids), width)]
        encoded = dict(self._encoder.encode(windows))
        offsets = np.cumsum([0, *n_words])
        owners = np.concatenate(
            [
                np.asarray(words, dtype=np.int64) + first
                for (_, words), first in zip(cut, offsets, strict=False)
            ]
        )
        means = _average_words([encoded[place] for place in range(len(windows))], owners, int(offsets[-1]))
        return np.split(means.astype(np.float16), offsets[1:-1])


class _KeptVectors:
    """Vectors of texts in the cache on disk."""

    def __init__(self, cache: DiskCache, identity: str) -> None:
        self._cache, self._identity = cache, identity
        self._keys: dict[Words, bytes] = {}

    def get(self, texts: Sequence[Words]) -> dict[Words, Halves]:
        self._keys = {words: content_key(self._identity, *words) for words in texts}
        kept = self._cache.get_many(list(self._keys.values()))
        return {
            words: np.frombuffer(kept[key], "<f2").reshape(len(words), -1)
            for words, key in self._keys.items()
            if key in kept
        }

    def check(self) -> None:
        self._cache.check_writable()

    def put(self, vectors: Mapping[Words, Halves]) -> None:
        self._cache.put_many(
            {self._keys[words]: each.astype("<f2", copy=False).tobytes() for words, each in vectors.items()}
        )


class _RecentVectors:
    """Vectors of the texts that were encoded last, in memory."""

    def __init__(self) -> None:
        self._kept: dict[Words, Halves] = {}
        self._size = 0
        self._lock = threading.Lock()

    def get(self, texts: Sequence[Words]) -> dict[Words, Halves]:
        with self._lock:
            return {words: self._kept[words] for words in texts if words in self._kept}

    def check(self) -> None:
        """Accept: memory can always be written."""

    def put(self, vectors: Mapping[Words, Halves]) -> None:
        with self._lock:
            for words, each in vectors.items():
                self._kept[words] = each.copy()  # not a view, which would hold its whole chunk
                self._size += each.nbytes
            while self._size > RECENT_BYTES:
                self._size -= self._kept.pop(next(iter(self._kept))).nbytes


def _average_words(states: Sequence[Matrix], word_ids: npt.NDArray[np.int64], n_words: int) -> Matrix:
    """The mean state of each word's pieces; zeros for a word without any."""
    sums: Matrix = np.zeros((n_words, states[0].shape[1] if states else 1), dtype=np.float32)
    if not states:
        return sums
    pieces = np.concatenate(states)
    words, starts, counts = np.unique(word_ids, return_index=True, return_counts=True)  # they rise
    sums[words] = pieces[starts]
    is_cut = counts > 1  # most words are one piece
    if is_cut.any():
        parts, sizes = pieces[np.repeat(is_cut, counts)], counts[is_cut]
        sums[words[is_cut]] = (
            np.add.reduceat(parts, np.cumsum([0, *sizes[:-1]]), axis=0) / sizes[:, np.newaxis]
        )
    return sums
