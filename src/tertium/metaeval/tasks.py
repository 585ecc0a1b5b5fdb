"""The metrics tasks of WMT: which statistics they used, and how they averaged them."""

from collections.abc import Mapping, Sequence

import numpy as np

from tertium.metaeval.agreement import StatisticSpec
from tertium.metaeval.tables import MetaColumn, MetaTable
from tertium.records import record
from tertium.stats.analysis import DEFAULT_ALPHA
from tertium.stats.metric_tests import Permutations, average_permutations, find_clusters, p_better

_ACCURACY = "system:accuracy"
_ACC_EQ = "segment:acc-eq:item"

TASKS: Mapping[str, tuple[str, ...]] = {
    "wmt23": (_ACCURACY, "system:pearson", "segment:pearson", _ACC_EQ),
    "wmt24": ("system:spa", _ACC_EQ),
    "wmt25": ("system:spa", _ACC_EQ),
}
"""The statistics of each task."""

_LEVELS = {"system": "sys", "segment": "seg"}


@record
class TaskRow:
    """The result of one metric: its weighted average, the values that it averages, by column, and their clusters.

    Clusters are significance clusters, from 1, as the tasks print them; None without a test.
    """

    metric: str
    average: float | None
    values: Mapping[str, float | None]
    cluster: int | None
    clusters: Mapping[str, int | None]


def summarise_task(tables: Sequence[MetaTable]) -> list[TaskRow]:
    """Average the statistics of a task as mt-metrics-eval does, best metric first.

    Pairwise accuracy is pooled over the system pairs of all language pairs and weighs as much as all language pairs
    together; each other statistic of a language pair has the weight 1. Correlations are mapped from [-1, 1] to [0, 1]. A
    metric that lacks a value has no average. The test of the averages uses the resamples of the statistics' tests.
    """
    columns = [column for table in tables for column in _columns(table)]
    labels = list(dict.fromkeys(label for table in tables for label in table.metrics))
    averages = {label: _average(label, columns) for label in labels}
    clusters = _cluster(averages, columns, tables[0].test.alpha if tables else DEFAULT_ALPHA)
    rows = [
        TaskRow(
            label,
            averages[label],
            {column.heading: column.value(label) for column in columns},
            clusters.get(label),
            {column.heading: column.cluster(label) for column in columns},
        )
        for label in labels
    ]
    return sorted(rows, key=lambda row: (row.average is None, -(row.average or 0.0), row.metric))


@record(eq=False)
class _TaskColumn:
    """A column of the task's table, its weight, and the range of its statistic, 1 or 2."""

    heading: str
    metrics: Sequence[str]
    column: MetaColumn
    weight: float
    width: float

    def value(self, label: str) -> float | None:
        return self.column.cells[self.metrics.index(label)].value if label in self.metrics else None

    def cluster(self, label: str) -> int | None:
        return self.column.cells[self.metrics.index(label)].cluster if label in self.metrics else None

    def share(self, label: str) -> float | None:
        """The value in [0, 1]."""
        value = self.value(label)
        return None if value is None else (value + self.width - 1) / self.width

    def select_test(self, labels: Sequence[str]) -> Permutations | None:
        """Return the test of some metrics, in their order of the table, as shares."""
        test = self.column.select_test([self.metrics.index(label) for label in labels])
        if test is None:
            return None
        return Permutations((test.observed + self.width - 1) / self.width, test.null / self.width)


def _columns(table: MetaTable) -> list[_TaskColumn]:
    pairs = [column for column in table.columns if not column.is_summary]
    if str(table.spec) == _ACCURACY:
        return [_TaskColumn(name_statistic(table.spec), table.metrics, table.columns[-1], len(pairs), 1.0)]
    name = name_statistic(table.spec)
    return [
        _TaskColumn(
            f"{column.pair} {name}".strip(),
            table.metrics,
            column,
            1.0,
            2.0 if table.spec.name == "pearson" else 1.0,
        )
        for column in pairs
    ]


def name_statistic(spec: StatisticSpec) -> str:
    """Name a statistic as the headings of a task's table do: `accuracy`, `sys spa`, `seg acc-eq`."""
    return spec.name if str(spec) == _ACCURACY else f"{_LEVELS.get(spec.level, spec.level)} {spec.name}"


def _average(label: str, columns: Sequence[_TaskColumn]) -> float | None:
    known = [share for column in columns if (share := column.share(label)) is not None]
    if len(known) < len(columns):
        return None
    return float(np.average(known, weights=[column.weight for column in columns]))


def _cluster(
    averages: Mapping[str, float | None], columns: Sequence[_TaskColumn], alpha: float
) -> dict[str, int]:
    """Find the significance clusters of the averages; none if a statistic has no test."""
    labels = [label for label, average in averages.items() if average is not None]
    tests = [column.select_test(labels) for column in columns]
    known = [test for test in tests if test is not None]
    if len(labels) < 2 or len(known) < len(tests):
        return {}
    whole = average_permutations(known, [column.weight for column in columns])
    return dict(zip(labels, find_clusters(whole.observed, p_better(whole), alpha=alpha), strict=True))
