"""Counts of n-grams: matches, overlaps, skip bigrams and information weights."""

from typing import Self

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium._core import Vocabulary
from tertium.errors import InputError
from tertium.kernels.elementary import log2
from tertium.kernels.strings import pair_texts
from tertium.kernels.threads import n_threads
from tertium.records import record
from tertium.values import FloatArray, IdArray, OffsetArray, TokenColumn


@record(eq=False)
class InformationWeights:
    """The weights of n-grams: n-gram k is n-gram `parents[k]` (-1: none) followed by the word `words[tokens[k]]`.

    N-grams whose prefix occurs once have weight 0 and are left out. Words are stored as strings, so that the
    weights can be sent to another process without a vocabulary.
    """

    words: list[str]
    parents: IdArray
    tokens: IdArray
    weights: FloatArray


def weigh_ngrams(texts: TokenColumn, *, order: int) -> InformationWeights:
    """Compute the weights of n-grams: log₂(count of the n-gram without its last word / count of the n-gram).

    For a unigram, the first count is the number of all words.
    """
    parents, tokens, counts = _core.count_ngrams(texts.ids, texts.offsets, order)
    before = np.where(parents >= 0, counts.take(parents), len(texts.ids)) if len(counts) else counts
    used = np.bincount(tokens) > 0
    numbers = np.cumsum(used, dtype=np.int32) - 1
    words = texts.vocabulary.words(np.flatnonzero(used).astype(np.int32))
    return InformationWeights(words, parents, numbers.take(tokens), log2(before / counts))


def count_information(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    weights: InformationWeights,
    *,
    vocabulary: Vocabulary,
    order: int,
) -> FloatArray:
    """Compute, per segment: hypothesis length, average reference length, matched information and n-grams by order."""
    ids = vocabulary.intern_all(weights.words)
    pairs = pair_texts(hypotheses, references, groups)
    table = weights.parents, ids.take(weights.tokens), weights.weights
    try:
        return _core.count_information(pairs, *table, order, n_threads())
    except ValueError as error:
        raise InputError(f"the weights were computed from other references: {error}") from error


Integers = npt.NDArray[np.int64]


