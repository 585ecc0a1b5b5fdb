"""How often two columns of scores order a pair of things alike: the counts below every Kendall variant."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.types import FloatArray

__all__ = ["PairCounts", "count_distinct", "count_pairs"]

CountArray = npt.NDArray[np.int64]

_SHORT = 128  # up to this length all pairs are laid out; above it they are counted by sorting
_BLOCK_VALUES = 2**22


class PairCounts(NamedTuple):
    """How the pairs of each row fall; `tied_human` and `tied_metric` are tied on that side only."""

    concordant: CountArray
    discordant: CountArray
    tied_human: CountArray
    tied_metric: CountArray
    tied_both: CountArray

    @property
    def total(self) -> CountArray:
        return np.asarray(sum(self))

    @property
    def surplus(self) -> CountArray:
        """Concordant minus discordant pairs."""
        return self.concordant - self.discordant

    @property
    def untied(self) -> CountArray:
        """Pairs that neither side ties."""
        return self.concordant + self.discordant


def count_pairs(human: FloatArray, metric: FloatArray, *, epsilon: float = 0.0) -> PairCounts:
    """Count how the pairs of the last axis, (..., n), are ordered by both sides.

    A score of NaN takes no part. Metric scores no more than `epsilon` apart are tied.

    Examples
    --------
    >>> count_pairs(np.array([1.0, 2.0, 2.0]), np.array([0.3, 0.5, 0.9]))._asdict()
    {'concordant': array(2), 'discordant': array(0), 'tied_human': array(1),
     'tied_metric': array(0), 'tied_both': array(0)}
    """
    human, metric = np.broadcast_arrays(human, metric)
    shape, n = human.shape[:-1], human.shape[-1]
    rows = human.reshape(-1, n), metric.reshape(-1, n)
    if n <= _SHORT:
        counts = _count_short(*rows, epsilon)
    elif epsilon > 0:
        counts = np.array([_count_in_blocks(h, m, epsilon) for h, m in zip(*rows, strict=True)]).T
    else:
        counts = np.array([_count_by_sorting(h, m) for h, m in zip(*rows, strict=True)]).T
    return PairCounts(*(np.reshape(kind, shape) for kind in counts.reshape(5, -1)))


def count_distinct(scores: FloatArray) -> CountArray:
    """Count the different values of the last axis, (..., n); NaN is none."""
    ordered = np.sort(scores, axis=-1)
    is_new = np.concatenate([np.ones_like(ordered[..., :1], dtype=bool), np.diff(ordered) > 0], axis=-1)
    return np.asarray(np.count_nonzero(is_new & ~np.isnan(ordered), axis=-1))


def _count_short(human: FloatArray, metric: FloatArray, epsilon: float) -> CountArray:
    n_rows, n = human.shape
    first, second = np.triu_indices(n, k=1)
    size = max(1, _BLOCK_VALUES // max(1, len(first)))
    blocks = [
        _classify(human[at : at + size, first] - human[at : at + size, second],
                  metric[at : at + size, first] - metric[at : at + size, second], epsilon)
        for at in range(0, n_rows, size)
    ]  # fmt: skip
    return np.concatenate(blocks, axis=1) if blocks else np.zeros((5, 0), dtype=np.int64)


def _count_in_blocks(human: FloatArray, metric: FloatArray, epsilon: float) -> CountArray:
    counts = np.zeros(5, dtype=np.int64)
    for i in range(len(human) - 1):
        counts += _classify(human[i] - human[i + 1 :], metric[i] - metric[i + 1 :], epsilon)
    return counts


def _classify(human_gaps: FloatArray, metric_gaps: FloatArray, epsilon: float) -> CountArray:
    judged = ~(np.isnan(human_gaps) | np.isnan(metric_gaps))
    human_tie, metric_tie = judged & (human_gaps == 0), judged & (np.abs(metric_gaps) <= epsilon)
    untied = judged & ~human_tie & ~metric_tie
    agree = untied & ((human_gaps > 0) == (metric_gaps > 0))
    kinds = (agree, untied & ~agree, human_tie & ~metric_tie, metric_tie & ~human_tie, human_tie & metric_tie)
    return np.array([np.count_nonzero(kind, axis=-1) for kind in kinds])


def _count_by_sorting(human: FloatArray, metric: FloatArray) -> CountArray:
    judged = ~(np.isnan(human) | np.isnan(metric))
    human_ranks = np.unique(human[judged], return_inverse=True)[1]
    metric_ranks = np.unique(metric[judged], return_inverse=True)[1]
    n = len(human_ranks)
    # within a human tie the metric's order ascends, so that no inversion is counted there
    discordant = _count_inversions(metric_ranks[np.lexsort((metric_ranks, human_ranks))])
    both = _count_ties(human_ranks * (n + 1) + metric_ranks)
    human_only, metric_only = _count_ties(human_ranks) - both, _count_ties(metric_ranks) - both
    concordant = n * (n - 1) // 2 - discordant - human_only - metric_only - both
    return np.array([concordant, discordant, human_only, metric_only, both])


def _count_ties(ranks: npt.NDArray[np.intp]) -> int:
    sizes = np.unique(ranks, return_counts=True)[1]
    return int(np.sum(sizes * (sizes - 1) // 2))


def _count_inversions(ranks: npt.NDArray[np.intp]) -> int:
    """Count pairs in falling order, one bit of the ranks at a time, from the highest."""
    n_inversions = 0
    for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
        # the ranks stand in groups that share the bits above this one, in their first order inside a group
        is_one = (ranks >> bit) & 1
        n_ones_before = np.cumsum(is_one) - is_one
        group = ranks >> (bit + 1)
        starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
        n_before_group = np.repeat(n_ones_before[starts], np.diff(np.append(starts, len(ranks))))
        n_inversions += int(np.sum((n_ones_before - n_before_group)[is_one == 0]))
        ranks = ranks[np.argsort(ranks >> bit, kind="stable")]
    return n_inversions
