"""The score table as plain data: scores, pairs of systems, and their expected agreement with human judges."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from tertium.evaluation.comparison import Comparison, MetricComparison
from tertium.evaluation.evaluation import SystemTotals
from tertium.metrics.base import Metric
from tertium.records import record
from tertium.stats.letters import are_equal, find_best_group

if TYPE_CHECKING:
    from tertium.metaeval.calibration import CalibratedMetric, Calibration, ExpectedAgreement


@record
class ScoreCell:
    """One system's score under one metric, with the requested intervals and tests.

    Attributes
    ----------
    shown_scale
        100 or 1: tables show two digits of scores up to 100, and four of scores up to 1.
    details
        The metric's own facts, such as BLEU's precisions.
    is_best
        Whether the score is the best one; no score is if all are equal.
    p_value
        Against the baseline: adjusted like the letters, so that p < alpha if and only if the two systems share no letter;
        sacreBLEU's test is not adjusted, and has no letters.
    letters
        Systems that share a letter do not differ significantly; None without tests of all pairs.
    rank_best, rank_worst
        The ranks that the tests support.
    is_leading
        Whether the system is not significantly worse than the best score; False without tests of all pairs.
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
    is_leading: bool = False

    @property
    def ci_low(self) -> float | None:
        return None if self.interval is None else self.interval[0]

    @property
    def ci_high(self) -> float | None:
        return None if self.interval is None else self.interval[1]


@record
class SystemPair:
    """A pair of systems, the one with the better score first; without a test `p_adjusted` is None."""

    better: str
    worse: str
    difference: float
    p_adjusted: float | None
    further_segments: int | None
    expected: "ExpectedAgreement | None" = None


@record(eq=False)
class SystemPairs(Sequence[SystemPair]):
    """Every pair of systems by one metric, in the order of the scores: the two best systems are the first pair.

    Pairs are made when they are read; most tables read the first one only.

    Attributes
    ----------
    systems
        The systems in the order of `compared`.
    compared
        The comparison of the systems; without one there are no pairs.
    factor
        What scores are multiplied with for the table.
    calibrated
        The calibration from which the expected human agreement is looked up, if there is one.
    """

    systems: tuple[str, ...]
    compared: MetricComparison | None
    higher_is_better: bool
    factor: float
    is_tested: bool
    calibrated: "CalibratedMetric | None" = None

    def __len__(self) -> int:
        return 0 if self.compared is None else len(self.systems) * (len(self.systems) - 1) // 2

    @overload
    def __getitem__(self, index: int) -> SystemPair: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SystemPair]: ...
    def __getitem__(self, index: int | slice) -> SystemPair | Sequence[SystemPair]:
        if index == 0 and len(self):
            return self._first
        return self._all[index]

    def __iter__(self) -> Iterator[SystemPair]:
        return iter(self._all)

    @cached_property
    def _order(self) -> list[int]:
        """The systems from best to worst; equal systems keep their order."""
        if self.compared is None:
            return []
        sign = -1 if self.higher_is_better else 1
        return list(np.argsort(sign * self.compared.scores, kind="stable").tolist())

    @cached_property
    def of_best(self) -> tuple[SystemPair, ...]:
        """The pairs of the best system with each other one."""
        others = self._order[1:]
        return tuple(self._make(self._order[:1] * len(others), others))

    @cached_property
    def _first(self) -> SystemPair:
        return self._make(self._order[:1], self._order[1:2])[0]

    @cached_property
    def _all(self) -> tuple[SystemPair, ...]:
        better, worse = np.triu_indices(len(self._order), k=1)
        order = np.array(self._order, dtype=np.intp)
        return tuple(self._make(order[better].tolist(), order[worse].tolist()))

    def _make(self, better: Sequence[int], worse: Sequence[int]) -> list[SystemPair]:
        if self.compared is None:
            return []
        differences = self.compared.scores[better] - self.compared.scores[worse]
        p_values = self.compared.adjusted_p[better, worse]
        expected: Sequence[ExpectedAgreement | None] = [None] * len(better)
        if self.calibrated is not None:
            expected = self.calibrated.expect_agreements(differences * self.factor * (1 / self.factor))
        return [
            SystemPair(
                self.systems[a],
                self.systems[b],
                difference,
                p if self.is_tested else None,
                self.compared.further_segments(a, b),
                human,
            )
            for a, b, difference, p, human in zip(
                better, worse, (differences * self.factor).tolist(), p_values.tolist(), expected, strict=True
            )
        ]


