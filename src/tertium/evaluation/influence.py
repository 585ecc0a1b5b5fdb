"""Which segments decide: the exact influence of each on a score, and on the difference of two systems.

A segment's influence is the score of all segments minus the score of all but this one, by the metric's own
formula over the rows of statistics. So it is exact for BLEU too, whose score is no mean over segments.
"""

from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.statistics import Evaluation
from tertium.types import FloatArray, OffsetArray

__all__ = ["DecisiveSegments", "find_decisive", "measure_influence", "measure_influence_on_difference"]

_BLOCK_VALUES = 2**20  # 8 MB at a time, so that a million segments need no second table


def measure_influence(evaluation: Evaluation, label: str) -> FloatArray:
    """Measure what every segment adds to every system's score under a metric, (systems, segments)."""
    _check_segments(evaluation)
    totals = evaluation.totals(label)
    systems = zip(evaluation.tables[label], totals, evaluation.system_scores(label), strict=True)
    combine = evaluation.metric(label).combine
    influence = np.empty(evaluation.tables[label].shape[:2])
    size = max(1, _BLOCK_VALUES // max(1, totals.shape[1]))
    for row, (table, total, score) in zip(influence, systems, strict=True):
        for begin in range(0, len(table), size):
            row[begin : begin + size] = score - combine(total - table[begin : begin + size])
    return influence


def measure_influence_on_difference(
    evaluation: Evaluation, label: str, first: str, second: str
) -> FloatArray:
    """Measure what every segment adds to the second system's score minus the first one's, (segments,)."""
    chosen = [_number(evaluation, system) for system in (first, second)]
    of_first, of_second = measure_influence(_only(evaluation, label, chosen), label)
    return np.asarray(of_second - of_first)


@dataclass(frozen=True, eq=False)
class DecisiveSegments:
    """The segments without which only a share of two systems' difference would be left.

    Attributes
    ----------
    difference
        The second system's score minus the first one's, over all segments.
    segments
        From 0, the most decisive one first.
    influence
        Of each of these segments on the difference.
    left
        The difference without all of them.
    """

    difference: float
    segments: OffsetArray
    influence: FloatArray
    left: float
    n_segments: int


def find_decisive(
    evaluation: Evaluation, label: str, first: str, second: str, *, share: float = 0.5
) -> DecisiveSegments:
    """Find the segments that make up a share of the difference between two systems.

    Segments are taken away in the order of their influence, until no more than 1 − share of the difference is
    left; at least one segment stays. Where the systems do not differ, no segment is decisive.
    """
    if not 0 < share <= 1:
        raise OptionError(f"share must lie above 0 and be at most 1, not {share}")
    chosen = [_number(evaluation, system) for system in (first, second)]
    pair = _only(evaluation, label, chosen)
    of_first, of_second = measure_influence(pair, label)
    influence = of_second - of_first
    score_first, score_second = pair.system_scores(label)
    difference = float(score_second - score_first)
    order = np.argsort(-influence * np.sign(difference), kind="stable")
    lefts = _differences_without(pair, label, order)
    is_enough = np.abs(difference) * (1 - share) >= lefts * np.sign(difference)
    n_decisive = int(np.argmax(is_enough)) if difference != 0 and is_enough.any() else 0
    segments = order[:n_decisive]
    return DecisiveSegments(
        difference, segments, influence[segments], float(lefts[n_decisive]), evaluation.n_segments
    )


def _differences_without(pair: Evaluation, label: str, order: OffsetArray) -> FloatArray:
    """Score two systems without the first 0, 1, 2, … of these segments; all but one may go."""
    combine = pair.metric(label).combine
    scores = []
    for table, total in zip(pair.tables[label], pair.totals(label), strict=True):
        removed = np.cumsum(table[order[:-1]], axis=0)
        scores.append(combine(total - np.concatenate([np.zeros((1, len(total))), removed])))
    return np.asarray(scores[1] - scores[0])


def _only(evaluation: Evaluation, label: str, systems: list[int]) -> Evaluation:
    """Keep some systems under one metric."""
    names = tuple(evaluation.systems[i] for i in systems)
    table = evaluation.tables[label][systems]
    return Evaluation(names, evaluation.metrics, {label: table}, evaluation.n_references)


def _number(evaluation: Evaluation, system: str) -> int:
    if system not in evaluation.systems:
        raise UnknownNameError(f"no system {system!r} was scored; there are {', '.join(evaluation.systems)}")
    return evaluation.systems.index(system)


def _check_segments(evaluation: Evaluation) -> None:
    if evaluation.n_segments < 2:
        raise InputError("a single segment decides everything: influence needs two segments or more")
