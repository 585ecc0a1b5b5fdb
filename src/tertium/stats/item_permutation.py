"""PERM-BOTH for coefficients within each segment, averaged: all mixtures of two metrics at once.

A segment has few systems, so that few mixtures of two metrics exist for it, and every resample looks its
own up. The result is that of `permute_scores`, many times faster.
"""

import numpy as np

from tertium.kernels.agreement import ITEM_COEFFICIENTS, MOST_SYSTEMS, permute_items
from tertium.stats.permutation import Permutations, RowStatistic, standardise
from tertium.stats.resampling import draw_swaps
from tertium.types import FloatArray

__all__ = ["can_permute_by_item", "permute_by_item"]


def can_permute_by_item(name: str, human: FloatArray) -> bool:
    """Whether there is a fast way for this coefficient and so many systems, (systems, segments)."""
    most = int((~np.isnan(human)).sum(axis=0).max(initial=0))
    return name in ITEM_COEFFICIENTS and most <= MOST_SYSTEMS


def permute_by_item(
    name: str,
    human: FloatArray,
    metrics: FloatArray,
    statistic: RowStatistic,
    n_samples: int,
    rng: np.random.Generator,
) -> Permutations:
    """Run PERM-BOTH for a coefficient that is computed within segments and averaged over them.

    `human` is (systems, segments), NaN where nobody judged, and `metrics` (metrics, systems, segments);
    `statistic` gives the value as it is, of judged cells.
    """
    judged = ~np.isnan(human)
    known = metrics.reshape(len(metrics), -1)[:, judged.reshape(-1)]
    swaps = np.concatenate([block.astype(bool) for block in draw_swaps(known.shape[1], n_samples, rng)])
    cell_of = np.full(human.shape, -1)
    cell_of[judged] = np.arange(known.shape[1])
    by_segment = cell_of.T[judged.T]  # the judged cells, segment by segment
    offsets = np.concatenate([[0], np.cumsum(judged.sum(axis=0))])
    null = permute_items(
        name, human.T[judged.T], standardise(known)[:, by_segment], offsets, swaps[:, by_segment]
    )
    return Permutations(statistic(known), null)
