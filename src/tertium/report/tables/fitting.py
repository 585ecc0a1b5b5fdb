"""How a table fits a terminal: first whole, then in blocks or turned, then with less beside each number."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from tertium.report.tables.cleaning import clean_line, display_width
from tertium.report.tables.model import Cell, Column, DetailKind, Mark, MarkPlace, Row, Span, Table
from tertium.report.tables.text import write_cell

__all__ = ["GAP", "Block", "Entry", "Layout", "fit_table", "fit_wrapped"]

GAP = 2  # spaces between columns
_LEAST_ROOM = 30  # places for a sentence; with fewer, it is better shown below the other columns


@dataclass(frozen=True)
class Entry:
    """A written cell, and what decides its colour."""

    text: str
    marks: Collection[Mark] = ()
    spans: Sequence[Span] = ()


@dataclass(frozen=True)
class Block:
    """Rows below their headings, or below a title."""

    headings: Sequence[str]
    rows: Sequence[Sequence[Entry]]
    to_the_right: Sequence[bool]
    title: str = ""

    @property
    def widths(self) -> list[int]:
        """Each column's width."""
        headings = self.headings or [""] * len(self.to_the_right)
        columns = zip(headings, *([entry.text for entry in row] for row in self.rows), strict=True)
        return [max(map(display_width, column)) for column in columns]


@dataclass(frozen=True)
class Layout:
    """The blocks that show a table, and the details that they leave out."""

    blocks: Sequence[Block]
    left_out: Sequence[DetailKind] = ()


def fit_table(table: Table, width: int) -> Layout:
    """Choose how to show a table in so many places per line; no name and no cell is ever cut or left out.

    Tries the whole table, then blocks of columns or the table turned round, whichever takes fewer lines; then the
    same with fewer details. If the names alone are too long, each row becomes a card below its name.
    """
    rows = list(table.rows)
    present = {detail.kind for row in rows for cell in row for detail in cell.details}
    kinds = [kind for kind in DetailKind if kind in present]
    for n_left_out in range(len(kinds) + 1):
        left_out = kinds[:n_left_out]
        block = _write_block(table, rows, left_out)
        if _total(block.widths) <= width:
            return Layout([block], left_out)
        if stacked := _stack(block, table.columns, width):
            return Layout(stacked, left_out)
    return Layout(list(_cards(table, rows)))


def fit_wrapped(table: Table, width: int) -> tuple[Block, int] | None:
    """Lay out a table whose last column wraps, with the places that are left for it; None if they are too few."""
    if not table.columns[-1].wraps:
        return None
    block = _write_block(table, list(table.rows), ())
    room = width - sum(block.widths[:-1]) - GAP * (len(block.widths) - 1)
    return (block, room) if room >= _LEAST_ROOM else None


def _write_block(table: Table, rows: Sequence[Row], left_out: Sequence[DetailKind]) -> Block:
    entries = [
        [_enter(cell, column, table, left_out) for cell, column in zip(row, table.columns, strict=True)]
        for row in rows
    ]
    headings = [clean_line(column.heading) for column in table.columns]
    return Block(headings, entries, [column.is_number for column in table.columns])


def _enter(cell: Cell, column: Column, table: Table, left_out: Collection[DetailKind] = ()) -> Entry:
    place = table.mark_place if column.is_number else MarkPlace.BEFORE
    return Entry(write_cell(cell, place, left_out), cell.marks, cell.spans)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _stack(block: Block, columns: Sequence[Column], width: int) -> list[Block]:
    """Cut the table into blocks of columns, or turn it; an empty list if neither fits."""
    keys = [i for i, column in enumerate(columns) if column.is_key]
    choices = [_cut(block, keys, width)]
    if len(keys) == 1:
        turned = _turn(block, keys[0])
        choices.append([turned] if _total(turned.widths) <= width else [])
    return min(filter(None, choices), key=_count_lines, default=[])


def _count_lines(blocks: Sequence[Block]) -> int:
    return sum(len(block.rows) + 3 for block in blocks)  # heading, rule and a blank line


def _cut(block: Block, keys: Sequence[int], width: int) -> list[Block]:
    """Fill each block with as many columns as fit beside the keys; an empty list if one does not fit even alone.

    The heading of a column that stands alone becomes the block's title where it is too long.
    """
    parts: list[Block] = []
    chosen: list[int] = []
    for i in range(len(block.headings)):
        if i in keys:
            continue
        wider = _select(block, [*keys, *chosen, i])
        if chosen and _total(wider.widths) <= width:
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
    """Make rows of the columns."""
    names = [row[key].text for row in block.rows]
    others = [i for i in range(len(block.headings)) if i != key]
    rows = [[Entry(block.headings[i]), *(row[i] for row in block.rows)] for i in others]
    return Block(["", *names], rows, [False, *[True] * len(names)])


def _cards(table: Table, rows: Sequence[Row]) -> Iterator[Block]:
    others = [i for i, column in enumerate(table.columns) if not column.is_key]
    headings = [clean_line(table.columns[i].heading) for i in others]
    is_numeric = all(table.columns[i].is_number for i in others)
    for row in rows:
        title = "  ".join(clean_line(row[i].text) for i in range(len(row)) if i not in others)
        entries = [_enter(row[i], table.columns[i], table) for i in others]
        pairs = [[Entry(heading), entry] for heading, entry in zip(headings, entries, strict=True)]
        yield Block([], pairs, [False, is_numeric], title)
