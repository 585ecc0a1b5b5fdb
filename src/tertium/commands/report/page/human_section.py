"""The section of the report on human judgments: read, ranked, and compared with the metrics."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.commands.base.annotations import annotate
from tertium.commands.human.human_tables import METHODS, describe_errors, describe_rankings, describe_raters
from tertium.commands.meta.meta_tables import AGREEMENT_FIELDS, MetaRow, draw_agreement, make_rows
from tertium.commands.report.page.contents import HumanJudgments, describe_human_ranking
from tertium.corpus.judgments.readers import SegmentJudgments
from tertium.evaluation import Evaluation
from tertium.humaneval.campaign import documents_of, make_campaigns
from tertium.humaneval.errors import measure_errors
from tertium.humaneval.ranking import Ranking, rank_systems
from tertium.humaneval.raters import examine_raters
from tertium.metaeval.agreement import can_show, parse_statistics
from tertium.metaeval.data import JudgedData
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores, collect_scores
from tertium.metaeval.tables import MetaCell, MetaTable, make_meta_table
from tertium.presentation.charts.model import Chart
from tertium.presentation.score_table import ScoreTable
from tertium.presentation.segment_tables import Annotation, Annotations
from tertium.presentation.tables.fields import make_wide_table
from tertium.presentation.tables.model import Cell, Column, Detail, Document, Mark, Note, Table
from tertium.records import record
from tertium.stats.analysis import Analysis, MetricAnalysis
from tertium.stats.human import find_outliers
from tertium.stats.letters import are_equal
from tertium.values import Corpus, FloatArray
from tertium.verdicts import join_words, shorten_names

_STATISTICS = ("system:pearson", "system:accuracy", "segment:pearson", "segment:wmt14")


def judge_systems(
    data: JudgedData, evaluation: Evaluation, corpus: Corpus | None, analysis: Analysis
) -> tuple[HumanJudgments, tuple[str, ...]]:
    """Read the human judgments of the systems and measure the agreement of the metrics; also return notes on skipped data.

    Raises
    ------
    InputError
        If there are no judgments of these systems.
    """
    judged, notes = data.match_with(corpus or _without_texts(evaluation))
    ranking, documents = evaluate_judgments(data, judged, analysis)
    judged = _rank_alike(judged, ranking)
    scores = _by_title(evaluation)
    test = MetricAnalysis(method="none", seed=analysis.seed, alpha=analysis.alpha, intervals=True)
    specs = [spec for spec in parse_statistics(_STATISTICS) if can_show(spec, judged)]
    tables = [make_meta_table(spec, [judged], [scores], test) for spec in specs]
    people = HumanJudgments(
        judged=judged,
        tables=tables,
        scores=scores,
        is_normalised=data.options.normalise_raters,
        ranking=ranking,
        evaluation=documents,
        annotations=_find_annotations(data, judged),
    )
    return people, tuple(notes)


def _rank_alike(judged: JudgedSet, ranking: Ranking | None) -> JudgedSet:
    """Take the systems' human scores from the ranking that the page prints, which may be a model instead of means."""
    if ranking is None or judged.system_scores is None:
        return judged
    found = dict(zip(ranking.campaign.systems, ranking.scores.tolist(), strict=True))
    scores = np.array([found.get(system, np.nan) for system in judged.systems])
    return replace(judged, system_scores=np.where(np.isnan(judged.system_scores), np.nan, scores))


def _by_title(evaluation: Evaluation) -> Mapping[str, MetricScores]:
    """Collect the scores by the metrics' names for readers, or by label if names are not unique."""
    scores = collect_scores(evaluation)
    titled = {
        evaluation.metric(label).write_title(label): metric_scores for label, metric_scores in scores.items()
    }
    return titled if len(titled) == len(scores) else scores


def _find_annotations(data: JudgedData, judged: JudgedSet) -> Annotations:
    """Collect the error spans of the scored outputs."""
    found: dict[tuple[str, int], list[Annotation]] = {}
    for file in data.read_human():
        if isinstance(file, SegmentJudgments) and any(judged.corpus.target_texts):
            for key, given in annotate(_of_systems(file, judged), judged.corpus).items():
                found.setdefault(key, []).extend(given)
    return found


