"""Metrics' scores of judged sets: computed here, or taken from files."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.corpus.judgments.readers import Judgments, SegmentJudgments, SystemJudgments
from tertium.corpus.judgments.score_files import ScoreFile
from tertium.engines import evaluate
from tertium.errors import InputError, TertiumError
from tertium.evaluation.statistics import Evaluation
from tertium.metaeval.judged_sets import JudgedSet, reference_lengths
from tertium.progress import report_progress
from tertium.types import Corpus, FloatArray

SystemScore = Literal["own", "mean", "length"]
"""A metric's system score: its own, the mean of its segment scores, or that weighted by length."""


@dataclass(frozen=True, eq=False)
class MetricScores:
    """One metric's scores of one judged set, as the metric gives them."""

    label: str
    higher_is_better: bool
    signature: str = ""
    system_scores: FloatArray | None = None
    segment_scores: FloatArray | None = None

    @property
    def sign(self) -> int:
        """What to multiply with, so that higher is better."""
        return 1 if self.higher_is_better else -1


def score_each_set(
    sets: Sequence[JudgedSet],
    metrics_of_sets: Sequence[Sequence[LabelledMetric]],
    *,
    threads: int | None = None,
) -> tuple[list[dict[str, MetricScores]], list[str]]:
    """Score each set with its own metrics; a metric that fails on a set is noted and left out there."""
    scored, notes = [], []
    for done, (judged, metrics) in enumerate(zip(sets, metrics_of_sets, strict=True), start=1):
        by_label, failures = _score_set(judged, metrics, threads)
        scored.append(by_label)
        notes += failures
        report_progress("scoring", done, len(sets))
    return scored, notes


def _score_set(
    judged: JudgedSet, metrics: Sequence[LabelledMetric], threads: int | None
) -> tuple[dict[str, MetricScores], list[str]]:
    if not metrics:
        return {}, []
    try:
        return collect_scores(evaluate(judged.corpus, metrics, threads=threads)), []
    except TertiumError as error:  # what one metric refuses must not stop the others
        if len(metrics) == 1:
            return {}, [f"{metrics[0].label} failed on {judged.pair or 'the test set'}: {error}"]
    parts = [_score_set(judged, [each], threads) for each in metrics]
    return (
        {label: scores for part, _ in parts for label, scores in part.items()},
        [note for _, notes in parts for note in notes],
    )


def collect_scores(evaluation: Evaluation) -> dict[str, MetricScores]:
    """Take what an evaluation says of systems and segments, by metric."""
    return {
        each.label: MetricScores(
            each.label,
            each.metric.higher_is_better,
            evaluation.signature(each.label),
            evaluation.system_scores(each.label),
            evaluation.segment_scores(each.label),
        )
        for each in evaluation.metrics
    }


def with_mean_scores(judged: JudgedSet, scores: MetricScores, *, by_length: bool = False) -> MetricScores:
    """Replace a metric's own system scores by means of its segment scores, if it has these.

    Unweighted, or weighted by reference length: the 2003 inversion paper's two system levels, and how WMT15
    scored systems with chrF and wordF.
    """
    if scores.segment_scores is None:
        return scores
    weights = reference_lengths(judged.corpus) if by_length else None
    return replace(scores, system_scores=np.average(scores.segment_scores, axis=1, weights=weights))


def with_system_scores(
    sets: Sequence[JudgedSet], scored: list[dict[str, MetricScores]], kind: SystemScore
) -> list[dict[str, MetricScores]]:
    """Give every metric the system scores of this kind, on every set."""
    if kind == "own":
        return scored
    return [
        {
            label: with_mean_scores(judged, each, by_length=kind == "length")
            for label, each in by_label.items()
        }
        for judged, by_label in zip(sets, scored, strict=True)
    ]


