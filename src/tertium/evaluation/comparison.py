"""How sure a difference is: intervals, paired tests, clusters and further segments of an Evaluation."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation.statistics import Evaluation
from tertium.stats.resampling import (
    Interval,
    confidence_interval,
    draw_resamples,
    draw_swaps,
    resampled_totals,
    standard_error,
)
from tertium.stats.significance import (
    cluster_ranks,
    fewest_samples,
    holm_pairs,
    pairwise_bootstrap_p,
    pairwise_randomization_p,
    segments_to_separate,
)
from tertium.types import FloatArray

__all__ = ["Comparison", "MetricComparison", "PairedTest", "compare"]

PairedTest = Literal["bootstrap", "randomization"]

# sacreBLEU's defaults, so that the numbers agree without any option.
DEFAULT_SEED = 12345
DEFAULT_SAMPLES = {"bootstrap": 1000, "randomization": 10_000}


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """What one metric says of all systems, in their order.

    Attributes
    ----------
    intervals
        95 % bootstrap intervals of the scores.
    p_values
        Each system against the baseline, as sacreBLEU gives them; NaN for the baseline itself.
    adjusted_p
        Every pair of systems, Holm-adjusted (systems, systems).
    clusters
        From 1 for the best: systems of one cluster cannot be told apart.
    """

    scores: FloatArray
    intervals: Interval
    p_values: FloatArray | None
    adjusted_p: FloatArray
    clusters: npt.NDArray[np.int64]
    resampled_scores: FloatArray
    n_segments: int

    def further_segments(self, a: int, b: int) -> int | None:
        """Estimate how many more segments would probably separate two systems; None if none would."""
        error = float(standard_error(self.resampled_scores[a], self.resampled_scores[b]))
        return segments_to_separate(float(self.scores[a] - self.scores[b]), error, self.n_segments)


@dataclass(frozen=True)
class Comparison:
    """The comparisons by metric label, and how they were made."""

    test: PairedTest
    n_samples: int
    seed: int
    baseline: str | None
    metrics: Mapping[str, MetricComparison]


def compare(
    evaluation: Evaluation,
    *,
    test: PairedTest = "bootstrap",
    n_samples: int | None = None,
    seed: int = DEFAULT_SEED,
    baseline: str | None = None,
    alpha: float = 0.05,
) -> Comparison:
    """Compare all systems of an evaluation under every metric.

    Intervals, and p-values against the baseline, equal sacreBLEU's for the same seed and number of
    samples. All pairs are tested with the calibrated version of the same test (differences centred
    with their sign; ties of shuffles counted), Holm-adjusted, and clusters are drawn from that.
    """
    samples = DEFAULT_SAMPLES[test] if n_samples is None else n_samples
    _check(evaluation, samples, seed, baseline)
    # Holm needs more samples for many systems; the first ones stay the same, and so do intervals.
    enough = max(samples, fewest_samples(len(evaluation.systems), alpha=alpha))
    is_bootstrap = test == "bootstrap"
    n_intervals = samples if is_bootstrap else min(samples, DEFAULT_SAMPLES["bootstrap"])
    n_drawn = enough if is_bootstrap else n_intervals
    resampled = _sum_samples(evaluation, draw_resamples(evaluation.n_segments, n_drawn, _rng(seed)))
    kept = (
        {}
        if is_bootstrap
        else _sum_samples(evaluation, draw_swaps(evaluation.n_segments, enough, _rng(seed)))
    )
    metrics = {}
    for label in evaluation.tables:
        bootstrap_scores = evaluation.metric(label).combine(resampled[label])
        tests = (
            _bootstrap_tests(evaluation, label, bootstrap_scores, samples, baseline)
            if is_bootstrap
            else _randomization_tests(evaluation, label, kept[label], samples, baseline)
        )
        metrics[label] = _summarise(evaluation, label, bootstrap_scores[:, :n_intervals], tests, alpha)
    return Comparison(test, samples, seed, baseline, metrics)


@dataclass(frozen=True, eq=False)
class _Tests:
    """p-values of all pairs (calibrated), and against the baseline (sacreBLEU's)."""

    pairs: FloatArray
    baseline: FloatArray | None


def _bootstrap_tests(
    evaluation: Evaluation, label: str, resampled: FloatArray, n_samples: int, baseline: str | None
) -> _Tests:
    scores = evaluation.system_scores(label)
    pairs = pairwise_bootstrap_p(scores, resampled, signed=True)
    if baseline is None:
        return _Tests(pairs, None)
    return _Tests(pairs, _row(evaluation, baseline, pairwise_bootstrap_p(scores, resampled[:, :n_samples])))


def _randomization_tests(
    evaluation: Evaluation, label: str, kept: FloatArray, n_samples: int, baseline: str | None
) -> _Tests:
    totals, combine = evaluation.totals(label), evaluation.metric(label).combine
    pairs = pairwise_randomization_p(totals, kept, combine, count_ties=True)
    if baseline is None:
        return _Tests(pairs, None)
    return _Tests(
        pairs, _row(evaluation, baseline, pairwise_randomization_p(totals, kept[:, :n_samples], combine))
    )


def _row(evaluation: Evaluation, baseline: str, p_matrix: FloatArray) -> FloatArray:
    at = evaluation.systems.index(baseline)
    row: FloatArray = p_matrix[at].copy()
    row[at] = np.nan  # the baseline is not compared with itself
    return row


def _summarise(
    evaluation: Evaluation, label: str, resampled: FloatArray, tests: _Tests, alpha: float
) -> MetricComparison:
    scores, adjusted = evaluation.system_scores(label), holm_pairs(tests.pairs)
    higher = evaluation.metric(label).higher_is_better
    return MetricComparison(
        scores=scores,
        intervals=confidence_interval(resampled),
        p_values=tests.baseline,
        adjusted_p=adjusted,
        clusters=cluster_ranks(scores, adjusted, alpha=alpha, higher_is_better=higher),
        resampled_scores=resampled,
        n_segments=evaluation.n_segments,
    )


def _sum_samples(evaluation: Evaluation, blocks: Iterator[FloatArray]) -> dict[str, FloatArray]:
    """Sum every metric's statistics over each sample, in one product for all metrics."""
    tables = list(evaluation.tables.values())
    ends = np.cumsum([table.shape[-1] for table in tables])
    totals = resampled_totals(np.concatenate(tables, axis=-1), blocks)
    return dict(zip(evaluation.tables, np.split(totals, ends[:-1], axis=-1), strict=True))


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def _check(evaluation: Evaluation, n_samples: int, seed: int, baseline: str | None) -> None:
    if n_samples < 1:
        raise OptionError(f"the number of samples must be at least 1, not {n_samples}")
    if seed < 0:
        raise OptionError(f"the seed must not be negative, but is {seed}")
    if baseline is not None and baseline not in evaluation.systems:
        raise UnknownNameError(
            f"the baseline {baseline!r} is not among the systems: {', '.join(evaluation.systems)}"
        )