def evaluate_judgments(
    data: JudgedData, judged: JudgedSet, analysis: Analysis
) -> tuple[Ranking | None, list[Document]]:
    """Rank the systems by human judgments; describe the ranking, the raters and the errors.

    Without judgments of segments there is no ranking.
    """
    parts = [_of_systems(file, judged) for file in data.read_human() if isinstance(file, SegmentJudgments)]
    parts = [part for part in parts if len(set(part.systems)) > 1]
    if not parts or len({pair for part in parts for pair in part.pairs}) > 1:
        return None, []
    (campaign,) = make_campaigns(
        parts, documents={pair: documents_of(judged.corpus) for pair in parts[0].pairs}
    )
    is_normalised = data.options.normalise_raters and bool(campaign.raters)
    ranking = rank_systems(campaign, analysis, method="z" if is_normalised else None)
    found = [describe_rankings([ranking], alpha=analysis.alpha, is_titled=True)]
    if campaign.raters:
        found.append(
            describe_raters([ranking], [examine_raters(campaign, seed=analysis.seed)], is_titled=True)
        )
    if campaign.judged.spans is not None:
        found.append(
            describe_errors([ranking], [measure_errors(ranking)], alpha=analysis.alpha, is_titled=True)
        )
    return ranking, found


def _of_systems(file: SegmentJudgments, judged: JudgedSet) -> SegmentJudgments:
    """Keep the judgments of the scored systems in the set's language pair."""
    rows = zip(file.pairs, file.systems, strict=True)
    kept = [i for i, (pair, name) in enumerate(rows) if name in judged.systems and pair in ("", judged.pair)]
    return file.select(kept)


def _without_texts(evaluation: Evaluation) -> Corpus:
    n = evaluation.n_segments
    return Corpus([[""]] * n, {name: [""] * n for name in evaluation.systems})


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


def make_human_section(
    human: HumanJudgments, table: ScoreTable, *, broken: Sequence[str] = ()
) -> HumanSection:
    """Collect the rankings, best first, the agreement of the metrics, and the tables of the human evaluation itself.

    `table` has the metrics' tests of the systems, and `broken` names systems whose texts are damaged.
    """
    scores = human.judged.system_scores
    rows = [] if scores is None else _rank_systems(human, scores)
    evaluation = [table for document in human.evaluation for table in document.tables]
    tables = {
        **({"rank": _make_rank_table(human, rows)} if rows else {}),
        **({"agreement": _make_agreement_table(human)} if human.tables else {}),
        **{f"judgments-{i}": _for_page(table) for i, table in enumerate(evaluation, 1)},
    }
    return HumanSection([*_sentences(human, table, broken)], tables)


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
    notes = [Note(_explain_human_score(human)), *map(Note, _explain_missing_ranks(human, rows))]
    notes += [Note(f"Without human judgments: {', '.join(unjudged)}.")] if unjudged else []
    title = "Ranks of the systems; small: places above (+) or below (−) the human rank; shaded: the same rank"
    return Table(columns, cells, title, notes)


def _explain_human_score(human: HumanJudgments) -> str:
    """Say what the human scores are, since files have them on any scale."""
    if human.ranking is None:
        return "Human score: as the file of judgments gives it."
    scale = "" if human.ranking.method == "z" else ", on the scale of the file of judgments"
    return f"Human score: {METHODS[human.ranking.method]}{scale}."


def _explain_missing_ranks(human: HumanJudgments, rows: Sequence[RankRow]) -> Iterator[str]:
    """Say why metrics do not rank the systems."""
    for at, (label, scores) in enumerate(human.scores.items()):
        if rows[0].ranks[at] is None:
            known = scores.system_scores is not None and not np.isnan(scores.system_scores).any()
            yield f"–: {label} has {'the same score for all systems' if known else 'no score for some systems'}."


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
        for metric_rows in rows
        for row in metric_rows
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
            *(Note(f"– {text}") for text in missing),
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


