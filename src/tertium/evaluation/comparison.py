"""Confidence intervals, paired tests, clusters of systems, and the number of segments that would separate two."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.resampling import (
    ResampledScores,
    choose_resampling,
    draw_bootstrap,
    draw_randomization,
    max_samples,
)
from tertium.evaluation.statistics import Evaluation, Resampling, SystemTotals
from tertium.records import record
from tertium.stats.analysis import SEGMENT, Analysis
from tertium.stats.resampling import Interval, confidence_interval
from tertium.stats.significance import (
    cluster_ranks,
    holm_levels,
    holm_pairs,
    min_samples,
    min_units,
    segments_to_separate,
)
from tertium.types import FloatArray


def unite_groups(evaluation: Evaluation, groups: Sequence[Hashable]) -> Evaluation:
    """Add up the segments of each group, such as a document, so that whole groups are resampled and exchanged.

    The groups are in the order of their first segments.
    """
    if len(groups) != evaluation.n_segments:
        raise InputError(
            f"{len(groups):,} segments have a group, but {evaluation.n_segments:,} were scored; "
            "name the group of every segment"
        )
    number: dict[Hashable, int] = {}
    group_of = np.array([number.setdefault(group, len(number)) for group in groups])
    order = np.argsort(group_of, kind="stable")
    starts = np.searchsorted(group_of[order], np.arange(len(number)))
    tables = {
        label: np.add.reduceat(table[:, order], starts, axis=1) for label, table in evaluation.tables.items()
    }
    return replace(evaluation, tables=tables)


_TROUBLES = {
    "bootstrap": "the paired bootstrap would call equal systems different too often",
    "randomization": "no difference could be significant",
}


@record(eq=False)
class MetricComparison:
    """The comparison of all systems by one metric, in the order of the systems.

    Attributes
    ----------
    intervals
        Bootstrap intervals of the scores, at the level 1 − alpha.
    p_values
        p-values of each system against the baseline, equal to sacreBLEU's; NaN for the baseline itself.
    adjusted_p
        Holm-adjusted p-values of every pair of systems (systems, systems).
    clusters
        The number of each system's cluster, from 1 for the best; systems in one cluster do not differ significantly.
    """

    scores: FloatArray
    intervals: Interval
    p_values: FloatArray | None
    adjusted_p: FloatArray
    clusters: npt.NDArray[np.int64]
    resampled_scores: FloatArray
    n_segments: int
    alpha: float

    @cached_property
    def standard_errors(self) -> FloatArray:
        """Standard errors of all systems' differences, (systems, systems)."""
        if self.resampled_scores.shape[1] < 2:
            return np.full(self.adjusted_p.shape, np.nan)  # one sample has no spread
        rows = [np.std(each - self.resampled_scores, axis=1, ddof=1) for each in self.resampled_scores]
        return np.array(rows)

    def further_segments(self, a: int, b: int) -> int | None:
        """Estimate how many more segments would show the difference between two systems with a power of 80 %.

        The estimate assumes that the observed difference is real, and takes the number of tested pairs into
        account. None if no number of segments would be enough.
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


@record
class Comparison:
    """The comparisons by metric label, and how they were made.

    Attributes
    ----------
    n_drawn
        Number of samples for clusters: more than for intervals if the number of pairs needs it.
    n_units
        Number of segments, or of groups that are resampled as a whole.
    resampling
        How the bootstrap draws: "index" as sacreBLEU does, or "poisson" for very many segments.
    unclustered
        The reason if there are no clusters; all systems then share one, and adjusted p-values are 1.
    """

    analysis: Analysis
    metrics: Mapping[str, MetricComparison]
    n_drawn: int
    n_units: int
    resampling: Resampling
    unclustered: str | None

    def signature_facts(self) -> dict[str, str | int]:
        """Return the facts about resampling for signatures, in sacreBLEU's words where it has them."""
        test, n_samples = self.analysis.test, self.analysis.n_samples
        facts: dict[str, str | int] = {"ar": n_samples} if test == "randomization" else {"bs": n_samples}
        if self.resampling == "poisson" and test == "bootstrap":
            facts = {"bs": "poisson", "samples": n_samples}
        facts["seed"] = self.analysis.seed
        unit = self.analysis.unit
        return facts if unit == SEGMENT else {**facts, "resample": unit}


