"""Tables of agreement with people: metrics by language pairs, averages, intervals and tests between metrics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.statistics import (
    COEFFICIENTS,
    RANKING_KENDALLS,
    StatisticSpec,
    can_show,
    compute_statistic,
    human_scores,
    oriented_scores,
)
from tertium.stats.agreement import calibrate_ties, pairs_in_groups
from tertium.stats.analysis import DEFAULT_ALPHA, DEFAULT_SEED
from tertium.stats.correlation import average_over_groups
from tertium.stats.metric_tests import (
    Permutations,
    average_permutations,
    bootstrap_pearson,
    bootstrap_rankings,
    bootstrap_statistic,
    metric_clusters,
    p_better,
    permute_by_group,
    permute_marks,
    permute_pearson,
    permute_rankings,
    select_metrics,
    williams_matrix,
)
from tertium.stats.resampling import confidence_interval
from tertium.types import FloatArray


def permute_metrics(
    spec: StatisticSpec, judged: JudgedSet, metrics: FloatArray, n_samples: int, rng: np.random.Generator
) -> Permutations | None:
    """Run the permutation test that fits the statistic; None for one that has none.

    `metrics` is (metrics, systems) or (metrics, systems, segments), of metrics where higher is better.
    """
    if spec.name in RANKING_KENDALLS and judged.comparisons is not None:
        year = RANKING_KENDALLS[spec.name]
        return permute_rankings(judged.comparisons, metrics, n_samples, rng, year=year)
    if spec.name == "spa":
        return None  # it has a permutation test inside; exchanging its p-values has no published meaning
    human = human_scores(spec, judged)
    if spec.name == "acc-eq":
        return _permute_accuracies(human, metrics, spec, n_samples, rng)
    cells = ~np.isnan(human).reshape(-1)
    judged_only = metrics.reshape(len(metrics), -1)[:, cells]
    if spec.name == "pearson" and spec.by == "none":
        return permute_pearson(human.reshape(-1)[cells], judged_only, n_samples, rng)
    statistic = _row_statistic(spec, human, cells)
    table = metrics.reshape(len(metrics), len(human), -1)  # a system's score stands alone in its row
    return permute_by_group(
        spec.name, human.reshape(len(human), -1), table, statistic, n_samples, rng, by=spec.by
    )


def find_intervals(
    spec: StatisticSpec, judged: JudgedSet, metrics: FloatArray, n_samples: int, rng: np.random.Generator
) -> list[tuple[float, float] | None]:
    """Find 95 % bootstrap intervals: over systems at system level, over segments at segment level."""
    if spec.name in RANKING_KENDALLS and judged.comparisons is not None:
        year = RANKING_KENDALLS[spec.name]
        return _intervals(bootstrap_rankings(judged.comparisons, metrics, n_samples, rng, year=year))
    if spec.name not in COEFFICIENTS:
        return [None] * len(metrics)
    human = human_scores(spec, judged)
    coefficient = COEFFICIENTS[spec.name]
    if spec.level == "system":
        known = ~np.isnan(human)
        human, metrics = human[known], metrics[:, known]
        return _intervals(bootstrap_statistic(coefficient, human, metrics, n_samples, rng))
    if spec.name == "pearson" and spec.by == "none":
        return _intervals(bootstrap_pearson(human, metrics, n_samples, rng))
    statistic = partial(average_over_groups, coefficient, by=spec.by)
    return _intervals(bootstrap_statistic(statistic, human, metrics, n_samples, rng))


def _intervals(drawn: FloatArray) -> list[tuple[float, float] | None]:
    """Cut tails; a resample without a value (all systems the same) takes no part."""
    found: list[tuple[float, float] | None] = []
    for row in drawn:
        values = row[~np.isnan(row)]
        if not len(values):
            found.append(None)
            continue
        interval = confidence_interval(values)
        found.append((float(interval.low), float(interval.high)))
    return found


def _row_statistic(
    spec: StatisticSpec, human: FloatArray, cells: npt.NDArray[np.bool_]
) -> Callable[[FloatArray], FloatArray]:
    coefficient = COEFFICIENTS[spec.name]
    if human.ndim == 1 or spec.by == "none":
        return partial(coefficient, human.reshape(-1)[cells])

    def statistic(rows: FloatArray) -> FloatArray:
        whole = np.full((*rows.shape[:-1], human.size), np.nan)
        whole[..., cells] = rows
        return average_over_groups(
            coefficient, human, whole.reshape(*rows.shape[:-1], *human.shape), by=spec.by
        )

    return statistic


def _permute_accuracies(
    human: FloatArray, metrics: FloatArray, spec: StatisticSpec, n_samples: int, rng: np.random.Generator
) -> Permutations:
    pairs = pairs_in_groups(human, by=spec.by)
    flat = human.reshape(-1)
    human_gaps = flat[pairs.first] - flat[pairs.second]
    marks = []
    for metric in metrics:
        epsilon = calibrate_ties(human, metric, pairs=pairs).epsilon
        gaps = metric.reshape(-1)[pairs.first] - metric.reshape(-1)[pairs.second]
        decided = np.where(np.abs(gaps) <= epsilon, 0.0, np.sign(gaps))
        marks.append(np.sign(human_gaps) == decided)
    return permute_marks(np.array(marks, dtype=np.float64), pairs.weights, n_samples, rng)


AVERAGE = "average"
MIN_FOR_WILLIAMS = 4

Scored = Mapping[str, MetricScores]


@dataclass(frozen=True)
class TestOptions:
    """How metrics are compared."""

    __test__ = False  # pytest would take it for a test

    method: Literal["perm-both", "williams", "none"] = "perm-both"
    n_samples: int = 1000
    seed: int = DEFAULT_SEED
    alpha: float = DEFAULT_ALPHA
    intervals: bool = False
    """Whether values get bootstrap intervals."""


@dataclass(frozen=True)
class MetaCell:
    """One metric's agreement with people on one language pair.

    `value` is oriented: positive (or above one half) agrees. `signed` is as the metric's own scores give it.
    """

    value: float | None
    signed: float | None
    reason: str | None = None
    rank: int | None = None
    outperformed_by: tuple[str, ...] = ()
    cluster: int | None = None
    interval: tuple[float, float] | None = None
    """95 % bootstrap interval of `value`."""


@dataclass(frozen=True)
class MetaColumn:
    """A language pair, or the average of all."""

    pair: str
    n_units: int
    unit: str
    cells: tuple[MetaCell, ...]
    p_values: FloatArray | None = None
    """(metrics, metrics): that the row's metric is better than the column's; None without a test."""
    ceiling: float | None = None
    """How well half of the raters agrees with the other half, if that was asked for."""


@dataclass(frozen=True)
class MetaTable:
    """A row per metric, a column per language pair and one for their average if there are several."""

    spec: StatisticSpec
    metrics: tuple[str, ...]
    columns: tuple[MetaColumn, ...]
    test: TestOptions


def make_meta_table(
    spec: StatisticSpec, sets: Sequence[JudgedSet], scored: Sequence[Scored], test: TestOptions | None = None
) -> MetaTable:
    """Compute a statistic for all metrics on all language pairs that have judgments for it.

    Raises
    ------
    InputError
        If no language pair has.
    """
    test = test or TestOptions()
    check_test(test.method, spec)
    chosen = _choose_sets(spec, sets, scored)
    if not chosen:
        raise InputError(f"no language pair has human judgments for {spec}")
    labels = tuple(dict.fromkeys(label for _, scores in chosen for label in scores))
    parts = [
        _PairColumn(spec, judged, [scores.get(label) for label in labels], test) for judged, scores in chosen
    ]
    columns = [part.column(labels) for part in parts]
    if len(columns) > 1:
        columns.append(_average(labels, parts, test))
    return MetaTable(spec, labels, tuple(columns), test)


def sort_table(table: MetaTable) -> MetaTable:
    """Put the metrics in the order of the last column, which is the average if there are several; the best first."""
    values = [cell.value for cell in table.columns[-1].cells]
    order = sorted(range(len(values)), key=lambda i: (values[i] is None, -(values[i] or 0.0)))
    columns = [
        replace(
            column,
            cells=tuple(column.cells[i] for i in order),
            p_values=None if column.p_values is None else column.p_values[np.ix_(order, order)],
        )
        for column in table.columns
    ]
    return replace(table, metrics=tuple(table.metrics[i] for i in order), columns=tuple(columns))


def with_ceilings(table: MetaTable, ceilings: Mapping[tuple[str, str], float]) -> MetaTable:
    """Add how well people agree with people, by statistic and language pair; the average if all pairs have it."""
    found = [ceilings.get((str(table.spec), column.pair)) for column in table.columns]
    if len(found) > 1 and table.columns[-1].pair == AVERAGE:
        known = [value for value in found[:-1] if value is not None]
        found[-1] = float(np.mean(known)) if len(known) == len(found) - 1 else None
    columns = [replace(column, ceiling=value) for column, value in zip(table.columns, found, strict=True)]
    return replace(table, columns=tuple(columns))


def check_test(method: str, spec: StatisticSpec) -> None:
    """Refuse a test that is not for this statistic."""
    if method == "williams" and (spec.name != "pearson" or spec.by != "none"):
        raise OptionError(f"Williams' test is for Pearson's r without groups; {spec} needs perm-both")


def _choose_sets(
    spec: StatisticSpec, sets: Sequence[JudgedSet], scored: Sequence[Scored]
) -> list[tuple[JudgedSet, Scored]]:
    chosen: dict[str, tuple[JudgedSet, Scored]] = {}
    for judged, scores in zip(sets, scored, strict=True):
        if can_show(spec, judged) and scores:
            chosen.setdefault(judged.name, (judged, scores))
    return list(chosen.values())


class _PairColumn:
    """One language pair on its way into the table; the tests run over the metrics that have a value."""

    def __init__(
        self,
        spec: StatisticSpec,
        judged: JudgedSet,
        scores: Sequence[MetricScores | None],
        test: TestOptions,
    ) -> None:
        self.judged, self.spec, self.test = judged, spec, test
        results = [
            (np.nan, "not scored") if each is None else compute_statistic(spec, judged, each)
            for each in scores
        ]
        self.values = np.array([value for value, _ in results])
        self.reasons = [reason for _, reason in results]
        self.signs = [1 if each is None else each.sign for each in scores]
        self.defined: list[int] = np.flatnonzero(~np.isnan(self.values)).tolist()
        sides = [oriented_scores(spec, each) for i in self.defined if (each := scores[i]) is not None]
        known = [side for side in sides if side is not None]
        self.permutations, self.p_values = self._compare(known)
        self.intervals = self._bound(known)

    def _compare(self, sides: Sequence[FloatArray]) -> tuple[Permutations | None, FloatArray | None]:
        if self.test.method == "none" or len(sides) < 2:
            return None, None
        if self.test.method == "williams":
            human = human_scores(self.spec, self.judged).reshape(-1)
            if (n := int(np.count_nonzero(~np.isnan(human)))) < MIN_FOR_WILLIAMS:
                raise InputError(
                    f"{self.judged.name or 'the test set'} has {n} human scores for {self.spec}, but Williams'"
                    f" test needs {MIN_FOR_WILLIAMS}; use --test perm-both, or other language pairs with -p"
                )
            return None, williams_matrix(human, np.stack(sides).reshape(len(sides), -1))
        rng = np.random.default_rng(self.test.seed)
        permutations = permute_metrics(self.spec, self.judged, np.stack(sides), self.test.n_samples, rng)
        return permutations, None if permutations is None else p_better(permutations)

    def _bound(self, sides: Sequence[FloatArray]) -> list[tuple[float, float] | None]:
        if not self.test.intervals or not sides:
            return [None] * len(sides)
        rng = np.random.default_rng(self.test.seed)
        return find_intervals(self.spec, self.judged, np.stack(sides), self.test.n_samples, rng)

    def column(self, labels: Sequence[str]) -> MetaColumn:
        results = _Results(self.values, self.reasons, self.signs, self.defined, self.p_values, self.intervals)
        cells = results.cells(labels, self.test.alpha)
        return MetaColumn(self.judged.name, *self._units(), cells, results.spread_p_values())

    def _units(self) -> tuple[int, str]:
        if self.spec.name in RANKING_KENDALLS and self.judged.comparisons is not None:
            return len(self.judged.comparisons.decided().first), "comparisons"
        n = int(np.count_nonzero(~np.isnan(human_scores(self.spec, self.judged))))
        return n, "systems" if self.spec.level == "system" and self.spec.name != "spa" else "judgments"


def _average(labels: Sequence[str], parts: Sequence[_PairColumn], test: TestOptions) -> MetaColumn:
    values = np.mean([part.values for part in parts], axis=0)  # NaN where one is
    defined: list[int] = np.flatnonzero(~np.isnan(values)).tolist()
    reasons = [None if i in defined else "undefined for a language pair" for i in range(len(labels))]
    tests = [
        select_metrics(part.permutations, np.searchsorted(part.defined, defined))
        for part in parts
        if part.permutations is not None
    ]
    is_tested = len(tests) == len(parts) and len(defined) > 1
    p_values = p_better(average_permutations(tests)) if is_tested else None
    results = _Results(values, reasons, parts[0].signs, defined, p_values)
    cells = results.cells(labels, test.alpha)
    return MetaColumn(AVERAGE, len(parts), "language pairs", cells, results.spread_p_values())


@dataclass(frozen=True, eq=False)
class _Results:
    """A column before it is written down; p-values are those of the metrics in `defined`."""

    values: FloatArray
    reasons: Sequence[str | None]
    signs: Sequence[int]
    defined: Sequence[int]
    p_values: FloatArray | None
    intervals: Sequence[tuple[float, float] | None] = ()

    def cells(self, labels: Sequence[str], alpha: float) -> tuple[MetaCell, ...]:
        cells = [MetaCell(None, None, reason) for reason in self.reasons]
        values = self.values[list(self.defined)]
        clusters = None if self.p_values is None else metric_clusters(values, self.p_values, alpha=alpha)
        for place, (i, rank) in enumerate(zip(self.defined, _rank(values), strict=True)):
            cells[i] = MetaCell(
                float(values[place]),
                float(values[place]) * self.signs[i],
                None,
                rank,
                tuple(labels[self.defined[j]] for j in self._better_than(place, alpha)),
                None if clusters is None else int(clusters[place]),
                self.intervals[place] if self.intervals else None,
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
