"""Documents as Markdown: tables in GitHub's dialect, notes as lists."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tertium.presentation.tables.model import (
    Cell,
    Column,
    Document,
    Mark,
    MarkPlace,
    Note,
    Table,
    choose_notes,
    clean_line,
)
from tertium.presentation.tables.text import MARK_WORDS

_MARK_WORDS = {Mark.BEST: "bold best", Mark.SECOND: "italic second best"}
_FRAMES = {Mark.BEST: "**", Mark.SECOND: "_"}

# Characters that begin an escape, code, emphasis, a link, a tag or a character reference; an underscore or a `<`
# inside plain text does not and is left unchanged.
_ACTIVE = r"[\\`*~]|(?<!\w)_|_(?!\w)|\](?=[(\[])|<(?=[A-Za-z/!?])|&(?=#?\w+;)"


def render_markdown(document: Document) -> str:
    """Write the document's tables one below the other."""
    parts = [[*_render_table(table)] for table in document.tables]
    if document.notes:
        parts.append([*_render_notes(document.notes, MARK_WORDS)])
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts)


def _render_table(table: Table) -> Iterator[str]:
    if table.title:
        yield from (f"### {_escape(table.title)}", "")
    yield _join(_escape_cell(column.heading) for column in table.columns)
    yield _join("---:" if column.is_number else "---" for column in table.columns)
    for row in table.rows:
        cells = zip(row, table.columns, strict=True)
        yield _join(_write(cell, column, table.mark_place) for cell, column in cells)
    if table.notes:
        yield ""
        yield from _render_notes(
            table.notes, MARK_WORDS if table.mark_place is MarkPlace.BEFORE else _MARK_WORDS
        )


def _write(cell: Cell, column: Column, place: MarkPlace) -> str:
    if not column.is_number:
        return _escape_cell(cell.text)
    details = "".join(f" {_escape_cell(detail.text)}" for detail in cell.details)
    if place is MarkPlace.BEFORE:  # a single star does not start emphasis
        return "*" * (Mark.BEST in cell.marks) + _escape_cell(cell.text) + details
    frame = next((_FRAMES[mark] for mark in (Mark.BEST, Mark.SECOND) if mark in cell.marks), "")
    dagger = "†" * (Mark.OUTPERFORMED in cell.marks)
    return frame + _escape_cell(cell.text) + frame + dagger + details


def _join(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _render_notes(notes: Sequence[Note], words: dict[Mark, str]) -> Iterator[str]:
    for note in choose_notes(notes, signatures=True):
        marks = ", ".join(words[mark] for mark in note.marks)
        yield f"- {_escape(note.text)}{marks}{_escape(note.after)}"


def _escape(text: str) -> str:
    return re.sub(_ACTIVE, r"\\\g<0>", clean_line(text))


def _escape_cell(text: str) -> str:
    return _escape(text).replace("|", r"\|")
