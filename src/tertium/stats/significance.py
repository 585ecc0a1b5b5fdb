"""Paired significance tests of all pairs of systems, their power, and the number of units that they need.

The paired bootstrap is Koehn's (2004, "Statistical Significance Tests for Machine Translation
Evaluation"); approximate randomization is Riezler and Maxwell's (2005, "On Some Pitfalls in Automatic Evaluation and
Significance Testing for MT"), with multeval's correction by one. `sacrebleu_bootstrap_p` is the paired bootstrap of
sacreBLEU 2.6, which has too many false positives.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import ceil, floor, inf, isfinite, log2, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.errors import InputError, OptionError, argument
from tertium.kernels.resampling import count_gaps
from tertium.stats.analysis import DEFAULT_ALPHA, PairedTest
from tertium.stats.student import student_p
from tertium.values import FloatArray, OffsetArray

if TYPE_CHECKING:
    from statistics import NormalDist

Combine = Callable[[FloatArray], FloatArray]
"""A metric's formula over totals, (..., k) to (...)."""

ROUNDING = 1e-10
"""Scores that differ by less than this share of their size are tied: the difference may be rounding."""


def sacrebleu_bootstrap_p(
    scores_a: FloatArray, scores_b: FloatArray, difference: float | FloatArray
) -> FloatArray:
    """Test two systems on the same bootstrap resamples, two-sided, as sacreBLEU does.

    Moses and sacreBLEU centre the absolute differences instead of the signed ones. This makes the test too lenient: at
    the 5 % level about 11 % of pairs of equal systems are significant. Two systems with equal scores on every resample
    get p = 1, where sacreBLEU gives its smallest value, 1 / (samples + 1).

    Parameters
    ----------
    scores_a, scores_b
        Scores on the same resamples, (..., samples).
    difference
        The difference of the scores on the whole test set, (...); its sign is ignored.
    """
    gaps = np.abs(scores_a - scores_b)
    largest = np.maximum(np.abs(scores_a), np.abs(scores_b)).max(axis=-1, keepdims=True)
    rounding = ROUNDING * largest
    threshold = np.expand_dims(np.abs(difference), -1) + rounding
    _check_finite(threshold)
    n_beyond = np.count_nonzero(gaps - gaps.mean(axis=-1, keepdims=True) > threshold, axis=-1)
    p_values = (n_beyond + 1) / (gaps.shape[-1] + 1)
    return np.where(np.all(gaps <= rounding, axis=-1), 1.0, p_values)


def holm(p_values: FloatArray) -> FloatArray:
    """Adjust p-values of any shape as one family of tests, by Holm's step-down method (1979).

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """
    if not np.all((p_values >= 0) & (p_values <= 1)):  # NaN fails too
        raise InputError("a p-value is not a number from 0 to 1")
    flat = p_values.ravel()
    order = np.argsort(flat, kind="stable")
    n_still_tested = np.arange(len(flat), 0, -1)
    adjusted = np.empty_like(flat)
    adjusted[order] = np.minimum(np.maximum.accumulate(flat[order] * n_still_tested), 1)
    return adjusted.reshape(p_values.shape)


def holm_pairs(p_matrix: FloatArray) -> FloatArray:
    """Adjust a symmetric matrix of p-values by Holm's method; each pair of systems counts once."""
    upper = np.triu_indices(len(p_matrix), k=1)
    adjusted = np.ones_like(p_matrix)
    adjusted[upper] = holm(p_matrix[upper])
    return np.minimum(adjusted, adjusted.T)


def holm_levels(certainties: FloatArray, *, alpha: float = DEFAULT_ALPHA) -> FloatArray:
    """Compute the level at which Holm's method tests each pair of systems.

    The pair with the smallest p-value is tested at α / pairs, the next pair at α / (pairs − 1), and so on.

    Parameters
    ----------
    certainties
        A symmetric matrix; larger values have smaller p-values.

    Examples
    --------
    >>> holm_levels(np.array([[0.0, 3.1, 0.2], [3.1, 0.0, 1.5], [0.2, 1.5, 0.0]]), alpha=0.06)
    array([[0.06, 0.02, 0.06],
           [0.02, 0.06, 0.03],
           [0.06, 0.03, 0.06]])
    """
    _check_share("alpha", alpha)
    ordered = np.sort(certainties[np.triu_indices(len(certainties), k=1)])
    n_as_certain_at_most = np.searchsorted(ordered, certainties, side="right")
    levels = alpha / np.maximum(n_as_certain_at_most, 1)
    np.fill_diagonal(levels, alpha)
    return np.asarray(levels)


