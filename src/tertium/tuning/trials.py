"""Trials of a metric with different options on judged sets; nothing is tokenised or counted twice."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.agreement import JudgedSet
from tertium.agreement.scoring import MetricScores
from tertium.agreement.statistics import StatisticSpec, can_show, compute_statistic, parse_statistic
from tertium.engines import PreparedCorpus
from tertium.engines.local import Counts
from tertium.errors import OptionError
from tertium.metrics.base import Metric
from tertium.tuning.space import Point, point_key

__all__ = ["Trial", "Trials", "default_statistics", "parse_objective", "total"]

_KEPT_COUNTS = 4  # counts of so many option values stay in memory

Values = Mapping[str, Mapping[str, float]]
"""Statistic to language pair to value; NaN where it does not exist."""

Build = Callable[[Point], Metric]


@dataclass(frozen=True)
class Trial:
    """One point and what it gave."""

    point: Point
    values: Values


def parse_objective(text: str) -> list[StatisticSpec]:
    """Read statistics that are added up: `system:spearman+segment:wmt12`."""
    return [parse_statistic(part) for part in text.split("+")]


def default_statistics(sets: Sequence[JudgedSet]) -> list[StatisticSpec]:
    """Spearman's ρ of systems and Kendall's τ of segments (Yu et al. 2014), as far as people judged them.

    Over rankings this is WMT12's τ, where a metric gains nothing by ties.
    """
    usual = [parse_statistic(text) for text in ("system:spearman", "segment:wmt12", "segment:kendall")]
    found = [spec for spec in usual if any(can_show(spec, judged) for judged in sets)]
    segment_level = [spec for spec in found if spec.level == "segment"]
    return [spec for spec in found if spec.level == "system"] + segment_level[:1]


def total(values: Values, pairs: Sequence[str] | None = None) -> float:
    """Add up the statistics, each averaged over its language pairs; -inf where one does not exist."""
    sums = 0.0
    for by_pair in values.values():
        chosen = [value for pair, value in by_pair.items() if pairs is None or pair in pairs]
        if not chosen or np.isnan(chosen).any():
            return -np.inf
        sums += float(np.mean(chosen))
    return sums


class Trials:
    """Scores judged sets with a metric under any option values, and keeps what all of them share.

    The prepared corpora (tokens, characters, whatever metrics remember there) live as long as this object.
    Counts are made again only when an option changes that they depend on: on those in the metric's
    `formula_options` they do not.

    Parameters
    ----------
    build
        Makes the metric of a point: everywhere the same, or for each language pair another.
    """

    def __init__(
        self,
        build: Build | Mapping[str, Build],
        sets: Sequence[JudgedSet],
        statistics: Sequence[StatisticSpec],
        *,
        threads: int | None = None,
    ) -> None:
        self._statistics, self._threads = list(statistics), threads
        self._sets = [judged for judged in sets if any(can_show(spec, judged) for spec in statistics)]
        for spec in statistics:
            if not any(can_show(spec, judged) for judged in self._sets):
                raise OptionError(f"no language pair has human judgments for {spec}")
        self._builds = [build[judged.pair] if isinstance(build, Mapping) else build for judged in self._sets]
        self._corpora = [PreparedCorpus(judged.corpus) for judged in self._sets]
        self._counts: dict[str, list[Counts]] = {}
        self.known: dict[str, Trial] = {}
        self.n_counted = 0

    def run(self, point: Point) -> Trial:
        """Try a point, or return what it gave before."""
        key = point_key(point)
        if key not in self.known:
            self.known[key] = Trial(point, self._evaluate(point)[0])
        return self.known[key]

    def why_undefined(self, point: Point) -> list[str]:
        """Say which statistics do not exist at a point, and why."""
        return self._evaluate(point)[1]

    def _evaluate(self, point: Point) -> tuple[Values, list[str]]:
        values: dict[str, dict[str, float]] = {str(spec): {} for spec in self._statistics}
        reasons = []
        made = {build: build(point) for build in dict.fromkeys(self._builds)}
        metrics = [made[build] for build in self._builds]
        for judged, metric, counted in zip(self._sets, metrics, self._counted(metrics), strict=True):
            current, table = counted.weigh(metric)
            scores = MetricScores(
                metric.name,
                metric.higher_is_better,
                system_scores=current.combine(table.sum(axis=1)),
                segment_scores=current.segment_scores(table),
            )
            for spec in self._statistics:
                if can_show(spec, judged) and judged.pair not in values[str(spec)]:
                    values[str(spec)][judged.pair], reason = compute_statistic(spec, judged, scores)
                    reasons += [f"{spec} of {judged.pair or 'the test set'}: {reason}"] if reason else []
        return values, reasons

    def _counted(self, metrics: Sequence[Metric]) -> list[Counts]:
        key = repr([_counting_options(metric) for metric in {id(each): each for each in metrics}.values()])
        if key not in self._counts:
            while len(self._counts) >= _KEPT_COUNTS:
                self._counts.pop(next(iter(self._counts)))
            self._counts[key] = [
                corpus.count(metric, threads=self._threads)
                for metric, corpus in zip(metrics, self._corpora, strict=True)
            ]
            self.n_counted += 1
        return self._counts[key]


def _counting_options(metric: Metric) -> list[tuple[str, Any]]:
    names = (each.name for each in metric.options() if each.name not in metric.formula_options)
    return [(name, getattr(metric, name)) for name in names]
