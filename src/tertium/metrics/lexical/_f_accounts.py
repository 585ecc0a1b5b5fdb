"""Explanations of F-scores over n-grams: what matches, and the precision and recall of every order."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tertium.metrics.base import Metric
from tertium.metrics.best_reference import best_reference
from tertium.metrics.lexical._f_score import average_rates
from tertium.metrics.lexical._ngram_accounts import account_ngrams
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray, TokenColumn

__all__ = ["View", "explain_f_score"]

# A name for the units (word or character), the units, and the longest n-gram that is made of them.
View = tuple[str, TokenColumn, int]

_SPACE = str.maketrans({" ": "␣", "\t": "␣", "\n": "␣", "\u00a0": "␣", "\u3000": "␣"})


def explain_f_score(
    metric: Metric, hypothesis: str, references: Sequence[str], look: Callable[[Texts], Sequence[View]]
) -> Explanation:
    """Explain a metric whose rows have, for each order, hypothesis n-grams, reference n-grams and matches.

    `look` gives what the metric sees of a text, in the order of its rows.
    """
    nearest = best_reference(metric, hypothesis, references)
    column = References([[references[nearest]]])
    texts = Texts([hypothesis], column.vocabulary)
    row = metric.checked_statistics(texts, column)[0]
    precision, recall = average_rates(row)
    orders = iter(row.reshape(-1, 3))
    return Explanation(
        metric=metric.name,
        hypothesis=hypothesis.split(),
        reference=references[nearest].split(),
        score=float(metric.segment_scores(row)),
        steps=[
            line
            for ours, theirs in zip(look(texts), look(column.texts), strict=True)
            for line in _describe_view(ours, theirs, orders)
        ],
        facts={
            "precision": 100 * float(precision),
            "recall": 100 * float(recall),
            "nearest_reference": nearest + 1,
        },
    )


def _describe_view(ours: View, theirs: View, orders: Iterator[FloatArray]) -> Iterator[str]:
    """Tell of each order how many n-grams match, and which ones do and do not."""
    name, units, order = ours
    words = [[unit.translate(_SPACE) for unit in each.words(0)] for each in (units, theirs[1])]
    for account in account_ngrams(words[0], [words[1]], range(1, order + 1)):
        own, wanted, matches = next(orders)
        rates = 100 * matches / np.maximum([own, wanted], 1.0)
        first, *others = account.describe(name, "" if name == "character" else " ")
        yield f"{first}; precision {rates[0]:.2f}, recall {rates[1]:.2f}"
        yield from others
