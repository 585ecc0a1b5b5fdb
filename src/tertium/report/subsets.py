"""Scores of parts of a test set as a document: a table per metric, a row per part."""

from collections.abc import Iterator, Mapping

import numpy as np

from tertium.report.score_table import MetricColumn, ScoreTable
from tertium.report.scores import describe_cell, spell_score
from tertium.report.tables.model import Cell, Column, Document, Mark, Note, Records, Row, Table, Value

__all__ = ["describe_subsets"]

MACRO, MICRO = "macro", "micro"
_UNKNOWN = "(none)"


def describe_subsets(column: str, parts: Mapping[str, ScoreTable], whole: ScoreTable) -> Document:
    """Describe the scores for every value of a column, their mean and the scores of all segments."""
    tables = [_make_table(column, parts, whole, at) for at in range(len(whole.columns))]
    types = {column: str, "segments": int, "system": str, "metric": str, "score": float}
    types |= {"ci_low": float, "ci_high": float} if _has_intervals(parts) else {}
    types |= {"p_value": float} if _has_tests(parts) else {}
    records = [[record[name] for name in types] for record in _records(column, parts, whole)]
    data = {"by": column, "scale": whole.scale, "scores": list(_records(column, parts, whole))}
    return Document("subsets", tables, Records(types, records), data)


def _make_table(column: str, parts: Mapping[str, ScoreTable], whole: ScoreTable, at: int) -> Table:
    metric = whole.columns[at]
    headings = [Column(column, column, is_key=True), Column("segments", "segments", is_number=True)]
    headings += [Column(system, system, is_number=True) for system in whole.systems]
    rows = [
        _make_row(value or _UNKNOWN, table.n_segments, table.columns[at]) for value, table in parts.items()
    ]
    rows.append(_make_macro(parts, whole, at))
    rows.append(_make_row(MICRO, whole.n_segments, whole.columns[at]))
    return Table(headings, rows, f"{metric.label} {metric.arrow}", _notes(column, parts, metric))


def _make_row(name: str, n_segments: int, metric: MetricColumn) -> Row:
    cells = [describe_cell(cell, metric.shown_scale) for cell in metric.cells]
    return [Cell(name, name), Cell(f"{n_segments:,}", n_segments), *cells]


def _make_macro(parts: Mapping[str, ScoreTable], whole: ScoreTable, at: int) -> Row:
    means = _means(parts, at)
    best = max(means) if whole.columns[at].metric.higher_is_better else min(means)
    cells = [
        Cell(
            spell_score(mean, whole.columns[at].shown_scale),
            mean,
            [Mark.BEST] * (mean == best and len(means) > 1),
        )
        for mean in means
    ]
    return [Cell(MACRO, MACRO), Cell("", None), *cells]


def _means(parts: Mapping[str, ScoreTable], at: int) -> list[float]:
    scores = [[cell.score for cell in table.columns[at].cells] for table in parts.values()]
    means: list[float] = np.mean(scores, axis=0).tolist()
    return means


def _notes(column: str, parts: Mapping[str, ScoreTable], metric: MetricColumn) -> list[Note]:
    notes = [
        Note(
            f"{MACRO}: mean over the {len(parts):,} values of {column}; {MICRO}: all segments, ", (Mark.BEST,)
        )
    ]
    lonely = [value or _UNKNOWN for value, table in parts.items() if table.n_segments == 1]
    if lonely:
        more = f" and {len(lonely) - 3:,} more" if len(lonely) > 3 else ""
        notes.append(Note(f"only 1 segment: {', '.join(lonely[:3])}{more}; such a score says little"))
    if _has_intervals(parts):
        notes.append(Note("±: half of the 95 % bootstrap interval"))
    return [*notes, Note(f"{metric.label}: {metric.signature}", is_signature=True)]


def _has_intervals(parts: Mapping[str, ScoreTable]) -> bool:
    return any(table.shows_intervals for table in parts.values())


def _has_tests(parts: Mapping[str, ScoreTable]) -> bool:
    return any(table.comparison is not None and table.comparison.baseline for table in parts.values())


def _records(column: str, parts: Mapping[str, ScoreTable], whole: ScoreTable) -> Iterator[dict[str, Value]]:
    for value, table in [*parts.items(), (MICRO, whole)]:
        for metric in table.columns:
            for cell in metric.cells:
                low, high = cell.interval or (None, None)
                yield {
                    column: value, "segments": table.n_segments, "system": cell.system, "metric": metric.label,
                    "score": cell.score, "ci_low": low, "ci_high": high, "p_value": cell.p_value,
                }  # fmt: skip
    for at, metric in enumerate(whole.columns):
        for system, mean in zip(whole.systems, _means(parts, at), strict=True):
            yield {
                column: MACRO, "segments": None, "system": system, "metric": metric.label, "score": mean,
                "ci_low": None, "ci_high": None, "p_value": None,
            }  # fmt: skip
