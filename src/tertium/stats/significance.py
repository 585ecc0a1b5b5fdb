"""Paired significance tests of systems, tests of all pairs, and the number of units that a test needs.

The p-values are those of sacreBLEU 2.6 for the same draws, with one exception: two systems with equal scores on
every resample get p = 1, where sacreBLEU gives its smallest value, 1 / (samples + 1).

The paired bootstrap is Koehn's (2004, "Statistical Significance Tests for Machine Translation
Evaluation"), centred as in Moses; approximate randomization is Riezler and Maxwell's (2005, "On Some
Pitfalls in Automatic Evaluation and Significance Testing for MT"), with multeval's correction by one.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import ceil, floor, isfinite, log2
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError
from tertium.kernels.resampling import count_gaps
from tertium.stats.analysis import DEFAULT_ALPHA, PairedTest
from tertium.types import FloatArray, OffsetArray

Combine = Callable[[FloatArray], FloatArray]
"""A metric's formula over totals, (..., k) to (...)."""

ROUNDING = 1e-10
"""Scores that differ by less than this share of their size are tied: the difference may be rounding."""


def paired_bootstrap_p(
    scores_a: FloatArray, scores_b: FloatArray, difference: float | FloatArray, *, signed: bool = False
) -> FloatArray:
    """Test two systems on the same bootstrap resamples, two-sided.

    Moses and sacreBLEU centre the absolute differences instead of the signed ones. This makes the test too lenient: at
    the 5 % level about 11 % of pairs of equal systems are significant, where `paired_randomization_p` and the signed
    version have 5 %.

    Parameters
    ----------
    scores_a, scores_b
        Scores on the same resamples, (..., samples).
    difference
        The difference of the scores on the whole test set, (...); its sign is ignored.
    signed
        Centre the signed differences instead.
    """
    gaps = np.abs(scores_a - scores_b)
    centred = scores_a - scores_b if signed else gaps
    centred = centred - centred.mean(axis=-1, keepdims=True)
    if signed:
        centred = np.abs(centred)
    rounding = _rounding(scores_a, scores_b)
    p_values = _share_beyond(centred, np.abs(difference), rounding)
    return _one_if_indistinct(p_values, gaps, rounding)


def paired_randomization_p(
    shuffled_a: FloatArray,
    shuffled_b: FloatArray,
    difference: float | FloatArray,
    *,
    count_ties: bool = False,
) -> FloatArray:
    """Test two systems by exchanging their segments at random, two-sided.

    Parameters
    ----------
    shuffled_a, shuffled_b
        Scores of the two shuffled systems, (..., samples).
    difference
        The difference of the scores on the whole test set, (...); its sign is ignored.
    count_ties
        Whether to count shuffles whose difference equals that of the systems, as in Phipson and Smyth (2010). sacreBLEU
        does not count them, so two systems that differ in a single segment get its smallest p-value.
    """
    gaps = np.abs(shuffled_a - shuffled_b)
    rounding = _rounding(shuffled_a, shuffled_b)
    p_values = _share_beyond(gaps, np.abs(difference), -rounding if count_ties else rounding)
    return _one_if_indistinct(p_values, gaps, rounding)


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
    """Adjust a symmetric matrix of p-values by Holm's method; each pair of systems counts once.

    The smallest p-value of a resampling test is 1 / (samples + 1), and the adjustment multiplies it by the number of
    pairs: see `min_samples`.
    """
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


def min_samples(n_systems: int, *, alpha: float = DEFAULT_ALPHA) -> int:
    """Compute the number of resamples below which no pair of systems can be significant after Holm's adjustment.

    Examples
    --------
    >>> min_samples(10), min_samples(20)
    (900, 3800)
    """
    _check_share("alpha", alpha)
    n_pairs = n_systems * (n_systems - 1) // 2
    return floor(n_pairs / alpha + 1e-9)  # the least n with n_pairs / (n + 1) < alpha


def cluster_ranks(
    scores: FloatArray, adjusted_p: FloatArray, *, alpha: float = DEFAULT_ALPHA, higher_is_better: bool = True
) -> npt.NDArray[np.int64]:
    """Rank systems in clusters, as in the WMT tables, from 1 for the best.

    A cluster ends where every system above is significantly better than every system below. `scores` are the scores on
    the whole test set, (systems,), and `adjusted_p` is a symmetric matrix of p-values, as from `holm_pairs`. Clusters
    follow the order of `scores`.

    Examples
    --------
    >>> p = np.array([[1.0, 0.4, 0.01], [0.4, 1.0, 0.02], [0.01, 0.02, 1.0]])
    >>> cluster_ranks(np.array([31.0, 30.9, 27.2]), p)
    array([1, 1, 2])
    """
    _check_share("alpha", alpha)
    best_first = np.argsort(-scores if higher_is_better else scores, kind="stable")
    ordered_p = adjusted_p[np.ix_(best_first, best_first)]
    ordered_scores = scores[best_first]
    begins_cluster = [
        ordered_scores[i - 1] != ordered_scores[i] and bool(np.all(ordered_p[:i, i:] < alpha))
        for i in range(1, len(scores))
    ]
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[best_first] = np.cumsum([1, *begins_cluster])[: len(scores)]
    return ranks