@record
class MetricColumn:
    """One metric's score of each system, and every pair of systems; the title names the metric for readers."""

    label: str
    title: str
    metric: Metric
    signature: str
    cells: tuple[ScoreCell, ...]
    pairs: SystemPairs
    shown_scale: int = 100

    @property
    def arrow(self) -> str:
        """Which way is better."""
        return "↑" if self.metric.higher_is_better else "↓"

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems that are not significantly worse than the best score, the best first; see `find_best_group`."""
        sign = -1 if self.metric.higher_is_better else 1
        leading = [cell for cell in self.cells if cell.is_leading]
        return tuple(cell.system for cell in sorted(leading, key=lambda cell: sign * cell.score))

    @property
    def is_constant(self) -> bool:
        """Whether all systems have the same score, so that none of them is the best."""
        return len(self.cells) > 1 and not any(cell.is_best for cell in self.cells)


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

    @property
    def untested(self) -> str | None:
        """The reason if the pairs of systems were not tested."""
        if self.comparison is None:
            return None
        analysis = self.comparison.analysis
        if analysis.test == "sacrebleu-bootstrap" and analysis.baseline is not None:
            return f"no letters: sacreBLEU's test compares systems with {analysis.baseline} only, without adjustment"
        return self.comparison.untested

    @property
    def has_p_values(self) -> bool:
        """Whether the table has p-values against a baseline."""
        return any(cell.p_value is not None for column in self.columns for cell in column.cells)

    @property
    def tests_pairs(self) -> bool:
        """Whether all pairs of systems were tested, so that there are letters and ranks."""
        return self.comparison is not None and self.untested is None and len(self.systems) > 1


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
    columns = [_make_column(evaluation, metric.label, table) for metric in evaluation.metrics]
    return replace(table, columns=tuple(columns))


def sort_table(table: ScoreTable, label: str) -> ScoreTable:
    """Sort the systems by a metric, best first; equal systems keep their order."""
    (column,) = [column for column in table.columns if column.label == label]
    sign = -1 if column.metric.higher_is_better else 1
    order = sorted(range(len(table.systems)), key=lambda i: sign * column.cells[i].score)
    columns = [replace(column, cells=tuple(column.cells[i] for i in order)) for column in table.columns]
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
        SystemPairs(
            evaluation.systems, compared, metric.higher_is_better, factor, is_tested=table.tests_pairs
        ),
        metric.shown_scale(evaluation.system_scores(label), table.scale),
    )
    return replace(column, cells=_make_cells(evaluation, column, table, factor))


def _make_cells(
    evaluation: SystemTotals, column: MetricColumn, table: ScoreTable, factor: float
) -> tuple[ScoreCell, ...]:
    scores, totals = evaluation.system_scores(column.label), evaluation.totals(column.label)
    higher = column.metric.higher_is_better
    best = scores.max() if higher else scores.min()
    has_best = len(scores) > 1 and not are_equal(scores)
    leading: tuple[int, ...] = ()
    if table.tests_pairs and table.comparison is not None:
        letters = table.comparison.metrics[column.label].letters
        leading = find_best_group(scores, letters, higher_is_better=higher)
    return tuple(
        ScoreCell(
            system,
            column.label,
            float(scores[i]) * factor,
            has_best and bool(scores[i] == best),
            column.signature,
            column.shown_scale,
            dict(column.metric.details(totals[i])),
            is_leading=i in leading,
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
    if table.tests_pairs:
        best, worst = compared.ranks[i]
        facts |= {"letters": compared.letters[i], "rank_best": best, "rank_worst": worst}
    if table.shows_intervals:
        mean, low, high = (float(bound[i]) * factor for bound in compared.intervals)
        facts |= {"mean": mean, "interval": (low, high)}
    if compared.p_values is not None and not np.isnan(compared.p_values[i]):
        facts["p_value"] = _find_p_value(table, label, i)
    return facts


def _find_p_value(table: ScoreTable, label: str, i: int) -> float:
    """Return a system's p-value against the baseline: one table has one level of significance.

    Where all pairs are tested it is the pair's adjusted p-value, from which the letters are made. sacreBLEU's test
    knows no pairs without the baseline, and its p-value is returned as it is.
    """
    assert table.comparison is not None  # noqa: S101 - checked by the caller
    compared, baseline = table.comparison.metrics[label], table.comparison.analysis.baseline
    if table.tests_pairs and baseline is not None:
        return float(compared.adjusted_p[table.systems.index(baseline), i])
    assert compared.p_values is not None  # noqa: S101 - checked by the caller
    return float(compared.p_values[i])


_FEWEST_SEGMENTS = 50  # as for tests of systems


def with_expected_agreement(
    table: ScoreTable, calibration: "Calibration", *, unfit: Collection[str] = ()
) -> ScoreTable:
    """Add to each pair of systems how often human judges are expected to agree with its difference.

    `unfit` names the metrics that cannot split these texts into words; they have no expected agreement. Nor do a few
    segments have one, because it was measured on test sets of many hundreds.
    """
    columns = []
    for column in table.columns:
        is_known = column.label not in unfit and table.n_segments >= _FEWEST_SEGMENTS
        metric = calibration.find(column.signature) if is_known else None
        columns.append(replace(column, pairs=replace(column.pairs, calibrated=metric)))
    return replace(table, columns=tuple(columns), is_calibrated=True)


def format_expected_agreement(table: ScoreTable) -> list[str]:
    """Describe how often human judges are expected to agree with the difference between the two best systems."""
    known: dict[tuple[str, str, str], list[str]] = {}
    unknown = []
    for column in table.columns if table.is_calibrated else ():
        if not column.pairs or (pair := column.pairs[0]).difference == 0:
            continue
        if pair.expected is None:
            unknown.append(column.title)
            continue
        difference = f"at {format_score(pair.difference, column.shown_scale, sign=True)} {column.title}"
        source = pair.expected.source or format_collections(pair.expected.collections)
        group = known.setdefault((pair.better, pair.worse, source), [])
        low, high = 100 * pair.expected.low, 100 * pair.expected.high
        beyond = " (as at the largest judged difference)" if pair.expected.is_beyond else ""
        share = f"{100 * pair.expected.agreement:.0f} % [{low:.0f}–{high:.0f} %]{beyond}"
        group.append(f"{share} {difference}")
    lines = [
        f"{better} over {worse}: human judges are expected to agree in {', '.join(parts)} ({source})"
        for (better, worse, source), parts in known.items()
    ]
    if unknown and table.n_segments < _FEWEST_SEGMENTS:
        return [
            f"no expected human agreement for {table.n_segments:,} segments: it holds for test sets of {_FEWEST_SEGMENTS} and more"
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
