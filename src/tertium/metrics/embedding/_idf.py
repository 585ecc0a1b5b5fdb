"""Inverse document frequency: the fewer texts have a token, the more it tells."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Self

import numpy as np

from tertium.kernels.elementary import log
from tertium.types import FloatArray, TokenColumn

__all__ = ["InverseDocumentFrequency"]


@dataclass(frozen=True, eq=False)
class InverseDocumentFrequency:
    """The weights 1 + ln((N + 1) / (n + 1)) of tokens that n of N texts have; a token of every text weighs 1.

    The 1 keeps small test sets sensible: of a single text, all tokens weigh the same.
    """

    n_texts: int
    frequencies: Mapping[str, int]

    @classmethod
    def count(cls, tokens: TokenColumn) -> Self:
        """Count in how many of the column's texts each token occurs."""
        owners = np.repeat(np.arange(len(tokens)), tokens.lengths)
        n_words = len(tokens.vocabulary)
        pairs = np.sort(owners * n_words + tokens.ids)
        is_first = np.diff(pairs, prepend=-1) > 0
        counts = np.bincount(pairs[is_first] % max(n_words, 1), minlength=n_words)
        ids = tokens.distinct
        return cls(len(tokens), dict(zip(tokens.vocabulary.words(ids), counts[ids].tolist(), strict=True)))

    def merge(self, other: Self) -> Self:
        """Add what was counted in other texts."""
        known = Counter(self.frequencies)
        known.update(other.frequencies)
        return replace(self, n_texts=self.n_texts + other.n_texts, frequencies=dict(known))

    def weigh(self, tokens: TokenColumn) -> FloatArray:
        """Compute the weight of every token of a column."""
        ids = tokens.distinct
        words = tokens.vocabulary.words(ids)
        known = np.fromiter(map(self.frequencies.get, words, repeat(0)), np.float64, len(words))
        weights: FloatArray = np.zeros(len(tokens.vocabulary))
        weights[ids] = 1.0 + log((self.n_texts + 1) / (known + 1))
        return weights[tokens.ids]
