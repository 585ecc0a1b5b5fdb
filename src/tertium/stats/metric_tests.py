"""Metrics compared with one another: Williams' test, bootstrap resamples, clusters.

Williams (1959) as Graham & Baldwin (2014) apply it to metrics.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, MissingExtraError
from tertium.files.extras import install_hint
from tertium.stats.correlation import Statistic, pearson
from tertium.stats.rankings import Comparisons, concordance
from tertium.stats.resampling import resampled_totals
from tertium.stats.significance import cluster_ranks
from tertium.types import FloatArray, OffsetArray

__all__ = [
    "bootstrap_pearson",
    "bootstrap_rankings",
    "bootstrap_statistic",
    "metric_clusters",
    "williams_matrix",
    "williams_p",
]


def williams_p(r_first: float, r_second: float, r_between: float, n: int) -> float:
    """Test one-sided whether the first of two dependent correlations is higher than the second.

    Parameters
    ----------
    r_first, r_second
        Pearson's r of each metric with the human scores.
    r_between
        Of the metrics with each other.
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
        return 0.5 if difference == 0 else float(difference < 0)  # the metrics are copies of one another
    return float(_student()(n - 3, -difference / np.sqrt(spread)))


def williams_matrix(human: FloatArray, metrics: FloatArray) -> FloatArray:
    """p-values, (metrics, metrics), that the row's metric correlates better than the column's.

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


def bootstrap_statistic(
    statistic: Statistic, human: FloatArray, metrics: FloatArray, n_samples: int, rng: np.random.Generator
) -> FloatArray:
    """Compute a statistic on bootstrap resamples of the last axis: segments, or systems.

    `human` is (..., n) and `metrics` (metrics, ..., n).

    Returns
    -------
    FloatArray
        (metrics, samples), for `confidence_interval`; NaN where a resample has no such statistic.
    """
    n = human.shape[-1]
    columns = [
        statistic(human[..., drawn], metrics[..., drawn])
        for drawn in (_draw(rng, n) for _ in range(n_samples))
    ]
    return np.stack(columns, axis=-1)


def bootstrap_pearson(
    human: FloatArray, metrics: FloatArray, n_samples: int, rng: np.random.Generator
) -> FloatArray:
    """Compute Pearson's r over all scores on bootstrap resamples of the segments: (metrics, samples).

    `human` is (systems, segments), NaN where nobody judged, and `metrics` (metrics, systems, segments). It draws what
    `bootstrap_statistic` draws, and finds the same but for rounding: r is a formula over sums, and each segment has its
    share of them.
    """
    known = ~np.isnan(human)
    x = np.where(known, human - np.nanmean(human), 0.0)
    y = np.where(known, metrics - metrics[:, known].mean(axis=1)[:, None, None], 0.0)
    shares = np.stack([known.sum(axis=0), x.sum(axis=0), (x * x).sum(axis=0)], axis=1)
    shares = np.concatenate([shares, *(each.sum(axis=1).T for each in (y, y * y, x * y))], axis=1)
    totals = np.array(
        [np.bincount(_draw(rng, len(shares)), minlength=len(shares)) @ shares for _ in range(n_samples)]
    )
    n, sum_x, sum_xx = totals[:, :3].T
    sum_y, sum_yy, sum_xy = totals[:, 3:].reshape(n_samples, 3, -1).transpose(1, 2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):  # a resample whose scores are all the same has no r
        spreads = (sum_xx - sum_x**2 / n) * (sum_yy - sum_y**2 / n)
        found: FloatArray = (sum_xy - sum_x * sum_y / n) / np.sqrt(np.where(spreads > 0, spreads, np.nan))
    return found


def _draw(rng: np.random.Generator, n: int) -> OffsetArray:
    return rng.integers(n, size=n)


def bootstrap_rankings(
    comparisons: Comparisons, metrics: FloatArray, n_samples: int, rng: np.random.Generator, *, year: int
) -> FloatArray:
    """Compute Kendall's τ over rankings on bootstrap resamples of the segments: (metrics, samples)."""
    segments, n_segments = comparisons.decided().segments, metrics.shape[2]
    sums = []
    for metric in metrics:
        marks = concordance(comparisons, metric, year=year)
        counted = ~np.isnan(marks)
        sums += [
            np.bincount(segments, weights=weights, minlength=n_segments)
            for weights in (np.where(counted, marks, 0.0), counted * 1.0)
        ]
    columns = np.array(sums, dtype=np.float64).T
    drawn = resampled_totals(columns[None], n_samples, rng)[0]
    totals, n_counted = drawn[:, ::2].T, drawn[:, 1::2].T
    return np.where(n_counted > 0, totals / np.maximum(n_counted, 1), np.nan)


def metric_clusters(scores: FloatArray, p: FloatArray, *, alpha: float = 0.05) -> npt.NDArray[np.int64]:
    """Rank metrics in clusters that the test tells apart; `p` is one-sided, as from `p_better`.

    As in the WMT tables, the p-values are not adjusted for the number of pairs.
    """
    first_is_better = scores[:, None] >= scores[None, :]
    return cluster_ranks(scores, np.where(first_is_better, p, p.T), alpha=alpha)


def _student() -> Callable[[float, float], float]:
    try:
        from scipy.special import stdtr  # noqa: PLC0415 - scipy is an extra, and slow to import
    except ImportError:
        raise MissingExtraError(f"Williams' test needs scipy: {install_hint('meta')}") from None
    distribution: Callable[[float, float], float] = stdtr
    return distribution
