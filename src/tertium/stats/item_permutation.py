"""PERM-BOTH for coefficients within groups of scores, averaged: the core makes the mixtures.

A segment of few systems has few mixtures of two metrics: all are made, and every resample looks its own up.
Other groups have both metrics' scores sorted once, and no mixture sorts again. The result is that of
`permute_scores`, many times faster.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.kernels.permutation import permute_groups
from tertium.stats.correlation import Grouping
from tertium.stats.permutation import Permutations, RowStatistic, standardise
from tertium.stats.resampling import draw_swaps
from tertium.types import FloatArray, OffsetArray

__all__ = ["permute_by_group"]


def permute_by_group(
    name: str,
    human: FloatArray,
    metrics: FloatArray,
    statistic: RowStatistic,
    n_samples: int,
    rng: np.random.Generator,
    *,
    by: Grouping,
) -> Permutations:
    """Run PERM-BOTH for a coefficient that is computed within groups and averaged over them.

    `human` is (systems, segments), NaN where nobody judged, and `metrics` (metrics, systems, segments);
    `statistic` gives the value as it is, of judged cells.
    """
    judged = ~np.isnan(human)
    known = metrics.reshape(len(metrics), -1)[:, judged.reshape(-1)]
    cells, offsets = _arrange(judged, by)
    scores, target = standardise(known)[:, cells], human[judged][cells]
    blocks = [
        permute_groups(name, target, scores, offsets, np.take(swaps, cells, axis=1))
        for swaps in draw_swaps(known.shape[1], n_samples, rng)
    ]
    return Permutations(statistic(known), np.concatenate(blocks, axis=1))


class _Arrangement(NamedTuple):
    """The numbers of judged cells group by group, and where each group begins."""

    cells: npt.NDArray[np.intp]
    offsets: OffsetArray


def _arrange(judged: npt.NDArray[np.bool_], by: Grouping) -> _Arrangement:
    number = np.full(judged.shape, -1)
    number[judged] = np.arange(np.count_nonzero(judged))
    if by == "none":
        return _Arrangement(number[judged], np.array([0, np.count_nonzero(judged)]))
    rows = judged.T if by == "item" else judged
    numbers = number.T if by == "item" else number
    return _Arrangement(numbers[rows], np.concatenate([[0], np.cumsum(rows.sum(axis=1))]))
