"""The scores of metrics for judged sets: computed, or read from files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.corpus.judgments.readers import Judgments, SegmentJudgments, SystemJudgments, without_systems
from tertium.corpus.judgments.score_files import Level, ScoreFile
from tertium.engines import evaluate
from tertium.errors import InputError, TertiumError, argument
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.selection import SegmentColumns, part_by
from tertium.metaeval.judged_sets import JudgedSet, reference_lengths
from tertium.records import record
from tertium.values import Corpus, FloatArray

SystemScore = Literal["own", "mean", "length"]
"""The system score of a metric: its own, the mean of its segment scores, or their mean weighted by length."""
GROUP_LEVELS: tuple[Level, ...] = ("document", "domain")
"""Levels whose scores are means over the segments of a document or a domain, unless a metric has published its own."""


@record(eq=False)
class MetricScores:
    """The scores of one metric for one judged set, in the orientation of the metric.

    `group_scores` has published scores of documents and domains, (systems, units) by level.
    """

    label: str
    higher_is_better: bool
    signature: str = ""
    system_scores: FloatArray | None = None
    segment_scores: FloatArray | None = None
    group_scores: Mapping[str, FloatArray] = field(default_factory=dict)

    @property
    def sign(self) -> int:
        """The factor that makes higher scores better."""
        return 1 if self.higher_is_better else -1


def score_set(
    judged: JudgedSet, metrics: Sequence[LabelledMetric], *, threads: int | None = None
) -> tuple[dict[str, MetricScores], list[str]]:
    """Score a judged set; return the scores by label, and a warning for every metric that failed and is left out."""
    if not metrics:
        return {}, []
    try:
        return collect_scores(evaluate(judged.corpus, metrics, threads=threads)), []
    except TertiumError as error:  # an error of one metric must not stop the others
        if len(metrics) == 1:
            return {}, [f"{metrics[0].label} failed on {judged.pair or 'the test set'}: {error}"]
    parts = [score_set(judged, [metric], threads=threads) for metric in metrics]
    return (
        {label: scores for part, _ in parts for label, scores in part.items()},
        [warning for _, warnings in parts for warning in warnings],
    )


def collect_scores(evaluation: Evaluation) -> dict[str, MetricScores]:
    """Collect the system and segment scores of an evaluation, by label of the metric."""
    return {
        metric.label: MetricScores(
            metric.label,
            metric.metric.higher_is_better,
            evaluation.signature(metric.label),
            evaluation.system_scores(metric.label),
            evaluation.segment_scores(metric.label),
        )
        for metric in evaluation.metrics
    }


def with_mean_scores(judged: JudgedSet, scores: MetricScores, *, by_length: bool = False) -> MetricScores:
    """Replace the system scores of a metric by the means of its segment scores, if it has segment scores.

    The means are unweighted or weighted by reference length: these are the two system levels of the 2003 inversion
    paper, and WMT15 scored systems with chrF and wordF in this way.
    """
    if scores.segment_scores is None:
        return scores
    weights = reference_lengths(judged.corpus) if by_length else None
    return replace(scores, system_scores=np.average(scores.segment_scores, axis=1, weights=weights))


def with_system_scores(
    sets: Sequence[JudgedSet], scored: list[dict[str, MetricScores]], kind: SystemScore
) -> list[dict[str, MetricScores]]:
    """Compute the system scores of this kind for every metric and set."""
    if kind == "own":
        return scored
    return [
        {
            label: with_mean_scores(judged, scores, by_length=kind == "length")
            for label, scores in by_label.items()
        }
        for judged, by_label in zip(sets, scored, strict=True)
    ]


def scores_from_files(
    judged: JudgedSet, files: Sequence[ScoreFile], *, lower_is_better: Sequence[str] = ()
) -> dict[str, MetricScores]:
    """Collect the scores of a set from files of metric scores.

    Systems that are not in the set are ignored; systems and segments that are missing from a file get NaN. The system
    score of a metric with segment scores only is their mean.
    """
    found: dict[str, dict[str, FloatArray]] = {}
    has_segments = {metric for file in files if file.level == "segment" for metric in file.metrics}
    for file in files:
        for metric in dict.fromkeys(file.metrics):
            if judged.part and file.level != "segment" and metric in has_segments:
                continue  # the score of a whole system is not that of a part
            table = _match_scores(judged, file, metric)
            if table is not None:
                found.setdefault(metric, {})[file.level] = table
    return {
        metric: MetricScores(
            metric,
            metric not in lower_is_better,
            system_scores=_system_scores(levels),
            segment_scores=levels.get("segment"),
            group_scores={level: levels[level] for level in GROUP_LEVELS if level in levels},
        )
        for metric, levels in found.items()
    }


def _system_scores(levels: Mapping[str, FloatArray]) -> FloatArray | None:
    if "system" in levels:
        return levels["system"][:, 0]
    return levels["segment"].mean(axis=1) if "segment" in levels else None


def leave_out_unscored(
    judgments: Sequence[Judgments], files: Sequence[ScoreFile]
) -> tuple[list[Judgments], list[str]]:
    """Leave out judged systems that a metric did not score, with a note, if there are no texts that say what they are.

    Such a system is usually the reference of the metric, judged like a system.
    """
    scored: dict[str, set[str]] = {}
    for file in files:
        for metric, system in zip(file.metrics, file.systems, strict=True):
            scored.setdefault(metric, set()).add(system)
    judged = {
        name: None
        for file in judgments
        if isinstance(file, SegmentJudgments | SystemJudgments)
        for name in file.systems
    }
    missing = {
        name: next(metric for metric, names in scored.items() if name not in names)
        for name in judged
        if any(name not in names for names in scored.values())
    }
    if len(judged) - len(missing) < _MIN_SCORED:
        return list(judgments), []  # the files do not fit: `scores_from_files` says how
    notes = [f"{name} is left out: {metric} has no scores of it" for name, metric in missing.items()]
    return [without_systems(file, missing) for file in judgments], notes


_MIN_SCORED = 2  # systems, without which there is nothing to compare


def textless_corpora(judgments: Sequence[Judgments], files: Sequence[ScoreFile] = ()) -> dict[str, Corpus]:
    """Make corpora without text, for scores from files.

    They have the systems and segments of the human judgments; if only systems were judged, the segments of the score
    files.
    """
    systems: dict[str, dict[str, None]] = {}
    segments: dict[str, dict[str, None]] = {}
    for file in judgments:
        if not isinstance(file, (SegmentJudgments, SystemJudgments)):
            raise InputError(
                f"{file.path} contains judgments of outputs, so the outputs are needed: give"
                f" {argument('hypotheses', 'FILE')} or a folder"
            )
        for pair, system in zip(file.pairs, file.systems, strict=True):
            systems.setdefault(pair, {})[system] = None
        if isinstance(file, SegmentJudgments):
            for pair, label in zip(file.pairs, file.segments, strict=True):
                segments.setdefault(pair, {})[label] = None
    for pair in systems:
        if pair not in segments:
            segments[pair] = _segments_in(files, pair) or {"1": None}
    return {
        pair: Corpus(
            [[""]] * len(segments[pair]),
            {name: [""] * len(segments[pair]) for name in names},
            segment_ids=list(segments[pair]),
        )
        for pair, names in systems.items()
    }


def _segments_in(files: Sequence[ScoreFile], pair: str) -> dict[str, None]:
    """Return the segments of a language pair in score files, in file order."""
    return {
        label: None
        for file in files
        if file.level == "segment"
        for of_pair, label in zip(file.pairs, file.segments, strict=True)
        if of_pair in ("", pair) or not pair
    }


def _match_scores(judged: JudgedSet, file: ScoreFile, metric: str) -> FloatArray | None:
    systems = {name: i for i, name in enumerate(judged.systems)}
    rows = [
        i
        for i, (name, pair, system) in enumerate(zip(file.metrics, file.pairs, file.systems, strict=True))
        if name == metric and pair in ("", judged.pair) and system in systems
    ]
    if not rows:
        return None
    segments = _unit_numbers(judged, file.level)
    rows = [i for i in rows if file.domains[i] in ("", "all")] or rows
    if file.level != "system" and _has_texts(judged.corpus):
        _check_units(judged, file, rows, segments)
    rows = [i for i in rows if file.segments[i] in segments]
    _check_repeats(file, rows)
    table = np.full((len(systems), len(segments)), np.nan)
    for i in rows:
        table[systems[file.systems[i]], segments[file.segments[i]]] = file.scores[i]
    return table


def _unit_numbers(judged: JudgedSet, level: Level) -> Mapping[str, int]:
    """Return the columns of the segments, documents or domains of a set by their labels in score files."""
    if level == "system":
        return {"": 0}
    if level == "segment":
        rows = range(len(judged.corpus)) if judged.rows is None else judged.rows.tolist()
        ids = judged.corpus.segment_ids or [str(i + 1) for i in rows]
    else:
        columns = SegmentColumns(judged.corpus)
        ids = list(part_by(columns, level)) if level in columns else []
        if level == "document":
            ids = [str(i + 1) for i in range(len(ids))]
    return {label: i for i, label in enumerate(ids)}


def _has_texts(corpus: Corpus) -> bool:
    return any(text for group in corpus.measured_texts for text in group)


def _check_units(judged: JudgedSet, file: ScoreFile, rows: Sequence[int], known: Mapping[str, int]) -> None:
    """Raise if a row has an unknown segment or, where rows are numbered by position, if their number is wrong.

    A missing row would shift the scores of all segments after it.
    """
    where = judged.pair or "the test set"
    if not file.counts_rows:
        unknown = [i for i in rows if file.segments[i] not in known]
        if unknown and not judged.part:
            raise InputError(
                f"{file.place(unknown[0])} has a score of {file.level} {file.segments[unknown[0]]!r}, which is not in {where}"
            )
        return
    n_units = (judged.n_whole if file.level == "segment" else 0) or len(known)
    for system, n_rows in Counter(file.systems[i] for i in rows).items():
        if n_rows != n_units:
            raise InputError(
                f"{file.path} has {n_rows:,} scores of {system}, but {where} has {n_units:,} {file.level}s;"
                f" there must be one row per {file.level}, with None for a missing score"
            )


def _check_repeats(file: ScoreFile, rows: Sequence[int]) -> None:
    seen = Counter((file.systems[i], file.segments[i]) for i in rows)
    for (system, segment), times in seen.most_common(1):
        if times > 1:
            output = f"segment {segment} of {system}" if segment else system
            references = ", ".join(sorted({file.references[i] for i in rows} - {""}))
            raise InputError(
                f"{file.path} has {times} scores of {output}; keep the rows of one reference"
                + (f" (found: {references})" if references else "")
            )
