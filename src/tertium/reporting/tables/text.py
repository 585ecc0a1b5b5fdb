"""Documents as plain text: columns aligned by spaces, notes below."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from tertium.reporting.tables.model import (
    Cell,
    Document,
    Mark,
    MarkPlace,
    Note,
    Span,
    Table,
    Tone,
    clean_line,
    display_width,
)

MARK_WORDS = {Mark.BEST: "* best", Mark.SECOND: "+ second best"}

_SPAN_MARKS = {Tone.SURPLUS: ("[-", "-]"), Tone.MISSING: ("{+", "+}")}


def mark_spans(spans: Sequence[Span]) -> list[Span]:
    """Put brackets around words that differ, for output without colours."""
    return [replace(span, text=span.text.join(_SPAN_MARKS.get(span.tone, ("", "")))) for span in spans]


def render_text(document: Document) -> str:
    """Write the document's prose, or its tables one below the other."""
    if document.prose:
        return "".join(clean_line("".join(span.text for span in line)) + "\n" for line in document.prose)
    parts = [[*_render_table(table)] for table in document.tables]
    notes = _render_notes(document.notes)
    return "\n".join("".join(f"{line}\n" for line in part) for part in [*parts, *([notes] if notes else [])])


def write_cell(cell: Cell, place: MarkPlace, without: Collection[str] = ()) -> str:
    """Write one cell with its marks and details: `*44.80 ±2.10 p=0.0120 ab`, or `0.977 † [0.950, 0.990]`."""
    is_best = Mark.BEST in cell.marks
    details = "".join(f" {each.text}" for each in cell.details if each.kind not in without)
    if place is MarkPlace.BEFORE:
        return clean_line("*" * is_best + cell.text + details)
    rank = "*" if is_best else "+" if Mark.SECOND in cell.marks else " "
    dagger = "†" if Mark.OUTPERFORMED in cell.marks else " "
    return clean_line(cell.text + rank + dagger + details)


def align(text: str, width: int, *, to_the_right: bool) -> str:
    """Pad a text with spaces."""
    space = " " * (width - display_width(text))
    return space + text if to_the_right else text + space


def _render_table(table: Table) -> Iterator[str]:
    if table.title:
        yield clean_line(table.title)
    layout = [[clean_line(column.heading) for column in table.columns]]
    for row in table.rows:
        numbers = zip(row, table.columns, strict=True)
        layout.append([_write(cell, table, is_number=column.is_number) for cell, column in numbers])
    yield from _align_rows(layout, [column.is_number for column in table.columns])
    if table.notes:
        yield from chain([""], _render_notes(table.notes))


def _write(cell: Cell, table: Table, *, is_number: bool) -> str:
    return write_cell(cell, table.mark_place if is_number else MarkPlace.BEFORE)


def _align_rows(layout: Sequence[Sequence[str]], to_the_right: Sequence[bool]) -> Iterator[str]:
    widths = [max(map(display_width, column)) for column in zip(*layout, strict=True)]
    for row in layout:
        places = zip(row, widths, to_the_right, strict=True)
        yield "  ".join(align(text, width, to_the_right=right) for text, width, right in places).rstrip()


def _render_notes(notes: Iterable[Note]) -> list[str]:
    return [clean_line(note.format(MARK_WORDS)) for note in notes]