DEFAULT_POWER = 0.8

_MOST_NEEDED = 1e15  # segments; such a difference is a millionth of its standard error or less


def segments_to_separate(
    difference: float,
    standard_error: float,
    n_segments: int,
    *,
    alpha: float = DEFAULT_ALPHA,
    power: float = DEFAULT_POWER,
) -> int | None:
    """Estimate how many more segments would make a difference significant.

    The standard error decreases with the square root of the number of segments, so a two-sided test finds the difference
    with the given power from n' = n · ((z(1 − α/2) + z(power)) · SE / |Δ|)² segments on, if Δ does not change. Δ and SE
    are measured on the present `n_segments`.

    Returns
    -------
    int or None
        0 if there are enough segments; None if the difference is 0, so that no number is enough.

    Examples
    --------
    >>> segments_to_separate(0.5, 0.3, 2000)
    3652
    """
    wanted = _count_errors(alpha, power)
    if difference == 0:
        return None
    shortfall = wanted * standard_error / abs(difference)
    n_needed = n_segments * shortfall * shortfall
    if not n_needed < _MOST_NEEDED:
        return None  # the difference is 0 up to rounding
    return max(0, ceil(n_needed) - n_segments)


def power_of(difference: float, deviation: float, n_units: int, *, alpha: float = DEFAULT_ALPHA) -> float:
    """Compute the probability (power) that a two-sided test of the difference of two means finds it.

    The difference of two means over n units has the standard error σ / √n, where σ is the standard deviation of the units'
    differences. A test at level α finds a true difference Δ with the probability Φ(Δ√n/σ − z) + Φ(−Δ√n/σ − z), with
    z = Φ⁻¹(1 − α/2). For metrics that are not means, σ comes from the influence of each segment (`measure_deviation`).

    >>> round(power_of(0.5, 10.0, 3140), 3), round(power_of(0.0, 10.0, 500), 3)
    (0.8, 0.05)
    """
    if deviation == 0:
        return alpha if difference == 0 else 1.0
    normal = _normal()
    z = normal.inv_cdf(1 - alpha / 2)
    shift = abs(difference) * sqrt(n_units) / deviation
    return min(1.0, normal.cdf(shift - z) + normal.cdf(-shift - z))


