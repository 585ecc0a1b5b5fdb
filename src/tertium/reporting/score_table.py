"""The score table as plain data: scores, pairs of systems, and their expected agreement with human judges."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.evaluation.comparison import Comparison, MetricComparison
from tertium.evaluation.statistics import SystemTotals
from tertium.metrics.base import Metric
from tertium.records import record

if TYPE_CHECKING:
    from tertium.metaeval.calibration import Calibration, ExpectedAgreement


@record
class ScoreCell:
    """One system's score under one metric, with the requested intervals and tests.

    Attributes
    ----------
    shown_scale
        100 or 1: tables show two digits of scores up to 100, and four of scores up to 1.
    details
        The metric's own facts, such as BLEU's precisions.
    letters
        Systems that share a letter do not differ significantly; None without tests of all pairs.
    rank_best, rank_worst
        The ranks that the tests support.
    """

    system: str
    metric: str
    score: float
    is_best: bool
    signature: str
    shown_scale: int = 100
    details: Mapping[str, object] = field(default_factory=dict)
    interval: tuple[float, float] | None = None
    mean: float | None = None
    p_value: float | None = None
    letters: str | None = None
    rank_best: int | None = None
    rank_worst: int | None = None

    @property
    def is_leading(self) -> bool:
        """Whether all pairs were tested and no other system is significantly better."""
        return self.rank_best == 1

    @property
    def ci_low(self) -> float | None:
        return None if self.interval is None else self.interval[0]

    @property
    def ci_high(self) -> float | None:
        return None if self.interval is None else self.interval[1]


@record
class SystemPair:
    """A pair of systems, better first: difference, p-value, segments needed, expected human agreement."""

    better: str
    worse: str
    difference: float
    p_adjusted: float
    further_segments: int | None
    expected: "ExpectedAgreement | None" = None


@record
class MetricColumn:
    """One metric's score of each system, and every pair of systems; the title names the metric for readers."""

    label: str
    title: str
    metric: Metric
    signature: str
    cells: tuple[ScoreCell, ...]
    pairs: tuple[SystemPair, ...]
    shown_scale: int = 100

    @property
    def arrow(self) -> str:
        """Which way is better."""
        return "↑" if self.metric.higher_is_better else "↓"


@record
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
    """Whether pairs were looked up in a calibration table."""
    remark: str = ""
    """A further note below the table."""


def make_score_table(
    evaluation: SystemTotals, comparison: Comparison | None, *, shows_intervals: bool, scale: int
) -> ScoreTable:
    """Collect scores, intervals and tests of all systems under all metrics."""
    table = ScoreTable(
        evaluation.systems,
        evaluation.n_segments,
        evaluation.n_references,
        (),
        comparison,
        shows_intervals,
        scale,
    )
    columns = [_make_column(evaluation, each.label, table) for each in evaluation.metrics]
    return replace(table, columns=tuple(columns))


def sort_table(table: ScoreTable, label: str) -> ScoreTable:
    """Sort the systems by a metric, best first; equal systems keep their order."""
    (column,) = [each for each in table.columns if each.label == label]
    sign = -1 if column.metric.higher_is_better else 1
    order = sorted(range(len(table.systems)), key=lambda i: sign * column.cells[i].score)
    columns = [replace(each, cells=tuple(each.cells[i] for i in order)) for each in table.columns]
    return replace(table, systems=tuple(table.systems[i] for i in order), columns=tuple(columns))


def _make_column(evaluation: SystemTotals, label: str, table: ScoreTable) -> MetricColumn:
    comparison, metric = table.comparison, evaluation.metric(label)
    extra: dict[str, str | int] = {}
    if comparison is not None and (table.shows_intervals or comparison.analysis.baseline is not None):
        extra = comparison.signature_facts()
    compared = None if comparison is None else comparison.metrics[label]
    factor = metric.display_factor(table.scale)
    column = MetricColumn(
        label,
        metric.write_title(label),
        metric,
        evaluation.signature(label, **extra),
        (),
        () if compared is None else _make_pairs(evaluation, compared, metric, factor),
        metric.shown_scale(evaluation.system_scores(label), table.scale),
    )
    return replace(column, cells=_make_cells(evaluation, column, table, factor))