def compare(
    evaluation: SystemTotals,
    analysis: Analysis | None = None,
    *,
    groups: Sequence[Hashable] | None = None,
    resampling: Resampling | None = None,
) -> Comparison:
    """Compare all systems of an evaluation with every metric.

    Intervals, and p-values against the baseline, equal sacreBLEU's for the same seed and number of
    samples, below 200,000 segments. All pairs are tested with the calibrated version of the same test
    (differences centred with their sign; ties of shuffles counted), Holm-adjusted, and clusters are derived
    from these tests. In addition to the tables this needs less than a gigabyte of memory.

    Parameters
    ----------
    groups
        The group of each segment, such as its document: whole groups are then resampled, since
        segments of one document are not independent.
    resampling
        Chosen by the number of segments, unless it is given.
    """
    analysis = analysis or Analysis()
    if groups is not None and analysis.unit == SEGMENT:
        analysis = replace(analysis, unit="group")
    units: SystemTotals = evaluation
    if isinstance(evaluation, Evaluation):
        units = evaluation if groups is None else unite_groups(evaluation, groups)
        resampling = resampling or choose_resampling(units.n_segments)
    check_analysis(analysis, evaluation)
    return _compare_units(evaluation, units, analysis, resampling or "poisson")


def check_analysis(analysis: Analysis, totals: SystemTotals) -> None:
    """Raise before any resampling if the analysis does not fit the systems or the memory."""
    if analysis.n_samples > (limit := max_samples(totals)):
        raise OptionError(
            f"{analysis.n_samples:,} samples of {len(totals.systems)} systems and {len(totals.labels)} metrics "
            f"would need too much memory; use at most {limit:,}"
        )
    if analysis.baseline is not None and analysis.baseline not in totals.systems:
        raise UnknownNameError(
            f"the baseline {analysis.baseline!r} is not among the systems: {', '.join(totals.systems)}"
        )


def count_drawn(analysis: Analysis, n_systems: int) -> int:
    """Count the samples for clusters: Holm's correction needs more for many systems; the first ones stay the same."""
    return max(analysis.n_samples, min_samples(n_systems, alpha=analysis.alpha))


def _compare_units(
    totals: SystemTotals, units: SystemTotals, analysis: Analysis, resampling: Resampling
) -> Comparison:
    """Compare systems by resampling the units: the segments of `totals`, or groups of them."""
    n_systems, n_units = len(totals.systems), units.n_segments
    unclustered = explain_unclustered(analysis, n_units, n_systems)
    n_drawn = count_drawn(analysis, n_systems) if unclustered is None else analysis.n_samples
    draw = draw_bootstrap if analysis.test == "bootstrap" else draw_randomization
    drawn = draw(units, analysis, resampling, n_drawn, tests_pairs=unclustered is None)
    return Comparison(
        analysis=analysis,
        metrics={label: _summarise(totals, label, each, analysis.alpha) for label, each in drawn.items()},
        n_drawn=n_drawn,
        n_units=n_units,
        resampling=resampling,
        unclustered=unclustered,
    )


def explain_unclustered(analysis: Analysis, n_units: int, n_systems: int) -> str | None:
    """Explain why there are too few segments or groups for clusters; None if there are enough."""
    needed = min_units(analysis.test, n_systems, alpha=analysis.alpha)
    if n_units >= needed:
        return None
    return (
        f"too few {analysis.unit}s for clusters ({n_units:,}): with fewer than {needed:,}"
        f" {_TROUBLES[analysis.test]}"
    )


def _summarise(sums: SystemTotals, label: str, drawn: ResampledScores, alpha: float) -> MetricComparison:
    scores, adjusted = sums.system_scores(label), holm_pairs(drawn.pairs)
    higher = sums.metric(label).higher_is_better
    return MetricComparison(
        scores=scores,
        intervals=confidence_interval(drawn.resampled, level=1 - alpha),
        p_values=drawn.baseline,
        adjusted_p=adjusted,
        clusters=cluster_ranks(scores, adjusted, alpha=alpha, higher_is_better=higher),
        resampled_scores=drawn.resampled,
        n_segments=sums.n_segments,
        alpha=alpha,
    )
