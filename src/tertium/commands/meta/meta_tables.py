"""Documents and charts of meta-evaluation: agreement tables, rankings and calibrations."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import isnan

import numpy as np

from tertium import __version__
from tertium.commands.meta.rankings_chart import draw_rankings
from tertium.commands.meta.scatter_chart import draw_scatter
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.sentinels import is_sentinel
from tertium.metaeval.tables import MetaCell, MetaColumn, MetaTable
from tertium.metaeval.tasks import TaskRow, name_statistic
from tertium.presentation.charts.model import Chart
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_wide_table,
)
from tertium.presentation.tables.model import Document, Mark, MarkPlace, Note, Table
from tertium.records import record
from tertium.stats.letters import are_equal
from tertium.values import FloatArray
from tertium.verdicts import OUTPERFORMED, describe_sentinels, explain_direction

SCHEMA_VERSION = 2

_TESTS = {"perm-both": "PERM-BOTH, {:,} samples", "williams": "Williams' test"}
_RANK_MARKS = {1: Mark.BEST, 2: Mark.SECOND}
_CEILING = "human judges"


@record
class MetaRow:
    """One metric's agreement with human judgments on one language pair."""

    statistic: str
    metric: str
    pair: str
    cell: MetaCell
    is_absolute: bool = False
    """Whether tables show absolute values."""

    @property
    def marks(self) -> list[Mark]:
        cell = self.cell
        marks = [_RANK_MARKS[cell.rank]] if cell.rank in _RANK_MARKS else []
        return marks + [Mark.OUTPERFORMED] * bool(cell.outperformed_by) + [Mark.LEADING] * cell.is_leading


def _write_interval(row: MetaRow) -> str:
    if row.cell.interval is None:
        return ""
    low, high = row.cell.interval
    return f"[{low:.3f}, {high:.3f}]"


def _write_cluster(row: MetaRow) -> str:
    return "" if row.cell.cluster is None else f"({row.cell.cluster})"


def _write_threshold(row: MetaRow) -> str:
    return "" if row.cell.epsilon is None else f"ε={row.cell.epsilon:.3g}"


def _bound(row: MetaRow, i: int) -> float | None:
    return None if row.cell.interval is None else row.cell.interval[i]


def _shown_value(row: MetaRow) -> float | None:
    return _absolute(row) if row.is_absolute else row.cell.value


def _absolute(row: MetaRow) -> float | None:
    return None if row.cell.value is None else abs(row.cell.value)


AGREEMENT_FIELDS: list[Field[MetaRow]] = [
    Field("statistic", outputs=RECORDS),
    Field("metric", outputs=TABLE | RECORDS, is_key=True),
    Field("pair", outputs=RECORDS),
    Field("agreement", float, _shown_value, TABLE, form="{:.3f}", missing="–", marks=lambda row: row.marks),
    Field("value", float, lambda row: row.cell.value, RECORDS | JSON),
    Field("signed", float, lambda row: row.cell.signed, RECORDS | JSON),
    Field("absolute", float, _absolute, JSON),
    Field("interval", list, lambda row: row.cell.interval, JSON | TABLE, detail="intervals", text=_write_interval),
    Field("ci_low", float, lambda row: _bound(row, 0), RECORDS),
    Field("ci_high", float, lambda row: _bound(row, 1), RECORDS),
    Field("rank", int, lambda row: row.cell.rank, RECORDS | JSON),
    Field("letters", str, lambda row: row.cell.letters, RECORDS | JSON),
    Field("epsilon", float, lambda row: row.cell.epsilon, detail="tie thresholds", text=_write_threshold, is_optional=True),
    Field("cluster", int, lambda row: row.cell.cluster, detail="clusters", text=_write_cluster),
    Field("outperformed_by", list, lambda row: list(row.cell.outperformed_by), JSON),
    Field("outperformed_by", str, lambda row: " ".join(row.cell.outperformed_by), RECORDS),
    Field("reason", str, lambda row: row.cell.reason, RECORDS | JSON),
]  # fmt: skip
"""The agreement of a metric: in every table of `meta`, in records, in JSON and on the page."""


