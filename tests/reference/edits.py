"""Textbook distances: Levenshtein and its edits by the full table, PER by counting, CDER and EED row by row."""

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

__all__ = [
    "bag_distance",
    "count_sequence",
    "cover_distance",
    "extended_distance",
    "extended_distance_of_program",
    "levenshtein",
]


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


def count_sequence(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> tuple[int, int]:
    """Matches and edits of the shortest edit sequence that rapidfuzz reports, walked back through the table."""
    table = [[i + j for j in range(len(hypothesis) + 1)] for i in range(len(reference) + 1)]
    for i, word in enumerate(reference, start=1):
        for j, other in enumerate(hypothesis, start=1):
            change = table[i - 1][j - 1] + (word != other)
            table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, change)
    i, j, matches = len(reference), len(hypothesis), 0
    while i and j:
        if reference[i - 1] == hypothesis[j - 1] and (i, j) == (len(reference), len(hypothesis)):
            return _add_match(count_sequence(hypothesis[:-1], reference[:-1]))  # common ends match
        if table[i][j] == table[i - 1][j] + 1:
            i -= 1
        elif j > 1 and table[i][j - 1] == table[i - 1][j - 1] - 1:
            j -= 1
        else:
            i, j = i - 1, j - 1
            matches += reference[i] == hypothesis[j]
    return matches, table[-1][-1]


def _add_match(counts: tuple[int, int]) -> tuple[int, int]:
    return counts[0] + 1, counts[1]


def cover_distance(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> int:
    """CDER: after each reference word, a jump to any position costs 1."""
    row = [min(i, 1) for i in range(len(hypothesis) + 1)]
    for word in reference:
        before, row = row, [row[0] + 1]
        for i, other in enumerate(hypothesis, start=1):
            row.append(min(row[-1] + 1, before[i] + 1, before[i - 1] + (other != word)))
        row = [min(cost, min(row) + 1) for cost in row]
    return row[-1]


def extended_distance(hypothesis: str, reference: str) -> float:
    """EED of prepared texts with the paper's costs."""
    row, visits = [0.0] + [1.0] * len(hypothesis), [0] * (len(hypothesis) + 1)
    for character in reference:
        before, row = row, [row[0] + 1]
        for i, other in enumerate(hypothesis, start=1):
            row.append(min(row[-1] + 0.2, before[i - 1] + (other != character), before[i] + 1))
        visits[row.index(min(row))] += 1
        if character == " ":
            row = [min(cost, min(row) + 2) for cost in row]
    coverage = 0.3 * sum(abs(n - 1) for n in visits)
    return min(1.0, (row[-1] + coverage) / (len(reference) + coverage))


def extended_distance_of_program(hypothesis: str, reference: str) -> float:
    """EED of prepared texts as the authors' C++ program computes it."""
    single = np.float32
    row, visits = [single(0)] + [single(1)] * len(hypothesis), [0] * (len(hypothesis) + 1)
    for character in reference:
        before, row = row, [row[0] + single(1)]
        lowest, cheapest = int(row[0]), 0
        for i, other in enumerate(hypothesis, start=1):
            change = before[i - 1] + single(other != character)
            row.append(min(row[-1] + single(0.2), change, before[i] + single(1)))
            if row[i] < lowest:
                lowest, cheapest = int(row[i]), i  # an integer, so the comparison is with the truncated cost
        visits[cheapest] += 1
        if character == " ":
            row = [min(cost, row[cheapest] + single(2)) for cost in row]
    coverage = single(0.3) * single(sum(abs(n - 1) for n in visits[1:]))
    return min(1.0, float((row[-1] + coverage) / (single(len(reference)) + coverage)))
