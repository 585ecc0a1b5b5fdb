"""The section of the HTML report on agreement with human judgments."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.metaeval.tables import MetaCell, MetaTable
from tertium.reporting.charts.model import Chart
from tertium.reporting.metaeval import draw_agreement
from tertium.reporting.page.contents import HumanJudgments, join_words
from tertium.stats.human import Comparisons
from tertium.types import FloatArray


@dataclass(frozen=True)
class RankRow:
    """One system: people's score and rank, and the rank that each metric gives it; None where it has none."""

    system: str
    score: float
    rank: int
    ranks: tuple[int | None, ...]


@dataclass(frozen=True)
class HumanSection:
    """What the section about people shows; `unranked` are systems that nobody judged."""

    sentences: Sequence[str]
    labels: Sequence[str]
    rows: Sequence[RankRow]
    unranked: Sequence[str]
    tables: Sequence[MetaTable]


def make_human_section(people: HumanJudgments) -> HumanSection:
    """Lay out rankings, best first, and tables of agreement."""
    human = people.judged.system_scores
    rows = [] if human is None else _rank_systems(people, human)
    judged = {row.system for row in rows}
    unranked = [name for name in people.judged.systems if name not in judged]
    return HumanSection([*_sentences(people, rows)], list(people.scores), rows, unranked, people.tables)


def draw_human_section(people: HumanJudgments) -> Iterator[tuple[str, Chart]]:
    """Draw all rankings beside each other, and each metric's scores of systems against people's."""
    of_systems = replace(people.judged, segment_scores=None)
    charts = dict(draw_agreement([of_systems], [people.scores], normalised=people.is_normalised))
    for parts, chart in sorted(charts.items(), key=lambda item: item[0][0] != "ranking"):
        yield "all rankings" if parts[0] == "ranking" else f"{parts[-1]} against people", chart


def score_segments(people: HumanJudgments) -> FloatArray | None:
    """Score outputs as people did, (systems, segments); rankings become the share of comparisons that are won."""
    if people.judged.segment_scores is not None:
        return people.judged.segment_scores
    if people.judged.comparisons is None:
        return None
    shape = len(people.judged.systems), len(people.judged.corpus)
    return _share_of_wins(people.judged.comparisons, shape)


def _share_of_wins(comparisons: Comparisons, shape: tuple[int, int]) -> FloatArray:
    decided = comparisons.decided()
    size = shape[0] * shape[1]
    won, lost = (
        np.bincount(systems.astype(np.int64) * shape[1] + decided.segments, minlength=size)
        for systems in (decided.first, decided.second)
    )
    shares = np.where(won + lost > 0, 100 * won / np.maximum(won + lost, 1), np.nan)
    return shares.reshape(shape)


def _rank_systems(people: HumanJudgments, human: FloatArray) -> list[RankRow]:
    known = np.flatnonzero(~np.isnan(human))
    ranks = _rank(human[known])
    columns = [
        [None] * len(known)
        if scores.system_scores is None or np.isnan(scores.system_scores[known]).any()
        else _rank(scores.sign * scores.system_scores[known])
        for scores in people.scores.values()
    ]
    rows = [
        RankRow(
            people.judged.systems[i],
            float(human[i]),
            ranks[place],
            tuple(column[place] for column in columns),
        )
        for place, i in enumerate(known.tolist())
    ]
    return sorted(rows, key=lambda row: row.rank)


def _rank(scores: npt.NDArray[np.float64]) -> list[int]:
    return [1 + int(np.count_nonzero(scores > score)) for score in scores]


def _sentences(people: HumanJudgments, rows: Sequence[RankRow]) -> Iterator[str]:
    """Say whom people put first, which metrics do so too, and which metric agrees best."""
    if rows:
        agreeing = [label for label, rank in zip(people.scores, rows[0].ranks, strict=True) if rank == 1]
        told = f"so do {join_words(agreeing)}" if agreeing else "no metric does so"
        if len(agreeing) == 1:
            told = f"so does {agreeing[0]}"
        yield f"People put {rows[0].system} first; {told}."
    of_levels = {table.spec.level: table for table in reversed(people.tables)}  # the first of each level
    for table in reversed(of_levels.values()):
        if (best := _best_cell(table)) is not None:
            label, cell = best
            yield f"{label} agrees best with people at the {table.spec.level} level ({_spell(table, cell)})."


def _best_cell(table: MetaTable) -> tuple[str, MetaCell] | None:
    cells = [
        (label, cell)
        for label, cell in zip(table.metrics, table.columns[0].cells, strict=True)
        if cell.value is not None
    ]
    return max(cells, key=lambda item: item[1].value or 0.0) if len(cells) > 1 else None


def _spell(table: MetaTable, cell: MetaCell) -> str:
    name = table.spec.title.partition(", ")[2]
    low, high = cell.interval or (None, None)
    interval = "" if low is None else f", 95 % interval {low:.3f} to {high:.3f}"
    return f"{name} {cell.value:.3f}{interval}"
