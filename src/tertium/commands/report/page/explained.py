"""Explanations of the scores of the two best systems on the segments where they differ most."""

import base64
import json
from collections.abc import Iterator, Sequence

import numpy as np

from tertium.commands.report.page.contents import PageContents
from tertium.errors import TertiumError
from tertium.evaluation import Evaluation
from tertium.evaluation.differences import measure_influence_on_difference
from tertium.metrics.base import Metric
from tertium.records import record
from tertium.values import Corpus, Explanation, FloatArray

MAX_BYTES = 2_000_000
"""The maximal size of all explanations of a page before compression; compressed they take about a fifth."""
_MOST_SEGMENTS = 40  # of one metric
_MOST_CELLS = 2_500  # of a matrix that is drawn; larger ones are not readable


@record
class PageExplanations:
    """Explanations for the page's scripts, and the number of explained segments per metric.

    Attributes
    ----------
    entries
        Numbers of segment, system and metric, and the explanation.
    systems
        The two systems whose outputs are explained.
    n_segments
        By the metric's label.
    """

    entries: Sequence[tuple[int, int, int, dict[str, object]]]
    systems: tuple[str, ...] = ()
    n_segments: Sequence[int] = ()


def explain_segments(contents: PageContents, *, most_bytes: int = MAX_BYTES) -> PageExplanations:
    """Explain the segments that decide between the two best systems, as many per metric as the size limit allows.

    The two are the best under the first metric. Each metric has an equal share of the bytes, and explains the
    segments with the largest difference or the largest influence first.
    """
    evaluation = contents.evaluation
    if contents.corpus is None or len(evaluation.systems) < 2:
        return PageExplanations([])
    pair = _best_two(evaluation)
    able = [
        i for i, metric in enumerate(evaluation.metrics) if type(metric.metric).explain is not Metric.explain
    ]
    entries, counts = [], [0] * len(evaluation.metrics)
    for number in able:
        found = list(_explain(contents.corpus, evaluation, number, pair, most_bytes // len(able)))
        counts[number] = len({segment for segment, *_ in found})
        entries += found
    return PageExplanations(entries, tuple(evaluation.systems[i] for i in pair), counts)


def _best_two(evaluation: Evaluation) -> tuple[int, int]:
    label = evaluation.labels[0]
    sign = -1 if evaluation.metric(label).higher_is_better else 1
    first, second = np.argsort(sign * evaluation.system_scores(label), kind="stable")[:2]
    return int(first), int(second)


def _choose_segments(evaluation: Evaluation, label: str, pair: tuple[int, int]) -> list[int]:
    """Order segments by their difference and by their influence, alternately."""
    scores = evaluation.segment_scores(label)
    sizes = [scores[pair[0]] - scores[pair[1]]]
    if evaluation.n_segments > 1:
        first, second = (evaluation.systems[i] for i in pair)
        sizes.append(measure_influence_on_difference(evaluation, label, first, second))
    orders = [np.argsort(-np.abs(size), kind="stable")[:_MOST_SEGMENTS].tolist() for size in sizes]
    in_turn = (i for places in zip(*orders, strict=True) for i in places)
    return list(dict.fromkeys(in_turn))[:_MOST_SEGMENTS]


def _explain(
    corpus: Corpus, evaluation: Evaluation, number: int, pair: tuple[int, int], most_bytes: int
) -> Iterator[tuple[int, int, int, dict[str, object]]]:
    metric = evaluation.metrics[number]
    left = most_bytes
    for segment in _choose_segments(evaluation, metric.label, pair):
        for system in pair:
            output = corpus.systems[evaluation.systems[system]][segment]
            source = None if corpus.sources is None else corpus.sources[segment]
            shown = _show(metric.metric, output, corpus.references[segment], source)
            left -= len(json.dumps(shown))
            if left < 0:
                return
            if shown:
                yield segment, system, number, shown


def _show(metric: Metric, output: str, references: Sequence[str], source: str | None) -> dict[str, object]:
    try:
        return describe_picture(metric.explain_segment(output, references, source))
    except TertiumError:  # the text is too long, or a run lacks a resource
        return {}


def describe_picture(explanation: Explanation) -> dict[str, object]:
    """Describe the picture of an explanation: lines of text, links between words, and heat maps; empty parts are omitted."""
    maps = [
        [name, *_quantise(matrix)]
        for name, matrix in explanation.matrices.items()
        if matrix.ndim == 2 and 0 < matrix.size <= _MOST_CELLS
    ]
    has_words = bool(explanation.links or maps)
    shown = {
        "steps": list(explanation.steps),
        "rows": list(explanation.rows or explanation.hypothesis) if has_words else [],
        "columns": list(explanation.column_words) if has_words else [],
        "links": [list(link) for link in explanation.links],
        "maps": maps,
    }
    return {name: value for name, value in shown.items() if value}


def _quantise(matrix: FloatArray) -> list[object]:
    """Write a matrix as its smallest and largest value and a byte per cell, which is enough for colours."""
    finite = matrix[np.isfinite(matrix)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    bounded = np.clip(np.nan_to_num(matrix, nan=low, posinf=high, neginf=low), low, high)
    steps = (bounded - low) / ((high - low) or 1.0) * 255
    return [low, high, base64.b64encode(np.round(steps).astype(np.uint8).tobytes()).decode("ascii")]
