"""Documents as LaTeX: a booktabs tabular for each table, notes as comments."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tertium.presentation.tables.model import (
    Cell,
    Column,
    Document,
    Mark,
    Note,
    Table,
    choose_notes,
    clean_line,
)

_MARK_WORDS = {Mark.BEST: "bold best", Mark.SECOND: "underlined second best"}
_COMMANDS = {Mark.BEST: r"\textbf{%s}", Mark.SECOND: r"\underline{%s}"}
_CHARACTERS = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
        "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "↑": r"$\uparrow$",
        "↓": r"$\downarrow$", "±": r"$\pm$", "…": r"\ldots{}",
    }
)  # fmt: skip
_MINUS = re.compile(r"^-(?=\d)")


def render_latex(document: Document) -> str:
    """Write the document's tables one below the other; the preamble needs booktabs."""
    parts = [render_latex_table(table) for table in document.tables]
    if document.notes:
        parts.append(_join_lines(_render_notes(document.notes)))
    return "\n".join(parts)


def render_latex_table(table: Table) -> str:
    """Write one table."""
    return _join_lines(_table_lines(table))


def _join_lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _table_lines(table: Table) -> Iterator[str]:
    yield from _render_notes([*([Note(table.title)] if table.title else []), *table.notes])
    yield rf"\begin{{tabular}}{{{''.join('r' if column.is_number else 'l' for column in table.columns)}}}"
    yield r"\toprule"
    yield _join(escape_latex(column.heading) for column in table.columns)
    yield r"\midrule"
    for row in table.rows:
        yield _join(_write(cell, column) for cell, column in zip(row, table.columns, strict=True))
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _write(cell: Cell, column: Column) -> str:
    if not column.is_number:
        return escape_latex(cell.text)
    command = next((_COMMANDS[mark] for mark in (Mark.BEST, Mark.SECOND) if mark in cell.marks), "%s")
    dagger = r"$^\dagger$" * (Mark.OUTPERFORMED in cell.marks)
    details = "".join(f" {escape_latex(detail.text)}" for detail in cell.details)
    return command % _MINUS.sub("$-$", escape_latex(cell.text).replace("–", "--")) + dagger + details


def _join(cells: Iterable[str]) -> str:
    row = " & ".join(cells)
    guard = "{}" if row.startswith(("[", "*")) else ""  # or the \\ before would read it as its argument
    return rf"{guard}{row} \\"


def _render_notes(notes: Sequence[Note]) -> Iterator[str]:
    for note in choose_notes(notes, signatures=True):
        yield f"% {clean_line(note.format(_MARK_WORDS))}"


def escape_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return clean_line(text).translate(_CHARACTERS)
