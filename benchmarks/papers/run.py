"""Computes the papers' tables from the WMT data and prints ours beside theirs, in Markdown.

Usage: PYTHONPATH=benchmarks python -m papers.run FOLDER > docs/papers.md; FOLDER holds wmt12 and wmt15 unpacked.
"""

import argparse
import math
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

from papers.tables import TABLES, Column, PaperTable, Row
from tertium.catalog import LabelledMetric, parse_metrics
from tertium.corpus.judged_folders import read_judged_folder
from tertium.errors import TertiumError
from tertium.metaevaluation import JudgedSet, lay_judgments
from tertium.metaevaluation.scoring import MetricScores, score_sets, with_mean_scores
from tertium.metaevaluation.statistics import StatisticSpec, can_show, compute_statistic, parse_statistic

FAR = 0.02
HEAD = """# The papers' tables

Made by `PYTHONPATH=benchmarks python -m papers.run FOLDER` from the WMT outputs and judgments. Each cell is ours / the paper's; – is a number
that the paper or we do not have (WMT15's Czech systems are not in the data). A gap above 0.02 is **bold** and explained
below its table.
"""


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with wmt12/ and wmt15/")
    parser.add_argument(
        "--skip", nargs="*", default=[], help="metrics to leave out, such as those that parse outputs"
    )
    arguments = parser.parse_args()
    print(HEAD)
    for table in TABLES:
        kept = [row for row in table.rows if row.label.partition(":")[0] not in arguments.skip]
        print(render(replace(table, rows=tuple(kept)), arguments.data), flush=True)


def render(table: PaperTable, data: Path) -> str:
    spec = parse_statistic(table.statistic)
    head = ["metric", "ours", *(column.heading for column in table.columns)]
    lines = [
        f"## {table.title}\n",
        f"| {' | '.join(head)} |",
        f"| --- | --- | {' | '.join(['---:'] * len(table.columns))} |",
    ]
    notes, missing = [], []
    for row in table.rows:
        values = [ours(spec, row, column, data / table.folder) for column in table.columns]
        if all(value is None for value in values):
            missing.append(row.name)
            continue
        cells = [show(value, printed) for value, printed in zip(values, row.printed, strict=True)]
        label = f"`{row.label}`" + (", mean of segments" if row.means else "")
        lines.append(f"| {row.name} | {label} | {' | '.join(cells)} |")
        if any("**" in cell for cell in cells):
            notes.append(f"- {row.name}: {row.note or 'not explained yet.'}")
    if missing:
        notes.append(f"- Not computed here: {', '.join(missing)}.")
    return "\n".join([*lines, *([""] if notes else []), *notes, ""])


def show(value: float | None, printed: float | None) -> str:
    if value is None or printed is None:
        return " / ".join("–" if number is None else f"{number:.3f}" for number in (value, printed))
    text = f"{value:.3f} / {printed:.3f}"
    return f"**{text}**" if abs(value - printed) > FAR else text


def ours(spec: StatisticSpec, row: Row, column: Column, folder: Path) -> float | None:
    """Our value, averaged over the column's language pairs; None where one of them is missing."""
    values = []
    for pair in column.pairs:
        found = [
            compute_statistic(spec, judged, with_mean_scores(judged, scores) if row.means else scores)[0]
            for judged in judged_sets(folder)
            if judged.pair == pair and can_show(spec, judged)
            and (scores := metric_scores(row.label, folder).get(id(judged))) is not None
        ]  # fmt: skip
        values += found[:1]
    if len(values) < len(column.pairs) or any(map(math.isnan, values)):
        return None
    return abs(sum(values) / len(values))


@cache
def judged_sets(folder: Path) -> list[JudgedSet]:
    read = read_judged_folder(str(folder))
    return lay_judgments(read.corpora, read.judgments)[0]


@cache
def metric_scores(label: str, folder: Path) -> dict[int, MetricScores]:
    """A metric's scores by the judged set's identity; nothing if it cannot be computed here."""
    try:
        (metric,) = parse_metrics([label])
    except TertiumError as error:
        print(f"{label}: {error}", file=sys.stderr)
        return {}
    wanted = judged_sets(folder)
    scored, notes = score_sets(wanted, [LabelledMetric(label, metric.metric)])
    for note in notes:
        print(note, file=sys.stderr)
    return {id(judged): by[label] for judged, by in zip(wanted, scored, strict=True) if label in by}


if __name__ == "__main__":
    main()
