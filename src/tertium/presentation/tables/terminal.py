"""Documents on a terminal: colours, and layouts that fit its width without losing a name or a cell."""

import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TextIO

from rich.console import Console
from rich.text import Text

from tertium.presentation.tables.model import (
    Column,
    Document,
    Mark,
    Note,
    Row,
    Span,
    Table,
    Tone,
    choose_notes,
    clean_line,
    display_width,
)
from tertium.presentation.tables.text import (
    MARK_WORDS,
    hides_signatures,
    mark_spans,
    order_kinds,
    pad,
    write_cells,
    write_signature_hint,
)
from tertium.records import record

GAP = 2  # spaces between columns
_MIN_WIDTH = 30  # columns for a sentence; with fewer, it is shown below the other columns


@record
class StyledCell:
    """A formatted cell with the marks and pieces that decide its colours."""

    text: str
    marks: Collection[Mark] = ()
    spans: Sequence[Span] = ()


@record
class Block:
    """Rows below their headings, or below a title."""

    headings: Sequence[str]
    rows: Sequence[Sequence[StyledCell]]
    to_the_right: Sequence[bool]
    title: str = ""

    @property
    def widths(self) -> list[int]:
        """Each column's width."""
        headings = self.headings or [""] * len(self.to_the_right)
        columns = zip(headings, *([entry.text for entry in row] for row in self.rows), strict=True)
        return [max(map(display_width, column)) for column in columns]


@record
class Layout:
    """The blocks that show a table, and the details that they omit."""

    blocks: Sequence[Block]
    left_out: Sequence[str] = ()


def fit_table(table: Table, width: int) -> Layout:
    """Choose a layout for a table in a terminal of this width; names and cells are never cut or omitted.

    Tries the whole table, then blocks of columns or the transposed table, whichever needs fewer lines; then the
    same with fewer details. If the names alone are too long, each row becomes a card below its name.
    """
    rows = list(table.rows)
    kinds = order_kinds(cell for row in rows for cell in row)
    for n_left_out in range(len(kinds) + 1):
        left_out = kinds[:n_left_out]
        block = _write_block(table, rows, left_out)
        if _total(block.widths) <= width:
            return Layout([block], left_out)
        turned = _write_block(table, rows, left_out, is_transposed=True)
        if stacked := _stack(block, turned, table.columns, width):
            return Layout(stacked, left_out)
    return Layout(list(_cards(table, rows)))


def fit_wrapped(table: Table, width: int) -> tuple[Block, int] | None:
    """Format a table whose last column wraps, and return the width of that column; None if it is too small."""
    if not table.columns[-1].wraps:
        return None
    block = _write_block(table, list(table.rows), ())
    room = width - sum(block.widths[:-1]) - GAP * (len(block.widths) - 1)
    return (block, room) if room >= _MIN_WIDTH else None


def _write_block(
    table: Table, rows: Sequence[Row], left_out: Sequence[str], *, is_transposed: bool = False
) -> Block:
    cells = write_cells(table, rows, left_out, is_transposed=is_transposed)
    entries = [
        [StyledCell(text, cell.marks, cell.spans) for text, cell in zip(texts, row, strict=True)]
        for texts, row in zip(cells, rows, strict=True)
    ]
    headings = [clean_line(column.heading) for column in table.columns]
    return Block(headings, entries, [column.is_number for column in table.columns])


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _stack(block: Block, turned: Block, columns: Sequence[Column], width: int) -> list[Block]:
    """Cut the table into blocks of columns, or transpose it; an empty list if neither fits."""
    keys = [i for i, column in enumerate(columns) if column.is_key]
    choices = [_cut(block, keys, width)]
    if len(keys) == 1:
        turned = _turn(turned, keys[0])
        choices.append([turned] if _total(turned.widths) <= width else [])
    return min(filter(None, choices), key=_count_lines, default=[])


def _count_lines(blocks: Sequence[Block]) -> int:
    return sum(len(block.rows) + 3 for block in blocks)  # heading, rule and a blank line


