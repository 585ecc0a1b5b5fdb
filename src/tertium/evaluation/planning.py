"""The size of a test set: how much the difference of two systems varies, and how many segments show it."""

import importlib.resources
import json
from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil, sqrt

import numpy as np

from tertium.catalog import parse_metrics
from tertium.evaluation.comparison import unite_segments
from tertium.evaluation.differences import measure_influence_on_difference
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gaps import select_common
from tertium.evaluation.selection import select_systems
from tertium.evaluation.units import MIN_DOCUMENTS
from tertium.records import record
from tertium.stats.analysis import SEGMENT
from tertium.stats.significance import detectable_difference, power_of, units_for


@record
class Deviation:
    """The standard deviation of a difference per segment, and where it was measured.

    Attributes
    ----------
    label
        The metric.
    source
        The two systems, or the kind of systems for typical values.
    deviation
        The standard error of the difference is `deviation` / √n for n segments, in documents like the measured ones.
    observed
        The difference of the two systems on `n_segments` segments; None for typical values.
    unit, n_units
        The unit whose variance was measured, "segment" or "document", and the number of units.
    title
        The metric's name for readers.
    """

    label: str
    source: str
    deviation: float
    observed: float | None = None
    n_segments: int | None = None
    unit: str = SEGMENT
    n_units: int | None = None
    title: str = ""

    def count_units(self, n_segments: int) -> int | None:
        """Return how many units have this many segments; None if segments are the units."""
        if self.unit == SEGMENT or self.n_units is None or self.n_segments is None:
            return None
        return max(MIN_DOCUMENTS, ceil(n_segments * self.n_units / self.n_segments))


def measure_deviation(evaluation: Evaluation, label: str, first: str, second: str) -> Deviation:
    """Measure the deviation of a difference from the influence of each segment or document (the jackknife).

    The jackknife's standard error times √n for n segments. For segments and a metric that is a mean over them it equals the
    standard deviation of the segments' differences; documents make it larger (their design effect).
    """
    evaluation = select_common(select_systems(evaluation, [first, second]), label)
    units = unite_segments(evaluation)
    influence, n = measure_influence_on_difference(units, label, first, second), units.n_segments
    error = float(np.std(influence)) * sqrt(n - 1)
    deviation = error * sqrt(evaluation.n_segments)
    scores = dict(zip(evaluation.systems, evaluation.system_scores(label).tolist(), strict=True))
    title = next(metric.title for metric in evaluation.metrics if metric.label == label)
    return Deviation(
        label,
        f"{first} and {second}",
        deviation,
        scores[second] - scores[first],
        evaluation.n_segments,
        units.units.name,
        n,
        title,
    )


@record
class PlanRow:
    """The plan for one variance.

    Attributes
    ----------
    difference
        The true difference to detect; None if only a number of units is given.
    n_units
        The units that a test needs.
    n_given, detectable, power
        A given number of units, the smallest difference that it detects, and its power for `difference`.
    """

    deviation: Deviation
    difference: float | None
    n_units: int | None
    cost: float | None
    n_given: int | None
    detectable: float | None
    power: float | None

    @property
    def name(self) -> str:
        return f"{self.deviation.title or self.deviation.label}, {self.deviation.source}"


def plan_test_set(
    deviation: Deviation,
    difference: float | None,
    *,
    n: int | None = None,
    cost: float | None = None,
    alpha: float,
    power: float,
) -> PlanRow:
    """Plan how many units show a difference, and what a given number of units shows.

    Parameters
    ----------
    difference
        The true difference; by default the observed one.
    cost
        The cost of a unit.
    """
    difference = difference if difference is not None else deviation.observed
    n_units = None
    if difference is not None and (difference or n is None):
        n_units = units_for(difference, deviation.deviation, alpha=alpha, power=power)
    return PlanRow(
        deviation=deviation,
        difference=difference,
        n_units=n_units,
        cost=None if cost is None or n_units is None else cost * n_units,
        n_given=n,
        detectable=None
        if n is None
        else detectable_difference(deviation.deviation, n, alpha=alpha, power=power),
        power=None
        if n is None or difference is None
        else power_of(difference, deviation.deviation, n, alpha=alpha),
    )


def trace_power(rows: Sequence[PlanRow], *, alpha: float) -> dict[int, tuple[float | None, ...]]:
    """Compute the power of each row by the number of segments; None where no difference is given."""
    return {
        n: tuple(
            None
            if row.difference is None
            else power_of(row.difference, row.deviation.deviation, n, alpha=alpha)
            for row in rows
        )
        for n in _choose_sizes(
            max([row.n_units or 0 for row in rows] + [row.n_given or 0 for row in rows] + [1000])
        )
    }


def _choose_sizes(largest: int) -> list[int]:
    """Choose numbers of segments up to where every row has a high power."""
    steps = [step * 10**k for k in range(1, 20) for step in (1, 2, 5) if step * 10**k >= 50]
    above = next(i for i, n in enumerate(steps) if n >= largest)
    return steps[max(0, above - 7) : above + 1]


KINDS = {
    "low": "similar systems",
    "median": "typical systems",
    "high": "different systems",
}
"""The quartiles of the typical values, and the kind of systems that have them."""


@cache
def typical_deviations() -> Mapping[str, Mapping[str, float]]:
    """Read the typical deviations by metric: quartiles over pairs of systems of WMT with neighbouring scores."""
    file = importlib.resources.files("tertium.resources") / "data" / "deviations.json"
    found: Mapping[str, Mapping[str, float]] = json.loads(file.read_text(encoding="utf-8"))["metrics"]
    return found


def list_typical(label: str) -> list[Deviation]:
    """List the typical deviations of a metric with default options; empty if they were not measured."""
    found = typical_deviations().get(label)
    if found is None:
        return []
    (metric,) = parse_metrics([label])
    return [Deviation(label, name, found[kind], title=metric.title) for kind, name in KINDS.items()]
