"""Parts of judged sets: some segments, and the parts that a column makes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.agreement.judged_sets import HumanOptions, JudgedSet, derive_system_scores
from tertium.evaluation.subsets import SegmentColumns, part_by, select_texts
from tertium.stats.rankings import Comparisons

__all__ = ["part_sets", "select_segments"]


def part_sets(sets: Sequence[JudgedSet], column: str, options: HumanOptions) -> list[JudgedSet]:
    """Part each set by the values of a column of its segments, such as `document` or `domain`.

    Raises
    ------
    UnknownNameError
        If a set has no such column.
    """
    return [
        replace(select_segments(judged, rows, options), part=value)
        for judged in sets
        for value, rows in part_by(SegmentColumns(judged.corpus), column).items()
    ]


def select_segments(judged: JudgedSet, rows: npt.NDArray[np.int64], options: HumanOptions) -> JudgedSet:
    """Keep some segments and what people said of them; judgments of whole systems say nothing about a part."""
    scores, comparisons = judged.segment_scores, judged.comparisons
    part = JudgedSet(
        judged.pair,
        select_texts(judged.corpus, rows),
        segment_scores=None if scores is None else scores[:, rows],
        comparisons=None if comparisons is None else _select(comparisons, rows, len(judged.corpus)),
    )
    return derive_system_scores(part, options)


def _select(comparisons: Comparisons, rows: npt.NDArray[np.int64], n_segments: int) -> Comparisons | None:
    places = np.full(n_segments, -1, dtype=np.int32)
    places[rows] = np.arange(len(rows), dtype=np.int32)
    segments = places[comparisons.segments]
    kept = segments >= 0
    chosen = [each[kept] for each in (comparisons.first, comparisons.second, comparisons.preferences)]
    return Comparisons(segments[kept], *chosen) if kept.any() else None
