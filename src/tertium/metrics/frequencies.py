"""Document frequencies of words, and the F-score of words or n-grams that are matched greedily."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import ClassVar, Self

import numpy as np

from tertium.metrics.base import CountingMetric, keep_best
from tertium.metrics.options import fitted_field
from tertium.records import record
from tertium.text import References
from tertium.values import FloatArray, OffsetArray, TokenColumn


@record(eq=False)
class InverseDocumentFrequency:
    """In how many of the references' texts each token occurs."""

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
        """Return the sum of these counts and the counts of other texts."""
        known = Counter(self.frequencies)
        known.update(other.frequencies)
        return replace(self, n_texts=self.n_texts + other.n_texts, frequencies=dict(known))

    def ratios(self, tokens: TokenColumn) -> FloatArray:
        """Compute (N + 1) / (n + 1) for every token of a column: the token occurs in n of N texts."""
        ids = tokens.distinct
        words = tokens.vocabulary.words(ids)
        known = np.fromiter(map(self.frequencies.get, words, repeat(0)), np.float64, len(words))
        ratios: FloatArray = np.zeros(len(tokens.vocabulary))
        ratios[ids] = (self.n_texts + 1) / (known + 1)
        return ratios[tokens.ids]


@dataclass(frozen=True)
class GreedyMatching(CountingMetric):
    """A metric whose counts are precision and recall, 0 to 1, of each reference's greedy matches.

    With several references the one with the highest score counts. The system score is the mean of the segment
    scores.
    """

    takes_best_reference: ClassVar[bool] = False  # another reference changes the document frequencies

    frequencies: InverseDocumentFrequency | None = fitted_field()

    @property
    def uses_frequencies(self) -> bool:
        """Whether words are weighted by their document frequencies."""
        return True

    @abstractmethod
    def _reference_tokens(self, references: References) -> TokenColumn:
        """Return the tokens whose document frequencies count."""

    @abstractmethod
    def _score(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        """Turn precision and recall into a score, 0 to 1."""

    def learn(self, references: References) -> InverseDocumentFrequency | None:
        if not self.uses_frequencies:
            return None
        return InverseDocumentFrequency.count(self._reference_tokens(references))

    def fit(self, references: References) -> Self:
        learnt = self.learn(references)
        return self if learnt is None else self.fit_learnt(learnt)

    def fit_learnt(self, learnt: InverseDocumentFrequency) -> Self:
        return replace(self, frequencies=learnt)

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        precision, recall = counts.T
        scores = self._score(precision, recall)
        rows = np.column_stack([100.0 * scores, 100.0 * counts, np.ones_like(scores)])
        return keep_best(rows, groups)

    def combine(self, totals: FloatArray) -> FloatArray:
        count = totals[..., -1]
        return np.where(count > 0, totals[..., 0] / np.where(count > 0, count, 1.0), self.worst)

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"precision": float(totals[1] / totals[-1]), "recall": float(totals[2] / totals[-1])}

    def _facts(self, hypothesis: str, references: Sequence[str]) -> dict[str, float | str]:
        """Return precision and recall of a segment."""
        details = self.sentence_score(hypothesis, references).details
        return {name: value for name, value in details.items() if isinstance(value, float)}

    def _fitted(self, references: Sequence[str]) -> Self:
        """Return a metric that can explain a segment: one that knows document frequencies, if it needs them."""
        return self if self.frequencies is not None else self.fit(References([list(references)]))


def weighted_f(precision: FloatArray, recall: FloatArray, alpha: float) -> FloatArray:
    """Compute P · R / (α · P + (1 − α) · R), 0 if that is undefined; with α = 1 it is recall."""
    below = alpha * precision + (1.0 - alpha) * recall
    defined = (precision > 0) & (recall > 0)
    return np.where(defined, precision * recall / np.where(defined, below, 1.0), 0.0)
