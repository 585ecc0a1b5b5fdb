"""Documents and charts of meta-evaluation: agreement tables, rankings and calibrations."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan

import numpy as np

from tertium import __version__
from tertium.metaeval.calibration import CalibratedMetric, Calibration
from tertium.metaeval.calibration_fitting import HeldOutResult, leave_out_collections
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.tables import MetaCell, MetaColumn, MetaTable
from tertium.reporting.charts.model import Chart
from tertium.reporting.charts.rankings import draw_rankings
from tertium.reporting.charts.scatter import draw_scatter
from tertium.reporting.tables.model import (
    Cell,
    Column,
    Detail,
    DetailKind,
    Document,
    Mark,
    MarkPlace,
    Note,
    Records,
    Row,
    Table,
    Value,
)
from tertium.types import FloatArray

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
        "cells": {
            label: _describe_cell(cell) for label, cell in zip(table.metrics, column.cells, strict=True)
        },
        "p_better": matrix,
        **({} if column.ceiling is None else {"people": column.ceiling}),
    }


def _describe_cell(cell: MetaCell) -> dict[str, object]:
    described = vars(cell) | {"outperformed_by": list(cell.outperformed_by)}
    return described | {"absolute": None if cell.value is None else abs(cell.value)}


NamedChart = tuple[tuple[str, ...], Chart]
"""The parts of a name, and the chart."""


def draw_agreement(
    sets: Sequence[JudgedSet], scored: Sequence[Mapping[str, MetricScores]], *, normalised: bool = False
) -> Iterator[NamedChart]:
    """Draw each metric against people, and how all of them rank the systems, a language pair at a time."""
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
    rankings = {"people": _rank(names, human[known])}
    for label, scores in by_label.items():
        if scores.system_scores is None or np.isnan(scores.system_scores[known]).any():
            continue
        rankings[label] = _rank(names, scores.sign * scores.system_scores[known])
        picture = draw_scatter(
            human[known], scores.system_scores[known], title=_title(judged, f"{label} and people, systems"),
            x_label=_axis_label(scores), y_label=y_label, names=names,
        )  # fmt: skip
        yield ("scatter", judged.name or "all", "system", label), picture
    if len(rankings) > 1:
        picture = draw_rankings(rankings, title=_title(judged, "systems from best to worst"))
        yield ("ranking", judged.name or "all"), picture


def _draw_segment_level(
    judged: JudgedSet, human: FloatArray, by_label: Mapping[str, MetricScores], y_label: str
) -> Iterator[NamedChart]:
    for label, scores in by_label.items():
        if scores.segment_scores is None:
            continue
        picture = draw_scatter(
            human.reshape(-1), scores.segment_scores.reshape(-1),
            title=_title(judged, f"{label} and people, segments"), x_label=_axis_label(scores), y_label=y_label,
        )  # fmt: skip
        yield ("scatter", judged.name or "all", "segment", label), picture


def _title(judged: JudgedSet, text: str) -> str:
    return f"{judged.name}: {text}" if judged.pair else text


def _axis_label(scores: MetricScores) -> str:
    return f"{scores.label} (lower is better)" if scores.sign < 0 else scores.label


def _rank(names: Sequence[str], scores: FloatArray) -> list[str]:
    return [names[i] for i in np.argsort(-scores, kind="stable")]


_SHARES = (0.6, 0.7, 0.8, 0.9)


def describe_calibration(calibration: Calibration) -> Document:
    """Describe how large a difference must be before so many of a hundred pairs of systems are preferred alike."""
    keys = [Column("metric", "metric", is_key=True), Column("target", "target", is_key=True)]
    sizes = [Column(f"at_{share:.0%}", f"{share:.0%}", is_number=True) for share in _SHARES]
    numbers = [
        Column("pairs", "pairs", is_number=True),
        *sizes,
        Column("ceiling", "ceiling", is_number=True),
    ]
    rows = [
        (metric, target, _facts(metric, target)) for metric in calibration.metrics for target in metric.curves
    ]
    people = Table(
        [*keys, *numbers],
        [_row(metric, target, facts) for metric, target, facts in rows],
        notes=[
            Note("60 %, 70 %, …: the difference at which people preferred the same system that often"),
            Note(
                "ceiling: how often at most, however large the difference; pairs of systems; …: never reached"
            ),
        ],
    )
    left_out = [row for metric in calibration.metrics for row in leave_out_collections(metric)]
    tables = [people, *([_describe_left_out(left_out)] if left_out else [])]
    columns: dict[str, type] = {"metric": str, "target": str, "pairs": int}
    columns |= {f"at_{share:.0%}": float for share in _SHARES} | {"ceiling": float}
    records: list[list[Value]] = [
        [metric.name, target or "all", *facts.values()] for metric, target, facts in rows
    ]
    data = {
        "metrics": [dict(zip(columns, record, strict=True)) for record in records],
        "left_out": [vars(row) for row in left_out],
    }
    return Document("calibration", tables, Records(columns, records), data)


def _facts(metric: CalibratedMetric, target: str) -> dict[str, Value]:
    fitted = metric.curves[target]
    n_pairs = sum(len(each.differences) for each in metric.pairs_of(target))
    reached: dict[str, Value] = {f"{share}": fitted.curve.reach(share) for share in _SHARES}
    return {"pairs": n_pairs, **reached, "ceiling": fitted.curve.ceiling}


def _row(metric: CalibratedMetric, target: str, facts: Mapping[str, Value]) -> Row:
    n_pairs, *sizes, ceiling = facts.values()
    return [
        Cell(metric.name, metric.name),
        Cell(target or "all", target or "all"),
        Cell(f"{n_pairs:,}", n_pairs),
        *(Cell("…" if size is None else f"{size:.3g}", size) for size in sizes),
        Cell(f"{ceiling:.0%}", ceiling),
    ]


def _describe_left_out(rows: Sequence[HeldOutResult]) -> Table:
    headings = ("metric", "left out", "pairs", "promised", "seen", "error", "by chance", "at most")
    columns = [
        Column(each.replace(" ", "_"), each, is_number=i > 1, is_key=i < 2) for i, each in enumerate(headings)
    ]
    cells = [
        [
            Cell(row.metric, row.metric),
            Cell(row.collection, row.collection),
            Cell(f"{row.n_pairs:,}", row.n_pairs),
            Cell(f"{row.predicted:.1%}", row.predicted),
            Cell(f"{row.seen:.1%}", row.seen),
            Cell(f"{row.error:.3f}", row.error),
            Cell(f"{row.chance:.3f}", row.chance),
            Cell(f"{row.chance_high:.3f}", row.chance_high),
        ]
        for row in rows
    ]
    notes = [
        Note("each row: what the table made from the other collections promises of this one, and what was seen there"),
        Note("error: expected calibration error in five bins; by chance: what a true table would get, as pairs share systems"),
        Note("at most: what a true table would stay below in 95 % of cases"),
    ]  # fmt: skip
    return Table(columns, cells, "Judged on what was left out", notes)
