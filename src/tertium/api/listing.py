"""What there is: metrics with their options, and languages with what works for them."""

from dataclasses import dataclass

from tertium.api.results import Shown
from tertium.catalog import families, find_metric
from tertium.catalog.finding import canonical_name
from tertium.errors import ResourceError
from tertium.metrics.base import Metric
from tertium.report.metrics import describe_metric, describe_metrics
from tertium.report.tables.model import Document

__all__ = ["MetricList", "list_metrics"]


@dataclass(frozen=True)
class MetricList(Shown):
    """Classes of metrics with their families; `is_single` if the user asked for one of them."""

    metrics: tuple[tuple[type[Metric], str], ...]
    is_single: bool = False
    failures: tuple[str, ...] = ()
    """Plug-ins that could not be imported."""

    def document(self) -> Document:
        return describe_metric(*self.metrics[0]) if self.is_single else describe_metrics(self.metrics)


def list_metrics(name: str | None = None) -> MetricList:
    """Describe all metrics, or one of them."""
    if name:
        name = canonical_name(name)
        return MetricList(((find_metric(name), families()[name]),), is_single=True)
    found, failures = [], []
    for each, family in families().items():
        try:
            found.append((find_metric(each), family))
        except ResourceError as error:  # a plug-in that does not import must not hide the others
            failures.append(str(error))
    return MetricList(tuple(found), failures=tuple(failures))
