"""Differences between two systems: their size, their significance, and the segments that cause them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.comparison import MetricComparison, compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gaps import keep_common, limit_groups
from tertium.evaluation.selection import select_metric, select_segments, select_systems
from tertium.records import record
from tertium.stats.analysis import Analysis
from tertium.stats.significance import holm
from tertium.values import FloatArray, OffsetArray

# The influence of a segment is the score of all segments minus the score of all others, computed by the metric's
# formula from the statistics. It is exact for BLEU too, whose score is not a mean over segments.


_BLOCK_VALUES = 2**20  # 8 MB at a time, so that a million segments do not need a second table


def measure_influence(evaluation: Evaluation, label: str) -> FloatArray:
    """Measure how much each segment adds to each system's score under a metric (systems, segments)."""
    _check_segments(evaluation)
    totals = evaluation.totals(label)
    systems = zip(evaluation.tables[label], totals, evaluation.system_scores(label), strict=True)
    combine = evaluation.metric(label).combine
    influence = np.empty(evaluation.tables[label].shape[:2])
    size = max(1, _BLOCK_VALUES // max(1, totals.shape[1]))
    for row, (table, total, score) in zip(influence, systems, strict=True):
        for begin in range(0, len(table), size):
            row[begin : begin + size] = score - combine(total - table[begin : begin + size])
    return influence


def measure_influence_on_difference(
    evaluation: Evaluation, label: str, first: str, second: str
) -> FloatArray:
    """Measure how much each segment adds to the second system's score minus the first one's (segments,)."""
    chosen = [_number(evaluation, system) for system in (first, second)]
    of_first, of_second = measure_influence(_only(evaluation, label, chosen), label)
    return np.asarray(of_second - of_first)


@record(eq=False)
class DecisiveSegments:
    """The segments that make up a share of the difference between two systems.

    Attributes
    ----------
    difference
        The second system's score minus the first one's, over all segments.
    segments
        Their numbers from 0, the most decisive first.
    influence
        The influence of each of these segments on the difference.
    left
        The difference without these segments.
    """

    difference: float
    segments: OffsetArray
    influence: FloatArray
    left: float
    n_segments: int


def find_decisive(
    evaluation: Evaluation, label: str, first: str, second: str, *, share: float = 0.5
) -> DecisiveSegments:
    """Find the segments that make up a share of the difference between two systems.

    Segments are removed in the order of their influence until at most 1 − share of the difference is left; at
    least one segment stays. If the systems do not differ, no segment is decisive.
    """
    if not 0 < share <= 1:
        raise OptionError(f"share must lie above 0 and be at most 1, not {share}")
    chosen = [_number(evaluation, system) for system in (first, second)]
    pair = _only(evaluation, label, chosen)
    of_first, of_second = measure_influence(pair, label)
    influence = of_second - of_first
    score_first, score_second = pair.system_scores(label)
    difference = float(score_second - score_first)
    order = np.argsort(-influence * np.sign(difference), kind="stable")
    lefts = _differences_without(pair, label, order)
    is_enough = np.abs(difference) * (1 - share) >= lefts * np.sign(difference)
    n_decisive = int(np.argmax(is_enough)) if difference != 0 and is_enough.any() else 0
    segments = order[:n_decisive]
    return DecisiveSegments(
        difference, segments, influence[segments], float(lefts[n_decisive]), evaluation.n_segments
    )


def _differences_without(pair: Evaluation, label: str, order: OffsetArray) -> FloatArray:
    """Score two systems without the first 0, 1, 2, … of these segments; the last segment stays."""
    combine = pair.metric(label).combine
    scores = []
    for table, total in zip(pair.tables[label], pair.totals(label), strict=True):
        removed = np.cumsum(table[order[:-1]], axis=0)
        scores.append(combine(total - np.concatenate([np.zeros((1, len(total))), removed])))
    return np.asarray(scores[1] - scores[0])


def _only(evaluation: Evaluation, label: str, systems: list[int]) -> Evaluation:
    """Select some systems and one metric."""
    names = tuple(evaluation.systems[i] for i in systems)
    table = evaluation.tables[label][systems]
    return replace(evaluation, systems=names, tables={label: table})


def _number(evaluation: Evaluation, system: str) -> int:
    if system not in evaluation.systems:
        raise UnknownNameError(f"no system {system!r} was scored; there are {', '.join(evaluation.systems)}")
    return evaluation.systems.index(system)


def _check_segments(evaluation: Evaluation) -> None:
    if evaluation.n_segments < 2:
        raise InputError("a single segment decides everything: influence needs two segments or more")


@record(eq=False)
class Difference:
    """The difference between two systems under one metric.

    Attributes
    ----------
    title
        The metric's label for readers.
    difference
        The second system's score minus the first one's.
    gain
        The difference with its sign such that positive means that the second system is better.
    interval
        The confidence interval of `gain` from the paired bootstrap, at level 1 − alpha.
    p_value
        The two-sided p-value of the paired test; None if there are too few segments.
    influence
        The influence of each segment on `gain`.
    decisive
        The segments that make up half of the difference; None for a single segment.
    """

    label: str
    title: str
    scores: tuple[float, float]
    difference: float
    gain: float
    interval: tuple[float, float]
    p_value: float | None
    influence: FloatArray
    decisive: DecisiveSegments | None
    higher_is_better: bool

    def is_significant(self, alpha: float) -> bool:
        """Whether the difference is significant."""
        return self.p_value is not None and self.p_value < alpha


@record
class Bucket:
    """A group of segments and the difference between two systems on them; `p_adjusted` is adjusted over all buckets."""

    kind: str
    name: str
    n_segments: int
    scores: tuple[float, float]
    gain: float
    p_adjusted: float | None


def compare_two(
    evaluation: Evaluation, first: str, second: str, analysis: Analysis | None = None
) -> list[Difference]:
    """Compare two systems with every metric."""
    if first == second:
        raise OptionError(f"{first!r} is compared with itself; name two systems")
    pair = keep_common(select_systems(evaluation, [first, second]))
    compared = compare(pair, replace(analysis or Analysis.of(), baseline=first))
    return [_difference(pair, metric.label, compared.metrics[metric.label]) for metric in evaluation.metrics]


def _difference(pair: Evaluation, label: str, compared: MetricComparison) -> Difference:
    metric = pair.metric(label)
    sign = 1.0 if metric.higher_is_better else -1.0
    before, after = (float(score) for score in pair.system_scores(label))
    drawn = sign * (compared.resampled_scores[1] - compared.resampled_scores[0])
    outside = (1 - compared.interval_level) / 2
    low, high = np.quantile(drawn, [outside, 1 - outside])
    has_many = pair.n_segments > 1
    influence = (
        measure_influence_on_difference(pair, label, *pair.systems)
        if has_many
        else np.array([after - before])
    )
    return Difference(
        label=label,
        title=metric.write_title(label),
        scores=(before, after),
        difference=after - before,
        gain=sign * (after - before),
        interval=(float(low), float(high)),
        p_value=None if np.isnan(p_value := _second_p(compared)) else p_value,
        influence=sign * influence,
        decisive=find_decisive(pair, label, *pair.systems) if has_many else None,
        higher_is_better=metric.higher_is_better,
    )


def _second_p(compared: MetricComparison) -> float:
    """Return the p-value of the second of two systems against the first; NaN if they were not tested."""
    return float("nan") if compared.p_values is None else float(compared.p_values[1])


LENGTH_EDGES = (10, 20, 30, 40)
"""The ranges of lengths, in words, by which segments are compared."""


def bucket_by_number(values: FloatArray, edges: Sequence[float]) -> dict[str, npt.NDArray[np.intp]]:
    """Group segments into ranges of a number: up to the first edge, between edges, above the last."""
    bounds = [-np.inf, *edges, np.inf]
    found = {}
    for low, high in pairwise(bounds):
        rows = np.flatnonzero((values > low) & (values <= high))
        if len(rows):
            found[_name_range(low, high)] = rows
    return found


def compare_buckets(
    evaluation: Evaluation,
    label: str,
    first: str,
    second: str,
    *,
    kind: str,
    buckets: Mapping[str, npt.NDArray[np.intp]],
    analysis: Analysis | None = None,
) -> list[Bucket]:
    """Compare two systems on each bucket, with one Holm adjustment over all of them."""
    pair = select_metric(select_systems(evaluation, [first, second]), label)
    sign = 1.0 if pair.metric(label).higher_is_better else -1.0
    parts = {name: select_segments(pair, rows) for name, rows in limit_groups(pair, label, buckets).items()}
    adjusted = _adjust(np.array([_test(part, label, analysis or Analysis.of()) for part in parts.values()]))
    found = []
    for (name, part), p_adjusted in zip(parts.items(), adjusted, strict=True):
        before, after = (float(score) for score in part.system_scores(label))
        gain = sign * (after - before)
        found.append(Bucket(kind, name, part.n_segments, (before, after), gain, p_adjusted))
    return found


def _test(pair: Evaluation, label: str, analysis: Analysis) -> float:
    """Return the p-value of the paired test of two systems; NaN if there are too few segments."""
    return _second_p(compare(pair, replace(analysis, baseline=pair.systems[0])).metrics[label])


def measure_segment_gains(evaluation: Evaluation, first: str, second: str) -> dict[str, FloatArray]:
    """Measure by how much the second system is better on each segment, for each metric's label."""
    pair = select_systems(evaluation, [first, second])
    gains: dict[str, FloatArray] = {}
    for metric in pair.metrics:
        before, after = pair.segment_scores(metric.label)
        gains[metric.label] = after - before if metric.metric.higher_is_better else before - after
    return gains


def find_disagreements(gains: Sequence[FloatArray]) -> FloatArray:
    """Measure how far metrics disagree about the better system in each segment: the spread of standardised gains."""
    stacked = np.array([np.nan_to_num(gain) / (np.nanstd(gain) or 1.0) for gain in gains])
    most, least = stacked.max(axis=0), stacked.min(axis=0)
    # metrics disagree only if one prefers the first system and another the second
    return np.where((most > 0) & (least < 0), most - least, 0.0)


def rows_of_values(values: Sequence[str], *, column: str) -> dict[str, npt.NDArray[np.intp]]:
    """Group segments by the values of a column."""
    if not values:
        raise UnknownNameError(f"no segment has a value in the column {column!r}")
    array = np.array(values, dtype=object)
    return {str(value): np.flatnonzero(array == value) for value in dict.fromkeys(values)}


def _adjust(p_values: FloatArray) -> list[float | None]:
    known = ~np.isnan(p_values)
    adjusted = np.full(len(p_values), np.nan)
    if known.any():
        adjusted[known] = holm(p_values[known])
    return [None if np.isnan(p) else float(p) for p in adjusted]


def _name_range(low: float, high: float) -> str:
    """Name a range of numbers: ≤ 10, 11–20, > 40; ranges between fractions keep them."""
    if low == -np.inf:
        return f"≤ {high:g}"
    if high == np.inf:
        return f"> {low:g}"
    return f"{low + 1:g}–{high:g}" if float(low).is_integer() else f"{low:g}–{high:g}"
