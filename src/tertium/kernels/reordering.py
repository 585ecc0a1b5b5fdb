"""Batch kernels over the order of words: block shifts and ranks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import tertium._core as _core
from tertium.kernels.derivations import Edit, EditKind
from tertium.kernels.pairs import pair_texts
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = [
    "Shift",
    "count_character_edits",
    "count_ranks",
    "count_translation_edits",
    "trace_translation_edits",
]

Item = TypeVar("Item")

# The core's numbers; 0 is none.
_EDITS = {1: EditKind.MATCH, 2: EditKind.SUBSTITUTION, 3: EditKind.DELETION, 4: EditKind.INSERTION}


def count_translation_edits(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray
) -> FloatArray:
    """Count per segment: the fewest edits and block shifts over its references, and their average length."""
    return _core.count_translation_edits(pair_texts(hypotheses, references, groups), n_threads())


@dataclass(frozen=True)
class Shift:
    """`length` words from `start` on move to where `landing` words stand before them."""

    start: int
    length: int
    landing: int

    def apply(self, items: list[Item]) -> list[Item]:
        """Make the shift."""
        end = self.start + self.length
        others = items[: self.start] + items[end:]
        return others[: self.landing] + items[self.start : end] + others[self.landing :]


def trace_translation_edits(pair: TokenColumn) -> tuple[list[Shift], list[int], list[Edit]]:
    """Follow the search from text 0 to text 1 of a column.

    Returns its shifts, the order in which they leave the words, and the edits of the words in that order.
    """
    middle = pair.offsets[1]
    moves, kinds = _core.trace_translation_edits(pair.ids[:middle], pair.ids[middle:])
    shifts = [Shift(*row) for row in moves.tolist()]
    order = list(range(int(middle)))
    for shift in shifts:
        order = shift.apply(order)
    return shifts, order, list(_number_edits(kinds.tolist()))


def _number_edits(kinds: list[int]) -> Iterator[Edit]:
    i = j = 0
    for number in kinds:
        kind = _EDITS[number]
        takes, gives = kind is not EditKind.INSERTION, kind is not EditKind.DELETION
        yield Edit(kind, i if takes else None, j if gives else None)
        i += takes
        j += gives


def count_ranks(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count for each *reference*: rank correlation, share of aligned hypothesis words, brevity penalty."""
    return _core.count_ranks(pair_texts(hypotheses, references, groups), n_threads())


def count_character_edits(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    letters: TokenColumn,
    *,
    threshold: int,
) -> FloatArray:
    """Count for each *reference*: character edits, shift costs, characters of the hypothesis.

    Text i of `letters` spells word i. Words match if at most `threshold` characters differ.
    """
    pairs = pair_texts(hypotheses, references, groups)
    return _core.count_character_edits(pairs, letters.ids, letters.offsets, threshold, n_threads())