def scores_from_files(
    judged: JudgedSet, files: Sequence[ScoreFile], *, lower_is_better: Sequence[str] = ()
) -> dict[str, MetricScores]:
    """Take a set's scores from files of metric scores.

    Systems that the set does not have are passed over; a system or segment that a file lacks gets NaN. A
    metric with segment scores only has their mean as system score.
    """
    found: dict[str, dict[str, FloatArray]] = {}
    for file in files:
        for metric in dict.fromkeys(file.metrics):
            table = _align_scores(judged, file, metric)
            if table is not None:
                found.setdefault(metric, {})[file.level] = table
    return {
        metric: MetricScores(
            metric,
            metric not in lower_is_better,
            system_scores=levels["system"][:, 0] if "system" in levels else levels["segment"].mean(axis=1),
            segment_scores=levels.get("segment"),
        )
        for metric, levels in found.items()
    }


def textless_corpora(judgments: Sequence[Judgments], files: Sequence[ScoreFile] = ()) -> dict[str, Corpus]:
    """Make corpora without text, for scores that come from files.

    Systems and segments are those that people judged; where people judged systems only, the segments are those
    of the score files.
    """
    systems: dict[str, dict[str, None]] = {}
    segments: dict[str, dict[str, None]] = {}
    for file in judgments:
        if not isinstance(file, (SegmentJudgments, SystemJudgments)):
            raise InputError(f"{file.path} needs the outputs it judges: give them with -i, or a folder")
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
    """The segments that score files have for a language pair, in their order."""
    return {
        label: None
        for file in files
        if file.level == "segment"
        for of_pair, label in zip(file.pairs, file.segments, strict=True)
        if of_pair in ("", pair) or not pair
    }


def _align_scores(judged: JudgedSet, file: ScoreFile, metric: str) -> FloatArray | None:
    systems = {name: i for i, name in enumerate(judged.systems)}
    rows = [
        i
        for i, (name, pair, system) in enumerate(zip(file.metrics, file.pairs, file.systems, strict=True))
        if name == metric and pair in ("", judged.pair) and system in systems
    ]
    if not rows:
        return None
    segments = _segment_numbers(judged) if file.level == "segment" else {"": 0}
    rows = [i for i in rows if file.domains[i] in ("", "all")] or rows
    if file.level == "segment" and _has_texts(judged.corpus):
        _check_segments(judged, file, rows)
    rows = [i for i in rows if file.segments[i] in segments]
    _refuse_repeats(file, rows)
    table = np.full((len(systems), len(segments)), np.nan)
    for i in rows:
        table[systems[file.systems[i]], segments[file.segments[i]]] = file.scores[i]
    return table


def _segment_numbers(judged: JudgedSet) -> Mapping[str, int]:
    ids = judged.corpus.segment_ids or [str(i + 1) for i in range(len(judged.corpus))]
    return {label: i for i, label in enumerate(ids)}


def _has_texts(corpus: Corpus) -> bool:
    return any(text for group in corpus.references for text in group)


def _check_segments(judged: JudgedSet, file: ScoreFile, rows: Sequence[int]) -> None:
    """Refuse rows of unknown segments, and, where rows are counted, too many or too few of them.

    Where rows are counted, every score behind a gap would be of another segment.
    """
    if not file.counts_rows:
        known = _segment_numbers(judged)
        strangers = [i for i in rows if file.segments[i] not in known]
        if strangers:
            raise InputError(
                f"{file.place(strangers[0])} scores segment {file.segments[strangers[0]]!r}, which"
                f" {judged.pair or 'the test set'} does not have"
            )
        return
    counts = Counter(file.systems[i] for i in rows)
    where = judged.pair or "the test set"
    for system, n_rows in counts.items():
        if n_rows != len(judged.corpus):
            raise InputError(
                f"{file.path} has {n_rows:,} scores of {system}, but {where} has {len(judged.corpus):,} segments;"
                " give a row per segment, None where there is no score"
            )


def _refuse_repeats(file: ScoreFile, rows: Sequence[int]) -> None:
    seen = Counter((file.systems[i], file.segments[i]) for i in rows)
    for (system, segment), times in seen.most_common(1):
        if times > 1:
            what = f"segment {segment} of {system}" if segment else system
            references = ", ".join(sorted({file.references[i] for i in rows} - {""}))
            raise InputError(
                f"{file.path} scores {what} {times} times; keep the rows of one reference"
                + (f" (there are {references})" if references else "")
            )
