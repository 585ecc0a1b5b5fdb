"""The score table as plain data: cells, pairs of systems, and their expected agreement with people."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.evaluation.comparison import Comparison, MetricComparison
from tertium.evaluation.statistics import SystemTotals
from tertium.metrics.base import Metric
from tertium.metrics.external_scores import ExternalScores

if TYPE_CHECKING:
    from tertium.metaeval.calibration import Calibration, ExpectedAgreement


@dataclass(frozen=True)
class ScoreCell:
    """One system's score under one metric, with as much as was asked for."""

    system: str
    score: float
    is_best: bool
    interval: tuple[float, float] | None = None
    mean: float | None = None
    p_value: float | None = None
    cluster: int | None = None


@dataclass(frozen=True)
class SystemPair:
    """Two systems, better one first, what would tell them apart, and what people make of such a difference."""

    better: str
    worse: str
    difference: float
    p_adjusted: float
    further_segments: int | None
    people: "ExpectedAgreement | None" = None


@dataclass(frozen=True)
class MetricColumn:
    """Everything about one metric: a cell and details for each system, and every pair of systems."""

    label: str
    metric: Metric
    signature: str
    cells: tuple[ScoreCell, ...]
    details: tuple[dict[str, object], ...]
    pairs: tuple[SystemPair, ...]
    shown_scale: int = 100
    """100 or 1: people read two digits of scores up to 100, and four of scores up to 1."""

    @property
    def arrow(self) -> str:
        """Which way is better."""
        return "↑" if self.metric.higher_is_better else "↓"


@dataclass(frozen=True)
class ScoreTable:
    """A column per metric, a cell per system."""

    systems: tuple[str, ...]
    n_segments: int
    n_references: tuple[int, int]
    columns: tuple[MetricColumn, ...]
    comparison: Comparison | None
    shows_intervals: bool
    scale: int
    is_calibrated: bool = False
    """Whether pairs say what people make of their differences."""
    remark: str = ""
    """What a reader should know besides."""


def make_score_table(
    evaluation: SystemTotals, comparison: Comparison | None, *, shows_intervals: bool, scale: int
) -> ScoreTable:
    """Gather scores, intervals, tests and clusters of all systems under all metrics."""
    extra: dict[str, str | int] = {}
    if comparison is not None and (shows_intervals or comparison.analysis.baseline is not None):
        extra = comparison.signature_facts()
    columns = [
        _make_column(
            evaluation, each.label, comparison, shows_intervals=shows_intervals, scale=scale, extra=extra
        )
        for each in evaluation.metrics
    ]
    return ScoreTable(
        evaluation.systems,
        evaluation.n_segments,
        evaluation.n_references,
        tuple(columns),
        comparison,
        shows_intervals,
        scale,
    )


def sort_table(table: ScoreTable, label: str) -> ScoreTable:
    """Put the systems in the order of a metric, best first; equal ones keep their order."""
    (column,) = [each for each in table.columns if each.label == label]
    sign = -1 if column.metric.higher_is_better else 1
    order = sorted(range(len(table.systems)), key=lambda i: sign * column.cells[i].score)
    columns = [
        replace(
            each, cells=tuple(each.cells[i] for i in order), details=tuple(each.details[i] for i in order)
        )
        for each in table.columns
    ]
    return replace(table, systems=tuple(table.systems[i] for i in order), columns=tuple(columns))


def _make_column(
    evaluation: SystemTotals,
    label: str,
    comparison: Comparison | None,
    *,
    shows_intervals: bool,
    scale: int,
    extra: dict[str, str | int],
) -> MetricColumn:
    metric = evaluation.metric(label)
    factor = scale / 100 if metric.bounded else 1.0
    compared = comparison.metrics[label] if comparison is not None else None
    is_clustered = comparison is not None and comparison.unclustered is None
    return MetricColumn(
        label,
        metric,
        evaluation.signature(label, **extra),
        _make_cells(
            evaluation, label, compared, factor, shows_intervals=shows_intervals, is_clustered=is_clustered
        ),
        tuple(dict(metric.details(totals)) for totals in evaluation.totals(label)),
        () if compared is None else _make_pairs(evaluation, compared, metric, factor),
        _choose_scale(evaluation, label, scale),
    )


