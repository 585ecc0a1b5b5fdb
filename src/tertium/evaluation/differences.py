"""How two systems differ: by how much, how surely, on which segments and on which kinds of segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation.comparison import MetricComparison, PairedTest, compare, why_unclustered
from tertium.evaluation.influence import DecisiveSegments, find_decisive, measure_influence_on_difference
from tertium.evaluation.joining import select_systems
from tertium.evaluation.selection import select_metric, select_segments
from tertium.evaluation.statistics import Evaluation
from tertium.stats.significance import holm
from tertium.types import FloatArray

__all__ = [
    "Bucket",
    "Difference",
    "bucket_by_number",
    "compare_buckets",
    "compare_two",
    "find_disagreements",
    "measure_segment_gains",
    "rows_of_values",
]


@dataclass(frozen=True, eq=False)
class Difference:
    """What one metric says of two systems.

    Attributes
    ----------
    difference
        The second system's score minus the first one's, as the metric counts.
    gain
        The same, turned so that positive means that the second system is better.
    interval
        Of `gain`, from the paired bootstrap, at the level 1 - alpha.
    p_value
        Two-sided, of the paired test; None if there are too few segments for it.
    influence
        Of each segment on `gain`.
    decisive
        The segments that make up half of the difference; None for a single segment.
    """

    label: str
    scores: tuple[float, float]
    difference: float
    gain: float
    interval: tuple[float, float]
    p_value: float | None
    influence: FloatArray
    decisive: DecisiveSegments | None
    higher_is_better: bool

    def is_significant(self, alpha: float) -> bool:
        """Whether chance alone would rarely give such a difference."""
        return self.p_value is not None and self.p_value < alpha


@dataclass(frozen=True)
class Bucket:
    """Some segments, and how two systems differ on them; `p_adjusted` counts all buckets of a kind together."""

    kind: str
    name: str
    n_segments: int
    scores: tuple[float, float]
    gain: float
    p_adjusted: float | None


def compare_two(
    evaluation: Evaluation,
    first: str,
    second: str,
    *,
    test: PairedTest = "bootstrap",
    n_samples: int | None = None,
    seed: int = 12345,
    alpha: float = 0.05,
    groups: Sequence[str] | None = None,
) -> list[Difference]:
    """Compare two systems under every metric."""
    if first == second:
        raise OptionError(f"{first!r} is compared with itself; name two systems")
    pair = select_systems(evaluation, [first, second])
    compared = compare(pair, test=test, n_samples=n_samples, seed=seed, alpha=alpha, groups=groups)
    is_tested = compared.unclustered is None
    return [
        _difference(pair, each.label, compared.metrics[each.label], alpha, is_tested=is_tested)
        for each in evaluation.metrics
    ]


def _difference(
    pair: Evaluation, label: str, compared: MetricComparison, alpha: float, *, is_tested: bool
) -> Difference:
    metric = pair.metric(label)
    sign = 1.0 if metric.higher_is_better else -1.0
    before, after = (float(score) for score in pair.system_scores(label))
    drawn = sign * (compared.resampled_scores[1] - compared.resampled_scores[0])
    low, high = np.quantile(drawn, [alpha / 2, 1 - alpha / 2])
    has_many = pair.n_segments > 1
    influence = (
        measure_influence_on_difference(pair, label, *pair.systems)
        if has_many
        else np.array([after - before])
    )
    return Difference(
        label=label,
        scores=(before, after),
        difference=after - before,
        gain=sign * (after - before),
        interval=(float(low), float(high)),
        p_value=float(compared.adjusted_p[0, 1]) if is_tested else None,
        influence=sign * influence,
        decisive=find_decisive(pair, label, *pair.systems) if has_many else None,
        higher_is_better=metric.higher_is_better,
    )


def bucket_by_number(values: FloatArray, edges: Sequence[float]) -> dict[str, npt.NDArray[np.intp]]:
    """Sort segments into ranges of a number: up to the first edge, between edges, beyond the last."""
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
    seed: int = 12345,
) -> list[Bucket]:
    """Compare two systems on each bucket, with one Holm adjustment over all of them."""
    pair = select_metric(select_systems(evaluation, [first, second]), label)
    sign = 1.0 if pair.metric(label).higher_is_better else -1.0
    parts = {name: select_segments(pair, rows) for name, rows in buckets.items()}
    adjusted = _adjust(np.array([_test(part, label, seed) for part in parts.values()]))
    found = []
    for (name, part), p_adjusted in zip(parts.items(), adjusted, strict=True):
        before, after = (float(score) for score in part.system_scores(label))
        gain = sign * (after - before)
        found.append(Bucket(kind, name, part.n_segments, (before, after), gain, p_adjusted))
    return found


def _test(pair: Evaluation, label: str, seed: int) -> float:
    """The p-value of the paired test of two systems; NaN if there are too few segments for it."""
    if why_unclustered("bootstrap", pair.n_segments, 2) is not None:
        return np.nan
    return float(compare(pair, seed=seed).metrics[label].adjusted_p[0, 1])


def measure_segment_gains(evaluation: Evaluation, first: str, second: str) -> dict[str, FloatArray]:
    """Measure by how much the second system is better on each segment, for each metric's label."""
    pair = select_systems(evaluation, [first, second])
    gains: dict[str, FloatArray] = {}
    for each in pair.metrics:
        before, after = pair.segment_scores(each.label)
        gains[each.label] = after - before if each.metric.higher_is_better else before - after
    return gains


def find_disagreements(gains: Sequence[FloatArray]) -> FloatArray:
    """Measure per segment how far metrics disagree about the winner: the spread of standardised gains."""
    stacked = np.array([gain / (gain.std() or 1.0) for gain in gains])
    most, least = stacked.max(axis=0), stacked.min(axis=0)
    # only where one metric prefers the first system and another the second is it a disagreement
    return np.where((most > 0) & (least < 0), most - least, 0.0)


def rows_of_values(values: Sequence[str], *, column: str) -> dict[str, npt.NDArray[np.intp]]:
    """Sort segments by the values of a column."""
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
    if low == -np.inf:
        return f"up to {high:g}"
    if high == np.inf:
        return f"more than {low:g}"
    return f"more than {low:g}, up to {high:g}"
