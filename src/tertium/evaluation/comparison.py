"""Confidence intervals, paired tests, letters and ranks of systems, and the number of segments that would separate two."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.evaluation import Evaluation, Resampling, SystemTotals
from tertium.evaluation.gaps import divide_by_gaps
from tertium.evaluation.resampling import (
    ResampledScores,
    choose_resampling,
    draw_bootstrap,
    draw_randomization,
    max_samples,
)
from tertium.records import record
from tertium.stats.analysis import SEGMENT, Analysis
from tertium.stats.letters import compact_letters, rank_ranges
from tertium.stats.resampling import Interval, confidence_interval, expand_level
from tertium.stats.significance import (
    holm_levels,
    holm_pairs,
    min_units,
    sacrebleu_bootstrap_p,
    segments_to_separate,
)
from tertium.values import FloatArray


def unite_segments(evaluation: Evaluation) -> Evaluation:
    """Add up the segments of each unit, such as a document, so that whole units are resampled and exchanged.

    The units are in the order of their first segments.
    """
    groups = evaluation.units.groups
    if groups is None:
        return evaluation
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
    return replace(evaluation, tables=tables, units=replace(evaluation.units, groups=None))


@record(eq=False)
class MetricComparison:
    """The comparison of all systems by one metric, in the order of the systems.

    Attributes
    ----------
    intervals
        Bootstrap intervals of the scores, at the level 1 − alpha.
    p_values
        p-values of each system against the baseline; NaN for the baseline itself and where nothing was tested.
    pair_p
        p-values of every pair of systems (systems, systems), not adjusted; 1 if the pairs were not tested.
    adjusted_p
        Holm-adjusted p-values of every pair of systems (systems, systems).
    letters
        The letters of each system: two systems share a letter if and only if they do not differ significantly.
    ranks
        The best and the worst rank of each system that the tests support.
    interval_level
        The share of resamples inside the intervals: larger than 1 − alpha if few groups are resampled (`expand_level`).
    """

    scores: FloatArray
    intervals: Interval
    p_values: FloatArray | None
    pair_p: FloatArray
    adjusted_p: FloatArray
    letters: tuple[str, ...]
    ranks: tuple[tuple[int, int], ...]
    resampled_scores: FloatArray
    n_segments: int
    alpha: float
    interval_level: float

    @cached_property
    def standard_errors(self) -> FloatArray:
        """Standard errors of all systems' differences, (systems, systems)."""
        if self.resampled_scores.shape[1] < 2:
            return np.full(self.adjusted_p.shape, np.nan)  # one sample has no spread
        rows = [np.std(score - self.resampled_scores, axis=1, ddof=1) for score in self.resampled_scores]
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
    n_units
        Number of segments, or of groups that are resampled as a whole.
    resampling
        How the bootstrap draws: "index" as sacreBLEU does, or "poisson" for very many segments.
    untested
        The reason if the pairs of systems were not tested; all systems then share a letter, and adjusted p-values are 1.
    """

    analysis: Analysis
    metrics: Mapping[str, MetricComparison]
    n_units: int
    resampling: Resampling
    untested: str | None

    @property
    def unit_note(self) -> str:
        """Describe in one phrase what intervals and tests resample."""
        return self.analysis.describe_unit(self.n_units)

    def signature_facts(self) -> dict[str, str | int]:
        """Return the facts about resampling for signatures, in sacreBLEU's words where it has them."""
        test, n_samples = self.analysis.test, self.analysis.n_samples
        facts: dict[str, str | int] = {"ar": n_samples} if test == "randomization" else {"bs": n_samples}
        if self.resampling == "poisson" and test != "randomization":
            facts = {"bs": "poisson", "samples": n_samples}
        facts["seed"] = self.analysis.seed
        unit = self.analysis.unit
        return facts if unit == SEGMENT else {**facts, "resample": unit}


def compare(
    evaluation: SystemTotals, analysis: Analysis | None = None, *, resampling: Resampling | None = None
) -> Comparison:
    """Compare all systems of an evaluation with every metric.

    The units of the evaluation are resampled: segments, or whole documents. If they are segments, the intervals equal
    sacreBLEU's for the same seed and number of samples, below 200,000 segments. All pairs are tested, and letters and ranks
    are derived from the Holm-adjusted p-values. In addition to the tables this needs less than a gigabyte of memory. A metric
    that lacks scores compares the systems on the segments that all of them have a score for.

    Parameters
    ----------
    resampling
        Chosen by the number of units, unless it is given.
    """
    analysis = analysis or Analysis.of()
    check_analysis(analysis, evaluation)
    if not isinstance(evaluation, Evaluation):
        completed = evaluation.units.complete(analysis, len(evaluation.systems))
        return _compare_units(evaluation, evaluation, completed, resampling or "poisson")
    parts = [_compare_segments(part, analysis, resampling) for part in divide_by_gaps(evaluation)]
    metrics = {label: comparison for part in parts for label, comparison in part.metrics.items()}
    return replace(parts[0], metrics={label: metrics[label] for label in evaluation.labels})