def describe_agreement(
    tables: Sequence[MetaTable],
    *,
    signatures: Mapping[str, str],
    absolute: bool = False,
    task: tuple[str, Sequence[TaskRow]] | None = None,
) -> Document:
    """Describe tables of agreement with human judgments.

    Parameters
    ----------
    signatures
        By metric label; empty for metrics whose scores came from files.
    absolute
        Whether tables show absolute values, as papers often do; records and JSON have both.
    task
        The name of a metrics task of WMT, and its averages, which are shown first.
    """
    notes = [f"{label}: {signature}" for label, signature in signatures.items() if signature]
    return Document(
        "agreement",
        lambda: (
            [_make_task_table(*task, tables)]
            if task is not None
            else [_make_table(table, absolute=absolute) for table in tables]
        ),
        lambda: make_records(
            AGREEMENT_FIELDS,
            [row for table in tables for column in table.columns for row in make_rows(table, column)],
        ),
        lambda: {
            "schema_version": SCHEMA_VERSION,
            "tool": "tertium",
            "version": __version__,
            "signatures": dict(signatures),
            "tables": [_describe(table) for table in tables],
            **({} if task is None else {"task": {"name": task[0], "rows": [asdict(row) for row in task[1]]}}),
        },
        [Note(note, is_signature=True) for note in notes],
    )


@record
class _TaskCell:
    """A cell of a task's table: a value and its significance cluster."""

    metric: str
    value: float | None
    cluster: int | None


_TASK_FIELDS: list[Field[_TaskCell]] = [
    Field("metric", is_key=True),
    Field("value", float, form="{:.3f}", missing="–"),
    Field(
        "cluster",
        int,
        detail="clusters",
        text=lambda cell: "" if cell.cluster is None else f"({cell.cluster})",
    ),
]


def _make_task_table(name: str, rows: Sequence[TaskRow], tables: Sequence[MetaTable]) -> Table:
    """Make the table of a metrics task: the weighted average, the values that it averages, and clusters."""
    headings = list(rows[0].values) if rows else []
    cells = [
        [
            _TaskCell(row.metric, row.average, row.cluster),
            *(_TaskCell(row.metric, row.values[heading], row.clusters[heading]) for heading in headings),
        ]
        for row in rows
    ]
    average = (
        "average: correlations r count as (r + 1) / 2, accuracy weighs as much as all language pairs together"
        if "accuracy" in headings
        else "average: all columns have the same weight"
    )
    notes = [_count_units(table) for table in tables if table.spec.level == "system"][:1]
    notes += [_explain_columns(tables), average]
    if any(row.cluster is not None for row in rows):
        notes.append(f"(1), (2), …: significance clusters as in the task ({_describe_test(tables[0])})")
    reasons = [reason for table in tables for reason in _reasons(table)]
    return make_wide_table(
        _TASK_FIELDS,
        cells,
        {heading: heading for heading in ("average", *headings)},
        title=f"{name.upper()} metrics task",
        notes=[Note(note) for note in [*notes, *dict.fromkeys(reasons)]],
    )


def _explain_columns(tables: Sequence[MetaTable]) -> str:
    """Say in one line what the statistics of a task are."""
    return "; ".join(f"{name_statistic(table.spec)}: {table.spec.title}" for table in tables)


def make_rows(table: MetaTable, column: MetaColumn, *, absolute: bool = False) -> list[MetaRow]:
    """Make a row per metric for one language pair."""
    cells = zip(table.metrics, column.cells, strict=True)
    return [MetaRow(str(table.spec), label, _heading(column), cell, absolute) for label, cell in cells]


def _make_table(table: MetaTable, *, absolute: bool) -> Table:
    rows = [make_rows(table, column, absolute=absolute) for column in table.columns]
    return make_wide_table(
        AGREEMENT_FIELDS,
        [*zip(*rows, strict=True), *_make_human_rows(table)],
        {row[0].pair: row[0].pair for row in rows},
        title=table.spec.title,
        notes=_notes(table, absolute=absolute),
        mark_place=MarkPlace.BEHIND,
    )


