"""Accuracy of metrics on challenge sets: how often a good translation gets a better score than a bad one."""

from collections.abc import Mapping, Sequence
from statistics import NormalDist

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.corpus.challenge_sets import ChallengeSet
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import score_set
from tertium.records import record
from tertium.types import Corpus, FloatArray, ReferenceStreams

ALL, MEAN = "all examples", "mean of phenomena"


@record
class ChallengeCell:
    """The accuracy of one metric on one phenomenon, with a confidence interval.

    A tie counts as wrong, so Kendall's τ as ACES defines it is 2 · accuracy − 1. `tied` is the share of ties.
    """

    phenomenon: str
    metric: str
    n_examples: int
    accuracy: float
    low: float
    high: float
    tied: float


def score_challenge_set(
    examples: ChallengeSet,
    metrics: Mapping[str, Sequence[LabelledMetric]],
    *,
    lower_is_better: Sequence[str] = (),
    threads: int | None = None,
) -> tuple[dict[str, FloatArray], list[str]]:
    """Score all examples; return (2, examples) by metric, oriented so that higher is better, and warnings.

    `metrics` are those of each language pair. Examples that a metric could not score are NaN. Scores in the file of metrics in
    `lower_is_better` are turned around.
    """
    found = {
        label: -scores if label in lower_is_better else scores for label, scores in examples.scores.items()
    }
    warnings: list[str] = []
    pairs = np.array(examples.pairs, dtype=object)
    for pair, chosen in metrics.items():
        rows = np.flatnonzero(pairs == pair).tolist()
        scored, more = score_set(JudgedSet(pair, _select(examples, rows)), chosen, threads=threads)
        warnings += more
        for label, scores in scored.items():
            table = found.setdefault(label, np.full((2, len(examples)), np.nan))
            if scores.segment_scores is not None:
                table[:, rows] = scores.sign * scores.segment_scores
    return found, warnings


def _select(examples: ChallengeSet, rows: Sequence[int]) -> Corpus:
    def pick(texts: Sequence[str]) -> list[str]:
        return [texts[row] for row in rows]

    return Corpus(
        ReferenceStreams(
            [] if examples.references is None else [pick(examples.references)], n_segments=len(rows)
        ),
        {"good": pick(examples.good), "bad": pick(examples.bad)},
        None if examples.sources is None else pick(examples.sources),
    )


def compare_translations(
    examples: ChallengeSet, scores: Mapping[str, FloatArray], *, level: float
) -> list[ChallengeCell]:
    """Compute the accuracy of each metric on each phenomenon, on all examples, and the mean over phenomena.

    Intervals of single phenomena are Wilson's; the interval of the mean adds their variances. Examples without scores are left out.
    """
    names = np.array(examples.phenomena, dtype=object)
    phenomena = list(dict.fromkeys(examples.phenomena))
    cells = []
    for label, (good, bad) in scores.items():
        known = ~np.isnan(good + bad)
        found = [_count(each, label, good, bad, known & (names == each), level) for each in phenomena]
        found = [cell for cell in found if cell.n_examples]
        if not found:
            continue
        cells += found
        if len(phenomena) > 1:
            cells += [_count(ALL, label, good, bad, known, level), _average(label, found, level)]
    return cells


def _count(
    phenomenon: str, metric: str, good: FloatArray, bad: FloatArray, chosen: FloatArray, level: float
) -> ChallengeCell:
    n = int(np.count_nonzero(chosen))
    if not n:
        return ChallengeCell(phenomenon, metric, 0, np.nan, np.nan, np.nan, np.nan)
    gaps = (good - bad)[chosen]
    accuracy, tied = float(np.mean(gaps > 0)), float(np.mean(gaps == 0))
    low, high = wilson_interval(accuracy, n, level=level)
    return ChallengeCell(phenomenon, metric, n, accuracy, low, high, tied)


def _average(metric: str, cells: Sequence[ChallengeCell], level: float) -> ChallengeCell:
    """Average the accuracies of phenomena; each weighs the same."""
    mean = float(np.mean([cell.accuracy for cell in cells]))
    # (k + 1) / (n + 2): a phenomenon with all examples right still has some variance
    rates = [(cell.accuracy * cell.n_examples + 1) / (cell.n_examples + 2) for cell in cells]
    variance = (
        sum(p * (1 - p) / cell.n_examples for p, cell in zip(rates, cells, strict=True)) / len(cells) ** 2
    )
    half = _z(level) * float(np.sqrt(variance))
    n = sum(cell.n_examples for cell in cells)
    tied = float(np.mean([cell.tied for cell in cells]))
    return ChallengeCell(MEAN, metric, n, mean, max(0.0, mean - half), min(1.0, mean + half), tied)


def wilson_interval(share: float, n: int, *, level: float = 0.95) -> tuple[float, float]:
    """Compute Wilson's (1927) confidence interval of a share.

    >>> tuple(round(bound, 4) for bound in wilson_interval(0.5, 10))
    (0.2366, 0.7634)
    """
    z = _z(level)
    centre = share + z * z / (2 * n)
    half = z * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    scale = 1 + z * z / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def _z(level: float) -> float:
    return NormalDist().inv_cdf((1 + level) / 2)
