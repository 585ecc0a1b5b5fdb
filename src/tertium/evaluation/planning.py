"""How much the difference of two systems varies from segment to segment: measured on a run, or typical values."""

import importlib.resources
import json
from collections.abc import Mapping
from functools import cache

import numpy as np

from tertium.catalog import parse_metrics
from tertium.evaluation.differences import measure_influence_on_difference
from tertium.evaluation.gaps import select_common
from tertium.evaluation.selection import select_systems
from tertium.evaluation.statistics import Evaluation
from tertium.records import record


@record
class Deviation:
    """The standard deviation of a difference per unit, and where it was measured.

    Attributes
    ----------
    label
        The metric.
    source
        The two systems, or the kind of systems for typical values.
    deviation
        The standard error of the difference is `deviation` / √n.
    observed
        The difference of the two systems on `n_units` units; None for typical values.
    unit
        The name of a unit: a plural.
    title
        The metric's name for readers.
    """

    label: str
    source: str
    deviation: float
    observed: float | None = None
    n_units: int | None = None
    unit: str = "segments"
    title: str = ""


def measure_deviation(evaluation: Evaluation, label: str, first: str, second: str) -> Deviation:
    """Measure the deviation of a difference from the influence of each segment (the jackknife).

    The jackknife's standard error times √n; for a metric that is a mean over segments it equals the standard deviation
    of the segments' differences.
    """
    evaluation = select_common(select_systems(evaluation, [first, second]), label)
    influence = measure_influence_on_difference(evaluation, label, first, second)
    n = evaluation.n_segments
    deviation = (n - 1) * float(np.std(influence)) * float(np.sqrt(n / (n - 1)))
    scores = dict(zip(evaluation.systems, evaluation.system_scores(label).tolist(), strict=True))
    title = next(each.title for each in evaluation.metrics if each.label == label)
    return Deviation(
        label, f"{first} and {second}", deviation, scores[second] - scores[first], n, title=title
    )


KINDS = {
    "low": "similar systems",
    "median": "typical systems",
    "high": "different systems",
}
"""The quartiles of the typical values, and what they stand for."""


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