def segments_to_separate(
    difference: float,
    standard_error: float,
    n_segments: int,
    *,
    alpha: float = DEFAULT_ALPHA,
    power: float = 0.8,
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
    _check_share("alpha", alpha)
    _check_share("power", power)
    if difference == 0:
        return None
    from statistics import NormalDist  # noqa: PLC0415 - it brings fractions and decimals

    normal = NormalDist()
    wanted = max(0.0, normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power))
    shortfall = wanted * standard_error / abs(difference)
    n_needed = n_segments * shortfall * shortfall
    if not isfinite(n_needed):
        return None  # the difference is 0 up to rounding
    return max(0, ceil(n_needed) - n_segments)


def _share_beyond(statistics: FloatArray, difference: float | FloatArray, rounding: FloatArray) -> FloatArray:
    threshold = np.expand_dims(difference, -1) + rounding
    if not np.all(np.isfinite(threshold)):
        raise InputError("a score is not a finite number, so it cannot be compared")
    n_beyond = np.count_nonzero(statistics > threshold, axis=-1)
    # the observed difference counts as one more sample, otherwise p would be too small
    return np.asarray((n_beyond + 1) / (statistics.shape[-1] + 1))


def _one_if_indistinct(p_values: FloatArray, gaps: FloatArray, rounding: FloatArray) -> FloatArray:
    return np.where(np.all(gaps <= rounding, axis=-1), 1.0, p_values)


def _rounding(scores_a: FloatArray, scores_b: FloatArray) -> FloatArray:
    largest = np.maximum(np.abs(scores_a), np.abs(scores_b)).max(axis=-1, keepdims=True)
    return np.asarray(ROUNDING * largest)


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
    return _BOOTSTRAP_UNITS if test == "bootstrap" else needed


# Tests between all pairs of systems, in blocks, so that many systems and samples need little memory.
#
# These are exact versions of the tests above: signed differences are centred, and a shuffle whose difference equals that
# of the systems counts.


class PairTally(NamedTuple):
    """Counts over samples for every pair of systems; tallies of different samples can be joined.

    `n_beyond` counts the samples with a larger difference than the systems have, `n_apart` those with a difference
    above rounding, (systems, systems) each.
    """

    n_beyond: OffsetArray
    n_apart: OffsetArray
    n_samples: int

    def join(self, other: "PairTally") -> "PairTally":
        return PairTally(
            self.n_beyond + other.n_beyond, self.n_apart + other.n_apart, self.n_samples + other.n_samples
        )

    def p_values(self) -> FloatArray:
        """Compute two-sided p-values, (systems, systems); 1 for systems with equal scores on every sample."""
        # the observed difference counts as one more sample, otherwise p would be too small
        p_values = np.where(self.n_apart > 0, (self.n_beyond + 1) / (self.n_samples + 1), 1.0)
        np.fill_diagonal(p_values, 1.0)
        return p_values


class ScoreSpread(NamedTuple):
    """The mean score of every system over resamples, and its largest absolute score, (systems,) each."""

    means: FloatArray
    largest: FloatArray
    n_samples: int

    @classmethod
    def of(cls, resampled: FloatArray) -> "ScoreSpread":
        """Compute the spread of resampled scores, (systems, samples)."""
        return cls(resampled.mean(axis=1), np.abs(resampled).max(axis=1), resampled.shape[1])

    @classmethod
    def join(cls, parts: Sequence["ScoreSpread"]) -> "ScoreSpread":
        """Combine the spreads of all resamples."""
        sizes = [part.n_samples for part in parts]
        means = np.average([part.means for part in parts], axis=0, weights=sizes)
        return cls(means, np.max([part.largest for part in parts], axis=0), sum(sizes))


def tally_resamples(system_scores: FloatArray, resampled: FloatArray, spread: ScoreSpread) -> PairTally:
    """Test every pair by paired bootstrap on a block of resamples.

    Parameters
    ----------
    system_scores
        The scores on the whole test set, (systems,).
    resampled
        Scores on the same resamples for every system, (systems, samples).
    spread
        The spread over all blocks.
    """
    roundings = ROUNDING * np.maximum.outer(spread.largest, spread.largest)
    thresholds = np.abs(np.subtract.outer(system_scores, system_scores)) + roundings
    _check_finite(thresholds)
    return PairTally(*count_gaps(resampled, spread.means, thresholds, roundings), resampled.shape[1])


def tally_shuffles(system_totals: FloatArray, kept_totals: FloatArray, combine: Combine) -> PairTally:
    """Test every pair by approximate randomization on a block of shuffles.

    The totals of a shuffled system a are those of a over the segments that it keeps, plus those of b over the other
    segments: the totals of b minus its totals over the kept segments.

    Parameters
    ----------
    system_totals
        Sums of the statistics over the whole test set, (systems, k).
    kept_totals
        Sums over the kept segments, (systems, samples, k).
    """
    n_systems, n_samples, _ = kept_totals.shape
    scores = combine(system_totals)
    tally = PairTally(
        np.zeros((n_systems, n_systems), np.int64), np.zeros((n_systems, n_systems), np.int64), n_samples
    )
    for a, b in combinations(range(n_systems), 2):
        shuffled_a, shuffled_b = shuffle_pair(system_totals, kept_totals, combine, a, b)
        gaps = np.abs(shuffled_a - shuffled_b)
        rounding = ROUNDING * max(np.abs(shuffled_a).max(), np.abs(shuffled_b).max())
        threshold = abs(scores[a] - scores[b]) - rounding
        _check_finite(threshold)
        tally.n_beyond[[a, b], [b, a]] = np.count_nonzero(gaps > threshold)
        tally.n_apart[[a, b], [b, a]] = np.count_nonzero(gaps > rounding)
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
