"""A metric whose options are tried: what the user fixed, and how to build it with other values."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tertium.agreement.judged_sets import JudgedSet
from tertium.catalog import MetricMaker, parse_label, split_labels
from tertium.errors import InputError, OptionError
from tertium.metrics.base import Metric
from tertium.tuning.space import Point
from tertium.tuning.trials import Build

__all__ = ["Choice", "TunedMetric"]


@dataclass(frozen=True)
class Choice:
    """The judged sets that a metric can score, how to build it for each of their pairs, and warnings."""

    sets: list[JudgedSet]
    builds: dict[str, Build]
    signatures: dict[str, str]
    warnings: list[str]


@dataclass(frozen=True, eq=False)
class TunedMetric:
    """One metric as the user names it; `fixed` are the options that were written out."""

    maker: MetricMaker
    label: str
    metric: Metric
    fixed: dict[str, Any]

    @classmethod
    def read(cls, label: str, maker: MetricMaker) -> "TunedMetric":
        """Build what the label names, or say what is wrong with it."""
        labels = split_labels([label])
        if len(labels) != 1:
            raise OptionError(f"one metric is tuned at a time, not {len(labels)}: {', '.join(labels)}")
        return cls(maker, label, maker.make(label).metric, dict(parse_label(label).options))

    def choose(self, sets: Sequence[JudgedSet]) -> Choice:
        """Keep the sets that the metric can score in their target language."""
        made, warnings = self.maker.make_for(self.label, [judged.pair for judged in sets])
        builds: dict[str, Build] = {}
        signatures: dict[str, str] = {}
        for labelled, pairs in made:
            builds |= dict.fromkeys(pairs, partial(_change, labelled.metric))
            signatures |= dict.fromkeys(pairs, labelled.metric.signature((1, 1)))
        if not builds:
            raise InputError("; ".join(warnings))
        return Choice([judged for judged in sets if judged.pair in builds], builds, signatures, warnings)


def _change(metric: Metric, point: Point) -> Metric:
    return replace(metric, **point)
