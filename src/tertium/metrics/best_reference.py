"""Which of several references counts: for metrics that score a hypothesis against each and keep the best."""

from collections.abc import Callable, Sequence

import numpy as np

from tertium.metrics.base import Metric
from tertium.metrics.inputs import read_references
from tertium.text import References, Texts
from tertium.types import FloatArray, OffsetArray

__all__ = ["best_reference", "keep_best"]


def keep_best(
    rows: FloatArray, groups: OffsetArray, by: Callable[[FloatArray], FloatArray] | None = None
) -> FloatArray:
    """For each segment, keep its best reference's row (the first one on a tie).

    Parameters
    ----------
    rows
        One row per reference.
    groups
        Segment i has the rows `groups[i]` to `groups[i + 1]`.
    by
        What makes a row better: the higher, the better. By default it is the row's first number.
    """
    if len(rows) == len(groups) - 1:
        return rows  # a single reference everywhere
    scores = rows[:, 0] if by is None else by(rows)
    best = np.maximum.reduceat(scores, groups[:-1])
    segments = np.repeat(np.arange(len(best)), np.diff(groups))
    winners = np.flatnonzero(scores == best[segments])
    _, first = np.unique(segments[winners], return_index=True)
    return rows[winners[first]]


def best_reference(metric: Metric, hypothesis: str, references: Sequence[str]) -> int:
    """Find the reference that an explanation is about: the one that fits this hypothesis best.

    The metric says by `rate_rows` what fits best; on a tie the first reference is taken.
    """
    if len(read_references(references)) == 1:
        return 0
    alone = References([[reference] for reference in references])
    rows = metric.checked_statistics(Texts([hypothesis] * len(alone), alone.vocabulary), alone)
    return int(np.argmax(metric.rate_rows(rows)))
