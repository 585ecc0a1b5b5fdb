"""The section of the HTML report on agreement with human judgments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.metaeval.tables import MetaCell, MetaTable
from tertium.records import record
from tertium.reporting.charts.model import Chart
from tertium.reporting.metaeval import AGREEMENT_FIELDS, MetaRow, draw_agreement, make_rows
from tertium.reporting.page.contents import HumanJudgments
from tertium.reporting.tables.fields import make_wide_table
from tertium.reporting.tables.model import Cell, Column, Detail, Mark, Note, Table
from tertium.reporting.verdict import join_words
from tertium.stats.human import Comparisons
from tertium.types import FloatArray


@record
class RankRow:
    """One system: its human score and rank, and its rank under each metric; None for a metric that did not score it."""

    system: str
    score: float
    rank: int
    ranks: tuple[int | None, ...]


@record
class HumanSection:
    """The sentences of the section on human judgments, and its tables by key."""

    sentences: Sequence[str]
    tables: Mapping[str, Table]


def make_human_section(human: HumanJudgments) -> HumanSection:
    """Collect the rankings, best first, the agreement of the metrics, and the tables of the human evaluation itself."""
    scores = human.judged.system_scores
    rows = [] if scores is None else _rank_systems(human, scores)
    evaluation = [table for document in human.evaluation for table in document.tables]
    tables = {
        **({"rank": _make_rank_table(human, rows)} if rows else {}),
        **({"agreement": _make_agreement_table(human)} if human.tables else {}),
        **{f"judgments-{i}": _for_page(table) for i, table in enumerate(evaluation, 1)},
    }
    return HumanSection([*_sentences(human, rows)], tables)


def _make_rank_table(human: HumanJudgments, rows: Sequence[RankRow]) -> Table:
    columns = [
        Column("system", "system", is_key=True),
        Column("score", "human score", is_number=True),
        Column("rank", "human rank", is_number=True),
        *(Column(label, label, is_number=True) for label in human.scores),
    ]
    cells = [
        [
            Cell(row.system, row.system),
            Cell(f"{row.score:.2f}", row.score),
            Cell(f"{row.rank}", row.rank),
            *(_make_rank_cell(rank, row.rank) for rank in row.ranks),
        ]
        for row in rows
    ]
    judged = {row.system for row in rows}
    unjudged = [name for name in human.judged.systems if name not in judged]
    notes = [Note(f"Without human judgments: {', '.join(unjudged)}.")] if unjudged else []
    title = "Ranks of the systems; small: places above (+) or below (−) the human rank; shaded: the same rank"
    return Table(columns, cells, title, notes)


def _make_rank_cell(rank: int | None, human: int) -> Cell:
    if rank is None:
        return Cell("–")
    moved = f"{human - rank:+d}" if rank != human else ""
    return Cell(f"{rank}", rank, () if moved else (Mark.LEADING,), details=[Detail("moves", moved)])


def _make_agreement_table(human: HumanJudgments) -> Table:
    """Make a row per metric and a column per statistic; the notes give the sample sizes and explain missing values."""
    rows = [_agreement_row(human, label) for label in human.scores]
    sizes = {
        table.spec.level: f"{table.columns[0].n_units:,} {table.columns[0].unit} at the {table.spec.level} level"
        for table in human.tables
    }
    missing = [
        f"{row.metric}, {row.statistic}: {row.cell.reason}"
        for each in rows
        for row in each
        if row.cell.reason
    ]
    level = human.tables[0].test.level
    return make_wide_table(
        AGREEMENT_FIELDS,
        rows,
        {str(table.spec): table.spec.title for table in human.tables},
        title=f"Agreement of the metrics with human judges (1: perfect); small: {level} bootstrap intervals",
        notes=[
            Note(f"Measured on {' and '.join(sizes.values())}. With few systems, intervals at the system level are wide."),
            *(Note(f"– {each}") for each in missing),
        ],
    )  # fmt: skip


_TITLES = {
    "ranking": "Ranking by human judges",
    "raters": "Raters",
    "errors": "Errors that human judges marked",
}


def _for_page(table: Table) -> Table:
    """Drop columns without any text, and write the title for readers who did not ask for the table."""
    rows = [list(row) for row in table.rows]
    kept = [i for i in range(len(table.columns)) if any(row[i].text for row in rows)]
    return replace(
        table,
        title=_TITLES.get(table.title.rpartition(": ")[2], table.title),  # without the language pair
        columns=[table.columns[i] for i in kept],
        rows=[[row[i] for i in kept] for row in rows],
    )


def _agreement_row(human: HumanJudgments, label: str) -> list[MetaRow]:
    """Return a metric's agreement under all statistics."""
    rows = [
        row for table in human.tables for row in make_rows(table, table.columns[0]) if row.metric == label
    ]
    by_statistic = {row.statistic: row for row in rows}
    names = [str(table.spec) for table in human.tables]
    missing = MetaCell(None, None, "not scored")
    return [by_statistic.get(name, MetaRow(name, label, "", missing)) for name in names]


