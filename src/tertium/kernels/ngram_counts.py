"""Counts of all n-grams of a text, which can be added to those of another: what a stream learns in parts."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from tertium.kernels.elementary import log2
from tertium.kernels.information import InformationWeights
from tertium.types import TokenColumn

__all__ = ["NgramCounts", "count_all_ngrams"]

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NgramCounts:
    """How often each n-gram occurs, by order: equal texts give equal arrays, however they were parted.

    Attributes
    ----------
    words
        All words, in the order of their code points.
    parents, tokens, counts
        For each order its n-grams, sorted: n-gram `parents[n][k]` of the order before (of a single word: 0),
        and the word `words[tokens[n][k]]` behind it.
    """

    words: list[str]
    parents: list[Integers]
    tokens: list[Integers]
    counts: list[Integers]

    def merge(self, other: Self) -> Self:
        """Add the counts of another text."""
        words = sorted({*self.words, *other.words})
        numbers = {word: number for number, word in enumerate(words)}
        merged = type(self)(words, [], [], [])
        # where each n-gram of the order before stands now, in ours and in the other's
        before = np.zeros(1, np.int64), np.zeros(1, np.int64)
        renamed = [np.array([numbers[word] for word in each.words], np.int64) for each in (self, other)]
        for order in range(len(self.counts)):
            keys = [
                moved[each.parents[order]] * len(words) + names[each.tokens[order]]
                for each, moved, names in zip((self, other), before, renamed, strict=True)
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
        """Weigh the n-grams as `weigh_ngrams` does, and leave out those that it leaves out."""
        parents, tokens, weights = [np.full(len(self.words), -1)], [self.tokens[0]], [self._bits(0)]
        kept = np.arange(len(self.words))  # where the n-grams of the order before stand in the table
        for order in range(1, len(self.counts)):
            above = self.parents[order]
            tells = (self.counts[order - 1][above] > 1) & (kept[above] >= 0)
            first = sum(map(len, tokens))
            parents.append(kept[above[tells]])
            tokens.append(self.tokens[order][tells])
            weights.append(self._bits(order)[tells])
            kept = np.full(len(above), -1)
            kept[tells] = first + np.arange(int(tells.sum()))
        return InformationWeights(
            self.words,
            np.concatenate(parents).astype(np.int32),
            np.concatenate(tokens).astype(np.int32),
            np.concatenate(weights),
        )

    def word_after(self, word: str) -> str | None:
        """The first word, in their order, that stands behind a word; None if that is always the last."""
        if word not in self.words or len(self.counts) < 2:
            return None
        behind = np.flatnonzero(self.parents[1] == self.words.index(word))
        return self.words[int(self.tokens[1][behind[0]])] if len(behind) else None

    def _bits(self, order: int) -> npt.NDArray[np.float64]:
        above = self.counts[order - 1][self.parents[order]] if order else self.counts[0].sum()
        return log2(above / self.counts[order])


def count_all_ngrams(texts: TokenColumn, *, order: int) -> NgramCounts:
    """Count every n-gram of a column, up to an order."""
    used, ids = np.unique(texts.ids, return_inverse=True)
    spelled = texts.vocabulary.words(used.astype(np.int32))
    words = sorted(spelled)
    ranks = {word: rank for rank, word in enumerate(words)}
    ids = np.array([ranks[word] for word in spelled], np.int64)[ids]
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
