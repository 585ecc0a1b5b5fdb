"""What the aligner knows of each word of a vocabulary: its hash, its stem and its synsets."""

from collections.abc import Sequence
from functools import cache
from itertools import chain

import numpy as np

from tertium.interfaces import Synonyms
from tertium.kernels import Vocabulary, hash_words
from tertium.metrics.meteor._snowball import stem_words
from tertium.types import IdArray, OffsetArray

__all__ = ["CodeTable", "StemTable", "SynsetTable"]


class Stems:
    """The stems of one language's words, as numbers; a word is stemmed once."""

    MOST = 1_000_000  # so many words are remembered; then all are forgotten, lest memory grow for ever

    def __init__(self, language: str) -> None:
        self._language = language
        self._known: dict[str, int] = {}

    def of(self, words: Sequence[str]) -> list[int]:
        """Number the words' stems by their hash, since METEOR compares hashes."""
        if len(self._known) > self.MOST:
            self._known = {}  # not emptied: another thread may be reading it
        known = self._known
        new = [word for word in words if word not in known]
        known.update(zip(new, hash_words(stem_words(self._language, new)).tolist(), strict=True))
        return [known[word] for word in words]


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
        new = _new_words(self._vocabulary, len(self._stems))
        if new:
            self._stems = np.concatenate([self._stems, np.array(self._all.of(new), dtype=np.int32)])
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
        new = _new_words(self._vocabulary, len(self._codes))
        if new:
            self._codes = np.concatenate([self._codes, hash_words(new)])
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
            self._append(self._synonyms.synsets(new))
        return self._ids, self._offsets

    def _append(self, rows: Sequence[Sequence[int]]) -> None:
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int32)
        ends = self._offsets[-1] + np.cumsum([len(row) for row in rows], dtype=np.int64)
        self._ids = np.concatenate([self._ids, flat])
        self._offsets = np.concatenate([self._offsets, ends])


def _new_words(vocabulary: Vocabulary, known: int) -> list[str]:
    words: list[str] = vocabulary.words(np.arange(known, len(vocabulary), dtype=np.int32))
    return words
