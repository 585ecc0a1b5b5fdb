"""Tables of agreement with people, in every output format."""

import json
from collections.abc import Mapping, Sequence
from math import isnan

from tertium import __version__
from tertium.agreement.tables import MetaCell, MetaColumn, MetaTable
from tertium.report.formats import escape_latex, render_layout, render_rows

__all__ = ["render_meta_tables"]

SCHEMA_VERSION = 1

_LONG_HEADER = (
    "statistic", "metric", "pair", "value", "signed", "ci_low", "ci_high", "rank", "cluster", "outperformed_by", "reason",
)  # fmt: skip
_LEGENDS = {
    "text": "* best, + second best",
    "md": "bold best, italic second best",
    "latex": "bold best, underlined second best",
}
_TESTS = {"perm-both": "PERM-BOTH, {:,} samples", "williams": "Williams' test"}


def render_meta_tables(
    tables: Sequence[MetaTable], form: str, *, signatures: Mapping[str, str], absolute: bool = False
) -> str:
    """Write tables one after the other, or as one document in JSON, CSV and TSV.

    With `absolute`, tables for people show absolute values, as papers often do.
    """
    if form == "json":
        document = {
            "schema_version": SCHEMA_VERSION,
            "tool": "tertium",
            "version": __version__,
            "signatures": dict(signatures),
            "tables": [_describe(table) for table in tables],
        }
        return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    if form in ("csv", "tsv"):
        return render_rows([_LONG_HEADER, *(row for table in tables for row in _long_rows(table))], form)
    texts = [_render_one(table, form, absolute=absolute) for table in tables]
    return "\n".join(texts) + _signature_notes(signatures, form)


def _render_one(table: MetaTable, form: str, *, absolute: bool) -> str:
    notes = _notes(table, form, absolute=absolute)
    if form == "latex":
        return _render_latex(table, notes, absolute=absolute)
    mark = _mark_markdown if form == "md" else _mark_text
    layout = [["metric", *(_heading(column) for column in table.columns)]]
    for i, label in enumerate(table.metrics):
        layout.append([label, *(mark(column.cells[i], absolute=absolute) for column in table.columns)])
    title = f"### {table.spec.title}\n" if form == "md" else table.spec.title
    return f"{title}\n{render_layout(layout, notes, form)}"


def _heading(column: MetaColumn) -> str:
    return column.pair or "all"


def _number(cell: MetaCell, *, absolute: bool) -> str:
    if cell.value is None:
        return "–"
    return f"{abs(cell.value) if absolute else cell.value:.3f}"


def _interval(cell: MetaCell) -> str:
    return "" if cell.interval is None else f" [{cell.interval[0]:.3f}, {cell.interval[1]:.3f}]"


def _mark_text(cell: MetaCell, *, absolute: bool) -> str:
    place = {1: "*", 2: "+"}.get(cell.rank or 0, " ")
    return _number(cell, absolute=absolute) + place + ("†" if cell.outperformed_by else " ") + _interval(cell)


def _mark_markdown(cell: MetaCell, *, absolute: bool) -> str:
    frame = {1: "**", 2: "_"}.get(cell.rank or 0, "")
    return (
        frame
        + _number(cell, absolute=absolute)
        + frame
        + ("†" if cell.outperformed_by else "")
        + _interval(cell)
    )


def _mark_latex(cell: MetaCell, *, absolute: bool) -> str:
    command = {1: r"\textbf{%s}", 2: r"\underline{%s}"}.get(cell.rank or 0, "%s")
    number = _number(cell, absolute=absolute).replace("–", "--").replace("-0.", "$-$0.")
    return command % number + (r"$^\dagger$" if cell.outperformed_by else "") + _interval(cell)


def _render_latex(table: MetaTable, notes: Sequence[str], *, absolute: bool) -> str:
    header = " & ".join(["metric", *(escape_latex(_heading(column)) for column in table.columns)])
    rows = [
        " & ".join(
            [escape_latex(label), *(_mark_latex(c.cells[i], absolute=absolute) for c in table.columns)]
        )
        for i, label in enumerate(table.metrics)
    ]
    return "\n".join(
        [
            *(f"% {note}" for note in (table.spec.title, *notes)),
            rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
            r"\toprule",
            header + r" \\",
            r"\midrule",
            *(row + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _notes(table: MetaTable, form: str, *, absolute: bool) -> list[str]:
    legend = _LEGENDS[form] + (", absolute values" if absolute else ", positive agrees with people")
    if any(column.p_values is not None for column in table.columns):
        test = _TESTS[table.test.method].format(table.test.n_samples)
        legend += (
            f", † significantly outperformed by another metric ({test}, one-sided p < {table.test.alpha:g})"
        )
    if table.test.intervals:
        legend += f", [95 % bootstrap interval, {table.test.n_samples:,} samples]"
    return [_count_units(table), legend, *_reasons(table)]


def _reasons(table: MetaTable) -> list[str]:
    return [
        f"– {label}, {_heading(column)}: {cell.reason}"
        for column in table.columns
        for label, cell in zip(table.metrics, column.cells, strict=True)
        if cell.reason is not None and column.unit != "language pairs"
    ]


def _count_units(table: MetaTable) -> str:
    pairs = [column for column in table.columns if column.unit != "language pairs"]
    return f"{pairs[0].unit}: " + ", ".join(f"{_heading(column)} {column.n_units:,}" for column in pairs)


def _signature_notes(signatures: Mapping[str, str], form: str) -> str:
    lines = [f"{label}: {signature}" for label, signature in signatures.items() if signature]
    if not lines:
        return ""
    before = {"md": "- ", "latex": "% "}.get(form, "")
    return "\n" + "".join(f"{before}{line}\n" for line in lines)


def _long_rows(table: MetaTable) -> list[list[object]]:
    return [
        [str(table.spec), label, _heading(column), *_long_cell(cell)]
        for column in table.columns
        for label, cell in zip(table.metrics, column.cells, strict=True)
    ]


def _long_cell(cell: MetaCell) -> list[str]:
    numbers = (cell.value, cell.signed, *(cell.interval or (None, None)), cell.rank, cell.cluster)
    return [*map(_plain, numbers), " ".join(cell.outperformed_by), cell.reason or ""]


def _plain(value: float | None) -> str:
    return "" if value is None else repr(value)


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
    }


def _describe_cell(cell: MetaCell) -> dict[str, object]:
    described = vars(cell) | {"outperformed_by": list(cell.outperformed_by)}
    return described | {"absolute": None if cell.value is None else abs(cell.value)}
