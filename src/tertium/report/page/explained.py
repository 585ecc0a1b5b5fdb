"""Explanations of the segments that readers look at first: why the two best systems got their scores there."""

from collections.abc import Iterator, Sequence

import numpy as np

from tertium.errors import TertiumError
from tertium.evaluation import Evaluation
from tertium.evaluation.influence import measure_influence_on_difference
from tertium.metrics.base import Metric
from tertium.report.page.contents import PageContents
from tertium.types import Corpus

__all__ = ["explain_segments"]

_N_SEGMENTS = 10  # with the largest difference, and as many with the largest influence on it

Explained = list[tuple[int, int, int, list[str]]]
"""Segment, system and metric by their numbers, and the explanation line by line."""


def explain_segments(contents: PageContents) -> Explained:
    """Explain the segments that decide between the two best systems under the first metric."""
    evaluation = contents.evaluation
    if contents.corpus is None or len(evaluation.systems) < 2:
        return []
    first, second = _best_two(evaluation)
    segments = _choose_segments(evaluation, first, second)
    return list(_explain(contents.corpus, evaluation, segments, (first, second)))


def _best_two(evaluation: Evaluation) -> tuple[int, int]:
    label = evaluation.labels[0]
    sign = -1 if evaluation.metric(label).higher_is_better else 1
    first, second = np.argsort(sign * evaluation.system_scores(label), kind="stable")[:2]
    return int(first), int(second)


def _choose_segments(evaluation: Evaluation, first: int, second: int) -> list[int]:
    label, names = evaluation.labels[0], evaluation.systems
    scores = evaluation.segment_scores(label)
    sizes = [scores[first] - scores[second]]
    if evaluation.n_segments > 1:
        sizes.append(measure_influence_on_difference(evaluation, label, names[first], names[second]))
    orders = [np.argsort(-np.abs(size), kind="stable")[:_N_SEGMENTS] for size in sizes]
    return sorted({int(i) for order in orders for i in order})


def _explain(
    corpus: Corpus, evaluation: Evaluation, segments: list[int], systems: tuple[int, int]
) -> Iterator[tuple[int, int, int, list[str]]]:
    for number, each in enumerate(evaluation.metrics):
        if type(each.metric).explain is Metric.explain:
            continue
        for segment in segments:
            for system in systems:
                output = corpus.systems[evaluation.systems[system]][segment]
                if steps := _steps(each.metric, output, corpus.references[segment]):
                    yield segment, system, number, steps


def _steps(metric: Metric, output: str, references: Sequence[str]) -> list[str]:
    try:
        return list(metric.explain(output, references).steps)
    except TertiumError:  # too long a text, or a resource that a run does not bring along
        return []