def _make_cells(
    evaluation: SystemTotals, column: MetricColumn, table: ScoreTable, factor: float
) -> tuple[ScoreCell, ...]:
    scores, totals = evaluation.system_scores(column.label), evaluation.totals(column.label)
    best = scores.max() if column.metric.higher_is_better else scores.min()
    return tuple(
        ScoreCell(
            system,
            column.label,
            float(scores[i]) * factor,
            bool(scores[i] == best) and len(scores) > 1,
            column.signature,
            column.shown_scale,
            dict(column.metric.details(totals[i])),
            **_make_comparison(table, column.label, i, factor),
        )
        for i, system in enumerate(evaluation.systems)
    )


def _make_comparison(table: ScoreTable, label: str, i: int, factor: float) -> dict[str, Any]:
    """Collect a system's letters, ranks, interval and p-value, as far as there are any."""
    if table.comparison is None:
        return {}
    compared = table.comparison.metrics[label]
    facts: dict[str, Any] = {}
    if len(table.systems) > 1 and table.comparison.untested is None:
        best, worst = compared.ranks[i]
        facts |= {"letters": compared.letters[i], "rank_best": best, "rank_worst": worst}
    if table.shows_intervals:
        mean, low, high = (float(bound[i]) * factor for bound in compared.intervals)
        facts |= {"mean": mean, "interval": (low, high)}
    if compared.p_values is not None and not np.isnan(compared.p_values[i]):
        facts["p_value"] = float(compared.p_values[i])
    return facts


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
    table: ScoreTable, calibration: "Calibration", *, unfit: Collection[str] = ()
) -> ScoreTable:
    """Add to each pair of systems how often human judges are expected to agree with its difference.

    `unfit` names the metrics that cannot split these texts into words; they have no expected agreement.
    """
    columns = []
    for column in table.columns:
        metric = None if column.label in unfit else calibration.find(column.signature)
        factor = 1 / column.metric.display_factor(table.scale)
        pairs = [
            replace(
                each, expected=None if metric is None else metric.expect_agreement(each.difference * factor)
            )
            for each in column.pairs
        ]
        columns.append(replace(column, pairs=tuple(pairs)))
    return replace(table, columns=tuple(columns), is_calibrated=True)


def format_expected_agreement(table: ScoreTable) -> list[str]:
    """Describe how often human judges are expected to agree with the difference between the two best systems."""
    known: dict[tuple[str, str, str], list[str]] = {}
    unknown = []
    for column in table.columns if table.is_calibrated else ():
        pair = next(iter(column.pairs), None)
        if pair is None or pair.difference == 0:
            continue
        if pair.expected is None:
            unknown.append(column.title)
            continue
        difference = f"at {format_score(pair.difference, column.shown_scale, sign=True)} {column.title}"
        source = pair.expected.source or format_collections(pair.expected.collections)
        group = known.setdefault((pair.better, pair.worse, source), [])
        group.append(f"{_format_agreement(pair.expected)} {difference}")
    lines = [
        f"{better} over {worse}: human judges are expected to agree in {', '.join(parts)} ({source})"
        for (better, worse, source), parts in known.items()
    ]
    if unknown:
        lines.append(f"no human-agreement calibration for {', '.join(unknown)} with these settings")
    return lines


def format_score(value: float, scale: int, *, sign: bool = False) -> str:
    """Write a score with two digits if the scale is 100, with four if it is 1."""
    return f"{value:{'+' if sign else ''}.{2 if scale == 100 else 4}f}"


def format_p(value: float) -> str:
    """Write a p-value.

    >>> format_p(0.0312), format_p(3e-7)
    ('0.0312', '<0.0001')
    """
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def _format_agreement(expected: "ExpectedAgreement") -> str:
    share = f"{100 * expected.agreement:.0f} % [{100 * expected.low:.0f}–{100 * expected.high:.0f} %]"
    return f"{share} (as at the largest judged difference)" if expected.is_beyond else share


def _is_wmt(collections: Sequence[str]) -> bool:
    return bool(collections) and all(name.startswith("wmt") for name in collections)


def format_collections(names: Sequence[str]) -> str:
    """Write the names of test sets.

    >>> format_collections(["wmt10", "wmt12", "wmt15"])
    'WMT10, 12, 15'
    >>> format_collections(["news", "talks"])
    'news, talks'
    """
    if _is_wmt(names):
        return "WMT" + ", ".join(name.removeprefix("wmt") for name in names)
    return ", ".join(names)
