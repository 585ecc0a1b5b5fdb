"""A test of systems that were trained several times: runs and segments are both random.

Model: run r of system a has the score μ_a + R_r on an endless test set, where R_r varies between the runs of a system (runs
are nested in systems). On n segments, each segment adds an effect that all runs of the system share, and one of its own
for each run (the interaction of runs and segments). The difference of two systems' mean scores has the variance

    V = max(0, s_a² − i_a) / r_a + max(0, s_b² − i_b) / r_b + v

with the variances s² of the scores between runs on this test set, their part i that comes from the interaction, the
numbers r of runs, and the variance v of the difference over segments. v and i are jackknife estimates from the influence
of each segment; i is subtracted because v contains it. Δ / √V is compared with Student's t with the degrees of freedom
of Welch and Satterthwaite (1946, "An Approximate Distribution of Estimates of Variance Components").
"""

from math import inf, sqrt

import numpy as np

from tertium.records import record
from tertium.stats.student import student_p
from tertium.values import FloatArray


@record
class RunSample:
    """The scores of the runs of a system on one test set.

    `interaction` is the part of their variance that would vanish on an endless test set.
    """

    scores: tuple[float, ...]
    interaction: float = 0.0

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores))

    @property
    def deviation(self) -> float | None:
        """The standard deviation between runs; None for one run."""
        return float(np.std(self.scores, ddof=1)) if len(self.scores) > 1 else None


@record
class RunDifference:
    """The difference of two systems' mean scores, and its test.

    Attributes
    ----------
    variance_of_runs, variance_of_segments
        The two parts of the variance of the difference.
    degrees
        The degrees of freedom of the t distribution.
    """

    difference: float
    variance_of_runs: float
    variance_of_segments: float
    degrees: float
    p_value: float

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return sqrt(self.variance_of_runs + self.variance_of_segments)


def test_run_means(
    one: RunSample, other: RunSample, segment_variance: float, n_segments: int
) -> RunDifference:
    """Test whether `other` has another mean score than `one`, two-sided.

    A system with one run has no variance between runs; the variance of the other system is used.
    """
    parts = _run_parts(one, other)
    of_runs = sum(part.variance for part in parts)
    total = of_runs + segment_variance
    difference = other.mean - one.mean
    if total == 0:
        return RunDifference(difference, 0.0, 0.0, inf, 1.0 if difference == 0 else 0.0)
    uncertain = sum(part.raw**2 / part.degrees for part in parts)
    uncertain += segment_variance**2 / max(n_segments - 1, 1)
    degrees = max(1.0, total**2 / uncertain) if uncertain else inf
    p_value = float(student_p(difference / sqrt(total), degrees))
    return RunDifference(difference, of_runs, segment_variance, degrees, p_value)


@record
class _RunPart:
    """A system's variance of the mean over runs: without the interaction, with it, and its degrees of freedom."""

    variance: float
    raw: float
    degrees: int


def _run_parts(one: RunSample, other: RunSample) -> list[_RunPart]:
    """Return the variance of each system; for a system with one run, the variance of the other system counts for both."""
    samples = [sample for sample in (one, other) if len(sample.scores) > 1]
    is_shared = len(samples) == 1
    return [
        _make_part(sample, 1 / len(sample.scores) + is_shared)  # a system with one run has its whole variance
        for sample in samples
    ]


def _make_part(sample: RunSample, share: float) -> _RunPart:
    raw = float(np.var(sample.scores, ddof=1))
    return _RunPart(share * max(0.0, raw - sample.interaction), share * raw, len(sample.scores) - 1)


def measure_interaction(influences: FloatArray) -> float:
    """Measure the variance between runs that comes from segments, from their influence (runs, segments)."""
    if len(influences) < 2:
        return 0.0
    own = influences - influences.mean(axis=0)
    return sum(map(jackknife_variance, own)) / (len(influences) - 1)


def jackknife_variance(influences: FloatArray) -> float:
    """Compute the variance of a statistic from the influence of each segment on it."""
    n = len(influences)
    return float((n - 1) * np.var(influences)) if n > 1 else 0.0
