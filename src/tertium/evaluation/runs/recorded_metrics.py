"""Metrics as a run records them: every option as text, resources by their identity.

A metric's formulas need its options only, so a recorded metric answers every question about statistics
without the vectors, trees or word lists that they were computed with.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from tertium.catalog import LabelledMetric, build_metric, find_metric
from tertium.errors import ResourceError
from tertium.metrics.base import Metric
from tertium.metrics.given import GivenScores, make_given
from tertium.metrics.options import is_resource_type

__all__ = ["RecordedResource", "read_metric", "read_options", "record_metric"]


@dataclass(frozen=True)
class RecordedResource:
    """A resource of which a run knows the identity, and what a metric asks of it apart from texts."""

    identity: str
    language: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)

    def embed(self, tokens: object) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def parse(self, tokens: object) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def align(self, references: object) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def synsets(self, words: Sequence[str]) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def phrases(self) -> NoReturn:
        self._refuse()

    def function_words(self, language: str) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def abbreviations(self, language: str) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ResourceError(
            f"a run knows only the name of {self.identity}, so it cannot score texts with it;"
            " score the files again and name the resource"
        )


def record_metric(each: LabelledMetric, signature: str) -> dict[str, Any]:
    """Write down what is needed to read a metric's statistics again, and what others may want to know."""
    metric = each.metric
    return {
        "label": each.label,
        "name": metric.name,
        "kind": "given" if isinstance(metric, GivenScores) else "computed",
        "options": _record_options(metric),
        "resources": _record_resources(metric),
        "signature": signature,
        "preset": each.preset,
        "higher_is_better": metric.higher_is_better,
        "bounded": metric.bounded,
    }


def read_metric(record: Mapping[str, Any]) -> LabelledMetric:
    """Make the metric that was recorded, with resources that have only their names."""
    name, signature = record["name"], record["signature"]
    metric: Metric
    if record["kind"] == "given":
        higher = bool(record["higher_is_better"])
        metric = make_given(name, record["options"]["sha256"], higher_is_better=higher)
    else:
        resources = {key: _read_resource(facts) for key, facts in record["resources"].items()}
        metric = build_metric(name, {**read_options(record), **resources})
    return LabelledMetric(record["label"], metric, record["preset"], signature)


def read_options(record: Mapping[str, Any]) -> dict[str, Any]:
    """Read the values of a recorded metric's options; resources are left out."""
    by_name = {each.name: each for each in find_metric(record["name"]).options()}
    return {
        key: None if text is None else by_name[key].parse(text, record["name"])
        for key, text in record["options"].items()
    }


def _record_options(metric: Metric) -> dict[str, str | None]:
    values = [(each, getattr(metric, each.name)) for each in metric.options()]
    return {
        each.name: None if value is None else each.write(value)
        for each, value in values
        if not is_resource_type(each.type)
    }


def _record_resources(metric: Metric) -> dict[str, dict[str, Any] | None]:
    names = [each.name for each in metric.options() if is_resource_type(each.type)]
    return {name: _record_resource(getattr(metric, name)) for name in names}


def _record_resource(resource: Any) -> dict[str, Any] | None:
    if resource is None:
        return None
    facts: dict[str, Any] = {"identity": resource.identity, "language": getattr(resource, "language", None)}
    weights = getattr(resource, "weights", None)
    return facts | ({"weights": dict(weights)} if isinstance(weights, Mapping) else {})


def _read_resource(facts: Mapping[str, Any] | None) -> RecordedResource | None:
    if facts is None:
        return None
    return RecordedResource(facts["identity"], facts["language"], facts.get("weights", {}))
