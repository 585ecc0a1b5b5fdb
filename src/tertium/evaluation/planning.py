"""How much the difference of two systems varies from segment to segment: measured on a run, or typical values."""

import importlib.resources
import json
from collections.abc import Mapping
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
