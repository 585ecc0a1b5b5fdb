"""Documents as HTML fragments, for notebooks and pages; every text is escaped."""

from collections.abc import Iterator, Sequence
from html import escape

from tertium.presentation.tables.model import (
    Cell,
    Column,
    Document,
    Mark,
    Note,
    Span,
    Table,
    Tone,
    choose_notes,
    clean_line,
)

_MARK_WORDS = {Mark.BEST: "bold best", Mark.SECOND: "italic second best"}
_TAGS = {Mark.BEST: "strong", Mark.SECOND: "em"}
_SPAN_TAGS = {Tone.SURPLUS: "del", Tone.MISSING: "ins", Tone.MAJOR: "mark", Tone.MINOR: "u"}
_STYLES = {True: "text-align:right", False: "text-align:left"}


def render_html(document: Document) -> str:
    """Write a `div` that holds the document's tables, each with its notes."""
    lines = [f'<div class="tertium {_escape(document.name)}">']
    for table in document.tables:
        lines += _render_table(table)
    lines += _render_notes(document.notes)
    return "\n".join([*lines, "</div>"]) + "\n"


def _render_table(table: Table) -> Iterator[str]:
    yield "<table>"
    if table.title:
        yield f"<caption>{_escape(table.title)}</caption>"
    headings = "".join(map(_render_heading, table.columns))
    yield f"<thead><tr>{headings}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        cells = zip(row, table.columns, strict=True)
        yield f"<tr>{''.join(_render_cell(cell, column) for cell, column in cells)}</tr>"
    yield "</tbody>"
    yield "</table>"
    yield from _render_notes(table.notes)


def _render_heading(column: Column) -> str:
    return f'<th scope="col" style="{_STYLES[column.is_number]}">{_escape(column.heading)}</th>'


def _render_cell(cell: Cell, column: Column) -> str:
    if column.is_key:
        return f'<th scope="row" style="{_STYLES[column.is_number]}">{_escape(cell.text)}</th>'
    is_number = isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool)
    value = f' data-value="{cell.value}"' if is_number else ""
    leading = ' class="leading"' if Mark.LEADING in cell.marks else ""
    return f'<td{leading} style="{_STYLES[column.is_number]}"{value}>{_render_content(cell)}</td>'


def _render_content(cell: Cell) -> str:
    content = "".join(map(_render_span, cell.spans)) if cell.spans else _escape(cell.text)
    for mark, tag in _TAGS.items():
        if mark in cell.marks:
            content = f"<{tag}>{content}</{tag}>"
    dagger = "<sup>†</sup>" * (Mark.OUTPERFORMED in cell.marks)
    details = "".join(f" <small>{_escape(detail.text)}</small>" for detail in cell.details)
    return content + dagger + details


def _render_span(span: Span) -> str:
    tag = _SPAN_TAGS.get(span.tone)
    return _escape(span.text) if tag is None else f"<{tag}>{_escape(span.text)}</{tag}>"


def _render_notes(notes: Sequence[Note]) -> Iterator[str]:
    items = [f"<li>{_render_note(note)}</li>" for note in choose_notes(notes, signatures=True)]
    if items:
        yield from ['<ul class="notes">', *items, "</ul>"]


def _render_note(note: Note) -> str:
    text = _escape(note.format(_MARK_WORDS))
    return f"<code>{text}</code>" if note.is_signature else text


def _escape(text: str) -> str:
    return escape(clean_line(text))
