"""Correlation coefficients, and the counts of concordant, discordant and tied pairs behind them.

Every coefficient takes rows of scores, (..., n), and returns one number per row. Scores of NaN are ignored. A
coefficient that does not exist (fewer than two scores, or constant scores on one side) is NaN.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.values import FloatArray

CountArray = npt.NDArray[np.int64]

_SHORT = 128  # up to this length all pairs are compared; longer rows are counted by sorting
_BLOCK_VALUES = 2**22


class PairCounts(NamedTuple):
    """Counts of the pairs of each row; `tied_human` and `tied_metric` are tied on that side only."""

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
        """Pairs without a tie on either side."""
        return self.concordant + self.discordant


def count_pairs(human: FloatArray, metric: FloatArray, *, epsilon: float = 0.0) -> PairCounts:
    """Count concordant, discordant and tied pairs of the last axis, (..., n).

    Scores of NaN are ignored. Metric scores that differ by at most `epsilon` are tied.

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
    # within a human tie the metric scores ascend, so that no inversion is counted there
    discordant = _count_inversions(metric_ranks[np.lexsort((metric_ranks, human_ranks))])
    both = _count_ties(human_ranks * (n + 1) + metric_ranks)
    human_only, metric_only = _count_ties(human_ranks) - both, _count_ties(metric_ranks) - both
    concordant = n * (n - 1) // 2 - discordant - human_only - metric_only - both
    return np.array([concordant, discordant, human_only, metric_only, both])


