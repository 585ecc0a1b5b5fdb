"""Render the tables that compare each printed number with ours."""

from collections.abc import Sequence
from pathlib import Path

from papers.layout import PaperTable, Row
from papers.markdown import number, table
from papers.scoring import ours
from tertium.metaeval.agreement import parse_statistic

__all__ = ["render_table"]

FAR = 0.02


def render_table(shown: PaperTable, data: Path) -> str:
    """Render a table with its heading, the reasons for gaps, and the text below it."""
    cells = {i: _cells(shown, row, data) for i, row in enumerate(shown.rows)}
    missing = [row for i, row in enumerate(shown.rows) if all(cell.startswith("–") for cell in cells[i])]
    rows = [[row.name, row.description, *cells[i]] for i, row in enumerate(shown.rows) if row not in missing]
    far = [row for i, row in enumerate(shown.rows) if any("**" in cell for cell in cells[i])]
    notes = _notes(far)
    if missing:
        notes.append(
            f"- Not computed here: {', '.join(f'{row.name} ({row.description})' for row in missing)}."
        )
    head = ["metric", "ours", *(column.heading for column in shown.columns)]
    parts = [f"### {shown.title}\n", table(head, rows, n_names=2)]
    parts += ["\n".join(notes) + "\n"] if notes else []
    return "\n".join([*parts, *([f"{shown.text}\n"] if shown.text else [])])


def _cells(shown: PaperTable, row: Row, data: Path) -> list[str]:
    values = [
        ours(parse_statistic(column.statistic or shown.statistic), row, column, data / shown.folder)
        for column in shown.columns
    ]
    far = FAR if shown.explains else float("inf")
    return [_show(value, printed, far) for value, printed in zip(values, row.printed, strict=True)]


def _notes(rows: Sequence[Row]) -> list[str]:
    """List each explanation once, with the rows that it explains."""
    names: dict[str, dict[str, None]] = {}
    for row in rows:
        names.setdefault(row.note or "not explained.", {})[row.name] = None
    return [f"- {', '.join(explained)}: {note}" for note, explained in names.items()]


def _show(value: float | None, printed: float | None, far: float) -> str:
    text = f"{number(value)} / {number(printed)}"
    is_far = value is not None and printed is not None and abs(value - printed) > far
    return f"**{text}**" if is_far else text
