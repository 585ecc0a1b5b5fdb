"""What metrics need to know of a language: their resources and options, asked for the languages they are made for."""

from collections.abc import Sequence
from typing import Any

from tertium.catalog.building import LabelledMetric
from tertium.doctor.fit import Need

__all__ = ["language_needs"]


def language_needs(metrics: Sequence[LabelledMetric]) -> list[Need]:
    """List what the metrics read a text with that knows certain languages only."""
    return [need for each in metrics for need in _needs_of(each)]


def _needs_of(each: LabelledMetric) -> list[Need]:
    metric: Any = each.metric
    needs = []
    if hasattr(metric, "vectors"):
        known = getattr(metric.vectors, "languages", None)
        needs.append(Need(each.label, "vectors", known, "--vectors FILE", serves_script=True))
    if hasattr(metric, "trees"):
        known = getattr(metric.trees, "languages", None)
        needs.append(Need(each.label, "syntax", known, "--parser MODEL or --trees FILE"))
    if hasattr(metric, "language"):
        needs.append(Need(each.label, "stems", frozenset({metric.language}), serves_script=True))
    return needs
