"""Tests between metrics: Williams' test and PERM-BOTH.

Williams (1959) as Graham & Baldwin (2014) apply it to metrics.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, MissingExtraError
from tertium.files.extras import install_hint
from tertium.kernels.resampling import permute_groups
from tertium.stats.agreement import (
    TieRule,
    decide_ties,
    pairs_in_groups,
)
from tertium.stats.analysis import DEFAULT_ALPHA
from tertium.stats.correlation import Grouping, pearson
from tertium.stats.human import Comparisons, concordance
from tertium.stats.resampling import Groups, draw_swaps, group_cells, kept_totals, number_groups, sum_groups
from tertium.values import FloatArray, OffsetArray


def williams_p(r_first: float, r_second: float, r_between: float, n: int) -> float:
    """Test one-sided whether the first of two dependent correlations is higher than the second.

    Parameters
    ----------
    r_first, r_second
        Pearson's r of each metric with the human scores.
    r_between
        Pearson's r of the metrics with each other.
    n
        The number of scores, at least 4.

    Examples
    --------
    >>> round(williams_p(0.8, 0.6, 0.5, 30), 6)
    0.044001
    """
    if n < 4:
        raise InputError(f"Williams' test needs at least 4 scores of each metric, not {n}")
    determinant = 1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between
    mean = (r_first + r_second) / 2
    spread = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + mean**2 * (1 - r_between) ** 3
    difference = (r_first - r_second) * np.sqrt((n - 1) * (1 + r_between))
    if spread <= 0:
        return 0.5 if difference == 0 else float(difference < 0)  # the metrics are equal up to scale
    return float(_student()(n - 3, -difference / np.sqrt(spread)))


def williams_matrix(human: FloatArray, metrics: FloatArray) -> FloatArray:
    """Compute p-values, (metrics, metrics), that the metric of the row correlates better than that of the column.

    `human` is (n,) and `metrics` (metrics, n), of metrics where higher is better.
    """
    judged = ~np.isnan(human)
    human, metrics = human[judged], metrics[:, judged]
    r = pearson(human, metrics)
    between = pearson(metrics[:, None], metrics[None, :])
    n_metrics = len(metrics)
    p = np.ones((n_metrics, n_metrics))
    for a in range(n_metrics):
        for b in range(n_metrics):
            if a != b and not np.isnan(r[a] + r[b]):
                p[a, b] = williams_p(float(r[a]), float(r[b]), float(between[a, b]), len(human))
    return p


def find_significant(
    scores: FloatArray, p: FloatArray, *, alpha: float = DEFAULT_ALPHA
) -> npt.NDArray[np.bool_]:
    """Find the pairs of metrics of which the better one is significantly better; `p` is one-sided, as from `p_better`.

    As in the WMT tables, the p-values are not adjusted for the number of pairs.
    """
    is_better = scores[:, None] > scores[None, :]
    is_significant: npt.NDArray[np.bool_] = is_better & (p < alpha)
    return is_significant | is_significant.T


def find_clusters(scores: FloatArray, p: FloatArray, *, alpha: float = DEFAULT_ALPHA) -> list[int]:
    """Number the significance clusters of metrics as the WMT metrics tasks do, from 1.

    In descending order of scores, a metric begins a new cluster if a metric of the current cluster is significantly
    better. `p` is one-sided, as from `p_better`.

    >>> p = np.array([[1.0, 0.2, 0.01], [0.8, 1.0, 0.3], [0.99, 0.7, 1.0]])
    >>> find_clusters(np.array([0.9, 0.8, 0.7]), p)
    [1, 1, 2]
    """
    significant = find_significant(scores, p, alpha=alpha)
    order = np.argsort(-np.round(scores, _DIGITS), kind="stable")
    clusters, first, cluster = [0] * len(scores), 0, 1
    for place, metric in enumerate(order):
        if significant[order[first:place], metric].any():
            first, cluster = place, cluster + 1
        clusters[metric] = cluster
    return clusters


def _student() -> Callable[[float, float], float]:
    try:
        from scipy.special import stdtr  # noqa: PLC0415 - scipy is an extra, and slow to import
    except ImportError:
        raise MissingExtraError(f"Williams' test needs scipy: {install_hint('meta')}") from None
    distribution: Callable[[float, float], float] = stdtr
    return distribution


# PERM-BOTH: a test whether one of two metrics agrees better with human judgments, by exchanging their scores at random.
#
# Deutsch, Dror & Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
# Methods", as mt-metrics-eval computes it: two metrics' standardised scores are exchanged cell by cell.


RowStatistic = Callable[[FloatArray], FloatArray]
"""A function of metric scores, (..., cells), that returns one number per row; it knows the human scores."""

_BLOCK_VALUES = 2**22
_ROUNDING = 1e-12
_DIGITS = 12  # scores that are equal so far are tied


class Permutations(NamedTuple):
    """The observed statistics and the null distribution, which can be averaged over language pairs before p is computed.

    `null` has a row per pair of metrics in the order of `itertools.combinations`: the statistic of the first minus that
    of the second after each random exchange.
    """

    observed: FloatArray
    null: FloatArray


def _draw_exchanges(
    n_cells: int, n_samples: int, rng: np.random.Generator, groups: Groups | None
) -> Iterator[npt.NDArray[np.bool_]]:
    """Draw the cells that two metrics keep, (samples of a block, cells); they exchange the other cells."""
    if groups is None:
        yield from draw_swaps(n_cells, n_samples, rng)
        return
    for swaps in draw_swaps(int(groups.max()) + 1, n_samples, rng):
        yield np.take(swaps, groups, axis=1)


def permute_scores(
    metrics: FloatArray,
    statistic: RowStatistic,
    n_samples: int,
    rng: np.random.Generator,
    groups: Groups | None = None,
) -> Permutations:
    """Run PERM-BOTH for any statistic of metric scores, (metrics, cells)."""
    observed = statistic(metrics)
    standard = standardise(metrics)
    blocks = [
        [_null_of_pair(standard[a], standard[b], swaps, statistic) for a, b in _pairs(len(metrics))]
        for swaps in _draw_exchanges(metrics.shape[1], n_samples, rng, groups)
    ]
    return Permutations(
        observed, np.concatenate(blocks, axis=1) if len(metrics) > 1 else np.empty((0, n_samples))
    )


def permute_pearson(
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    groups: Groups | None = None,
) -> Permutations:
    """Run PERM-BOTH for Pearson's r; all pairs of metrics share the sums of one matrix product.

    `human` is (cells,) without NaN and `metrics` (metrics, cells).
    """
    target, standard = standardise(human), standardise(metrics)
    columns = sum_groups(np.concatenate([standard, standard**2, standard * target]).T, groups)
    kept = kept_totals(columns[None], n_samples, rng)[0]
    totals = columns.sum(axis=0)
    n_metrics, n = len(metrics), len(target)

    def mixed_r(a: int, b: int) -> FloatArray:
        index = [np.arange(a, 3 * n_metrics, n_metrics), np.arange(b, 3 * n_metrics, n_metrics)]
        sums, squares, products = (kept[:, index[0]] + totals[index[1]] - kept[:, index[1]]).T
        spread = np.sqrt(np.maximum(n * squares - sums**2, 0.0))
        return np.where(spread > 0, products / np.where(spread > 0, spread, 1.0), 0.0)

    rows = [mixed_r(a, b) - mixed_r(b, a) for a, b in _pairs(n_metrics)]
    return Permutations(pearson(human, metrics), np.array(rows).reshape(-1, n_samples))


def permute_differences(
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    units: Groups | None = None,
) -> FloatArray:
    """Exchange scores for Pearson's r of pairwise differences; return the null distribution of `Permutations`.

    `human` is (systems, segments), NaN where there is no judgment, and `metrics` (metrics, systems, segments). The sum of
    squared differences inside a segment is n·Σx² − (Σx)², so all mixtures of two metrics need only sums over the cells
    that the first one keeps, and products of these sums.
    """
    judged = ~np.isnan(human)
    n_judged = judged.sum(axis=0)
    standard = np.zeros(metrics.shape)
    standard[:, judged] = standardise(metrics[:, judged])
    means = np.where(judged, human, 0.0).sum(axis=0) / np.maximum(n_judged, 1)
    target = np.where(judged, n_judged * (human - means), 0.0)
    blocks = []
    for swaps in _draw_exchanges(int(judged.sum()), n_samples, rng, group_cells(judged, units)):
        kept = np.zeros((len(swaps), *human.shape))
        kept[:, judged] = swaps
        blocks.append(_null_of_differences(standard, target, n_judged, kept))
    return np.concatenate(blocks, axis=1)


def _null_of_differences(
    metrics: FloatArray, target: FloatArray, n_judged: npt.NDArray[np.int64], kept: FloatArray
) -> FloatArray:
    """Compute the differences of two mixtures, (pairs of metrics, samples), for `permute_differences`."""
    n_metrics, flat = len(metrics), kept.reshape(len(kept), -1)
    products, squares = (
        values.reshape(n_metrics, -1).T for values in (metrics * target, metrics**2 * n_judged)
    )
    kept_products, kept_squares = flat @ products, flat @ squares
    sums = np.einsum("ksn,msn->kmn", kept, metrics, optimize=True)
    both = np.concatenate([sums, np.broadcast_to(metrics.sum(axis=1), sums.shape)], axis=1)
    gram = both @ both.transpose(0, 2, 1)  # of the kept sums and the whole sums of all metrics
    totals, whole = products.sum(axis=0), squares.sum(axis=0)

    def mixture(a: int, b: int) -> FloatArray:
        parts = ((a, 1.0), (b, -1.0), (n_metrics + b, 1.0))  # Σ of a where it is kept, of b elsewhere
        of_sums = sum(gram[:, i, j] * x * y for i, x in parts for j, y in parts)
        spread = kept_squares[:, a] + whole[b] - kept_squares[:, b] - of_sums
        product = kept_products[:, a] + totals[b] - kept_products[:, b]
        return np.where(spread > _ROUNDING, product / np.sqrt(np.maximum(spread, _ROUNDING)), 0.0)

    scale = np.sqrt(float(np.sum(target**2 / np.maximum(n_judged, 1))))
    return np.array([(mixture(a, b) - mixture(b, a)) / scale for a, b in _pairs(n_metrics)]).reshape(
        -1, len(kept)
    )


def permute_rankings(
    comparisons: Comparisons,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    *,
    year: int,
    units: Groups | None = None,
) -> Permutations:
    """Run PERM-BOTH for Kendall's τ over rankings; `metrics` is (metrics, systems, segments).

    Let u be 1 where two metrics a and b keep a cell and -1 where they exchange it. A comparison of cells c and d has the
    marks aa, ab, ba and bb, by the metric whose score is used at c and at d. The marks of the two mixtures differ by
    ((aa - bb + ab - ba)·u_c + (aa - bb - ab + ba)·u_d) / 2, so the whole test is one matrix product over cells. Ties of
    the metric that the year ignores count as 0 here.
    """
    observed = np.array([_mean_mark(concordance(comparisons, metric, year=year)) for metric in metrics])
    segments, better, worse, _ = comparisons.decided()
    cells, places = np.unique(
        np.stack([better, worse]).astype(np.int64) * metrics.shape[2] + segments, return_inverse=True
    )
    at_better, at_worse = places.reshape(2, -1)
    standard = standardise(metrics.reshape(len(metrics), -1)[:, cells])
    slopes = _ranking_slopes(standard, at_better, at_worse, of_tie=-1.0 if year == 2012 else 0.0).T
    compared = np.zeros(metrics.shape[1:], dtype=bool)
    compared.reshape(-1)[cells] = True
    slopes = sum_groups(slopes, group_cells(compared, units))
    sums = 2 * kept_totals(slopes[None], n_samples, rng)[0] - slopes.sum(axis=0)
    return Permutations(observed, sums.T / (2 * max(1, len(segments))))


def permute_marks(
    marks: FloatArray,
    weights: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    groups: Groups | None = None,
) -> Permutations:
    """Exchange the marks of two metrics, one pair of outputs at a time, as mt-metrics-eval does for accuracy with ties.

    `marks` is (metrics, pairs), such as whether a metric agrees with the human order of a pair; the statistic is their
    weighted sum. `groups` has the group of each pair, whose marks are exchanged together.
    """
    weighted = (marks * weights).T
    columns = sum_groups(weighted, groups)
    sums = 2 * kept_totals(columns[None], n_samples, rng)[0] - columns.sum(axis=0)
    rows = [sums[:, a] - sums[:, b] for a, b in _pairs(len(marks))]
    return Permutations(weighted.sum(axis=0), np.array(rows).reshape(-1, n_samples))


def permute_calibrated_ties(
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    *,
    by: Grouping,
    rule: TieRule = "optimal",
    units: Groups | None = None,
) -> Permutations:
    """Test accuracy with ties: each metric keeps its tie thresholds, and decisions on pairs are exchanged.

    With units, such as documents, all decisions in a unit are exchanged together; this is for pairs of outputs of the same
    segment.

    `human` is (systems, segments), NaN where there is no judgment, and `metrics` (metrics, systems, segments).
    """
    pairs = pairs_in_groups(human, by=by)
    decided = [decide_ties(human, metric, pairs, rule) for metric in metrics]
    marks = np.array([decisions.is_right for decisions in decided], dtype=np.float64)
    if units is None or by != "item":
        return permute_marks(marks, decided[0].pairs.weights, n_samples, rng)
    groups = number_groups(units[pairs.first % human.shape[1]])
    return permute_marks(marks, decided[0].pairs.weights, n_samples, rng, groups)


def select_metrics(permutations: Permutations, chosen: npt.NDArray[np.intp]) -> Permutations:
    """Select some of the metrics; `chosen` is in ascending order."""
    wanted = set(chosen.tolist())
    rows = [i for i, pair in enumerate(_pairs(len(permutations.observed))) if wanted.issuperset(pair)]
    return Permutations(permutations.observed[chosen], permutations.null[rows])


def average_permutations(
    parts: Sequence[Permutations], weights: Sequence[float] | FloatArray | None = None
) -> Permutations:
    """Average the tests of several language pairs or statistics, separately for each resample."""
    return Permutations(
        np.average([part.observed for part in parts], axis=0, weights=weights),
        np.average([part.null for part in parts], axis=0, weights=weights),
    )


def p_better(permutations: Permutations) -> FloatArray:
    """Compute p-values, (metrics, metrics), that the metric of the row is better than that of the column."""
    observed, null = permutations
    p = np.ones((len(observed), len(observed)))
    for row, (a, b) in zip(null, _pairs(len(observed)), strict=True):
        gap = observed[a] - observed[b]
        # the observed difference counts as one more sample, otherwise p would be too small
        p[a, b] = (np.count_nonzero(row >= gap - _ROUNDING) + 1) / (len(row) + 1)
        p[b, a] = (np.count_nonzero(-row >= -gap - _ROUNDING) + 1) / (len(row) + 1)
    return p


def _null_of_pair(
    first: FloatArray, second: FloatArray, swaps: npt.NDArray[np.bool_], statistic: RowStatistic
) -> FloatArray:
    def difference(kept: npt.NDArray[np.bool_]) -> FloatArray:
        return statistic(np.where(kept, first, second)) - statistic(np.where(kept, second, first))

    size = max(1, _BLOCK_VALUES // len(first))
    parts = [difference(swaps[at : at + size]) for at in range(0, len(swaps), size)]
    return np.nan_to_num(np.concatenate(parts))  # a mixture without a value counts as no difference


def _ranking_slopes(
    scores: FloatArray, at_better: npt.NDArray[np.intp], at_worse: npt.NDArray[np.intp], *, of_tie: float
) -> FloatArray:
    n_metrics, n_cells = scores.shape
    better, worse = scores[:, at_better], scores[:, at_worse]

    def marks(first: FloatArray, second: FloatArray) -> FloatArray:
        signs = np.sign(first - second)
        return signs if of_tie == 0 else np.where(signs == 0, of_tie, signs)

    own = marks(better, worse)
    slopes = np.empty((n_metrics * (n_metrics - 1) // 2, n_cells))
    for row, (a, b) in zip(slopes, _pairs(n_metrics), strict=True):
        same, mixed = own[a] - own[b], marks(better[a], worse[b]) - marks(better[b], worse[a])
        row[:] = np.bincount(at_better, weights=same + mixed, minlength=n_cells) + np.bincount(
            at_worse, weights=same - mixed, minlength=n_cells
        )
    return slopes


def _mean_mark(marks: FloatArray) -> float:
    counted = marks[~np.isnan(marks)]
    return float(counted.mean()) if len(counted) else float("nan")


def standardise(scores: FloatArray) -> FloatArray:
    """Scale each row to mean 0 and variance 1; a constant row becomes 0."""
    spread = scores.std(axis=-1, keepdims=True)
    return np.asarray((scores - scores.mean(axis=-1, keepdims=True)) / np.where(spread > 0, spread, 1.0))


def _pairs(n_metrics: int) -> Iterator[tuple[int, int]]:
    return combinations(range(n_metrics), 2)


# PERM-BOTH for coefficients within groups of scores, averaged: the core makes the mixtures.
#
# A segment with few systems has few mixtures of two metrics: the core computes all of them, and every resample looks
# its mixture up. In larger groups the scores of both metrics are sorted once, and no mixture is sorted again. The
# result equals the result of `permute_scores`, many times faster.


def permute_by_group(
    coefficient: str,
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    *,
    by: Grouping,
    units: Groups | None = None,
) -> FloatArray:
    """Exchange scores for a coefficient that is computed within groups and averaged over them.

    Parameters
    ----------
    coefficient
        A name in `group_coefficients()`.
    human
        (systems, segments), NaN where there is no judgment; `metrics` is (metrics, systems, segments).
    units
        The unit of each segment, such as its document: the cells of a system in it are exchanged together.

    Returns
    -------
    FloatArray
        The null distribution of `Permutations`: (pairs of metrics, samples).
    """
    judged = ~np.isnan(human)
    known = metrics[:, judged]
    cells, offsets = _arrange(judged, by)
    scores, target = standardise(known)[:, cells], human[judged][cells]
    blocks = [
        permute_groups(coefficient, target, scores, offsets, np.take(swaps, cells, axis=1))
        for swaps in _draw_exchanges(known.shape[1], n_samples, rng, group_cells(judged, units))
    ]
    return np.concatenate(blocks, axis=1)


class _Arrangement(NamedTuple):
    """The indices of judged cells, ordered by group, and the offsets of the groups."""

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
