"""Pairs counted one by one, as a textbook would."""

from collections.abc import Sequence
from itertools import combinations
from math import isnan

__all__ = ["count_pairs_slowly"]


def count_pairs_slowly(
    human: Sequence[float], metric: Sequence[float], epsilon: float = 0.0
) -> tuple[int, int, int, int, int]:
    concordant = discordant = tied_human = tied_metric = tied_both = 0
    kept = [(h, m) for h, m in zip(human, metric, strict=True) if not (isnan(h) or isnan(m))]
    for (h1, m1), (h2, m2) in combinations(kept, 2):
        human_tie, metric_tie = h1 == h2, abs(m1 - m2) <= epsilon
        if human_tie and metric_tie:
            tied_both += 1
        elif human_tie:
            tied_human += 1
        elif metric_tie:
            tied_metric += 1
        elif (h1 < h2) == (m1 < m2):
            concordant += 1
        else:
            discordant += 1
    return concordant, discordant, tied_human, tied_metric, tied_both
