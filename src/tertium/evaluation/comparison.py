"""How sure a difference is: intervals, paired tests, clusters and further segments of an Evaluation."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation.drawing import Drawing, Drawn, Progress, draw_bootstrap, draw_randomization
from tertium.evaluation.grouping import unite_groups
from tertium.evaluation.sampling import most_samples
from tertium.evaluation.statistics import Evaluation
from tertium.stats.resampling import Interval, confidence_interval
from tertium.stats.significance import (
    cluster_ranks,
    fewest_samples,
    holm_levels,
    holm_pairs,
    segments_to_separate,
)
from tertium.types import FloatArray

__all__ = ["Comparison", "MetricComparison", "PairedTest", "compare", "why_unclustered"]

PairedTest = Literal["bootstrap", "randomization"]

# sacreBLEU's defaults, so that the numbers agree without any option.
DEFAULT_SEED = 12345
DEFAULT_SAMPLES = {"bootstrap": 1000, "randomization": 10_000}

# Below so many segments or groups there are no clusters; measured by tools/simulate_tests.py.
FEWEST_UNITS = {"bootstrap": 30, "randomization": 6}
_TROUBLES = {
    "bootstrap": "the paired bootstrap calls equal systems different too often",
    "randomization": "no difference can be significant",
}


@dataclass(frozen=True, eq=False)
class MetricComparison:
    """What one metric says of all systems, in their order.

    Attributes
    ----------
    intervals
        Bootstrap intervals of the scores, at the level 1 − alpha.
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
    alpha: float = 0.05

    @cached_property
    def standard_errors(self) -> FloatArray:
        """Standard errors of all systems' differences, (systems, systems)."""
        rows = [np.std(each - self.resampled_scores, axis=1, ddof=1) for each in self.resampled_scores]
        return np.array(rows)

    def further_segments(self, a: int, b: int) -> int | None:
        """Estimate how many more segments would separate two systems in this table, in four cases of five.

        If the true difference is what it looks like now, and with the number of pairs that are tested
        taken into account. None if no number would do.
        """
        difference, error = float(self.scores[a] - self.scores[b]), float(self.standard_errors[a, b])
        level = float(self._levels[a, b])
        return segments_to_separate(difference, error, self.n_segments, alpha=level)

    @cached_property
    def _levels(self) -> FloatArray:
        differences = np.abs(np.subtract.outer(self.scores, self.scores))
        errors = np.where(self.standard_errors > 0, self.standard_errors, 1.0)
        certainties = np.where(self.standard_errors > 0, differences / errors, np.inf)
        return holm_levels(np.where(differences > 0, certainties, 0.0), alpha=self.alpha)


@dataclass(frozen=True)
class Comparison:
    """The comparisons by metric label, and how they were made.

    Attributes
    ----------
    n_samples
        For intervals and tests against the baseline.
    n_drawn
        For clusters: more, where so many pairs of systems need it.
    n_units
        What is drawn or exchanged as a whole: segments, or groups of them.
    is_grouped
        Whether units are groups.
    unclustered
        Why there are no clusters; all systems then share one, and adjusted p-values are 1.
    """

    test: PairedTest
    n_samples: int
    seed: int
    baseline: str | None
    metrics: Mapping[str, MetricComparison]
    alpha: float
    n_drawn: int
    n_units: int
    is_grouped: bool
    unclustered: str | None


def compare(
    evaluation: Evaluation,
    *,
    test: PairedTest = "bootstrap",
    n_samples: int | None = None,
    seed: int = DEFAULT_SEED,
    baseline: str | None = None,
    alpha: float = 0.05,
    groups: Sequence[Hashable] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare all systems of an evaluation under every metric.

    Intervals, and p-values against the baseline, equal sacreBLEU's for the same seed and number of
    samples. All pairs are tested with the calibrated version of the same test (differences centred
    with their sign; ties of shuffles counted), Holm-adjusted, and clusters are drawn from that.

    Parameters
    ----------
    groups
        Each segment's group, such as its document: groups are then drawn and exchanged whole, since
        segments of one document are not independent.
    progress
        Told how many samples of how many are done.
    """
    samples = DEFAULT_SAMPLES[test] if n_samples is None else n_samples
    _check(evaluation, samples, seed, baseline)
    units = evaluation if groups is None else unite_groups(evaluation, groups)
    unclustered = why_unclustered(test, units.n_segments)
    # Holm needs more samples for many systems; the first ones stay the same, and so do intervals.
    n_drawn = samples if unclustered else max(samples, fewest_samples(len(evaluation.systems), alpha=alpha))
    drawing = Drawing(units, samples, n_drawn, seed, baseline, tests_pairs=unclustered is None)
    draw = draw_bootstrap if test == "bootstrap" else draw_randomization
    drawn = draw(drawing, progress)
    metrics = {label: _summarise(evaluation, label, each, alpha) for label, each in drawn.items()}
    return Comparison(
        test=test,
        n_samples=samples,
        seed=seed,
        baseline=baseline,
        metrics=metrics,
        alpha=alpha,
        n_drawn=n_drawn,
        n_units=units.n_segments,
        is_grouped=groups is not None,
        unclustered=unclustered,
    )


def why_unclustered(test: PairedTest, n_units: int) -> str | None:
    """Say why there are no clusters of so few segments (or groups); None if there are enough."""
    if n_units >= FEWEST_UNITS[test]:
        return None
    return f"{n_units:,} are too few: with fewer than {FEWEST_UNITS[test]}, {_TROUBLES[test]}"


def _summarise(evaluation: Evaluation, label: str, drawn: Drawn, alpha: float) -> MetricComparison:
    scores, adjusted = evaluation.system_scores(label), holm_pairs(drawn.pairs)
    higher = evaluation.metric(label).higher_is_better
    return MetricComparison(
        scores=scores,
        intervals=confidence_interval(drawn.resampled, level=1 - alpha),
        p_values=drawn.baseline,
        adjusted_p=adjusted,
        clusters=cluster_ranks(scores, adjusted, alpha=alpha, higher_is_better=higher),
        resampled_scores=drawn.resampled,
        n_segments=evaluation.n_segments,
        alpha=alpha,
    )


def _check(evaluation: Evaluation, n_samples: int, seed: int, baseline: str | None) -> None:
    if n_samples < 1:
        raise OptionError(f"the number of samples must be at least 1, not {n_samples}")
    if seed < 0:
        raise OptionError(f"the seed must not be negative, but is {seed}")
    most = most_samples(evaluation)
    if n_samples > most:
        raise OptionError(
            f"{n_samples:,} samples of {len(evaluation.systems)} systems under {len(evaluation.tables)} metrics "
            f"would need too much memory; ask for at most {most:,}"
        )
    if baseline is not None and baseline not in evaluation.systems:
        raise UnknownNameError(
            f"the baseline {baseline!r} is not among the systems: {', '.join(evaluation.systems)}"
        )
