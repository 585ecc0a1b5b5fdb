"""Documents on a terminal: colours, and layouts that fit its width without losing a name or a cell."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text

from tertium.report.tables.cleaning import clean_line, display_width
from tertium.report.tables.fitting import GAP, Block, Entry, fit_table, fit_wrapped
from tertium.report.tables.model import Document, Mark, Note, Span, Table, Tone
from tertium.report.tables.text import MARK_WORDS, align, mark_spans

__all__ = ["print_to_terminal"]

_HINT = "--signatures shows the metrics' signatures"
_TONES = {
    Tone.PLAIN: "", Tone.STRONG: "bold", Tone.DIM: "dim", Tone.GOOD: "green", Tone.NOTE: "cyan",
    Tone.WARNING: "yellow", Tone.ERROR: "bold red", Tone.SURPLUS: "red", Tone.MISSING: "green",
}  # fmt: skip


def print_to_terminal(
    document: Document, *, signatures: bool = False, file: TextIO | None = None, width: int | None = None
) -> None:
    """Print the document's prose, or its tables with their notes; signatures only on demand."""
    console = Console(file=file, width=width, highlight=False, soft_wrap=True)
    for line in _draw(document, console.width, signatures=signatures):
        console.print(line)


def _draw(document: Document, width: int, *, signatures: bool) -> Iterator[Text]:
    if document.prose:
        yield from (_colour(line) for line in document.prose)
        return
    for i, table in enumerate(document.tables):
        yield from [Text()] * (i > 0)
        yield from _draw_table(table, width)
        yield from _draw_notes(table.notes, width, signatures=signatures)
    yield from _draw_notes(document.notes, width, signatures=signatures)
    every_note = [*document.notes, *(note for table in document.tables for note in table.notes)]
    if not signatures and any(note.is_signature for note in every_note):
        yield from _draw_lines(_HINT, width)


def _colour(line: Iterable[Span]) -> Text:
    return Text.assemble(*((clean_line(span.text), _TONES[span.tone]) for span in line))


def _draw_table(table: Table, width: int) -> Iterator[Text]:
    if table.title:
        yield Text(clean_line(table.title), "bold")
    if (wrapped := fit_wrapped(table, width)) is not None:
        yield from _draw_wrapped(*wrapped)
        return
    layout = fit_table(table, width)
    for i, block in enumerate(layout.blocks):
        yield from [Text()] * (i > 0)
        yield from _draw_block(block, width)
    if layout.left_out:
        yield Text()
        left_out = ", ".join(kind.value for kind in layout.left_out)
        yield from _draw_lines(f"left out for want of room: {left_out}", width)


def _draw_block(block: Block, width: int) -> Iterator[Text]:
    widths = block.widths
    if block.title:
        yield Text(block.title, "bold")
    if block.headings:
        yield _draw_row([Entry(heading) for heading in block.headings], widths, block.to_the_right, "bold")
        yield Text("─" * min(width, sum(widths) + GAP * (len(widths) - 1)), "dim")
    for row in block.rows:
        yield _draw_row(row, widths, block.to_the_right)


def _draw_wrapped(block: Block, room: int) -> Iterator[Text]:
    """Draw a table whose last column is broken into lines of so many places."""
    widths = [*block.widths[:-1], 0]
    indent = " " * (sum(widths) + GAP * (len(widths) - 1))
    console = Console(width=room)
    yield _draw_row([Entry(heading) for heading in block.headings], widths, block.to_the_right, "bold")
    yield Text("─" * (len(indent) + room), "dim")
    for row in block.rows:
        head = _draw_row([*row[:-1], Entry("")], widths, block.to_the_right)
        head.append(indent[len(head.plain) :])
        for i, line in enumerate(_write_entry(row[-1]).wrap(console, room)):
            line.rstrip()
            yield Text.assemble(head if i == 0 else indent, line)


def _write_entry(entry: Entry) -> Text:
    return _colour(mark_spans(entry.spans)) if entry.spans else Text(entry.text)


def _draw_row(
    row: Sequence[Entry], widths: Sequence[int], to_the_right: Sequence[bool], style: str = ""
) -> Text:
    line = Text()
    for i, (entry, width, right) in enumerate(zip(row, widths, to_the_right, strict=True)):
        text = align(entry.text, width, to_the_right=right)
        line.append(" " * GAP * (i > 0))
        if entry.spans:
            line.append_text(_colour(mark_spans(entry.spans)))
            line.append(" " * (width - display_width(entry.text)))
        else:
            line.append(text, style or _style(entry))
    line.rstrip()
    return line


def _style(entry: Entry) -> str:
    """Bold for the best, green for what cannot be told apart from it."""
    return " ".join(["bold"] * (Mark.BEST in entry.marks) + ["green"] * (Mark.LEADING in entry.marks))


def _draw_notes(notes: Sequence[Note], width: int, *, signatures: bool) -> Iterator[Text]:
    shown = [note for note in notes if signatures or not note.is_signature]
    if shown:
        yield Text()
    for note in shown:
        text = clean_line(note.spell(MARK_WORDS))
        yield from _draw_signature(text, width) if note.is_signature else _draw_lines(text, width)


def _draw_lines(text: str, width: int) -> Iterator[Text]:
    """Break a note between words; a word longer than the line is left to the terminal."""
    lines = textwrap.wrap(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    for line in lines:
        yield Text(line, "dim")


def _draw_signature(text: str, width: int) -> Iterator[Text]:
    """Break a signature behind its bars only."""
    first, *rest = text.split("|")
    line = first
    for part in rest:
        if len(line) + len(part) + 2 > width:
            yield Text(f"{line}|", "dim")
            line = f"  {part}"
        else:
            line += f"|{part}"
    yield Text(line, "dim")