def _rank_systems(human: HumanJudgments, scores: FloatArray) -> list[RankRow]:
    known = np.flatnonzero(~np.isnan(scores))
    ranks = _rank(scores[known])
    columns = [
        [None] * len(known)
        if score.system_scores is None
        or np.isnan(score.system_scores[known]).any()
        or are_equal(score.system_scores[known])  # equal scores have no first place
        else _rank(score.sign * score.system_scores[known])
        for score in human.scores.values()
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


def _sentences(human: HumanJudgments, table: ScoreTable, broken: Sequence[str]) -> Iterator[str]:
    """Describe the best systems, the metrics that agree on them, and the metric with the best agreement."""
    yield from describe_human_ranking(human)
    yield from _compare_leaders(human.ranking, table)
    of_levels = {table.spec.level: table for table in reversed(human.tables)}  # the first of each level
    for agreement in reversed(of_levels.values()):
        strange = _explain_strange(human, broken) if agreement.spec.level == "system" else []
        yield from _describe_agreement(agreement, strange)


def _compare_leaders(ranking: Ranking | None, table: ScoreTable) -> list[str]:
    """Name the metrics that have one of the human judges' best systems among the best, and those that have none."""
    if ranking is None or not 0 < len(ranking.leaders) < len(ranking.campaign.systems):
        return []
    leaders = [ranking.campaign.systems[i] for i in ranking.leaders]
    tested = [column for column in table.columns if column.leaders]
    agreeing = [column.title for column in tested if {*leaders} & {*column.leaders}]
    others = [column.title for column in tested if column.title not in agreeing]
    one, none = (leaders[0], "not") if len(leaders) == 1 else ("At least one of them", "none of them")
    if agreeing:
        but = f", but {none} by {join_words(others)}" if others else ""
        return [f"{one} is among the best by {join_words(agreeing)}{but}."]
    never = f"{one} is not" if len(leaders) == 1 else "None of them is"
    return [f"{never} among the best by {join_words(others)}."] if others else []


def _explain_strange(human: HumanJudgments, broken: Sequence[str]) -> list[str]:
    """Name the judged systems that alone can decide a correlation: outliers of the human scores, and broken texts."""
    scores, systems = human.judged.system_scores, human.judged.systems
    if scores is None:
        return []
    far = [systems[i] for i in np.flatnonzero(find_outliers(scores))]
    damaged = [systems[i] for i in np.flatnonzero(~np.isnan(scores)) if systems[i] in broken]
    found = []
    if far:
        are = "its human score is" if len(far) == 1 else "their human scores are"
        found.append(f"{shorten_names(far)} alone, because {are} far from the others")
    if damaged:
        found.append(
            f"{shorten_names(damaged)} alone, because of the mistakes in {'its' if len(damaged) == 1 else 'their'} text"
        )
    return found


def _describe_agreement(table: MetaTable, strange: Sequence[str]) -> Iterator[str]:
    """Name the metric that agrees best only if its interval is above those of all others."""
    cells = zip(table.metrics, table.columns[0].cells, strict=True)
    known = sorted(
        ((cell.value, label, cell) for label, cell in cells if cell.value is not None),
        key=lambda item: -item[0],
    )
    if len(known) < 2:
        return
    level, (_, label, best) = table.spec.level, known[0]
    rivals = [other for _, other, cell in known[1:] if _overlap(cell, best)]
    if any(cell.interval is None for _, _, cell in known):
        yield f"At the {level} level the metrics' agreement with human judges is not compared: there are no intervals."
    elif rivals:
        yield (
            f"At the {level} level no metric clearly agrees best with human judges: the {table.test.level} intervals of"
            f" {shorten_names([label, *rivals])} overlap."
        )
    elif not strange:
        yield f"{label} agrees best with human judges at the {level} level ({_format_value(table, best)})."
    if strange:
        yield f"Agreement at the {level} level may be due to {', or to '.join(strange)}."


def _overlap(cell: MetaCell, best: MetaCell) -> bool:
    """Whether an interval reaches that of the best metric; without intervals nothing is known."""
    if cell.interval is None or best.interval is None:
        return True
    return cell.interval[1] >= best.interval[0]


def _format_value(table: MetaTable, cell: MetaCell) -> str:
    name = table.spec.title.partition(", ")[2]
    low, high = cell.interval or (None, None)
    interval = "" if low is None else f", {table.test.level} interval {low:.3f} to {high:.3f}"
    return f"{name} {cell.value:.3f}{interval}"
