"""Computes the papers' tables from the WMT data and prints ours beside theirs, in Markdown.

Usage: PYTHONPATH=benchmarks python -m papers.run FOLDER [--vectors FOLDER] > docs/papers.md; the first folder
holds wmt12, wmt14 and wmt15 unpacked.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from papers.claims import CLAIMS, CURVES, EVALUATION, HEAD
from papers.layout import PaperTable, Row
from papers.scoring import ours
from papers.tables import TABLES
from papers.thresholds import find_vectors, render_curves, render_evaluation
from tertium.agreement.statistics import parse_statistic

FAR = 0.02
THRESHOLDS = "thresholds"


def main() -> None:
    """Print the page, or some of its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with wmt12/, wmt14/ and wmt15/")
    parser.add_argument(
        "--vectors", type=Path, help="folder with vectors for the 2016 paper: NAME.LANGUAGE.vectors"
    )
    parser.add_argument("--only", nargs="+", choices=[*TABLES, THRESHOLDS], help="tables to print, without the rest of the page")  # fmt: skip
    arguments = parser.parse_args()
    sections = _sections(arguments.data, arguments.vectors)
    if not arguments.only:
        print(f"{HEAD}\n{CLAIMS}")
    for name in arguments.only or sections:
        print(sections[name](), flush=True)


def _sections(data: Path, vectors: Path | None) -> Mapping[str, Callable[[], str]]:
    """What makes each section, in the page's order."""
    tables = {name: partial(render, table, data) for name, table in TABLES.items()}
    before = {name: section for name, section in tables.items() if name.startswith("red")}
    return {**before, THRESHOLDS: partial(render_thresholds, data, vectors), **tables}


def render_thresholds(data: Path, vectors: Path | None) -> str:
    sets = find_vectors(vectors)
    return "\n".join([CURVES, render_curves(sets, data), "", EVALUATION, render_evaluation(sets, data), ""])


def render(table: PaperTable, data: Path) -> str:
    lines = [
        f"## {table.title}\n",
        f"| metric | ours | {' | '.join(column.heading for column in table.columns)} |",
        f"| --- | --- | {' | '.join(['---:'] * len(table.columns))} |",
    ]
    far, missing = [], []
    for row in table.rows:
        cells = _cells(table, row, data)
        if all(cell.startswith("–") for cell in cells):
            missing.append(f"{row.name} ({row.description})")
            continue
        lines.append(f"| {row.name} | {row.description} | {' | '.join(cells)} |")
        if any("**" in cell for cell in cells):
            far.append(row)
    notes = _notes(far)
    notes += [f"- Not computed here: {', '.join(missing)}."] if missing else []
    below = ["", *notes] if notes else []
    return "\n".join([*lines, *below, *(["", table.text] if table.text else []), ""])


def _cells(table: PaperTable, row: Row, data: Path) -> list[str]:
    values = [
        ours(parse_statistic(column.statistic or table.statistic), row, column, data / table.folder)
        for column in table.columns
    ]
    far = FAR if table.explains else float("inf")
    return [show(value, printed, far) for value, printed in zip(values, row.printed, strict=True)]


def _notes(rows: Sequence[Row]) -> list[str]:
    """Each explanation once, with the rows that it explains."""
    names: dict[str, dict[str, None]] = {}
    for row in rows:
        names.setdefault(row.note or "not explained.", {})[row.name] = None
    return [f"- {', '.join(explained)}: {note}" for note, explained in names.items()]


def show(value: float | None, printed: float | None, far: float) -> str:
    text = " / ".join("–" if number is None else f"{number:.3f}" for number in (value, printed))
    is_far = value is not None and printed is not None and abs(value - printed) > far
    return f"**{text}**" if is_far else text


if __name__ == "__main__":
    main()
