"""Agreement and consistency of raters: Krippendorff's α, split halves, drift.

Krippendorff (2011), Computing Krippendorff's Alpha-Reliability. A unit is what several raters may judge: an output.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.stats.student import student_p
from tertium.values import FloatArray

Indices = npt.NDArray[np.int64]
AlphaLevel = Literal["interval", "ordinal"]


def krippendorff_alpha(scores: FloatArray, units: Indices, *, level: AlphaLevel = "interval") -> float:
    """Compute Krippendorff's α of scores that belong to units; units with one score do not count.

    1 is perfect agreement, 0 that of scores given at random. NaN if no unit has two scores, or all scores are equal.

    Parameters
    ----------
    scores, units
        One entry per rater and unit.
    level
        Differences of scores (interval) or of their ranks (ordinal).

    Examples
    --------
    >>> units = np.array([0, 0, 1, 1, 2, 2, 3])
    >>> round(krippendorff_alpha(np.array([1.0, 1.0, 2.0, 3.0, 5.0, 5.0, 9.0]), units), 4)
    0.9505
    """
    sizes = np.bincount(units)
    paired = sizes[units] > 1
    values, units = scores[paired], units[paired]
    if not len(values):
        return float("nan")
    if level == "ordinal":
        values = _mid_ranks(values)
    values = values - values.mean()  # for precision
    sizes = np.bincount(units)
    sums, squares = np.bincount(units, weights=values), np.bincount(units, weights=values**2)
    within = np.where(sizes > 1, (sizes * squares - sums**2) / np.maximum(sizes - 1, 1), 0.0).sum()
    n_values = len(values)
    overall = (n_values * squares.sum() - sums.sum() ** 2) / (n_values - 1)
    return float("nan") if overall <= 0 else float(1 - within / overall)


def _mid_ranks(values: FloatArray) -> FloatArray:
    """Rank values from 1; equal values share the mean of their ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])


class SplitHalf(NamedTuple):
    """The mean correlation of two random halves, and the reliability of the whole by Spearman and Brown's formula.

    The formula has the magnitude of a negative correlation in its denominator, so that its result is above -1.
    """

    correlation: float
    reliability: float


def split_half(table: FloatArray, rng: np.random.Generator, *, n_splits: int = 100) -> SplitHalf:
    """Correlate the row means of random halves of the columns of a table, where NaN is a missing judgment.

    Rows without judgments in one of the halves do not count. NaN if fewer than three rows are left in every split.
    """
    found = [value for value in _halves(table, rng, n_splits) if not np.isnan(value)]
    if not found:
        return SplitHalf(float("nan"), float("nan"))
    mean = float(np.mean(found))
    return SplitHalf(mean, 2 * mean / (1 + abs(mean)))


def _halves(table: FloatArray, rng: np.random.Generator, n_splits: int) -> Iterator[float]:
    known = ~np.isnan(table)
    filled = np.where(known, table, 0.0)
    for _ in range(n_splits):
        is_first = rng.permutation(table.shape[1]) < table.shape[1] / 2
        counts = [known[:, side].sum(axis=1) for side in (is_first, ~is_first)]
        both = (counts[0] > 0) & (counts[1] > 0)
        means = [
            filled[:, side].sum(axis=1)[both] / count[both]
            for side, count in zip((is_first, ~is_first), counts, strict=True)
        ]
        yield correlate(*means)


def correlate(one: FloatArray, other: FloatArray) -> float:
    """Compute Pearson's r; NaN for fewer than three pairs or constant values."""
    if len(one) < 3 or any(np.ptp(each) == 0 or np.var(each) == 0 for each in (one, other)):
        return float("nan")  # the variance of tiny values is 0, too
    return float(np.corrcoef(one, other)[0, 1])


class Drift(NamedTuple):
    """The change of a rater's scores from the first to the last judgment, and its p-value."""

    change: float
    p_value: float


def find_drift(residuals: FloatArray, order: FloatArray) -> Drift:
    """Fit a line to what a model does not explain, over a rater's judgments in the order of their times.

    NaN for fewer than ten judgments.

    >>> rng = np.random.default_rng(0)
    >>> drift = find_drift(np.linspace(0, 20, 100) + rng.normal(size=100), np.arange(100.0))
    >>> round(drift.change), drift.p_value < 0.001
    (20, True)
    """
    n = len(residuals)
    if n < _MIN_DRIFT or np.ptp(residuals) == 0:
        return Drift(float("nan"), float("nan"))
    ranks = np.argsort(np.argsort(order, kind="stable"), kind="stable") / (n - 1)
    centred = ranks - ranks.mean()
    slope = float(centred @ residuals / (centred @ centred))
    left = residuals - residuals.mean() - slope * centred
    error = np.sqrt(left @ left / (n - 2) / (centred @ centred))
    if error == 0:
        return Drift(slope, 0.0 if slope else 1.0)
    return Drift(slope, float(student_p(slope / error, n - 2)))


_MIN_DRIFT = 10