def draw_human_section(human: HumanJudgments) -> Iterator[tuple[str, Chart]]:
    """Draw all rankings next to each other, and each metric's system scores against human scores."""
    of_systems = replace(human.judged, segment_scores=None)
    charts = dict(draw_agreement([of_systems], [human.scores], normalised=human.is_normalised))
    for parts, chart in sorted(charts.items(), key=lambda item: item[0][0] != "ranking"):
        yield "all rankings" if parts[0] == "ranking" else f"{parts[-1]} against human scores", chart


def score_segments(human: HumanJudgments) -> FloatArray | None:
    """Return human scores, (systems, segments); rankings become the share of comparisons that are won."""
    if human.judged.segment_scores is not None:
        return human.judged.segment_scores
    if human.judged.comparisons is None:
        return None
    shape = len(human.judged.systems), len(human.judged.corpus)
    return _share_of_wins(human.judged.comparisons, shape)


def _share_of_wins(comparisons: Comparisons, shape: tuple[int, int]) -> FloatArray:
    decided = comparisons.decided()
    size = shape[0] * shape[1]
    won, lost = (
        np.bincount(systems.astype(np.int64) * shape[1] + decided.segments, minlength=size)
        for systems in (decided.first, decided.second)
    )
    shares = np.where(won + lost > 0, 100 * won / np.maximum(won + lost, 1), np.nan)
    return shares.reshape(shape)


def _rank_systems(human: HumanJudgments, scores: FloatArray) -> list[RankRow]:
    known = np.flatnonzero(~np.isnan(scores))
    ranks = _rank(scores[known])
    columns = [
        [None] * len(known)
        if each.system_scores is None or np.isnan(each.system_scores[known]).any()
        else _rank(each.sign * each.system_scores[known])
        for each in human.scores.values()
    ]
    rows = [
        RankRow(
            human.judged.systems[i],
            float(scores[i]),
            ranks[place],
            tuple(column[place] for column in columns),
        )
        for place, i in enumerate(known.tolist())
    ]
    return sorted(rows, key=lambda row: row.rank)


def _rank(scores: npt.NDArray[np.float64]) -> list[int]:
    return [1 + int(np.count_nonzero(scores > score)) for score in scores]


def _sentences(human: HumanJudgments, rows: Sequence[RankRow]) -> Iterator[str]:
    """Describe the system that human judges rank first, the metrics that agree, and the metric with the best agreement."""
    if rows:
        agreeing = [label for label, rank in zip(human.scores, rows[0].ranks, strict=True) if rank == 1]
        others = f"so do {join_words(agreeing)}" if agreeing else "no metric does so"
        if len(agreeing) == 1:
            others = f"so does {agreeing[0]}"
        yield f"Human judges rank {rows[0].system} first; {others}."
    of_levels = {table.spec.level: table for table in reversed(human.tables)}  # the first of each level
    for table in reversed(of_levels.values()):
        if (best := _best_cell(table)) is not None:
            label, cell = best
            yield f"{label} agrees best with human judges at the {table.spec.level} level ({_format_value(table, cell)})."


def _best_cell(table: MetaTable) -> tuple[str, MetaCell] | None:
    cells = [
        (label, cell)
        for label, cell in zip(table.metrics, table.columns[0].cells, strict=True)
        if cell.value is not None
    ]
    return max(cells, key=lambda item: item[1].value or 0.0) if len(cells) > 1 else None


def _format_value(table: MetaTable, cell: MetaCell) -> str:
    name = table.spec.title.partition(", ")[2]
    low, high = cell.interval or (None, None)
    interval = "" if low is None else f", {table.test.level} interval {low:.3f} to {high:.3f}"
    return f"{name} {cell.value:.3f}{interval}"
