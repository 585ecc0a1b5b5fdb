"""Tests between all pairs of systems, block by block, so that many systems and samples need little memory.

These are the calibrated versions of the tests in `significance`: differences are centred with their sign,
and a shuffle that is exactly as far apart as the systems themselves counts.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.kernels.resampling import count_gaps
from tertium.stats.significance import ROUNDING, Combine
from tertium.types import FloatArray, OffsetArray

__all__ = ["PairTally", "ScoreSpread", "shuffle_pair", "tally_resamples", "tally_shuffles"]


class PairTally(NamedTuple):
    """What some samples say of every pair of systems; tallies of different samples can be joined.

    `n_beyond` counts the samples that lie further apart than the systems do, `n_apart` those that differ by
    more than rounding, (systems, systems) each.
    """

    n_beyond: OffsetArray
    n_apart: OffsetArray
    n_samples: int

    def join(self, other: "PairTally") -> "PairTally":
        return PairTally(
            self.n_beyond + other.n_beyond, self.n_apart + other.n_apart, self.n_samples + other.n_samples
        )

    def p_values(self) -> FloatArray:
        """Two-sided p-values, (systems, systems); 1 where no sample tells two systems apart."""
        # the systems as they are count as one more sample, or p would be too small
        p_values = np.where(self.n_apart > 0, (self.n_beyond + 1) / (self.n_samples + 1), 1.0)
        np.fill_diagonal(p_values, 1.0)
        return p_values


class ScoreSpread(NamedTuple):
    """Every system's mean score over resamples, and the largest size of one, (systems,) each."""

    means: FloatArray
    largest: FloatArray
    n_samples: int

    @classmethod
    def of(cls, resampled: FloatArray) -> "ScoreSpread":
        """Measure resampled scores, (systems, samples)."""
        return cls(resampled.mean(axis=1), np.abs(resampled).max(axis=1), resampled.shape[1])

    @classmethod
    def join(cls, parts: Sequence["ScoreSpread"]) -> "ScoreSpread":
        """Measure all resamples together."""
        sizes = [part.n_samples for part in parts]
        means = np.average([part.means for part in parts], axis=0, weights=sizes)
        return cls(means, np.max([part.largest for part in parts], axis=0), sum(sizes))


def tally_resamples(system_scores: FloatArray, resampled: FloatArray, spread: ScoreSpread) -> PairTally:
    """Test every pair by paired bootstrap on a block of resamples.

    Parameters
    ----------
    system_scores
        On the whole test set, (systems,).
    resampled
        Scores on the same resamples for every system, (systems, samples).
    spread
        Of all blocks together.
    """
    roundings = ROUNDING * np.maximum.outer(spread.largest, spread.largest)
    thresholds = np.abs(np.subtract.outer(system_scores, system_scores)) + roundings
    _check_finite(thresholds)
    return PairTally(*count_gaps(resampled, spread.means, thresholds, roundings), resampled.shape[1])


def tally_shuffles(system_totals: FloatArray, kept_totals: FloatArray, combine: Combine) -> PairTally:
    """Test every pair by approximate randomization on a block of shuffles.

    The shuffled systems of a pair need no sums of their own: a's totals over the segments it keeps,
    and b's over the rest, which are all that b has without those that it keeps.

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
        raise InputError("a score is not a finite number, so it cannot be compared with another")
