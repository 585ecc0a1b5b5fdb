"""What metrics share that score a hypothesis against each reference and keep the best."""

from collections.abc import Callable

import numpy as np

from tertium.types import FloatArray, OffsetArray

__all__ = ["keep_best"]


def keep_best(
    rows: FloatArray, groups: OffsetArray, by: Callable[[FloatArray], FloatArray] | None = None
) -> FloatArray:
    """Keep of each segment's rows, one per reference, the first with the highest score (its first number)."""
    if len(rows) == len(groups) - 1:
        return rows  # a single reference everywhere
    scores = rows[:, 0] if by is None else by(rows)
    best = np.maximum.reduceat(scores, groups[:-1])
    segments = np.repeat(np.arange(len(best)), np.diff(groups))
    winners = np.flatnonzero(scores == best[segments])
    _, first = np.unique(segments[winners], return_index=True)
    return rows[winners[first]]