@record(eq=False)
class NgramCounts:
    """The counts of n-grams by order; equal texts have equal arrays, even if they were counted in parts.

    Attributes
    ----------
    words
        All words, sorted by code point.
    parents, tokens, counts
        The sorted n-grams of each order: n-gram `parents[n][k]` of the previous order (0 for a single word),
        followed by the word `words[tokens[n][k]]`.
    """

    words: list[str]
    parents: list[Integers]
    tokens: list[Integers]
    counts: list[Integers]

    def merge(self, other: Self) -> Self:
        """Return the sum of these counts and those of another text."""
        words = sorted({*self.words, *other.words})
        numbers = {word: number for number, word in enumerate(words)}
        merged = type(self)(words, [], [], [])
        # the new indices of the n-grams of the previous order, in both counts
        before = np.zeros(1, np.int64), np.zeros(1, np.int64)
        renamed = [np.array([numbers[word] for word in part.words], np.int64) for part in (self, other)]
        for order in range(len(self.counts)):
            keys = [
                moved[part.parents[order]] * len(words) + names[part.tokens[order]]
                for part, moved, names in zip((self, other), before, renamed, strict=True)
            ]
            found, places = np.unique(np.concatenate(keys), return_inverse=True)
            sums = np.zeros(len(found), np.int64)
            np.add.at(sums, places, np.concatenate([self.counts[order], other.counts[order]]))
            merged.parents.append(found // max(1, len(words)))
            merged.tokens.append(found % max(1, len(words)))
            merged.counts.append(sums)
            before = places[: len(keys[0])], places[len(keys[0]) :]
        return merged

    def weigh(self) -> InformationWeights:
        """Compute the same weights as `weigh_ngrams`, for the same n-grams."""
        parents, tokens, weights = [np.full(len(self.words), -1)], [self.tokens[0]], [self._bits(0)]
        kept = np.arange(len(self.words))  # the indices of the n-grams of the previous order in the table
        for order in range(1, len(self.counts)):
            above = self.parents[order]
            is_kept = (self.counts[order - 1][above] > 1) & (kept[above] >= 0)
            first = sum(map(len, tokens))
            parents.append(kept[above[is_kept]])
            tokens.append(self.tokens[order][is_kept])
            weights.append(self._bits(order)[is_kept])
            kept = np.full(len(above), -1)
            kept[is_kept] = first + np.arange(int(is_kept.sum()))
        return InformationWeights(
            self.words,
            np.concatenate(parents).astype(np.int32),
            np.concatenate(tokens).astype(np.int32),
            np.concatenate(weights),
        )

    def word_after(self, word: str) -> str | None:
        """Return the first word, in sorted order, that follows a word; None if no word does."""
        if word not in self.words or len(self.counts) < 2:
            return None
        bigrams = np.flatnonzero(self.parents[1] == self.words.index(word))
        return self.words[int(self.tokens[1][bigrams[0]])] if len(bigrams) else None

    def _bits(self, order: int) -> npt.NDArray[np.float64]:
        above = self.counts[order - 1][self.parents[order]] if order else self.counts[0].sum()
        return log2(above / self.counts[order])


def count_all_ngrams(texts: TokenColumn, *, order: int) -> NgramCounts:
    """Count all n-grams of a column, up to an order."""
    used, ids = np.unique(texts.ids, return_inverse=True)
    used_words = texts.vocabulary.words(used.astype(np.int32))
    words = sorted(used_words)
    ranks = {word: rank for rank, word in enumerate(words)}
    ids = np.array([ranks[word] for word in used_words], np.int64)[ids]
    ends = np.repeat(texts.offsets[1:], texts.lengths)
    counted = NgramCounts(words, [], [], [])
    nodes, places = np.zeros(len(ids), np.int64), np.arange(len(ids))
    for n in range(order):
        places = places[places + n < ends[places]]
        keys = nodes[places] * max(1, len(words)) + ids[places + n]
        found, at, sums = np.unique(keys, return_inverse=True, return_counts=True)
        counted.parents.append(found // max(1, len(words)))
        counted.tokens.append(found % max(1, len(words)))
        counted.counts.append(sums.astype(np.int64))
        nodes[places] = at
    return counted


# The largest numbers of words between the two words of a skip bigram. The last one means any number: sentences are
# not longer, and for longer texts the cost stays linear.
SKIP_GAPS = (1, 2, 3, 4, 500)


def count_bleu(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, *, order: int
) -> FloatArray:
    """Count, per segment: hypothesis length, closest reference length, matches and totals of orders 1..order."""
    return _core.count_bleu(pair_texts(hypotheses, references, groups), order, n_threads())


def count_overlaps(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, *, order: int
) -> FloatArray:
    """Count, for each *reference* and order 1..order: hypothesis n-grams, reference n-grams, clipped matches.

    Hypothesis n-grams of an order are not counted if the reference has none of that order.
    """
    return _core.count_overlaps(pair_texts(hypotheses, references, groups), order, n_threads())


def count_aggregated_overlaps(
    hypotheses: TokenColumn,
    groups: OffsetArray,
    references: TokenColumn,
    reference_groups: OffsetArray,
    *,
    order: int,
) -> FloatArray:
    """Count the overlaps of `count_overlaps` for each *hypothesis* and the average of its source's references.

    Source s has the hypotheses `groups[s]` to `groups[s + 1]`, and references likewise. The count of an n-gram in
    the average is the mean of its counts in the references.
    """
    return _core.count_aggregated_overlaps(
        hypotheses.ids,
        hypotheses.offsets,
        groups,
        references.ids,
        references.offsets,
        reference_groups,
        order,
        n_threads(),
    )


def count_skip_bigrams(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count, for each *reference* and gap of `SKIP_GAPS`: hypothesis pairs, reference pairs, clipped matches."""
    gaps = np.array(SKIP_GAPS, dtype=np.int64)
    return _core.count_skip_bigrams(pair_texts(hypotheses, references, groups), gaps, n_threads())
