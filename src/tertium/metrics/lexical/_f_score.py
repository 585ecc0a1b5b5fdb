"""The F-score of n-gram overlap over its statistics, vectorised, identical to sacreBLEU 2.6."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.base import CountingMetric, best_reference, keep_best
from tertium.metrics.lexical._word_ngrams import compare_ngrams, compare_word_pairs, link_ngrams
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, OffsetArray, TokenColumn

_EPSILON = 1e-16  # as in chrF++.py


def f_score(totals: FloatArray, beta: float, *, is_smoothed: bool) -> FloatArray:
    """Compute 100 · F_β, of averaged precision and recall, or smoothed and averaged itself."""
    return smoothed_f_score(totals, beta) if is_smoothed else averaged_f_score(totals, beta)


def averaged_f_score(totals: FloatArray, beta: float) -> FloatArray:
    """Compute 100 · F_β of the precision and the recall, each averaged over the orders that both sides have.

    `totals` is (..., 3·order): for each order hypothesis n-grams, reference n-grams, matches.
    """
    precision, recall = average_rates(totals)
    factor = beta**2
    return 100.0 * _ratio((1 + factor) * precision * recall, factor * precision + recall, 0.0)


def average_rates(totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Average precision and recall over the orders that both sides have."""
    shape = totals.shape[:-1]
    precision, recall, n_orders = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for hypothesis, reference, matches in _orders(totals):  # in sacreBLEU's order, for identical scores
        used = (hypothesis > 0) & (reference > 0)
        precision += np.where(used, _ratio(matches, hypothesis, 0.0), 0.0)
        recall += np.where(used, _ratio(matches, reference, 0.0), 0.0)
        n_orders += used
    return precision / np.maximum(n_orders, 1), recall / np.maximum(n_orders, 1)


def smoothed_f_score(totals: FloatArray, beta: float) -> FloatArray:
    """Compute 100 · the mean of F_β over all orders, where a ratio with denominator 0 is 10⁻¹⁶."""
    factor = beta**2
    total = np.zeros(totals.shape[:-1])
    for hypothesis, reference, matches in _orders(totals):
        precision = _ratio(matches, hypothesis, _EPSILON)
        recall = _ratio(matches, reference, _EPSILON)
        total += _ratio((1 + factor) * precision * recall, factor * precision + recall, _EPSILON)
    mean: FloatArray = 100 * total / (totals.shape[-1] // 3)
    return mean


def _orders(totals: FloatArray) -> list[tuple[FloatArray, FloatArray, FloatArray]]:
    return [(totals[..., i], totals[..., i + 1], totals[..., i + 2]) for i in range(0, totals.shape[-1], 3)]


def _ratio(numerator: FloatArray, denominator: FloatArray, otherwise: float) -> FloatArray:
    known = denominator > 0
    return np.where(known, numerator / np.where(known, denominator, 1.0), otherwise)


# The name of the units (word or character), the units, and the length of the longest n-gram.
View = tuple[str, TokenColumn, int]

_SPACE = str.maketrans({" ": "␣", "\t": "␣", "\n": "␣", "\u00a0": "␣", "\u3000": "␣"})


@dataclass(frozen=True)
class NgramFScore(CountingMetric):
    """An F-score whose rows have, for each order, hypothesis n-grams, reference n-grams and matches."""

    takes_best_reference: ClassVar[bool] = True
    formula_options: ClassVar[frozenset[str]] = frozenset({"beta", "eps_smoothing"})

    @abstractmethod
    def views(self, texts: Texts) -> Sequence[View]:
        """Return the units of a text that the metric compares, in the order of its rows."""

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        return keep_best(counts, groups, self.combine)

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the n-grams of each order that match and that do not, with precision and recall."""
        nearest = best_reference(self, hypothesis, references)
        column = References([[references[nearest]]])
        texts = Texts([hypothesis], column.vocabulary)
        row = self.checked_statistics(texts, column)[0]
        precision, recall = average_rates(row)
        orders = iter(row.reshape(-1, 3))
        (unit, own, longest), (_, other, _) = self.views(texts)[0], self.views(column.texts)[0]
        has_words = unit == "word"
        words = own.words(0) if has_words else hypothesis.split()
        others = other.words(0) if has_words else references[nearest].split()
        return Explanation(
            metric=self.name,
            hypothesis=words,
            reference=others,
            score=float(self.segment_scores(row)),
            rows=words,
            columns=others,
            links=link_ngrams(words, others, longest) if has_words else (),
            matrices={} if has_words else compare_word_pairs(self, words, others),
            steps=[
                line
                for ours, theirs in zip(self.views(texts), self.views(column.texts), strict=True)
                for line in _describe_view(ours, theirs, orders)
            ],
            facts={
                "precision": 100 * float(precision),
                "recall": 100 * float(recall),
                "nearest_reference": nearest + 1,
            },
        )


def _describe_view(ours: View, theirs: View, orders: Iterator[FloatArray]) -> Iterator[str]:
    """Describe, for each order, how many n-grams match, and which n-grams do and do not."""
    name, units, order = ours
    words = [[unit.translate(_SPACE) for unit in column.words(0)] for column in (units, theirs[1])]
    for comparison in compare_ngrams(words[0], [words[1]], range(1, order + 1)):
        own, wanted, matches = next(orders)
        rates = 100 * matches / np.maximum([own, wanted], 1.0)
        first, *others = comparison.describe(name, "" if name == "character" else " ")
        yield f"{first}; precision {rates[0]:.2f}, recall {rates[1]:.2f}"
        yield from others
