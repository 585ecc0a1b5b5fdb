"""What the aligner knows of each word of a vocabulary: its hash, its stem and its synsets."""

import threading
from functools import cache

import numpy as np

from tertium.interfaces import Synonyms
from tertium.kernels import Vocabulary, hash_vocabulary, hash_words
from tertium.metrics.meteor._snowball import stem_words
from tertium.types import IdArray, IdRows, OffsetArray

__all__ = ["CodeTable", "StemTable", "SynsetTable"]


class Stems:
    """The stems of one language's words, as numbers; a word is stemmed once."""

    MOST = 1_000_000  # so many words are remembered; then all are forgotten, lest memory grow for ever

    def __init__(self, language: str) -> None:
        self._language = language
        self._lock = threading.Lock()
        self._words = Vocabulary()
        self._stems: IdArray = np.zeros(0, dtype=np.int32)

    def of(self, vocabulary: Vocabulary, first: int) -> IdArray:
        """Number the stems of a vocabulary's words, from `first` on, by their hash: METEOR compares hashes."""
        with self._lock:
            if len(self._words) > self.MOST:
                self._words, self._stems = Vocabulary(), self._stems[:0]
            known = len(self._words)
            ids = self._words.intern_words(vocabulary, first)
            if new := _new_words(self._words, known):
                hashes = hash_words(stem_words(self._language, new))
                self._stems = np.concatenate([self._stems, hashes])
            return self._stems[ids]


@cache
def stems_of(language: str) -> Stems:
    """Return the stems of a language, which all vocabularies share."""
    return Stems(language)


class StemTable:
    """The stems of a growing vocabulary, as numbers: words with equal numbers share a stem."""

    def __init__(self, vocabulary: Vocabulary, language: str) -> None:
        self._vocabulary = vocabulary
        self._all = stems_of(language)
        self._stems: IdArray = np.zeros(0, dtype=np.int32)

    def stems(self) -> IdArray:
        """Return every word's stem, as a number."""
        if len(self._vocabulary) > len(self._stems):
            new = self._all.of(self._vocabulary, len(self._stems))
            self._stems = np.concatenate([self._stems, new])
        return self._stems


class CodeTable:
    """The hashes of a growing vocabulary, by which METEOR 1.5 compares words.

    They are 32 bits wide, and so a few different words count as equal: French n' and le, English f1 and do.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._codes: IdArray = np.zeros(0, dtype=np.int32)

    def codes(self) -> IdArray:
        """Return every word's hash."""
        if len(self._vocabulary) > len(self._codes):
            new = hash_vocabulary(self._vocabulary, len(self._codes))
            self._codes = np.concatenate([self._codes, new])
        return self._codes


class SynsetTable:
    """The synsets of a growing vocabulary."""

    def __init__(self, vocabulary: Vocabulary, synonyms: Synonyms) -> None:
        self._vocabulary = vocabulary
        self._synonyms = synonyms
        self._ids: IdArray = np.zeros(0, dtype=np.int32)
        self._offsets: OffsetArray = np.zeros(1, dtype=np.int64)

    def synsets(self) -> tuple[IdArray, OffsetArray]:
        """Return every word's synsets as rising numbers, flat, and where each word's begin."""
        new = _new_words(self._vocabulary, len(self._offsets) - 1)
        if new:
            rows = IdRows.of(self._synonyms.synsets(new))
            self._ids = np.concatenate([self._ids, rows.ids])
            self._offsets = np.concatenate([self._offsets, self._offsets[-1] + rows.offsets[1:]])
        return self._ids, self._offsets


def _new_words(vocabulary: Vocabulary, known: int) -> list[str]:
    words: list[str] = vocabulary.words(np.arange(known, len(vocabulary), dtype=np.int32))
    return words
