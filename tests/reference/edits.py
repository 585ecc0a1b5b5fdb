"""Textbook distances: Levenshtein by the full table, PER by counting."""

from collections import Counter
from collections.abc import Hashable, Sequence

__all__ = ["bag_distance", "levenshtein"]


def levenshtein(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Wagner & Fischer's table, row by row."""
    row = list(range(len(b) + 1))
    for i, symbol in enumerate(a, start=1):
        before, row = row, [i]
        for j, other in enumerate(b, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (symbol != other)))
    return row[-1]


def bag_distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """The longer length less the common symbols, counted with repeats."""
    return max(len(a), len(b)) - (Counter(a) & Counter(b)).total()
