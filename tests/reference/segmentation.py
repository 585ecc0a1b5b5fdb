"""Cutting a stream into segments by trying every cut: the textbook version that judges `cut_stream`."""

from collections.abc import Callable, Sequence
from math import inf

import numpy as np
import numpy.typing as npt

Substitution = Callable[[int, int], float]


def weighted_distance(stream: Sequence[int], reference: Sequence[int], substitution: Substitution) -> float:
    """Compute the edit distance with the table of all prefixes."""
    row = [float(j) for j in range(len(reference) + 1)]
    for i, token in enumerate(stream, start=1):
        above, row = row, [float(i)]
        for j, other in enumerate(reference, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + substitution(token, other)))
    return row[-1]


def different(token: int, other: int) -> float:
    return float(token != other)


def segmentation_cost(
    stream: Sequence[int],
    segments: Sequence[Sequence[Sequence[int]]],
    positions: Sequence[int],
    cut_costs: Sequence[Sequence[float]],
    substitution: Substitution = different,
) -> float:
    """Sum the edits of each segment against its closest reference, and the costs of the cuts between them."""
    edits = sum(
        min(weighted_distance(stream[start:end], reference, substitution) for reference in references)
        for references, start, end in zip(segments, positions[:-1], positions[1:], strict=True)
    )
    cuts = zip(cut_costs, positions[1:-1], strict=True)
    return edits + sum(costs[position] for costs, position in cuts)


def least_cost(
    stream: Sequence[int],
    segments: Sequence[Sequence[Sequence[int]]],
    cut_costs: Sequence[Sequence[float]],
    substitution: Substitution = different,
) -> float:
    """Find the least cost over all segmentations: segment by segment, from every beginning to every end.

    `cut_costs` has a row per cut, which lies behind a segment that is not the last.
    """
    n = len(stream)
    best = [0.0] + [inf] * n  # by the beginning of the segment
    for number, references in enumerate(segments):
        ends = [
            min(
                best[start]
                + min(
                    weighted_distance(stream[start:end], reference, substitution) for reference in references
                )
                for start in range(end + 1)
            )
            for end in range(n + 1)
        ]
        is_last = number + 1 == len(segments)
        best = ends if is_last else [end + cost for end, cost in zip(ends, cut_costs[number], strict=True)]
    return best[n]


def least_cost_of_long_stream(
    stream: npt.NDArray[np.int32],
    segments: Sequence[Sequence[Sequence[int]]],
    cut_costs: npt.NDArray[np.float64],
    table: npt.NDArray[np.float64],
) -> float:
    """Compute the same by rows of the whole table: `row[i]` is the least cost of consuming i tokens.

    `table[reference, token]` is the cost of a substitution.
    """
    steps = np.arange(len(stream) + 1)
    row = np.append(0.0, np.full(len(stream), inf))
    for number, references in enumerate(segments):
        ends = []
        for reference in references:
            end = _insert(row, steps)
            for token in reference:
                replaced = np.append(inf, end[:-1] + table[token, stream])
                end = _insert(np.minimum(end + 1, replaced), steps)
            ends.append(end)
        row = np.min(ends, axis=0)
        if number + 1 < len(segments):
            row = row + cut_costs[number]
    return float(row[-1])


def _insert(row: npt.NDArray[np.float64], steps: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Extend paths by insertions: row[i] = min over k <= i of row[k] + i - k."""
    least: npt.NDArray[np.float64] = np.minimum.accumulate(row - steps) + steps
    return least
