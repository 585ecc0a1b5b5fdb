"""Agreement with people as a document: a table per statistic, metrics by language pairs."""

from collections.abc import Mapping, Sequence
from math import isnan

from tertium import __version__
from tertium.agreement.tables import MetaCell, MetaColumn, MetaTable
from tertium.report.tables.model import (
    Cell,
    Column,
    Detail,
    DetailKind,
    Document,
    Mark,
    MarkPlace,
    Note,
    Records,
    Table,
    Value,
)

__all__ = ["describe_agreement"]

SCHEMA_VERSION = 1

_RECORD: Mapping[str, type] = {
    "statistic": str, "metric": str, "pair": str, "value": float, "signed": float, "ci_low": float,
    "ci_high": float, "rank": int, "cluster": int, "outperformed_by": str, "reason": str,
}  # fmt: skip
_TESTS = {"perm-both": "PERM-BOTH, {:,} samples", "williams": "Williams' test"}


def describe_agreement(
    tables: Sequence[MetaTable], *, signatures: Mapping[str, str], absolute: bool = False
) -> Document:
    """Describe tables of agreement with people.

    Parameters
    ----------
    signatures
        By metric label; empty for metrics whose scores came from files.
    absolute
        Whether tables for people show absolute values, as papers often do.
    """
    data = {
        "schema_version": SCHEMA_VERSION,
        "tool": "tertium",
        "version": __version__,
        "signatures": dict(signatures),
        "tables": [_describe(table) for table in tables],
    }
    notes = [f"{label}: {signature}" for label, signature in signatures.items() if signature]
    return Document(
        "agreement",
        [_show_table(table, absolute=absolute) for table in tables],
        Records(_RECORD, [row for table in tables for row in _records(table)]),
        data,
        [Note(note, is_signature=True) for note in notes],
    )


def _show_table(table: MetaTable, *, absolute: bool) -> Table:
    headings = [_heading(column) for column in table.columns]
    return Table(
        [Column("metric", "metric", is_key=True), *(Column(each, each, is_number=True) for each in headings)],
        [
            [
                Cell(label, label),
                *(_show_cell(column.cells[i], absolute=absolute) for column in table.columns),
            ]
            for i, label in enumerate(table.metrics)
        ]
        + _show_ceilings(table),
        table.spec.title,
        _notes(table, absolute=absolute),
        MarkPlace.BEHIND,
    )


def _show_ceilings(table: MetaTable) -> list[list[Cell]]:
    """The last row: how well people agree with people."""
    values = [column.ceiling for column in table.columns]
    if all(value is None for value in values):
        return []
    cells = [Cell("–" if value is None else f"{value:.3f}", value) for value in values]
    return [[Cell("people", "people"), *cells]]


def _heading(column: MetaColumn) -> str:
    return column.pair or "all"


def _show_cell(cell: MetaCell, *, absolute: bool) -> Cell:
    ranks = {1: Mark.BEST, 2: Mark.SECOND}
    marks = [ranks[cell.rank]] if cell.rank in ranks else []
    marks += [Mark.OUTPERFORMED] if cell.outperformed_by else []
    marks += [Mark.LEADING] if cell.cluster == 1 else []
    details = []
    if cell.interval is not None:
        low, high = cell.interval
        details.append(Detail(DetailKind.INTERVAL, f"[{low:.3f}, {high:.3f}]"))
    if cell.value is None:
        return Cell("–", None, marks, details)
    value = abs(cell.value) if absolute else cell.value
    return Cell(f"{value:.3f}", value, marks, details)


def _notes(table: MetaTable, *, absolute: bool) -> list[Note]:
    legend = ", absolute values" if absolute else ", positive agrees with people"
    if any(column.p_values is not None for column in table.columns):
        test = _TESTS[table.test.method].format(table.test.n_samples)
        legend += (
            f", † significantly outperformed by another metric ({test}, one-sided p < {table.test.alpha:g})"
        )
    if table.test.intervals:
        legend += f", [95 % bootstrap interval, {table.test.n_samples:,} samples]"
    marks = Note("", (Mark.BEST, Mark.SECOND), legend)
    people = [
        Note("people: half of the raters against the other half, averaged over random halves; † and ranks leave it out")
        for _ in _show_ceilings(table)
    ]  # fmt: skip
    return [Note(_count_units(table)), marks, *people, *map(Note, _reasons(table))]


def _reasons(table: MetaTable) -> list[str]:
    """Why there is no value, where there is none."""
    return [
        f"– {label}, {_heading(column)}: {cell.reason}"
        for column in table.columns
        for label, cell in zip(table.metrics, column.cells, strict=True)
        if cell.reason is not None and column.unit != "language pairs"
    ]


def _count_units(table: MetaTable) -> str:
    pairs = [column for column in table.columns if column.unit != "language pairs"]
    return f"{pairs[0].unit}: " + ", ".join(f"{_heading(column)} {column.n_units:,}" for column in pairs)


def _records(table: MetaTable) -> list[list[Value]]:
    return [
        [str(table.spec), label, _heading(column), *_record(cell)]
        for column in table.columns
        for label, cell in zip(table.metrics, column.cells, strict=True)
    ]


def _record(cell: MetaCell) -> list[Value]:
    low, high = cell.interval or (None, None)
    better = " ".join(cell.outperformed_by)
    return [cell.value, cell.signed, low, high, cell.rank, cell.cluster, better, cell.reason]


def _describe(table: MetaTable) -> dict[str, object]:
    return {
        "statistic": str(table.spec),
        "title": table.spec.title,
        "metrics": list(table.metrics),
        "test": vars(table.test),
        "columns": [_describe_column(table, column) for column in table.columns],
    }


def _describe_column(table: MetaTable, column: MetaColumn) -> dict[str, object]:
    matrix = None
    if column.p_values is not None:
        matrix = [[None if isnan(p) else float(p) for p in row] for row in column.p_values]
    return {
        "pair": column.pair,
        "units": {column.unit: column.n_units},
        "cells": {
            label: _describe_cell(cell) for label, cell in zip(table.metrics, column.cells, strict=True)
        },
        "p_better": matrix,
        **({} if column.ceiling is None else {"people": column.ceiling}),
    }


def _describe_cell(cell: MetaCell) -> dict[str, object]:
    described = vars(cell) | {"outperformed_by": list(cell.outperformed_by)}
    return described | {"absolute": None if cell.value is None else abs(cell.value)}
