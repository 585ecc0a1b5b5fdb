"""Edit distances: Levenshtein, bags of words, block shifts, ranks and inversions, with their derivations."""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict
from enum import Enum
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.errors import InputError, OptionError
from tertium.kernels.strings import number_pairs, pair_texts
from tertium.kernels.threads import n_threads
from tertium.records import record
from tertium.values import FloatArray, IdArray, OffsetArray, TokenColumn


def count_levenshtein(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count, per segment, the fewest edits over its references, and the average reference length."""
    return _core.count_levenshtein(pair_texts(hypotheses, references, groups), n_threads())


def count_bag_errors(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count, per segment, the fewest bag-of-words errors over its references, and the average reference length."""
    return _core.count_bag_errors(pair_texts(hypotheses, references, groups), n_threads())


def count_cover_errors(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count, per segment, CDER's lowest cost over its references, and the average reference length."""
    return _core.count_cover_errors(pair_texts(hypotheses, references, groups), n_threads())


def count_edit_sequences(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count, per segment, matches, edits, and the lengths of the hypothesis and of the nearest reference."""
    return _core.count_edit_sequences(pair_texts(hypotheses, references, groups), n_threads())


def count_extended_edits(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    *,
    deletion: float,
    insertion: float,
    substitution: float,
    jump: float,
    as_program: bool,
) -> FloatArray:
    """Compute, for each *reference*, the cost of EED's path, and its coverage term without the weight."""
    pairs = pair_texts(hypotheses, references, groups)
    return _core.count_extended_edits(pairs, deletion, insertion, substitution, jump, as_program, n_threads())


# The names of the numbers that the core uses for the edits of the translation edit rate and of a derivation.
_TRANSLATION_EDITS = _core.translation_edit_names()
DERIVATION_EDITS = tuple(_core.derivation_edit_names())

_COUNTED = [_TRANSLATION_EDITS.index(name) for name in ("insertion", "deletion", "substitution")]


def count_edit_kinds(hypotheses: TokenColumn, references: TokenColumn) -> npt.NDArray[np.int64]:
    """Count insertions, deletions, substitutions and shifts per pair of a hypothesis and a reference."""
    rows = np.zeros((len(hypotheses), 4), dtype=np.int64)
    ours, theirs = (np.split(column.ids, column.offsets[1:-1]) for column in (hypotheses, references))
    for row, hypothesis, reference in zip(rows, ours, theirs, strict=True):
        moves, kinds = _core.trace_translation_edits(hypothesis, reference)
        counts = np.bincount(kinds, minlength=len(_TRANSLATION_EDITS))
        row[:] = *counts[_COUNTED], len(moves)
    return rows


DEFAULT_MEMORY = 800
"""The memory limit for one pair, in megabytes: enough for any two sequences of 100 symbols."""
MAX_MEMORY = 1 << 40  # in bytes it still fits into 64 bits

DEFAULT_STEPS = 20_000
"""The limit of search steps for one pair, in millions: about two minutes on a core of 2024."""
MAX_STEPS = 1 << 40  # as single steps it still fits into 64 bits

_MILLION = 1_000_000


@record
class InversionCosts:
    """The cost of each kind of edit: finite numbers, at least 0."""

    insertion: float = 1.0
    deletion: float = 1.0
    substitution: float = 1.0
    inversion: float = 1.0

    def __post_init__(self) -> None:
        for name, cost in vars(self).items():
            if not isinstance(cost, int | float) or not math.isfinite(cost) or cost < 0:
                raise OptionError(f"the cost of an {name} must be a finite number at least 0, not {cost!r}")


def count_inversions(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    *,
    costs: InversionCosts,
    max_memory: int = DEFAULT_MEMORY,
    max_steps: int = DEFAULT_STEPS,
    takes_bounds: bool = False,
    noun: str = "segment",
) -> FloatArray:
    """Compute, per segment, the lowest cost over its references, the average reference length, and 1 for a bound.

    If a search would need more than `max_memory` megabytes or `max_steps` million steps, the cost is the best
    upper bound found if `takes_bounds` is set; otherwise an error is raised.
    """
    pairs = pair_texts(hypotheses, references, groups)
    limits = _check_limits(max_memory, max_steps)
    rows, failed = _core.count_inversions(pairs, _core_costs(costs), *limits, takes_bounds, n_threads())
    if failed < len(hypotheses):
        sizes = references.lengths[groups[failed] : groups[failed + 1]]
        raise _too_large(
            f"{noun} {failed + 1:,}",
            int(hypotheses.lengths[failed]),
            int(sizes.max()),
            max_memory,
            max_steps,
        )
    return rows


def trace_inversions(
    first: IdArray,
    second: IdArray,
    *,
    costs: InversionCosts,
    max_memory: int = DEFAULT_MEMORY,
    max_steps: int = DEFAULT_STEPS,
) -> npt.NDArray[np.int32]:
    """Find one of the cheapest derivations: a row (edit, i0, i1, j0, j1, i, j) per step.

    An edit is an index into `DERIVATION_EDITS`. The rows of an inversion's left
    part (first[i0:i] and second[j:j1]) follow it, then those of its right part (first[i:i1], second[j0:j]).
    """
    limits = _check_limits(max_memory, max_steps)
    rows = _core.trace_inversions(first, second, _core_costs(costs), *limits)
    if rows is None:
        raise _too_large("this pair", len(first), len(second), max_memory, max_steps)
    return rows


def _too_large(where: str, n_first: int, n_second: int, max_memory: int, max_steps: int) -> InputError:
    return InputError(
        f"{where}: the inversion distance of {n_first:,} and {n_second:,} symbols needs more than "
        f"{max_memory:,} megabytes or {max_steps:,} million steps; shorten them, increase max_memory or max_steps, "
        "or use an upper bound (beyond=bound)"
    )


def _core_costs(costs: InversionCosts) -> _core.InversionCosts:
    return _core.InversionCosts(costs.insertion, costs.deletion, costs.substitution, costs.inversion)


def _check_limits(max_memory: int, max_steps: int) -> tuple[int, int]:
    """Return the limits in bytes and in steps."""
    return (
        _check_limit("max_memory must be a whole number of megabytes", max_memory, MAX_MEMORY),
        _check_limit("max_steps must be a whole number of million steps", max_steps, MAX_STEPS),
    )


def _check_limit(claim: str, number: int, maximum: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= maximum:
        raise OptionError(f"{claim}, at least 1 and at most {maximum:,}, not {number!r}")
    return number * _MILLION


class EditKind(Enum):
    """The kinds of edits of a symbol."""

    MATCH = "match"
    SUBSTITUTION = "substitution"
    DELETION = "deletion"
    INSERTION = "insertion"


@record
class Edit:
    """An edit of first[i], second[j] or both; None for the sequence that it does not change."""

    kind: EditKind
    i: int | None
    j: int | None


@record
class Inversion:
    """Two adjacent blocks that are swapped: `left` comes first in the first sequence only."""

    left: tuple["Edit | Inversion", ...]
    right: tuple["Edit | Inversion", ...]


@record
class Derivation:
    """The steps that turn the first sequence into the second, from left to right in the first."""

    first: tuple[Hashable, ...]
    second: tuple[Hashable, ...]
    steps: tuple[Edit | Inversion, ...]
    costs: InversionCosts

    @property
    def cost(self) -> float:
        """The total cost of all edits."""
        counts = self.counts()
        return float(sum(counts[kind] * cost for kind, cost in asdict(self.costs).items()))

    def counts(self) -> dict[str, int]:
        """Count the edits of each kind."""
        kinds = [kind.value for kind in EditKind]
        counts = dict.fromkeys([*kinds, "inversion"], 0)
        for step in _walk(self.steps):
            counts["inversion" if isinstance(step, Inversion) else step.kind.value] += 1
        return counts

    def __str__(self) -> str:
        """Format the bracketed parse as in the paper, with ⟨ ⟩ around blocks that are swapped."""
        return self._bracket(self.steps)

    def _bracket(self, steps: Sequence[Edit | Inversion]) -> str:
        return "[" + " ".join(map(self._format_step, steps)) + "]"

    def _format_step(self, step: Edit | Inversion) -> str:
        if isinstance(step, Inversion):
            return f"⟨{self._bracket(step.left)} {self._bracket(step.right)}⟩"
        source = "ε" if step.i is None else str(self.first[step.i])
        target = "ε" if step.j is None else str(self.second[step.j])
        return f"{source}/{target}"


def build_derivation(
    first: Sequence[Hashable], second: Sequence[Hashable], rows: npt.NDArray[np.int32], costs: InversionCosts
) -> Derivation:
    """Build the derivation from the rows of `trace_inversions`."""
    steps = _parse_block(iter(rows.tolist()), len(first), len(second), 0, 0)
    return Derivation(tuple(first), tuple(second), tuple(steps), costs)


def _parse_block(rows: Iterator[list[int]], i1: int, j1: int, i: int, j: int) -> Iterator[Edit | Inversion]:
    """Parse the steps from (i, j) to (i1, j1)."""
    while i < i1 or j < j1:
        (row,) = islice(rows, 1)
        _, _, i, _, j, _, _ = row
        yield _parse_step(row, rows)


def _parse_step(row: list[int], rows: Iterator[list[int]]) -> Edit | Inversion:
    number, i0, i1, j0, j1, i, j = row
    edit = DERIVATION_EDITS[number]
    if edit == "inversion":
        left = tuple(_parse_block(rows, i, j1, i0, j))
        return Inversion(left, tuple(_parse_block(rows, i1, j, i, j0)))
    return Edit(EditKind(edit), i0 if i1 > i0 else None, j0 if j1 > j0 else None)


def _walk(steps: Sequence[Edit | Inversion]) -> Iterator[Edit | Inversion]:
    for step in steps:
        yield step
        if isinstance(step, Inversion):
            yield from _walk(step.left)
            yield from _walk(step.right)


Item = TypeVar("Item")

# "none" never occurs in a trace.
_EDITS = {number: EditKind(name) for number, name in enumerate(_TRANSLATION_EDITS) if name != "none"}


def count_translation_edits(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray
) -> FloatArray:
    """Count, per segment, the fewest edits and block shifts over its references, and the average reference length."""
    return _core.count_translation_edits(pair_texts(hypotheses, references, groups), n_threads())


@record
class Shift:
    """A shift of the `length` words from `start` on to the position after `landing` other words."""

    start: int
    length: int
    landing: int

    def apply(self, items: list[Item]) -> list[Item]:
        """Return the items after the shift."""
        end = self.start + self.length
        others = items[: self.start] + items[end:]
        return others[: self.landing] + items[self.start : end] + others[self.landing :]


def trace_edits(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[Edit, ...]:
    """Find the shortest sequence of edits from the first to the second sequence that rapidfuzz reports."""
    one, other = number_pairs([first], [second])
    return tuple(_number_edits(_core.trace_edits(one.ids, other.ids).tolist()))


def trace_translation_edits(pair: TokenColumn) -> tuple[list[Shift], list[int], list[Edit]]:
    """Trace the search from text 0 to text 1 of a column.

    Returns the shifts, the order of the words after them, and the edits of the words in that order.
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
    """Compute, for each *reference*: rank correlation, share of aligned hypothesis words, brevity penalty."""
    return _core.count_ranks(pair_texts(hypotheses, references, groups), n_threads())


def count_character_edits(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    letters: TokenColumn,
    *,
    threshold: int,
) -> FloatArray:
    """Count, for each *reference*: character edits, shift costs, characters of the hypothesis.

    Text i of `letters` has the characters of word i. Words match if their edit distance is at most `threshold`.
    """
    pairs = pair_texts(hypotheses, references, groups)
    return _core.count_character_edits(pairs, letters.ids, letters.offsets, threshold, n_threads())


def levenshtein_distances(
    first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]
) -> FloatArray:
    """Compute the edit distance of each pair of sequences.

    >>> levenshtein_distances(["kitten", [1, 2, 3]], ["sitting", [1, 3]])
    array([3., 1.])
    """
    one, other = number_pairs(first, second)
    return count_levenshtein(one, other, np.arange(len(other) + 1, dtype=np.int64))[:, 0]


def inversion_distance(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    insertion: float = 1,
    deletion: float = 1,
    substitution: float = 1,
    inversion: float = 1,
    max_memory: int = DEFAULT_MEMORY,
) -> float:
    """Compute the exact inversion edit distance: Levenshtein's edits, and swaps of adjacent blocks.

    Blocks may have any length; swaps may be nested, but never cross (Leusch, Ueffing & Ney 2003).

    Parameters
    ----------
    insertion, deletion, substitution, inversion
        The cost of each kind of edit.
    max_memory
        The memory limit in megabytes; a pair that needs more raises an error.

    >>> inversion_distance("abcd", "cdab")
    1.0
    >>> inversion_distance("abcd", "bdac")
    3.0
    """
    costs = InversionCosts(insertion, deletion, substitution, inversion)
    return float(_distances([first], [second], costs, max_memory)[0])


def inversion_distances(
    first: Sequence[Sequence[Hashable]],
    second: Sequence[Sequence[Hashable]],
    *,
    insertion: float = 1,
    deletion: float = 1,
    substitution: float = 1,
    inversion: float = 1,
    max_memory: int = DEFAULT_MEMORY,
) -> FloatArray:
    """Compute the exact inversion edit distance of each pair of sequences.

    >>> inversion_distances(["kitten", [1, 2, 3, 4]], ["sitting", [3, 4, 1]])
    array([3., 2.])
    """
    return _distances(first, second, InversionCosts(insertion, deletion, substitution, inversion), max_memory)


def inversion_derivation(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    insertion: float = 1,
    deletion: float = 1,
    substitution: float = 1,
    inversion: float = 1,
    max_memory: int = DEFAULT_MEMORY,
) -> Derivation:
    """Find one of the cheapest derivations behind the inversion edit distance.

    >>> print(inversion_derivation("we meet at noon here".split(), "we meet here at twelve".split()))
    [we/we meet/meet ⟨[at/at noon/twelve] [here/here]⟩]
    """
    costs = InversionCosts(insertion, deletion, substitution, inversion)
    one, other = number_pairs([first], [second])
    return build_derivation(
        first, second, trace_inversions(one.ids, other.ids, costs=costs, max_memory=max_memory), costs
    )


def _distances(
    first: Sequence[Sequence[Hashable]],
    second: Sequence[Sequence[Hashable]],
    costs: InversionCosts,
    max_memory: int,
) -> FloatArray:
    one, other = number_pairs(first, second)
    groups = np.arange(len(other) + 1, dtype=np.int64)  # a pair has one reference
    return count_inversions(one, other, groups, costs=costs, max_memory=max_memory, noun="pair")[:, 0]
