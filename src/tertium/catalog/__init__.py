"""Turn names into metrics: find their classes, parse their options and supply their resources."""

from tertium.catalog.building import LabelledMetric, Providers, build_metric, match_texts
from tertium.catalog.choice import MetricMaker, ResourceChoice
from tertium.catalog.finding import families, find_metric, metric_names, self_contained_names
from tertium.catalog.labels import (
    check_labels,
    parse_label,
    parse_metrics,
    parse_signature,
    read_signature,
    split_labels,
)

__all__ = [
    "LabelledMetric",
    "MetricMaker",
    "Providers",
    "ResourceChoice",
    "build_metric",
    "check_labels",
    "families",
    "find_metric",
    "match_texts",
    "metric_names",
    "parse_label",
    "parse_metrics",
    "parse_signature",
    "read_signature",
    "self_contained_names",
    "split_labels",
]