def _choose_scale(evaluation: SystemTotals, label: str, scale: int) -> int:
    """Scores of other tools may lie on any scale; COMET's best is about 1."""
    if not isinstance(evaluation.metric(label), ExternalScores):
        return scale
    return 1 if bool(np.max(np.abs(evaluation.system_scores(label))) < 10) else 100


def _make_cells(
    evaluation: SystemTotals,
    label: str,
    compared: MetricComparison | None,
    factor: float,
    *,
    shows_intervals: bool,
    is_clustered: bool,
) -> tuple[ScoreCell, ...]:
    scores = evaluation.system_scores(label)
    best = scores.max() if evaluation.metric(label).higher_is_better else scores.min()
    cells = []
    for i, system in enumerate(evaluation.systems):
        facts: dict[str, object] = {}
        if compared is not None:
            if len(scores) > 1 and is_clustered:
                facts["cluster"] = int(compared.clusters[i])
            if shows_intervals:
                mean, low, high = (float(bound[i]) * factor for bound in compared.intervals)
                facts |= {"mean": mean, "interval": (low, high)}
            if compared.p_values is not None and compared.p_values[i] == compared.p_values[i]:  # not NaN
                facts["p_value"] = float(compared.p_values[i])
        is_best = bool(scores[i] == best) and len(scores) > 1
        cells.append(ScoreCell(system, float(scores[i]) * factor, is_best, **facts))  # type: ignore[arg-type]
    return tuple(cells)


def _make_pairs(
    evaluation: SystemTotals, compared: MetricComparison, metric: Metric, factor: float
) -> tuple[SystemPair, ...]:
    sign = 1 if metric.higher_is_better else -1
    order = sorted(range(len(evaluation.systems)), key=lambda i: -sign * compared.scores[i])
    return tuple(
        SystemPair(
            evaluation.systems[a],
            evaluation.systems[b],
            float(compared.scores[a] - compared.scores[b]) * factor,
            float(compared.adjusted_p[a, b]),
            compared.further_segments(a, b),
        )
        for position, a in enumerate(order)
        for b in order[position + 1 :]
    )


def with_expected_agreement(
    table: ScoreTable, calibration: "Calibration", language: str | None
) -> ScoreTable:
    """Add to each pair of systems what its difference is worth, where that is known."""
    columns = []
    for column in table.columns:
        metric = calibration.find(column.signature)
        factor = 100 / table.scale if column.metric.bounded else 1.0
        pairs = [
            replace(
                each,
                people=None
                if metric is None
                else metric.expect_agreement(each.difference * factor, language),
            )
            for each in column.pairs
        ]
        columns.append(replace(column, pairs=tuple(pairs)))
    return replace(table, columns=tuple(columns), is_calibrated=True)


def format_expected_agreement(table: ScoreTable) -> list[str]:
    """Say in a line or two how often people agree with the difference of the two best systems."""
    told: dict[tuple[str, str, str], list[str]] = {}
    unknown = []
    for column in table.columns if table.is_calibrated else ():
        pair = next(iter(column.pairs), None)
        if pair is None or pair.difference == 0:
            continue
        if pair.people is None:
            unknown.append(column.label)
            continue
        shown = f"{pair.difference:+.2f}" if column.shown_scale == 100 else f"{pair.difference:+.4f}"
        words = f"{shown} {column.label} in {_format_agreement(pair.people)}"
        told.setdefault((pair.better, pair.worse, format_collections(pair.people.collections)), []).append(
            words
        )
    lines = [
        f"{better} over {worse}: people preferred the same system at {'; '.join(words)} ({seen})"
        for (better, worse, seen), words in told.items()
    ]
    if unknown:
        lines.append(
            f"what people make of differences was not measured for {', '.join(unknown)} as computed here"
        )
    return lines


def _format_agreement(expectation: "ExpectedAgreement") -> str:
    span = f"{expectation.agreement:.0%} [{expectation.low:.0%}-{expectation.high:.0%}]"
    if expectation.is_beyond:
        return f"about {span} of pairs, none of which differed as much"
    return f"{span} of {expectation.n_pairs:,} such pairs"


def format_collections(names: Sequence[str]) -> str:
    """Write test sets' names for people.

    >>> format_collections(["wmt10", "wmt12", "wmt15"])
    'WMT10, 12, 15'
    >>> format_collections(["news", "talks"])
    'news, talks'
    """
    if names and all(name.startswith("wmt") for name in names):
        return "WMT" + ", ".join(name.removeprefix("wmt") for name in names)
    return ", ".join(names)
