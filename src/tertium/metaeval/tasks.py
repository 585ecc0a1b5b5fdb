"""The metrics tasks of WMT: which statistics they used, and how they averaged them."""

from collections.abc import Mapping, Sequence

import numpy as np

from tertium.metaeval.tables import AVERAGE, MetaColumn, MetaTable
from tertium.records import record

_ACCURACY = "system:accuracy"
_ACC_EQ = "segment:acc-eq:item"

TASKS: Mapping[str, tuple[str, ...]] = {
    "wmt23": (_ACCURACY, "system:pearson", "segment:pearson", _ACC_EQ),
    "wmt24": ("system:spa", _ACC_EQ),
    "wmt25": ("system:spa", _ACC_EQ),
}
"""The statistics of each task."""


@record
class TaskRow:
    """The result of one metric: its weighted average and the values that it averages, by column."""

    metric: str
    average: float | None
    values: Mapping[str, float | None]


def summarise_task(tables: Sequence[MetaTable]) -> list[TaskRow]:
    """Average the statistics of a task as mt-metrics-eval does, best metric first.

    Pairwise accuracy is pooled over the system pairs of all language pairs and weighs as much as all language pairs
    together; each other statistic of a language pair has the weight 1. Correlations are mapped from [-1, 1] to [0, 1]. A
    metric that lacks a value has no average.
    """
    columns = [column for table in tables for column in _columns(table)]
    labels = list(dict.fromkeys(label for table in tables for label in table.metrics))
    rows = [_average(label, columns) for label in labels]
    return sorted(rows, key=lambda row: (row.average is None, -(row.average or 0.0), row.metric))


@record
class _TaskColumn:
    """A column of the task's table: the values of the metrics, the column's weight, and whether it is a correlation."""

    heading: str
    values: Mapping[str, float | None]
    weight: float
    is_correlation: bool


def _columns(table: MetaTable) -> list[_TaskColumn]:
    pairs = [column for column in table.columns if column.pair != AVERAGE]
    name = str(table.spec)
    if name == _ACCURACY:
        return [_TaskColumn("accuracy", _pool(table, pairs), len(pairs), False)]
    return [
        _TaskColumn(
            f"{table.spec.level} {table.spec.name} {column.pair}".strip(),
            {label: cell.value for label, cell in zip(table.metrics, column.cells, strict=True)},
            1.0,
            table.spec.name == "pearson",
        )
        for column in pairs
    ]


def _pool(table: MetaTable, pairs: Sequence[MetaColumn]) -> dict[str, float | None]:
    """Pool the accuracies of language pairs, weighted by their numbers of system pairs."""
    counts = [column.n_units * (column.n_units - 1) / 2 for column in pairs]
    pooled: dict[str, float | None] = {}
    for i, label in enumerate(table.metrics):
        values = [column.cells[i].value for column in pairs]
        known = [value for value in values if value is not None]
        pooled[label] = float(np.average(known, weights=counts)) if len(known) == len(values) else None
    return pooled


def _average(label: str, columns: Sequence[_TaskColumn]) -> TaskRow:
    values = {column.heading: column.values.get(label) for column in columns}
    shares = [
        None if value is None else (value + 1) / 2 if column.is_correlation else value
        for column, value in zip(columns, values.values(), strict=True)
    ]
    known = [share for share in shares if share is not None]
    if len(known) < len(columns):
        return TaskRow(label, None, values)
    return TaskRow(label, float(np.average(known, weights=[column.weight for column in columns])), values)
