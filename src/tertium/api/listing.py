"""What there is: metrics with their options, and languages with what works for them."""

import inspect
from dataclasses import dataclass
from typing import Any

from tertium.api.results import Shown
from tertium.catalog import families, find_metric
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

    def document(self) -> Document:
        if self.is_single:
            return describe_metric(self.described[0])
        return describe_metrics(self.described)


def list_metrics(name: str | None = None) -> MetricList:
    """Describe all metrics, or one of them."""
    shown = [name] if name else list(families())
    described = tuple(_describe(find_metric(each), families()[each]) for each in shown)
    return MetricList(described, is_single=name is not None)


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
