"""Tables of agreement with human judgments: metrics by language pairs, averages, intervals and tests between metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.selection import SegmentColumns
from tertium.evaluation.units import Units, choose_units
from tertium.metaeval.agreement import StatisticSpec, can_show, compute_statistic, oriented_scores
from tertium.metaeval.agreement_statistics import Draws
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import GROUP_LEVELS, MetricScores
from tertium.records import record
from tertium.stats.analysis import Analysis, MetricAnalysis, MetricTest
from tertium.stats.letters import compact_letters
from tertium.stats.metric_tests import (
    Permutations,
    average_permutations,
    find_clusters,
    find_significant,
    p_better,
    select_metrics,
    williams_matrix,
)
from tertium.stats.resampling import confidence_interval
from tertium.values import FloatArray

AVERAGE, POOLED = "average", "all pairs"
MIN_FOR_WILLIAMS = 4
MIN_FOR_INTERVALS = 10  # documents or domains; resamples of fewer say nothing

_PAIRS = "language pairs"

Scored = Mapping[str, MetricScores]


@record
class MetaCell:
    """The agreement of one metric with the human judgments of one language pair.

    `value` is oriented: positive (or above one half) means agreement. `signed` is the value for the scores of the metric
    as they are.
    """

    value: float | None
    signed: float | None
    reason: str | None = None
    rank: int | None = None
    outperformed_by: tuple[str, ...] = ()
    letters: str | None = None
    interval: tuple[float, float] | None = None
    """Bootstrap confidence interval of `value`, at the level `MetaTable.test.level`."""
    cluster: int | None = None
    """The significance cluster as the WMT metrics tasks define it, from 1; None without a test."""
    epsilon: float | None = None
    """The largest difference of metric scores that counts as a tie, for acc-eq."""

    @property
    def is_leading(self) -> bool:
        """Whether the metric was tested and no other one is significantly better."""
        return self.letters is not None and not self.outperformed_by


@record
class MetaColumn:
    """A language pair, or all of them: averaged, or pooled."""

    pair: str
    n_units: int
    unit: str
    cells: tuple[MetaCell, ...]
    p_values: FloatArray | None = None
    """(metrics, metrics): one-sided p-values that the metric of the row is better than that of the column; None without a test."""
    ceiling: float | None = None
    """The agreement of half of the raters with the other half, if it was requested."""
    raters: Mapping[str, float] = field(default_factory=dict)
    """The agreement of single raters with the mean of the others, if it was requested."""
    defined: tuple[int, ...] = ()
    """The metrics that have a value."""
    permutations: Permutations | None = None
    """The test of the metrics in `defined`, from which tests of averages are made."""
    weight: float = 1.0
    """The weight of the language pair in the last column."""
    resampled: str = ""
    """The units that tests and intervals draw, such as "12 documents resampled"; empty where they draw no segments."""

    @property
    def is_summary(self) -> bool:
        """Whether the column summarises all language pairs."""
        return self.unit == _PAIRS

    def select_test(self, chosen: Sequence[int]) -> Permutations | None:
        """Return the test of some of the metrics in `defined`, which are in ascending order."""
        if self.permutations is None:
            return None
        return select_metrics(self.permutations, np.searchsorted(self.defined, chosen))


@record
class MetaTable:
    """A row per metric, a column per language pair, and a column for their average if there are several."""

    spec: StatisticSpec
    metrics: tuple[str, ...]
    columns: tuple[MetaColumn, ...]
    test: MetricAnalysis


def make_meta_table(
    spec: StatisticSpec,
    sets: Sequence[JudgedSet],
    scored: Sequence[Scored],
    test: MetricAnalysis | None = None,
) -> MetaTable:
    """Compute a statistic for all metrics on all language pairs that have human judgments for it.

    Raises
    ------
    InputError
        If no language pair has such judgments.
    """
    test = test or MetricAnalysis()
    check_test(test.method, spec)
    chosen = _choose_sets(spec, sets, scored)
    if not chosen:
        is_part = spec.level in GROUP_LEVELS
        where = f" of segments and a column {spec.level}" if is_part else ""
        raise InputError(f"no language pair has human judgments{where} for {spec}")
    labels = tuple(dict.fromkeys(label for _, scores in chosen for label in scores))
    parts = [
        _PairColumn(spec, judged, [scores.get(label) for label in labels], test) for judged, scores in chosen
    ]
    columns = [part.column(labels) for part in parts]
    if len(columns) > 1:
        signs = [min(of_metric) for of_metric in zip(*(part.signs for part in parts), strict=True)]
        columns.append(_summarise(labels, columns, signs, test))
    return MetaTable(spec, labels, tuple(columns), test)


def sort_table(table: MetaTable) -> MetaTable:
    """Order the metrics by the last column, best first; it is the average if there are several language pairs."""
    values = [cell.value for cell in table.columns[-1].cells]
    order = sorted(range(len(values)), key=lambda i: (values[i] is None, -(values[i] or 0.0)))
    columns = [
        replace(
            column,
            cells=tuple(column.cells[i] for i in order),
            p_values=None if column.p_values is None else column.p_values[np.ix_(order, order)],
            defined=(),
            permutations=None,
        )
        for column in table.columns
    ]
    return replace(table, metrics=tuple(table.metrics[i] for i in order), columns=tuple(columns))


def with_ceilings(
    table: MetaTable,
    ceilings: Mapping[tuple[str, str], float],
    raters: Mapping[tuple[str, str], Mapping[str, float]],
) -> MetaTable:
    """Add the agreement between raters, by statistic and language pair; an average only if all pairs have it."""
    found = [ceilings.get((str(table.spec), column.pair)) for column in table.columns]
    if table.columns[-1].is_summary:
        known = [value for value in found[:-1] if value is not None]
        found[-1] = float(np.mean(known)) if len(known) == len(found) - 1 else None
    columns = [
        replace(column, ceiling=value, raters=raters.get((str(table.spec), column.pair), {}))
        for column, value in zip(table.columns, found, strict=True)
    ]
    return replace(table, columns=tuple(columns))


def check_test(method: MetricTest, spec: StatisticSpec) -> None:
    """Raise if the test does not apply to the statistic."""
    if method == "williams" and not (spec.by == "none" and spec.statistic.has_williams):
        raise OptionError(
            f"Williams' test is for Pearson's r without groups; use {argument('test', 'perm-both')} for {spec}"
        )


def _choose_sets(
    spec: StatisticSpec, sets: Sequence[JudgedSet], scored: Sequence[Scored]
) -> list[tuple[JudgedSet, Scored]]:
    chosen: dict[str, tuple[JudgedSet, Scored]] = {}
    for judged, scores in zip(sets, scored, strict=True):
        if can_show(spec, judged) and scores:
            chosen.setdefault(judged.name, (judged, scores))
    return list(chosen.values())


class _PairColumn:
    """The values of one language pair; tests and intervals cover the metrics that have a value."""

    def __init__(
        self,
        spec: StatisticSpec,
        judged: JudgedSet,
        scores: Sequence[MetricScores | None],
        test: MetricAnalysis,
    ) -> None:
        self.judged, self.spec, self.test = judged, spec, test
        self.units = _choose_units(spec, judged, test)
        self.human: Any = spec.statistic.select_judgments(judged, spec.level)
        results = [
            (np.nan, "not scored") if score is None else compute_statistic(spec, judged, score)
            for score in scores
        ]
        self.values = np.array([value for value, _ in results])
        self.reasons = [reason for _, reason in results]
        self.signs = [1 if score is None else score.sign for score in scores]
        self.defined: list[int] = np.flatnonzero(~np.isnan(self.values)).tolist()
        sides = [
            oriented_scores(spec, judged, score) for i in self.defined if (score := scores[i]) is not None
        ]
        known = [side for side in sides if side is not None]
        self.thresholds = [spec.statistic.threshold(self.human, side, spec.by) for side in known]
        self.permutations, self.p_values = self._compare(known)
        self.intervals = self._find_intervals(known)

    def _compare(self, sides: Sequence[FloatArray]) -> tuple[Permutations | None, FloatArray | None]:
        if self.test.method == "none" or len(sides) < 2:
            return None, None
        if self.test.method == "williams":
            return None, self._compare_by_williams(np.stack(sides))
        permutations = self.spec.statistic.permute(self._draws(sides))
        return permutations, p_better(permutations)

    def _draws(self, sides: Sequence[FloatArray]) -> Draws[Any]:
        rng = np.random.default_rng(self.test.seed)
        groups = self.units.groups or ()
        numbers = {group: number for number, group in enumerate(dict.fromkeys(groups))}
        units = np.array([numbers[group] for group in groups], dtype=np.intp) if numbers else None
        return Draws(self.human, np.stack(sides), self.spec.by, self.test.n_samples, rng, units)

    def _compare_by_williams(self, metrics: FloatArray) -> FloatArray:
        human: FloatArray = self.human.reshape(-1)
        if (n := int(np.count_nonzero(~np.isnan(human)))) < MIN_FOR_WILLIAMS:
            raise InputError(
                f"{self.judged.name or 'the test set'} has {n} human scores for {self.spec}, but Williams' test needs"
                f" {MIN_FOR_WILLIAMS}; use {argument('test', 'perm-both')}, or other language pairs with"
                f" {argument('pairs', 'LIST')}"
            )
        return williams_matrix(human, metrics.reshape(len(metrics), -1))

    def _find_intervals(self, sides: Sequence[FloatArray]) -> list[tuple[float, float] | None]:
        drawn = None
        is_part = self.spec.level in GROUP_LEVELS
        if self.test.intervals and sides and not (is_part and self.human.shape[1] < MIN_FOR_INTERVALS):
            drawn = self.spec.statistic.bootstrap(self._draws(sides))
        if drawn is None:
            return [None] * len(sides)
        return [_find_interval(row[~np.isnan(row)], self.test.confidence) for row in drawn]

    def column(self, labels: Sequence[str]) -> MetaColumn:
        results = _Results(
            self.values,
            self.reasons,
            self.signs,
            self.defined,
            self.p_values,
            self.intervals,
            self.thresholds,
        )
        cells = results.cells(labels, self.test.alpha)
        n_units, unit = self.spec.statistic.count_units(self.human)
        if self.spec.level in GROUP_LEVELS:
            n_units, unit = self.human.shape[1], f"{self.spec.level}s"
        return MetaColumn(
            self.judged.name,
            n_units,
            unit,
            cells,
            results.spread_p_values(),
            defined=tuple(self.defined),
            permutations=self.permutations,
            weight=self.spec.statistic.pool_weight(self.human),
            resampled=self._describe_units(),
        )

    def _describe_units(self) -> str:
        """Describe what the test and the intervals draw; empty where they draw no segments."""
        if not _reads_segments(self.spec):
            return ""
        n_units = self.units.count(len(self.judged.corpus))
        return Analysis(unit=self.units.name, unit_reason=self.units.reason).describe_unit(n_units)


def _reads_segments(spec: StatisticSpec) -> bool:
    """Whether tests and intervals of the statistic draw segments; otherwise they draw systems, documents or domains."""
    return spec.statistic.metric_level(spec.level) == "segment"


def _choose_units(spec: StatisticSpec, judged: JudgedSet, test: MetricAnalysis) -> Units:
    """Choose what tests and intervals draw as a whole: documents where they are known, if the statistic reads segments."""
    return choose_units(SegmentColumns(judged.corpus), test.resample) if _reads_segments(spec) else Units()


def _find_interval(values: FloatArray, level: float) -> tuple[float, float] | None:
    if not len(values):
        return None  # no resample has a value, for instance because all its systems are the same
    interval = confidence_interval(values, level=level)
    return float(interval.low), float(interval.high)


def _summarise(
    labels: Sequence[str], columns: Sequence[MetaColumn], signs: Sequence[int], test: MetricAnalysis
) -> MetaColumn:
    """Average over the language pairs, or pool them; a pair for which no metric has a value does not take part."""
    columns = [column for column in columns if column.defined] or columns
    weights = [column.weight for column in columns]
    rows = [[np.nan if cell.value is None else cell.value for cell in column.cells] for column in columns]
    values = np.average(rows, axis=0, weights=weights)  # NaN where one is
    defined: list[int] = np.flatnonzero(~np.isnan(values)).tolist()
    reasons = [None if i in defined else "undefined for a language pair" for i in range(len(labels))]
    tests = [tested for column in columns if (tested := column.select_test(defined)) is not None]
    is_tested = len(tests) == len(columns) and len(defined) > 1
    permutations = average_permutations(tests, weights) if is_tested else None
    p_values = None if permutations is None else p_better(permutations)
    results = _Results(values, reasons, signs, defined, p_values)
    return MetaColumn(
        AVERAGE if set(weights) == {1.0} else POOLED,
        len(columns),
        _PAIRS,
        results.cells(labels, test.alpha),
        results.spread_p_values(),
        defined=tuple(defined),
        permutations=permutations,
    )


@record(eq=False)
class _Results:
    """The values from which a column is made; the p-values are those of the metrics in `defined`."""

    values: FloatArray
    reasons: Sequence[str | None]
    signs: Sequence[int]
    defined: Sequence[int]
    p_values: FloatArray | None
    intervals: Sequence[tuple[float, float] | None] = ()
    thresholds: Sequence[float | None] = ()

    def cells(self, labels: Sequence[str], alpha: float) -> tuple[MetaCell, ...]:
        cells = [MetaCell(None, None, reason) for reason in self.reasons]
        values = self.values[list(self.defined)]
        letters, clusters = None, None
        if self.p_values is not None:
            clusters = find_clusters(values, self.p_values, alpha=alpha)
            letters = compact_letters(values, find_significant(values, self.p_values, alpha=alpha))
        for place, (i, rank) in enumerate(zip(self.defined, _rank(values), strict=True)):
            cells[i] = MetaCell(
                float(values[place]),
                float(values[place]) * self.signs[i],
                None,
                rank,
                tuple(labels[self.defined[j]] for j in self._better_than(place, alpha)),
                None if letters is None else letters[place],
                self.intervals[place] if self.intervals else None,
                None if clusters is None else clusters[place],
                self.thresholds[place] if self.thresholds else None,
            )
        return tuple(cells)

    def _better_than(self, place: int, alpha: float) -> list[int]:
        if self.p_values is None:
            return []
        better: list[int] = np.flatnonzero(self.p_values[:, place] < alpha).tolist()
        return better

    def spread_p_values(self) -> FloatArray | None:
        if self.p_values is None:
            return None
        whole = np.full((len(self.values), len(self.values)), np.nan)
        whole[np.ix_(self.defined, self.defined)] = self.p_values
        return whole


def _rank(values: FloatArray) -> list[int]:
    rounded = np.round(values, 12)
    return [1 + int(np.count_nonzero(rounded > value)) for value in rounded]
