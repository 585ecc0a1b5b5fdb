"""Render tables, lists of claims and charts of the page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tertium.presentation.charts.model import Chart

__all__ = ["Pictures", "claims", "number", "table"]


@dataclass(frozen=True)
class Pictures:
    """The folder for charts and its name in the page; charts are not written without a folder."""

    folder: Path | None = None
    address: str = "images/papers"

    def show(self, name: str, chart: Chart, words: str) -> str:
        """Write a chart; return the Markdown that shows it."""
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            chart.write(self.folder / f"{name}.svg")
        return f"![{words}]({self.address}/{name}.svg)\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], n_names: int = 1) -> str:
    """Render a table whose first columns are names and the others numbers."""
    marks = ["---" if i < n_names else "---:" for i in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, marks, *rows)) + "\n"


def number(value: float | None, digits: int = 3) -> str:
    """Format a number for a table; – if it is missing."""
    return "–" if value is None or value != value else f"{value:.{digits}f}"  # noqa: PLR0124 - NaN


def claims(rows: Iterable[tuple[str, str]]) -> str:
    """Render a list of a paper's claims and our results."""
    return table(("claim", "here"), rows, n_names=2)
