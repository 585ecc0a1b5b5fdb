"""Documents as plain text: columns aligned by spaces, notes below."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from tertium.errors import argument
from tertium.presentation.tables.model import (
    Cell,
    Document,
    Mark,
    MarkPlace,
    Note,
    Row,
    Span,
    Table,
    Tone,
    choose_notes,
    clean_line,
    display_width,
)

LETTERS = "letters"
"""The kind of details that are aligned at the left."""

MARK_WORDS = {Mark.BEST: "* best", Mark.SECOND: "+ second best"}

_SPAN_MARKS = {
    Tone.SURPLUS: ("[-", "-]"),
    Tone.MISSING: ("{+", "+}"),
    Tone.MAJOR: ("[!", "!]"),
    Tone.MINOR: ("[~", "~]"),
}


def mark_spans(spans: Sequence[Span]) -> list[Span]:
    """Put brackets around words that differ, for output without colours."""
    return [replace(span, text=span.text.join(_SPAN_MARKS.get(span.tone, ("", "")))) for span in spans]


def render_text(document: Document, *, signatures: bool = True) -> str:
    """Write the document's prose, or its tables one below the other."""
    if document.prose:
        return "".join(clean_line("".join(span.text for span in line)) + "\n" for line in document.prose)
    parts = [[*_render_table(table, signatures=signatures)] for table in document.tables]
    notes = _render_notes(document.notes, signatures=signatures)
    if not signatures and hides_signatures(document):
        notes.append(write_signature_hint())
    return "\n".join("".join(f"{line}\n" for line in part) for part in [*parts, *([notes] if notes else [])])


def hides_signatures(document: Document) -> bool:
    """Whether the document has signatures, but no note that says how to see them."""
    notes = [*document.notes, *(note for table in document.tables for note in table.notes)]
    return any(note.is_signature for note in notes) and not any(note.is_hint for note in notes)


def write_signature_hint() -> str:
    """Say how to see the signatures."""
    return f"{argument('signatures')} shows the metrics' signatures"


def write_cells(
    table: Table, rows: Sequence[Row], without: Collection[str] = (), *, is_transposed: bool = False
) -> list[list[str]]:
    """Write the cells of rows with their marks and details; the details of a column are aligned.

    Parameters
    ----------
    without
        Kinds of details to omit.
    is_transposed
        Whether rows will become columns; then all details of one kind have the same width.
    """
    columns = list(zip(*rows, strict=True)) if rows else []
    shared = _detail_widths([cell for row in rows for cell in row]) if is_transposed else {}
    written = [
        _write_column(
            cells,
            table.mark_place if column.is_number else MarkPlace.BEFORE,
            {kind: shared.get(kind, n) for kind, n in _detail_widths(cells).items() if kind not in without},
        )
        for cells, column in zip(columns, table.columns, strict=bool(rows))
    ]
    return [list(row) for row in zip(*written, strict=True)]


def _detail_widths(cells: Sequence[Cell]) -> dict[str, int]:
    """Return the width of each kind of details, from left to right."""
    details = [detail for cell in cells for detail in cell.details]
    return {
        kind: max(display_width(clean_line(detail.text)) for detail in details if detail.kind == kind)
        for kind in order_kinds(cells)
    }


def _write_column(cells: Sequence[Cell], place: MarkPlace, widths: Mapping[str, int]) -> list[str]:
    written = []
    for cell in cells:
        texts = {detail.kind: clean_line(detail.text) for detail in cell.details}
        details = [
            pad(texts.get(kind, ""), width, to_the_right=kind != LETTERS) for kind, width in widths.items()
        ]
        written.append(" ".join([_write_number(cell, place), *details]))
    return written


def _write_number(cell: Cell, place: MarkPlace) -> str:
    """Write a cell with its marks: `*44.80`, or `0.977+†`."""
    is_best = Mark.BEST in cell.marks
    if place is MarkPlace.BEFORE:
        return clean_line("*" * is_best + cell.text)
    rank = "*" if is_best else "+" if Mark.SECOND in cell.marks else " "
    dagger = "†" if Mark.OUTPERFORMED in cell.marks else " "
    return clean_line(cell.text) + rank + dagger


def order_kinds(cells: Iterable[Cell]) -> list[str]:
    """List the kinds of details from left to right; not every cell has all of them."""
    positions: dict[str, int] = {}
    for cell in cells:
        for i, detail in enumerate(cell.details):
            positions[detail.kind] = max(i, positions.get(detail.kind, 0))
    return sorted(positions, key=lambda kind: positions[kind])


def pad(text: str, width: int, *, to_the_right: bool) -> str:
    """Pad a text with spaces."""
    space = " " * (width - display_width(text))
    return space + text if to_the_right else text + space


def _render_table(table: Table, *, signatures: bool) -> Iterator[str]:
    if table.title:
        yield clean_line(table.title)
    layout = [
        [clean_line(column.heading) for column in table.columns],
        *write_cells(table, list(table.rows)),
    ]
    widths = [max(map(display_width, column)) for column in zip(*layout, strict=True)]
    for row in layout:
        places = zip(row, widths, table.columns, strict=True)
        padded = (pad(text, width, to_the_right=column.is_number) for text, width, column in places)
        yield "  ".join(padded).rstrip()
    if notes := _render_notes(table.notes, signatures=signatures):
        yield from chain([""], notes)


def _render_notes(notes: Sequence[Note], *, signatures: bool) -> list[str]:
    return [clean_line(note.format(MARK_WORDS)) for note in choose_notes(notes, signatures=signatures)]
