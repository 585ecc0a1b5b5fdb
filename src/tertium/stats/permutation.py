"""PERM-BOTH: which of two metrics agrees better with people, by exchanging their scores at random.

Deutsch, Dror & Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
Methods", as mt-metrics-eval computes it: two metrics' standardised scores are exchanged cell by cell.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.stats.correlation import pearson
from tertium.stats.rankings import Comparisons, concordance
from tertium.stats.resampling import draw_swaps, kept_totals
from tertium.types import FloatArray

__all__ = [
    "Permutations",
    "RowStatistic",
    "average_permutations",
    "p_better",
    "permute_marks",
    "permute_pearson",
    "permute_rankings",
    "permute_scores",
    "select_metrics",
    "standardise",
]

RowStatistic = Callable[[FloatArray], FloatArray]
"""Metric scores, (..., cells), to one number per row; the human side is bound inside."""

_BLOCK_VALUES = 2**22
_ROUNDING = 1e-12


class Permutations(NamedTuple):
    """What a permutation test needs, so that language pairs can be averaged before the p-value is taken.

    `null` has a row per pair of metrics in the order of `itertools.combinations`: the first one's
    statistic minus the second one's after each random exchange.
    """

    observed: FloatArray
    null: FloatArray


def permute_scores(
    metrics: FloatArray, statistic: RowStatistic, n_samples: int, rng: np.random.Generator
) -> Permutations:
    """Run PERM-BOTH for any statistic of the metrics' scores, (metrics, cells)."""
    observed = statistic(metrics)
    standard = standardise(metrics)
    blocks = [
        [_null_of_pair(standard[a], standard[b], swaps, statistic) for a, b in _pairs(len(metrics))]
        for swaps in draw_swaps(metrics.shape[1], n_samples, rng)
    ]
    return Permutations(
        observed, np.concatenate(blocks, axis=1) if len(metrics) > 1 else np.empty((0, n_samples))
    )


def permute_pearson(
    human: FloatArray, metrics: FloatArray, n_samples: int, rng: np.random.Generator
) -> Permutations:
    """Run PERM-BOTH for Pearson's r; all pairs of metrics share the sums of one matrix product.

    `human` is (cells,) and `metrics` (metrics, cells).
    """
    judged = ~np.isnan(human)
    target = standardise(human[judged])
    standard = standardise(metrics[:, judged])
    columns = np.concatenate([standard, standard**2, standard * target]).T
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


def permute_rankings(
    comparisons: Comparisons, metrics: FloatArray, n_samples: int, rng: np.random.Generator, *, year: int
) -> Permutations:
    """Run PERM-BOTH for Kendall's τ over rankings; `metrics` is (metrics, systems, segments).

    Say u is 1 where two metrics keep a cell and -1 where they exchange it. For a comparison of cells c and d
    with marks aa, ab, ba, bb (whose score stands at c, and at d), the mixed metrics' marks differ by
    ((aa - bb + ab - ba)·u_c + (aa - bb - ab + ba)·u_d) / 2, so that the whole test is one matrix product
    over cells. Where the year leaves a metric's ties out, they count as 0 here.
    """
    observed = np.array([_mean_mark(concordance(comparisons, each, year=year)) for each in metrics])
    segments, better, worse, _ = comparisons.decided()
    cells, places = np.unique(
        np.stack([better, worse]).astype(np.int64) * metrics.shape[2] + segments, return_inverse=True
    )
    at_better, at_worse = places.reshape(2, -1)
    standard = standardise(metrics.reshape(len(metrics), -1)[:, cells])
    slopes = _ranking_slopes(standard, at_better, at_worse, of_tie=-1.0 if year == 2012 else 0.0).T
    sums = 2 * kept_totals(slopes[None], n_samples, rng)[0] - slopes.sum(axis=0)
    return Permutations(observed, sums.T / (2 * max(1, len(segments))))


def permute_marks(
    marks: FloatArray, weights: FloatArray, n_samples: int, rng: np.random.Generator
) -> Permutations:
    """Exchange two metrics' marks pair by pair, as mt-metrics-eval does for accuracy with ties.

    `marks` is (metrics, pairs), such as whether each ordered a pair as people did; the statistic is their
    weighted sum.
    """
    weighted = (marks * weights).T
    sums = 2 * kept_totals(weighted[None], n_samples, rng)[0] - weighted.sum(axis=0)
    rows = [sums[:, a] - sums[:, b] for a, b in _pairs(len(marks))]
    return Permutations(weighted.sum(axis=0), np.array(rows).reshape(-1, n_samples))


def select_metrics(permutations: Permutations, chosen: npt.NDArray[np.intp]) -> Permutations:
    """Keep only these metrics, in ascending order."""
    wanted = set(chosen.tolist())
    rows = [i for i, pair in enumerate(_pairs(len(permutations.observed))) if wanted.issuperset(pair)]
    return Permutations(permutations.observed[chosen], permutations.null[rows])


def average_permutations(parts: Sequence[Permutations]) -> Permutations:
    """Average several language pairs' tests, resample by resample."""
    return Permutations(
        np.mean([part.observed for part in parts], axis=0), np.mean([part.null for part in parts], axis=0)
    )


def p_better(permutations: Permutations) -> FloatArray:
    """p-values, (metrics, metrics), that the row's metric is better than the column's."""
    observed, null = permutations
    p = np.ones((len(observed), len(observed)))
    for row, (a, b) in zip(null, _pairs(len(observed)), strict=True):
        gap = observed[a] - observed[b]
        # the metrics as they are count as one more sample, or p would be too small
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
    return np.nan_to_num(np.concatenate(parts))  # a mixture without a correlation shows no difference


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
    """Bring each row to mean 0 and variance 1; a constant row to 0."""
    spread = scores.std(axis=-1, keepdims=True)
    return np.asarray((scores - scores.mean(axis=-1, keepdims=True)) / np.where(spread > 0, spread, 1.0))


def _pairs(n_metrics: int) -> Iterator[tuple[int, int]]:
    return combinations(range(n_metrics), 2)