def units_for(
    difference: float, deviation: float, *, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> int:
    """Compute how many units a test needs to find a true difference with the given power.

    At least as many as the bootstrap test needs to keep its level.

    >>> units_for(0.5, 10.0), units_for(50.0, 10.0)
    (3140, 50)
    """
    if difference == 0:
        raise OptionError(f"{argument('difference')} must not be 0: no number of segments shows it")
    ratio = abs(_count_errors(alpha, power) * deviation / difference)
    needed = ratio * ratio
    if not isfinite(needed):
        raise OptionError(f"{argument('difference', f'{difference:g}')} is too small to be detected")
    return max(min_units("bootstrap", 2), ceil(needed))


def detectable_difference(
    deviation: float, n_units: int, *, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> float:
    """Compute the smallest true difference that a test with `n_units` units finds with the given power.

    >>> round(detectable_difference(10.0, 3140), 3)
    0.5
    """
    return _count_errors(alpha, power) * deviation / sqrt(n_units)


def _count_errors(alpha: float, power: float) -> float:
    """Return how many standard errors a difference must have so that a two-sided test finds it with this power."""
    _check_share("alpha", alpha)
    _check_share("power", power)
    normal = _normal()
    return max(0.0, normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power))


@cache
def _normal() -> "NormalDist":
    from statistics import NormalDist  # noqa: PLC0415 - it brings fractions and decimals

    return NormalDist()


def _check_share(name: str, value: float) -> None:
    if not 0 < value < 1:
        raise OptionError(f"{name} must be between 0 and 1, not {value}")


# Share of significant differences between equal systems (made by exchanging their segments of WMT15 at random) with the
# bootstrap at the 5 % level, averaged over BLEU, chrF and TER, 2,000 trials each: 88 % with 1 segment, 49 % with 2, 31 %
# with 3, 16 % with 5, 10 % with 10, 8 % with 20, 7 % with 30, 6 % with 40 and 50, 5.5 % with 100, 5.3 % with 200
# (tools/simulate_tests.py). With eleven equal systems some pair is significant in 14 % of cases with 20 segments, and in
# 7 % with 50.
_BOOTSTRAP_UNITS = 50


def min_units(test: PairedTest, n_systems: int, *, alpha: float = DEFAULT_ALPHA) -> int:
    """Return the smallest number of segments (or groups of segments) for tests of all pairs of systems.

    With fewer, the bootstrap finds differences between equal systems. Randomization is exact, but n segments can be
    exchanged in 2ⁿ ways, and two of them always have the difference of the systems themselves: with too few segments
    no difference can be significant after Holm's adjustment.

    Examples
    --------
    >>> min_units("bootstrap", 2), min_units("randomization", 2), min_units("randomization", 11)
    (50, 6, 12)
    """
    _check_share("alpha", alpha)
    n_pairs = max(1, n_systems * (n_systems - 1) // 2)
    needed = floor(1 + log2(n_pairs / alpha)) + 1  # the least n with pairs · 2 / 2ⁿ < alpha
    return needed if test == "randomization" else _BOOTSTRAP_UNITS


# Tests between all pairs of systems: signed differences are centred, and a shuffle whose difference equals that of the
# systems counts.


MIN_BEYOND = 10
"""With fewer samples beyond the observed difference, their share is too uncertain to be a p-value."""

_MIN_SAMPLES = 100  # fewer do not show the standard error


class PairTally(NamedTuple):
    """Counts over samples for every pair of systems; tallies of different samples can be joined.

    Attributes
    ----------
    n_beyond
        The number of samples with a larger difference than the systems have, (systems, systems).
    n_apart
        The number of samples with a difference above rounding.
    squares
        The sum of the squared differences, from the mean of the null distribution.
    """

    n_beyond: OffsetArray
    n_apart: OffsetArray
    squares: FloatArray
    n_samples: int

    def join(self, other: "PairTally") -> "PairTally":
        return PairTally(
            self.n_beyond + other.n_beyond,
            self.n_apart + other.n_apart,
            self.squares + other.squares,
            self.n_samples + other.n_samples,
        )

    def p_values(self, differences: FloatArray, degrees: float = inf) -> FloatArray:
        """Compute two-sided p-values, (systems, systems); 1 for systems with equal scores on every sample.

        The p-value is the share of samples beyond the observed difference; the observed difference counts as one more
        sample, otherwise p would be too small. If fewer than `MIN_BEYOND` samples are beyond, the p-value is that of
        Student's t for the observed difference and the standard error of the samples, so that it can be much smaller
        than 1 / samples.

        Parameters
        ----------
        differences
            The observed differences, (systems, systems).
        degrees
            Degrees of freedom of the standard error; infinite if it is known.
        """
        p_values = (self.n_beyond + 1) / (self.n_samples + 1)
        if self.n_samples >= _MIN_SAMPLES:
            limit = (MIN_BEYOND + 1) / (self.n_samples + 1)
            tails = np.minimum(self._tails(np.abs(differences), degrees), limit)
            p_values = np.where(self.n_beyond < MIN_BEYOND, tails, p_values)
        p_values = np.where(self.n_apart > 0, p_values, 1.0)
        np.fill_diagonal(p_values, 1.0)
        return p_values

    def exact_p_values(self, differences: FloatArray) -> FloatArray:
        """Compute two-sided p-values of randomization over few units, (systems, systems).

        The share of shuffles is exact for any number of units. The normal tail of `p_values` is used only where it is smaller:
        the standard error of shuffles grows with the difference, so for few units and a large difference it is too cautious.
        """
        shares = (self.n_beyond + 1) / (self.n_samples + 1)
        return np.minimum(self.p_values(differences), np.where(self.n_apart > 0, shares, 1.0))

    def student_p_values(self, differences: FloatArray, n_units: int) -> FloatArray:
        """Compute two-sided p-values of Student's t, (systems, systems); 1 for systems with equal scores on every sample.

        Resamples of few units, such as documents, vary too little: their standard error lacks the factor √(n / (n − 1)). Shares
        of samples, which `p_values` counts, would be too small.
        """
        shrinkage = sqrt((n_units - 1) / n_units)
        tails = self._tails(shrinkage * np.abs(differences), n_units - 1)
        p_values = np.where(self.n_apart > 0, tails, 1.0)
        np.fill_diagonal(p_values, 1.0)
        return p_values

    def _tails(self, differences: FloatArray, degrees: float) -> FloatArray:
        errors = np.sqrt(self.squares / (self.n_samples - 1))
        return student_p(
            np.divide(differences, errors, out=np.full_like(errors, inf), where=errors > 0), degrees
        )


def tally_resamples(system_scores: FloatArray, resampled: FloatArray) -> PairTally:
    """Test every pair by paired bootstrap.

    Parameters
    ----------
    system_scores
        The scores on the whole test set, (systems,).
    resampled
        Scores on the same resamples for every system, (systems, samples).
    """
    largest, means = np.abs(resampled).max(axis=1), resampled.mean(axis=1)
    roundings = ROUNDING * np.maximum.outer(largest, largest)
    thresholds = np.abs(np.subtract.outer(system_scores, system_scores)) + roundings
    _check_finite(thresholds)
    centred = resampled - means[:, None]
    squares = np.array([np.sum((row - centred) ** 2, axis=1) for row in centred])
    return PairTally(*count_gaps(resampled, means, thresholds, roundings), squares, resampled.shape[1])


def tally_shuffles(system_totals: FloatArray, kept_totals: FloatArray, combine: Combine) -> PairTally:
    """Test every pair by approximate randomization on a block of shuffles.

    The totals of a shuffled system a are the totals of a over the segments that it keeps, plus the totals of b over all other
    segments: the totals of b minus its totals over the kept segments.

    Parameters
    ----------
    system_totals
        Sums of the statistics over the whole test set, (systems, k).
    kept_totals
        Sums over the kept segments, (systems, samples, k).
    """
    n_systems, n_samples, _ = kept_totals.shape
    scores, size = combine(system_totals), (n_systems, n_systems)
    tally = PairTally(np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size), n_samples)
    for a, b in combinations(range(n_systems), 2):
        shuffled_a, shuffled_b = shuffle_pair(system_totals, kept_totals, combine, a, b)
        gaps = np.abs(shuffled_a - shuffled_b)
        rounding = ROUNDING * max(np.abs(shuffled_a).max(), np.abs(shuffled_b).max())
        threshold = abs(scores[a] - scores[b]) - rounding
        _check_finite(threshold)
        tally.n_beyond[[a, b], [b, a]] = np.count_nonzero(gaps > threshold)
        tally.n_apart[[a, b], [b, a]] = np.count_nonzero(gaps > rounding)
        tally.squares[[a, b], [b, a]] = np.sum(gaps**2)
    return tally


def shuffle_pair(
    system_totals: FloatArray, kept_totals: FloatArray, combine: Combine, a: int, b: int
) -> tuple[FloatArray, FloatArray]:
    """Score both systems of a pair after each exchange of segments, (samples,) each."""
    shuffled_a = combine(kept_totals[a] + (system_totals[b] - kept_totals[b]))
    shuffled_b = combine(kept_totals[b] + (system_totals[a] - kept_totals[a]))
    return shuffled_a, shuffled_b


def _check_finite(thresholds: FloatArray | float) -> None:
    if not np.all(np.isfinite(thresholds)):
        raise InputError("a score is not a finite number, so it cannot be compared")
