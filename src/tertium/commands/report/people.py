"""Human judgments of the systems on a page: read, ranked, and compared with the metrics."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tertium.commands.base.annotations import annotate
from tertium.commands.human.human_tables import describe_errors, describe_rankings, describe_raters
from tertium.commands.report.page.contents import HumanJudgments
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
from tertium.metaeval.tables import make_meta_table
from tertium.presentation.segment_tables import Annotation, Annotations
from tertium.presentation.tables.model import Document
from tertium.stats.analysis import Analysis, MetricAnalysis
from tertium.values import Corpus

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
    judged, notes = data.align_with(corpus or _without_texts(evaluation))
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
    titled = {evaluation.metric(label).write_title(label): each for label, each in scores.items()}
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
    parts = [_of_systems(each, judged) for each in data.read_human() if isinstance(each, SegmentJudgments)]
    parts = [part for part in parts if len(set(part.systems)) > 1]
    if not parts or len({pair for part in parts for pair in part.pairs}) > 1:
        return None, []
    (campaign,) = make_campaigns(
        parts, documents={pair: documents_of(judged.corpus) for pair in parts[0].pairs}
    )
    is_normalised = data.options.normalise_raters and campaign.names_raters
    ranking = rank_systems(campaign, analysis, method="z" if is_normalised else None)
    found = [describe_rankings([ranking], alpha=analysis.alpha, is_titled=True)]
    if campaign.raters:
        found.append(
            describe_raters([ranking], [examine_raters(ranking, seed=analysis.seed)], is_titled=True)
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
