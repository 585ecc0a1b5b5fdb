"""What there is: metrics with their options, and languages with what works for them."""

import inspect
from dataclasses import dataclass
from typing import Any

from tertium.api.results import Shown
from tertium.catalog import families, find_metric
from tertium.errors import ResourceError
from tertium.metrics.base import Metric
from tertium.metrics.options import is_resource_type
from tertium.report.metrics import describe_metric, describe_metrics
from tertium.report.tables.model import Document

__all__ = ["MetricList", "list_metrics"]


@dataclass(frozen=True)
class MetricList(Shown):
    """Descriptions of metrics; `is_single` if the user asked for one of them."""

    described: tuple[dict[str, Any], ...]
    is_single: bool
    failures: tuple[str, ...] = ()
    """Plug-ins that could not be imported."""

    def document(self) -> Document:
        if self.is_single:
            return describe_metric(self.described[0])
        return describe_metrics(self.described)


def list_metrics(name: str | None = None) -> MetricList:
    """Describe all metrics, or one of them."""
    if name:
        return MetricList((_describe(find_metric(name), families()[name]),), is_single=True)
    described, failures = [], []
    for each, family in families().items():
        try:
            described.append(_describe(find_metric(each), family))
        except ResourceError as error:  # a plug-in that does not import must not hide the others
            failures.append(str(error))
    return MetricList(tuple(described), is_single=False, failures=tuple(failures))


def _describe(cls: type[Metric], family: str) -> dict[str, Any]:
    text = (inspect.getdoc(cls) or "").partition("\n>>>")[0].rstrip()
    return {
        "name": cls.name,
        "family": family,
        "higher_is_better": cls.higher_is_better,
        "summary": text.split("\n\n")[0].replace("\n", " "),
        "text": text,
        "paper": cls.paper,
        "needs": [each.help for each in cls.options() if is_resource_type(each.type)],
        "options": [
            {
                "name": each.name,
                "default": each.write(each.default) if not is_resource_type(each.type) else None,
                "values": each.describe(),
                "help": each.help,
            }
            for each in cls.options()
        ],
    }
