"""Contextual vectors: one per occurrence of a word, from the encoder of the extra `contextual` or another one."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, ResourceError
from tertium.files.cache import DiskCache, content_key, open_cache
from tertium.interfaces import VectorKind
from tertium.progress import report_progress
from tertium.resources.vectors.minilm import LAST_LAYER, MODEL, REMEDY, Encoder
from tertium.resources.vectors.sources import Matrix
from tertium.values import Embedding, TokenColumn

# Texts between two writes to the cache; a killed run loses at most the vectors of this number of texts.
CHUNK_TEXTS = 256
# Texts that are looked up and sorted by length at a time; sequences of one length need no padding.
WINDOW_TEXTS = 4096
# Bytes of vectors kept in memory if the disk cache is off; outputs of several systems often share sentences.
RECENT_BYTES = 256_000_000
CACHE = "contextual-1"  # increase the number whenever the cached values change

Words = tuple[str, ...]
Halves = npt.NDArray[np.float16]
Cut = tuple[Sequence[int], Sequence[int]]
"""The ids of a text's pieces, and the index of each piece's word."""


class SequenceEncoder(Protocol):
    """A model that computes a state for every piece of a sequence."""

    @property
    def max_pieces(self) -> int:
        """The maximum number of pieces of a sequence."""

    def cut(self, texts: Sequence[Sequence[str]]) -> list[Cut]:
        """Split the words of each text into pieces."""

    def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
        """Yield the index and the states of each sequence of pieces, in any order."""


class EncodedVectors:
    """A vector per token occurrence: the mean of the states of the token's word pieces.

    A text is encoded as a whole. If it has more pieces than the encoder accepts, it is encoded in windows, so
    nothing is truncated; tokens near a window's border have less context. A token without pieces (control
    characters) has no vector. Values are rounded to half precision, so that a text has the same vectors
    whether they come from the cache or not.
    """

    languages: ClassVar[frozenset[str] | None] = None
    kind: ClassVar[VectorKind] = "contextual"
    remedy: ClassVar[str]
    """The advice for users if the encoder returns NaN or infinite values."""

    def __init__(self, encoder: SequenceEncoder, identity: str) -> None:
        self._encoder = encoder
        self._recent = _RecentVectors()
        self.identity = identity

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.identity})"

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Encode every text; `matrix` has one row per token occurrence with a vector."""
        matrix = self._fill_matrix(tokens)
        if not np.isfinite(matrix).all():
            raise ResourceError(f"{self.identity} returned NaN or an infinite number; {self.remedy}")
        is_known = matrix.any(axis=1)
        rows = np.where(is_known, np.cumsum(is_known) - 1, -1).astype(np.int32)
        return Embedding(rows, matrix if is_known.all() else matrix[is_known])

    def _fill_matrix(self, tokens: TokenColumn) -> Matrix:
        """Return a row for every token, zeros if it has no vector."""
        starts: dict[Words, list[int]] = {}
        for number, start in enumerate(tokens.offsets[:-1].tolist()):
            starts.setdefault(tuple(tokens.words(number)), []).append(start)
        matrix: Matrix = np.zeros((len(tokens.ids), 1), dtype=np.float32)
        for words, vectors in self._vectors_of(sorted(filter(None, starts), key=len)):
            if vectors.shape[1] > matrix.shape[1]:  # vectors of texts without pieces have one dimension
                matrix = np.zeros((len(tokens.ids), vectors.shape[1]), dtype=np.float32)
            for start in starts[words]:
                matrix[start : start + len(words)] = vectors
        return matrix

    def _vectors_of(self, texts: Sequence[Words]) -> Iterator[tuple[Words, Halves]]:
        """Yield the vectors of texts, in any order, from the cache or from the encoder."""
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
        """Encode texts, shortest first, and cache their vectors chunk by chunk."""
        if texts:
            memory.check()  # before encoding, which is slow
        cut = sorted(zip(self._encoder.cut(texts), texts, strict=True), key=lambda pair: len(pair[0][0]))
        for start in range(0, len(cut), CHUNK_TEXTS):
            chunk = cut[start : start + CHUNK_TEXTS]
            vectors = self._encode_chunk([pieces for pieces, _ in chunk], [len(words) for _, words in chunk])
            fresh = {words: vector for (_, words), vector in zip(chunk, vectors, strict=True)}
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
        means = _average_words([encoded[i] for i in range(len(windows))], owners, int(offsets[-1]))
        return np.split(means.astype(np.float16), offsets[1:-1])


class _KeptVectors:
    """Vectors of texts in the disk cache."""

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
            {self._keys[words]: rows.astype("<f2", copy=False).tobytes() for words, rows in vectors.items()}
        )


class _RecentVectors:
    """Vectors of the most recently encoded texts, in memory."""

    def __init__(self) -> None:
        self._kept: dict[Words, Halves] = {}
        self._size = 0
        self._lock = threading.Lock()

    def get(self, texts: Sequence[Words]) -> dict[Words, Halves]:
        with self._lock:
            return {words: self._kept[words] for words in texts if words in self._kept}

    def check(self) -> None:
        """Do nothing: memory is always writable."""

    def put(self, vectors: Mapping[Words, Halves]) -> None:
        with self._lock:
            for words, rows in vectors.items():
                self._kept[words] = rows.copy()  # a view would keep its whole chunk in memory
                self._size += rows.nbytes
            while self._size > RECENT_BYTES:
                self._size -= self._kept.pop(next(iter(self._kept))).nbytes


def _average_words(states: Sequence[Matrix], word_ids: npt.NDArray[np.int64], n_words: int) -> Matrix:
    """Return the mean state of each word's pieces; zeros for a word without pieces."""
    sums: Matrix = np.zeros((n_words, states[0].shape[1] if states else 1), dtype=np.float32)
    if not states:
        return sums
    pieces = np.concatenate(states)
    words, starts, counts = np.unique(word_ids, return_index=True, return_counts=True)  # in ascending order
    sums[words] = pieces[starts]
    is_cut = counts > 1  # most words have one piece
    if is_cut.any():
        parts, sizes = pieces[np.repeat(is_cut, counts)], counts[is_cut]
        sums[words[is_cut]] = (
            np.add.reduceat(parts, np.cumsum([0, *sizes[:-1]]), axis=0) / sizes[:, np.newaxis]
        )
    return sums


class ContextualVectors(EncodedVectors):
    """Vectors of all-MiniLM-L6-v2, by default from its last layer."""

    languages: ClassVar[frozenset[str] | None] = frozenset({"en"})
    """MiniLM was trained on English."""
    remedy: ClassVar[str] = REMEDY

    def __init__(self, layer: int = LAST_LAYER) -> None:
        self.layer = layer
        encoder = Encoder(layer)
        named = "" if layer == LAST_LAYER else f"-layer{layer}"
        super().__init__(encoder, f"{MODEL}-w8a8{named}[{encoder.checksum[:8]}]")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle as the layer; each process opens the model itself."""
        return ContextualVectors, (self.layer,)


def parse_layer(text: str) -> int:
    """Parse the layer of `contextual:LAYER`; an empty text means the last layer."""
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise OptionError(f"contextual vectors: layer must be 0 to {LAST_LAYER}, not {text!r}")
    return int(text) if text else LAST_LAYER