def _make_human_rows(table: MetaTable) -> list[list[MetaRow]]:
    """Make the last rows: half of the raters against the other half, and each rater against the others."""
    if not _has_ceilings(table):
        return []
    raters = dict.fromkeys(name for column in table.columns for name in column.raters)
    values = {
        _CEILING: [column.ceiling for column in table.columns],
        **{f"rater {name}": [column.raters.get(name) for column in table.columns] for name in raters},
    }
    return [
        [
            MetaRow("", label, _heading(column), MetaCell(value, value))
            for column, value in zip(table.columns, of_columns, strict=True)
        ]
        for label, of_columns in values.items()
    ]


def _has_ceilings(table: MetaTable) -> bool:
    """Whether the last row shows how well human judges agree with each other."""
    return any(column.ceiling is not None or column.raters for column in table.columns)


def _heading(column: MetaColumn) -> str:
    return column.pair or "all"


def _notes(table: MetaTable, *, absolute: bool) -> list[Note]:
    legend = ", absolute values" if absolute else ", positive: agrees with human judges"
    if any(column.p_values is not None for column in table.columns):
        legend += f", {OUTPERFORMED} ({_describe_test(table)})"
        legend += ", (1), (2), …: WMT's significance clusters"
    if table.test.intervals:
        legend += f", [{table.test.interval_name}, {table.test.n_samples:,} samples]"
    marks = Note("", (Mark.BEST, Mark.SECOND), legend)
    ceiling = (
        f"{_CEILING}: half of the raters against the other half, mean over random halves; rater: one against the mean of"
        " the others; without † and rank"
    )
    notes = [ceiling] if _has_ceilings(table) else []
    if any(cell.epsilon is not None for column in table.columns for cell in column.cells):
        notes.append(
            "ε: scores of the metric that differ by at most ε are tied; it is the best one for these data unless"
            f" the statistic names another one, as {table.spec.level}:{table.spec.name}:item:held-out does"
        )
    notes += [*_describe_units(table), *_find_beaten(table)]
    return [Note(_count_units(table)), marks, *map(Note, [*notes, *_reasons(table)])]


def _describe_units(table: MetaTable) -> list[str]:
    """Describe what tests and intervals draw, if there are any: one phrase, or one for each language pair."""
    columns = [column for column in table.columns if column.resampled]
    is_tested = table.test.method == "perm-both" and any(column.p_values is not None for column in columns)
    if not columns or not (is_tested or table.test.intervals):
        return []
    if len({column.resampled for column in columns}) == 1:
        return [columns[0].resampled]
    return ["; ".join(f"{_heading(column)}: {column.resampled}" for column in columns)]


def _find_beaten(table: MetaTable) -> list[str]:
    """Name the metrics that are not significantly better than every sentinel."""
    column = table.columns[-1]
    sentinels = [i for i, label in enumerate(table.metrics) if is_sentinel(label)]
    if not sentinels or column.p_values is None:
        return []
    p = np.nan_to_num(column.p_values[:, sentinels], nan=0.0)  # a sentinel without a value does not count
    beaten = [
        label
        for i, label in enumerate(table.metrics)
        if i not in sentinels and column.cells[i].value is not None and (p[i] >= table.test.alpha).any()
    ]
    return [describe_sentinels(_heading(column), beaten)]


def _describe_test(table: MetaTable) -> str:
    test = _TESTS[table.test.method].format(table.test.n_samples)
    return f"{test}, one-sided p < {table.test.alpha:g}"


def _reasons(table: MetaTable) -> list[str]:
    """Explain missing values."""
    return [
        f"– {row.metric}, {row.pair}: {row.cell.reason}"
        for column in table.columns
        for row in make_rows(table, column)
        if row.cell.reason is not None and not column.is_summary
    ]


