"""Bootstrap resamples of the agreement between metrics and human judgments."""

import numpy as np
import numpy.typing as npt

from tertium.stats.agreement import (
    TieDecisions,
    TieRule,
    approximate_soft_accuracy,
    decide_ties,
    pairs_in_groups,
    soft_pairwise_accuracy,
)
from tertium.stats.correlation import Coefficient, difference_sums
from tertium.stats.human import Comparisons, concordance
from tertium.stats.resampling import Groups, number_groups, resampled_totals, sum_groups
from tertium.values import FloatArray, OffsetArray

_N_THRESHOLDS = 256


def bootstrap_statistic(
    statistic: Coefficient,
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    units: Groups | None = None,
) -> FloatArray:
    """Compute a statistic on bootstrap resamples of the last axis: segments, or systems.

    `human` is (..., n) and `metrics` (metrics, ..., n).

    Returns
    -------
    FloatArray
        (metrics, samples), for `confidence_interval`; NaN if the statistic does not exist on a resample.
    """
    n = human.shape[-1]
    columns = [
        statistic(human[..., drawn], metrics[..., drawn])
        for drawn in (_draw_units(rng, n, units) for _ in range(n_samples))
    ]
    return np.stack(columns, axis=-1)


def _draw_units(rng: np.random.Generator, n: int, units: Groups | None) -> OffsetArray:
    """Draw segments with replacement, or all segments of units, such as documents, drawn with replacement."""
    if units is None:
        return _draw(rng, n)
    counts = np.bincount(_draw(rng, int(units.max()) + 1), minlength=int(units.max()) + 1)
    return np.repeat(np.arange(n), counts[units])


def bootstrap_pearson(
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    units: Groups | None = None,
) -> FloatArray:
    """Compute Pearson's r over all scores on bootstrap resamples of the segments: (metrics, samples).

    `human` is (systems, segments), NaN where there is no judgment, and `metrics` (metrics, systems, segments). The
    resamples are the same as in `bootstrap_statistic`, and the values differ only by rounding: r is a formula over sums, and
    the sums of each segment are computed once.
    """
    known = ~np.isnan(human)
    x = np.where(known, human - np.nanmean(human), 0.0)
    y = np.where(known, metrics - metrics[:, known].mean(axis=1)[:, None, None], 0.0)
    segment_sums = np.stack([known.sum(axis=0), x.sum(axis=0), (x * x).sum(axis=0)], axis=1)
    segment_sums = np.concatenate([segment_sums, *(sums.sum(axis=1).T for sums in (y, y * y, x * y))], axis=1)
    segment_sums = sum_groups(segment_sums, units)
    totals = np.array(
        [
            np.bincount(_draw(rng, len(segment_sums)), minlength=len(segment_sums)) @ segment_sums
            for _ in range(n_samples)
        ]
    )
    n, sum_x, sum_xx = totals[:, :3].T
    sum_y, sum_yy, sum_xy = totals[:, 3:].reshape(n_samples, 3, -1).transpose(1, 2, 0)
    with np.errstate(
        invalid="ignore", divide="ignore"
    ):  # r does not exist on a resample with constant scores
        spreads = (sum_xx - sum_x**2 / n) * (sum_yy - sum_y**2 / n)
        found: FloatArray = (sum_xy - sum_x * sum_y / n) / np.sqrt(np.where(spreads > 0, spreads, np.nan))
    return found


def bootstrap_differences(
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    units: Groups | None = None,
) -> FloatArray:
    """Compute Pearson's r of pairwise differences on bootstrap resamples of the segments: (metrics, samples)."""
    columns = [difference_sums(human, metric) for metric in metrics]
    table = sum_groups(np.array(columns).reshape(3 * len(metrics), -1).T, units)
    totals = resampled_totals(table[None], n_samples, rng)[0].reshape(n_samples, -1, 3)
    products, of_human, of_metric = totals.transpose(2, 1, 0)
    spread = np.sqrt(of_human * of_metric)
    return np.where(spread > 0, products / np.where(spread > 0, spread, 1.0), np.nan)


