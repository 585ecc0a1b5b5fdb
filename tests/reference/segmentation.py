"""Cutting a stream into segments by trying every cut: the textbook version that judges `cut_stream`."""

from collections.abc import Callable, Sequence
from math import inf

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
                + min(weighted_distance(stream[start:end], each, substitution) for each in references)
                for start in range(end + 1)
            )
            for end in range(n + 1)
        ]
        is_last = number + 1 == len(segments)
        best = ends if is_last else [end + cost for end, cost in zip(ends, cut_costs[number], strict=True)]
    return best[n]
