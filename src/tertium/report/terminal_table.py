"""The score table on a terminal: best score bold, its cluster green, systems in the order given."""

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from tertium.report.formats import footnotes, headings, show_cell
from tertium.report.scores import Cell, ScoreTable

__all__ = ["print_scores"]


def print_scores(table: ScoreTable) -> None:
    """Draw the table and its notes."""
    console = Console(highlight=False)
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    drawn.add_column("system")
    for heading in headings(table):
        drawn.add_column(escape(heading), justify="right", no_wrap=True)
    for i, system in enumerate(table.systems):
        cells = [_style(column.cells[i], table.scale) for column in table.columns]
        drawn.add_row(Text(system), *cells)
    console.print(drawn)
    for note in footnotes(table):
        console.print(Text(note, style="dim"))


def _style(cell: Cell, scale: int) -> Text:
    style = "bold " * cell.is_best + "green" * (cell.cluster == 1)
    return Text(show_cell(cell, scale), style=style.strip())
