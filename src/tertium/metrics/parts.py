"""Metrics inside another metric: the parts of a weighted sum."""

from collections.abc import Sequence

from tertium.interfaces import Resource
from tertium.metrics.base import Metric, name_origin
from tertium.records import record

SEPARATOR = "&"
"""Between the signatures of two parts; inside a signature, `;` stands for `|`."""


@record
class Parts(Resource):
    """The metrics that another metric combines, in order."""

    metrics: tuple[Metric, ...]

    @property
    def identity(self) -> str:
        """The signatures of the parts, without the number of references and our version, which the whole has."""
        return SEPARATOR.join(_shorten(each) for each in self.metrics)

    @property
    def names(self) -> list[str]:
        """A name for each part: that of the metric, with a number if several parts have it."""
        names = [each.name for each in self.metrics]
        return [
            f"{name}{names[: i + 1].count(name)}" if names.count(name) > 1 else name
            for i, name in enumerate(names)
        ]


def plain_metrics(metric: Metric) -> Sequence[Metric]:
    """Return the parts of a metric that is made of others, or the metric itself."""
    parts = getattr(metric, "parts", None)
    return parts.metrics if isinstance(parts, Parts) else (metric,)


def _shorten(metric: Metric) -> str:
    name, *items = metric.signature((1, 1)).split("|")
    version = f"version:{name_origin(Metric, '')}"
    return ";".join([name, *(each for each in items if not each.startswith("nrefs:") and each != version)])