def _compare_segments(
    evaluation: Evaluation, analysis: Analysis, resampling: Resampling | None
) -> Comparison:
    """Compare systems by metrics that have a score of every segment."""
    units = unite_segments(evaluation)
    resampling = resampling or choose_resampling(units.n_segments)
    completed = evaluation.units.complete(analysis, len(evaluation.systems))
    return _compare_units(evaluation, units, completed, resampling)


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


def _compare_units(
    totals: SystemTotals, units: SystemTotals, analysis: Analysis, resampling: Resampling
) -> Comparison:
    """Compare systems by resampling the units: the segments of `totals`, or groups of them."""
    n_systems, n_units = len(totals.systems), units.n_segments
    untested = explain_untested(analysis, n_units, n_systems)
    draw = draw_randomization if analysis.test == "randomization" else draw_bootstrap
    drawn = draw(units, analysis, resampling, tests_pairs=untested is None and n_systems > 1)
    level = find_interval_level(analysis, [n_units])
    return Comparison(
        analysis=analysis,
        metrics={
            label: _summarise(totals, label, columns, analysis, level, is_tested=untested is None)
            for label, columns in drawn.items()
        },
        n_units=n_units,
        resampling=resampling,
        untested=untested,
    )


def find_interval_level(analysis: Analysis, n_units: Sequence[int]) -> float:
    """Return the share of resamples inside confidence intervals.

    It is 1 − alpha for segments, as in sacreBLEU, and more for groups such as documents, of which there are few.

    Parameters
    ----------
    n_units
        The number of units of each test set whose scores are averaged.
    """
    n_together = sum(n_units) - len(n_units) + 1
    if analysis.unit == SEGMENT or n_together < 2:
        return analysis.confidence
    return expand_level(analysis.confidence, n_together)


def explain_untested(analysis: Analysis, n_units: int, n_systems: int) -> str | None:
    """Explain why there are too few segments or groups for tests; None if there are enough."""
    needed = min_units(analysis.test, n_systems, alpha=analysis.alpha)
    if n_units >= needed:
        return None
    trouble = (
        "no difference could be significant"
        if analysis.test == "randomization"
        else "the paired bootstrap would call equal systems different too often"
    )
    return f"too few {analysis.unit}s for tests ({n_units:,}): with fewer than {needed:,} {trouble}"


def _summarise(
    sums: SystemTotals,
    label: str,
    drawn: ResampledScores,
    analysis: Analysis,
    interval_level: float,
    *,
    is_tested: bool,
) -> MetricComparison:
    scores, adjusted = sums.system_scores(label), holm_pairs(drawn.pairs)
    is_significant = adjusted < analysis.alpha
    higher = sums.metric(label).higher_is_better
    return MetricComparison(
        scores=scores,
        intervals=confidence_interval(drawn.resampled, level=interval_level),
        p_values=_test_baseline(sums, label, drawn, analysis, is_tested=is_tested),
        pair_p=drawn.pairs,
        adjusted_p=adjusted,
        letters=compact_letters(scores, is_significant, higher_is_better=higher),
        ranks=rank_ranges(scores, is_significant, higher_is_better=higher),
        resampled_scores=drawn.resampled,
        n_segments=sums.n_segments,
        alpha=analysis.alpha,
        interval_level=interval_level,
    )


def _test_baseline(
    sums: SystemTotals, label: str, drawn: ResampledScores, analysis: Analysis, *, is_tested: bool
) -> FloatArray | None:
    """Return the p-value of each system against the baseline; None without a baseline."""
    if analysis.baseline is None:
        return None
    at, scores = sums.systems.index(analysis.baseline), sums.system_scores(label)
    if analysis.test == "sacrebleu-bootstrap":
        p_values = sacrebleu_bootstrap_p(drawn.resampled[at], drawn.resampled, scores[at] - scores)
    else:
        p_values = drawn.pairs[at].copy() if is_tested else np.full(len(scores), np.nan)
    p_values[at] = np.nan
    return p_values