def _count_units(table: MetaTable) -> str:
    pairs = [column for column in table.columns if not column.is_summary]
    return f"{pairs[0].unit}: " + ", ".join(f"{_heading(column)} {column.n_units:,}" for column in pairs)


def _describe(table: MetaTable) -> dict[str, object]:
    return {
        "statistic": str(table.spec),
        "title": table.spec.title,
        "metrics": list(table.metrics),
        "test": {
            name: getattr(table.test, name) for name in ("method", "n_samples", "seed", "alpha", "intervals")
        },
        "columns": [_describe_column(table, column) for column in table.columns],
    }


def _describe_column(table: MetaTable, column: MetaColumn) -> dict[str, object]:
    matrix = None
    if column.p_values is not None:
        matrix = [[None if isnan(p) else float(p) for p in row] for row in column.p_values]
    return {
        "pair": column.pair,
        "units": {column.unit: column.n_units},
        "cells": {row.metric: make_object(AGREEMENT_FIELDS, row) for row in make_rows(table, column)},
        "p_better": matrix,
        **({} if column.ceiling is None else {"people": column.ceiling}),
        **({"raters": dict(column.raters)} if column.raters else {}),
    }


NamedChart = tuple[tuple[str, ...], Chart]
"""The parts of a name, and the chart."""


def draw_agreement(
    sets: Sequence[JudgedSet], scored: Sequence[Mapping[str, MetricScores]], *, normalised: bool = False
) -> Iterator[NamedChart]:
    """Draw each metric's scores against human scores, and all rankings of the systems, for each language pair."""
    y_label = "human score" + " (raters normalised)" * normalised
    for judged, by_label in zip(sets, scored, strict=True):
        if judged.system_scores is not None:
            yield from _draw_system_level(judged, judged.system_scores, by_label, y_label)
        if judged.segment_scores is not None:
            yield from _draw_segment_level(judged, judged.segment_scores, by_label, y_label)


def _draw_system_level(
    judged: JudgedSet, human: FloatArray, by_label: Mapping[str, MetricScores], y_label: str
) -> Iterator[NamedChart]:
    known = np.flatnonzero(~np.isnan(human))
    names = [judged.systems[i] for i in known]
    rankings = {"human judges": dict(zip(names, human[known].tolist(), strict=True))}
    constant = []
    for label, scores in by_label.items():
        if scores.system_scores is None or np.isnan(scores.system_scores[known]).any():
            continue
        oriented = scores.sign * scores.system_scores[known]
        if are_equal(oriented):
            constant.append(label)
        else:
            rankings[label] = dict(zip(names, oriented.tolist(), strict=True))
        picture = draw_scatter(
            human[known], scores.system_scores[known], title=_title(judged, f"{label} and human scores, systems"),
            x_label=_axis_label(scores), y_label=y_label, names=names,
        )  # fmt: skip
        yield ("scatter", judged.name or "all", "system", label), picture
    if len(rankings) > 1:
        title = _title(judged, "systems in the order of their scores")
        picture = draw_rankings(rankings, title=title, constant=constant)
        yield ("ranking", judged.name or "all"), picture


def _draw_segment_level(
    judged: JudgedSet, human: FloatArray, by_label: Mapping[str, MetricScores], y_label: str
) -> Iterator[NamedChart]:
    for label, scores in by_label.items():
        if scores.segment_scores is None:
            continue
        picture = draw_scatter(
            human.reshape(-1), scores.segment_scores.reshape(-1),
            title=_title(judged, f"{label} and human scores, segments"), x_label=_axis_label(scores), y_label=y_label,
        )  # fmt: skip
        yield ("scatter", judged.name or "all", "segment", label), picture


def _title(judged: JudgedSet, text: str) -> str:
    return f"{judged.name}: {text}" if judged.pair else text


def _axis_label(scores: MetricScores) -> str:
    return (
        f"{scores.label} ({explain_direction(higher_is_better=False)})" if scores.sign < 0 else scores.label
    )