def _count_ties(ranks: npt.NDArray[np.intp]) -> int:
    sizes = np.unique(ranks, return_counts=True)[1]
    return int(np.sum(sizes * (sizes - 1) // 2))


def _count_inversions(ranks: npt.NDArray[np.intp]) -> int:
    """Count pairs in descending order, one bit of the ranks at a time, from the highest."""
    n_inversions = 0
    for bit in reversed(range(int(ranks.max(initial=0)).bit_length())):
        # the ranks are grouped by the bits above this one, in their original order inside a group
        is_one = (ranks >> bit) & 1
        n_ones_before = np.cumsum(is_one) - is_one
        group = ranks >> (bit + 1)
        starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
        n_before_group = np.repeat(n_ones_before[starts], np.diff(np.append(starts, len(ranks))))
        n_inversions += int(np.sum((n_ones_before - n_before_group)[is_one == 0]))
        ranks = ranks[np.argsort(ranks >> bit, kind="stable")]
    return n_inversions


Coefficient = Callable[[FloatArray, FloatArray], FloatArray]
"""A function of rows of human and metric scores, (..., n) each, that returns one number per row."""

Grouping = Literal["none", "item", "system"]
"""none: one row of all scores; item: a row per segment, across systems; system: a row per system, across segments."""


def pearson(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Pearson's r.

    Examples
    --------
    >>> pearson(np.array([1.0, 2.0, 3.0, np.nan]), np.array([1.0, 3.0, 2.0, 9.0]))
    array(0.5)
    """
    human, metric, judged = _pair_up(human, metric)
    n = judged.sum(axis=-1, keepdims=True)
    x, y = (
        np.where(judged, side - side.sum(axis=-1, keepdims=True) / np.maximum(n, 1), 0.0)
        for side in (human, metric)
    )
    spread = np.sqrt(np.sum(x * x, axis=-1)) * np.sqrt(np.sum(y * y, axis=-1))
    exists = _varies(human, judged) & _varies(metric, judged) & (spread > 0)
    r = np.sum(x * y, axis=-1) / np.where(exists, spread, 1.0)
    return np.where(exists, np.clip(r, -1.0, 1.0), np.nan)


def spearman(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Spearman's ρ: Pearson's r of the ranks; tied scores have their average rank."""
    if not (np.isnan(human).any() or np.isnan(metric).any()):
        return pearson(average_ranks(human), average_ranks(metric))  # the human side is ranked only once
    human, metric, judged = _pair_up(human, metric)
    ranks = (
        np.where(judged, average_ranks(np.where(judged, side, np.nan)), np.nan) for side in (human, metric)
    )
    return pearson(*ranks)


def rank_correlation(human: FloatArray, metric: FloatArray) -> FloatArray:
    """The c_R of Leusch, Ueffing & Ney (2003), which is Spearman's ρ.

    The paper cites Kendall (1970) without naming the coefficient; the rankings in its Tables 2 and 4 give its
    numbers with ρ and not with τ.
    """
    return spearman(human, metric)


def kendall_b(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Kendall's τ-b, which excludes the ties of both sides from the denominator."""
    pairs = count_pairs(human, metric)
    spread = np.sqrt((pairs.untied + pairs.tied_metric) * 1.0) * np.sqrt(
        (pairs.untied + pairs.tied_human) * 1.0
    )
    return _ratio(pairs.surplus, spread)


def kendall_c(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Kendall's (Stuart's) τ-c, for sides with different numbers of values."""
    human, metric, judged = _pair_up(human, metric)
    n = judged.sum(axis=-1)
    sides = (np.where(judged, side, np.nan) for side in (human, metric))
    n_values = np.minimum(*(count_distinct(side) for side in sides))
    surplus = count_pairs(np.where(judged, human, np.nan), metric).surplus
    return _ratio(2 * surplus * n_values, n * n * (n_values - 1))


def red_tau(human: FloatArray, metric: FloatArray) -> FloatArray:
    """The τ of Yu et al. (2014): (concordant − discordant) / (concordant + discordant), without ties."""
    pairs = count_pairs(human, metric)
    return _ratio(pairs.surplus, pairs.untied)


def difference_sums(human: FloatArray, metric: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sum products and squares of the differences between all outputs of a segment, (..., segments) each.

    Both sides are (..., systems, segments), and human scores may be NaN. The sums are Σ dh·dm, Σ dh² and Σ dm² over pairs
    of systems; the sum over pairs is n·Σ (h − mean)·(m − mean).
    """
    judged = ~np.isnan(human)
    n = judged.sum(axis=-2)
    x, y = (
        np.where(
            judged, side - (np.where(judged, side, 0.0).sum(axis=-2) / np.maximum(n, 1))[..., None, :], 0.0
        )
        for side in (human, metric)
    )
    products, of_human, of_metric = (n * (a * b).sum(axis=-2) for a, b in ((x, y), (x, x), (y, y)))
    return products, of_human, of_metric


def difference_pearson(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Pearson's r of the differences between outputs of the same segment (PDP; DiIanni & Deutsch 2025).

    `human` is (systems, segments), NaN where there is no judgment, and `metric` (..., systems, segments). Every pair counts
    in both orders, so the mean difference is 0 and the order of the systems does not matter.

    >>> float(difference_pearson(np.array([[1.0, 5.0], [2.0, 7.0]]), np.array([[0.0, 9.0], [1.0, 11.0]])))
    1.0
    """
    products, of_human, of_metric = (sums.sum(axis=-1) for sums in difference_sums(human, metric))
    return _ratio(products, np.sqrt(of_human * of_metric))


def average_over_groups(
    coefficient: Coefficient, human: FloatArray, metric: FloatArray, *, by: Grouping = "none"
) -> FloatArray:
    """Compute a coefficient over all scores, or the average over the groups in which it exists.

    `human` is (systems, segments), NaN where there is no judgment, and `metric` (..., systems, segments). Grouping
    by `item` compares the systems on each segment, by `system` the segments of each system.
    """
    if by == "none":
        return coefficient(human.reshape(-1), metric.reshape(*metric.shape[:-2], -1))
    if by == "item":
        human, metric = np.swapaxes(human, -1, -2), np.swapaxes(metric, -1, -2)
    values = coefficient(human, metric)
    exists = ~np.isnan(values)
    n_groups = exists.sum(axis=-1)
    return _ratio(np.where(exists, values, 0.0).sum(axis=-1), n_groups)


def average_ranks(scores: FloatArray) -> FloatArray:
    """Rank each row, (..., n), from 1; tied scores have the average of their ranks, and NaN is last.

    Examples
    --------
    >>> average_ranks(np.array([0.2, 0.7, 0.2, 0.5]))
    array([1.5, 4. , 1.5, 3. ])
    """
    rows = scores.reshape(-1, scores.shape[-1])
    order = np.argsort(rows, axis=-1, kind="stable")
    ordered = np.take_along_axis(rows, order, axis=-1)
    is_new = np.ones(rows.shape, dtype=bool)
    is_new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = np.broadcast_to(np.arange(1.0, rows.shape[-1] + 1), rows.shape)
    if not is_new.all():
        group = np.cumsum(is_new) - 1
        means = np.bincount(group, weights=places.reshape(-1)) / np.maximum(np.bincount(group), 1)
        places = means[group].reshape(rows.shape)
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, places, axis=-1)
    return ranks.reshape(scores.shape)


def _pair_up(human: FloatArray, metric: FloatArray) -> tuple[FloatArray, FloatArray, npt.NDArray[np.bool_]]:
    human, metric = np.broadcast_arrays(human, metric)
    judged = ~(np.isnan(human) | np.isnan(metric))
    return np.where(judged, human, 0.0), np.where(judged, metric, 0.0), judged


def _varies(scores: FloatArray, judged: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    highest = np.max(np.where(judged, scores, -np.inf), axis=-1, initial=-np.inf)
    lowest = np.min(np.where(judged, scores, np.inf), axis=-1, initial=np.inf)
    return np.asarray(highest > lowest)


def _ratio(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> FloatArray:
    exists = np.asarray(denominator) > 0
    return np.where(exists, np.asarray(numerator) / np.where(exists, denominator, 1), np.nan)