def _cut(block: Block, keys: Sequence[int], width: int) -> list[Block]:
    """Cut the table into as few blocks as possible, with about as many columns each; an empty list if none fits.

    If a block has one column and its heading is too long, the heading becomes the block's title.
    """
    n_columns = len(block.headings) - len(keys)
    parts = _fill(block, keys, width, n_columns)
    even = _fill(block, keys, width, -(-n_columns // max(1, len(parts))))
    return even if len(even) == len(parts) else parts


def _fill(block: Block, keys: Sequence[int], width: int, most: int) -> list[Block]:
    """Fill each block with as many columns as fit beside the keys, at most `most`."""
    parts: list[Block] = []
    chosen: list[int] = []
    for i in range(len(block.headings)):
        if i in keys:
            continue
        wider = _select(block, [*keys, *chosen, i])
        if chosen and len(chosen) < most and _total(wider.widths) <= width:
            parts[-1], chosen = wider, [*chosen, i]
            continue
        alone, chosen = _select(block, [*keys, i]), [i]
        parts.append(alone if _total(alone.widths) <= width else _entitle(alone, block.headings[i]))
    return parts if all(_total(part.widths) <= width for part in parts) else []


def _entitle(block: Block, heading: str) -> Block:
    return replace(block, headings=[], title=heading)


def _select(block: Block, chosen: Sequence[int]) -> Block:
    return Block(
        [block.headings[i] for i in chosen],
        [[row[i] for i in chosen] for row in block.rows],
        [block.to_the_right[i] for i in chosen],
    )


def _turn(block: Block, key: int) -> Block:
    """Transpose the block."""
    names = [row[key].text for row in block.rows]
    others = [i for i in range(len(block.headings)) if i != key]
    rows = [[StyledCell(block.headings[i]), *(row[i] for row in block.rows)] for i in others]
    return Block(["", *names], rows, [False, *[True] * len(names)])


def _cards(table: Table, rows: Sequence[Row]) -> Iterator[Block]:
    others = [i for i, column in enumerate(table.columns) if not column.is_key]
    headings = [clean_line(table.columns[i].heading) for i in others]
    is_numeric = all(table.columns[i].is_number for i in others)
    for row in rows:
        title = "  ".join(clean_line(row[i].text) for i in range(len(row)) if i not in others)
        (texts,) = write_cells(table, [row])
        entries = [StyledCell(texts[i].rstrip(), row[i].marks, row[i].spans) for i in others]
        pairs = [[StyledCell(heading), entry] for heading, entry in zip(headings, entries, strict=True)]
        yield Block([], pairs, [False, is_numeric], title)


_TONES = {
    Tone.PLAIN: "", Tone.STRONG: "bold", Tone.DIM: "dim", Tone.GOOD: "green", Tone.NOTE: "cyan",
    Tone.WARNING: "yellow", Tone.ERROR: "bold red", Tone.SURPLUS: "red", Tone.MISSING: "green",
    Tone.MAJOR: "bold underline red", Tone.MINOR: "underline yellow",
}  # fmt: skip


def print_to_terminal(
    document: Document, *, signatures: bool = False, file: TextIO | None = None, width: int | None = None
) -> None:
    """Print the document's prose, or its tables with their notes; signatures only on request."""
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
    if not signatures and hides_signatures(document):
        yield from _draw_lines(write_signature_hint(), width)


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
        yield from _draw_lines(f"not shown in this width: {', '.join(layout.left_out)}", width)


def _draw_block(block: Block, width: int) -> Iterator[Text]:
    widths = block.widths
    if block.title:
        yield Text(block.title, "bold")
    if block.headings:
        yield _draw_row(
            [StyledCell(heading) for heading in block.headings], widths, block.to_the_right, "bold"
        )
        yield Text("─" * min(width, sum(widths) + GAP * (len(widths) - 1)), "dim")
    for row in block.rows:
        yield _draw_row(row, widths, block.to_the_right)


def _draw_wrapped(block: Block, room: int) -> Iterator[Text]:
    """Draw a table whose last column is broken into lines of this width."""
    widths = [*block.widths[:-1], 0]
    indent = " " * (sum(widths) + GAP * (len(widths) - 1))
    console = Console(width=room)
    yield _draw_row([StyledCell(heading) for heading in block.headings], widths, block.to_the_right, "bold")
    yield Text("─" * (len(indent) + room), "dim")
    for row in block.rows:
        head = _draw_row([*row[:-1], StyledCell("")], widths, block.to_the_right)
        head.append(indent[len(head.plain) :])
        for i, line in enumerate(_write_entry(row[-1]).wrap(console, room)):
            line.rstrip()
            yield Text.assemble(head if i == 0 else indent, line)


def _write_entry(entry: StyledCell) -> Text:
    return _colour(mark_spans(entry.spans)) if entry.spans else Text(entry.text)


def _draw_row(
    row: Sequence[StyledCell], widths: Sequence[int], to_the_right: Sequence[bool], style: str = ""
) -> Text:
    line = Text()
    for i, (entry, width, right) in enumerate(zip(row, widths, to_the_right, strict=True)):
        text = pad(entry.text, width, to_the_right=right)
        line.append(" " * GAP * (i > 0))
        if entry.spans:
            line.append_text(_colour(mark_spans(entry.spans)))
            line.append(" " * (width - display_width(entry.text)))
        else:
            line.append(text, style or _style(entry))
    line.rstrip()
    return line


def _style(entry: StyledCell) -> str:
    """Choose bold for the best score, green for scores that are not significantly different from it."""
    return " ".join(["bold"] * (Mark.BEST in entry.marks) + ["green"] * (Mark.LEADING in entry.marks))


def _draw_notes(notes: Sequence[Note], width: int, *, signatures: bool) -> Iterator[Text]:
    shown = choose_notes(notes, signatures=signatures)
    if shown:
        yield Text()
    for note in shown:
        text = clean_line(note.format(MARK_WORDS))
        yield from _draw_signature(text, width) if note.is_signature else _draw_lines(text, width)


def _draw_lines(text: str, width: int) -> Iterator[Text]:
    """Break a note between words; a word longer than the line is broken by the terminal."""
    kept = text.replace(" %", "\N{NO-BREAK SPACE}%")
    lines = textwrap.wrap(kept, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    for line in lines:
        yield Text(line.replace("\N{NO-BREAK SPACE}", " "), "dim")


def _draw_signature(text: str, width: int) -> Iterator[Text]:
    """Break a signature only after its bars."""
    first, *rest = text.split("|")
    line = first
    for part in rest:
        if len(line) + len(part) + 2 > width:
            yield Text(f"{line}|", "dim")
            line = f"  {part}"
        else:
            line += f"|{part}"
    yield Text(line, "dim")