def bootstrap_soft_accuracy(
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    units: Groups | None = None,
) -> FloatArray:
    """Compute soft pairwise accuracy on bootstrap resamples of the segments: (metrics, samples).

    Normal p-values replace permutation tests. Resampling adds noise to both sides, which lowers the mean, so the resamples are
    shifted to the observed value: on WMT23 he-en with 200 segments, 95 % intervals held the expected value in 92 to 97 % of cases.
    """
    drawn = bootstrap_statistic(approximate_soft_accuracy, human, metrics, n_samples, rng, units)
    observed = np.array([soft_pairwise_accuracy(human, metric) for metric in metrics])
    return np.asarray(np.clip(drawn + (observed - drawn.mean(axis=1))[:, None], 0.0, 1.0))


def _draw(rng: np.random.Generator, n: int) -> OffsetArray:
    return rng.integers(n, size=n)


def bootstrap_rankings(
    comparisons: Comparisons,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    *,
    year: int,
    units: Groups | None = None,
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
    columns = sum_groups(np.array(sums, dtype=np.float64).T, units)
    drawn = resampled_totals(columns[None], n_samples, rng)[0]
    totals, n_counted = drawn[:, ::2].T, drawn[:, 1::2].T
    return np.where(n_counted > 0, totals / np.maximum(n_counted, 1), np.nan)


def bootstrap_calibrated_ties(
    human: FloatArray,
    metrics: FloatArray,
    n_samples: int,
    rng: np.random.Generator,
    *,
    rule: TieRule,
    units: Groups | None = None,
) -> FloatArray:
    """Compute accuracy with ties, averaged over segments, on bootstrap resamples of the segments: (metrics, samples).

    The best threshold is found again on every resample, among quantiles of the differences of scores; thresholds of
    held-out segments stay as they are.
    """
    pairs = pairs_in_groups(human, by="item")
    segments = pairs.first % human.shape[1]
    judged, places = np.unique(segments, return_inverse=True)
    of_judged = None if units is None else number_groups(units[judged])
    drawn = np.stack(
        [
            np.bincount(_draw_units(rng, len(judged), of_judged), minlength=len(judged))
            for _ in range(n_samples)
        ]
    )
    rows = []
    for metric in metrics:
        decided = decide_ties(human, metric, pairs, rule)
        of_segments = _accuracy_by_threshold(human, metric, decided, places, refit=rule == "optimal")
        rows.append((drawn @ of_segments).max(axis=1) / drawn.sum(axis=1))
    return np.array(rows)


def _accuracy_by_threshold(
    human: FloatArray, metric: FloatArray, decided: TieDecisions, places: npt.NDArray[np.intp], *, refit: bool
) -> FloatArray:
    """Compute the accuracy of each segment, (segments, thresholds): with the threshold in use, or with many."""
    n_segments = int(places.max()) + 1
    weights = decided.pairs.weights * n_segments  # the weights of a segment sum to 1
    if not refit:
        right = np.bincount(places, weights=weights * decided.is_right, minlength=n_segments)
        return np.asarray(right, dtype=np.float64)[:, None]
    human_gaps, gaps = (
        side.reshape(-1)[decided.pairs.first] - side.reshape(-1)[decided.pairs.second]
        for side in (human, metric)
    )
    sizes = np.abs(gaps)
    quantiles = np.quantile(sizes, np.linspace(0, 1, _N_THRESHOLDS), method="higher")
    grid = np.unique(np.append(quantiles, decided.epsilon))
    is_right = np.sign(human_gaps) == np.sign(gaps)
    columns = np.searchsorted(grid, sizes)  # a pair is tied from this threshold on
    gains = np.bincount(
        places * len(grid) + columns,
        weights=weights * ((human_gaps == 0) * 1.0 - is_right),
        minlength=n_segments * len(grid),
    ).reshape(n_segments, -1)
    base = np.bincount(places, weights=weights * is_right, minlength=n_segments)[:, None]
    return np.asarray(np.concatenate([base, base + np.cumsum(gains, axis=1)], axis=1))
