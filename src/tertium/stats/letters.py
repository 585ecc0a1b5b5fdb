"""Compact letter displays and rank ranges, from the tests of all pairs of systems.

Two systems share a letter if and only if their difference is not significant. The letters are found by inserting and
absorbing (Piepho, 2004, "An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons").
"""

import re
from collections.abc import Sequence
from itertools import chain, combinations
from string import ascii_letters

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.stats.significance import ROUNDING
from tertium.values import FloatArray

_LETTER = re.compile(r"[A-Za-z]\d*")

BoolMatrix = npt.NDArray[np.bool_]

Groups = list[int]
"""Groups of systems without a significant difference inside a group; bit i of a group stands for the system at place i."""


def compact_letters(
    scores: FloatArray, is_significant: BoolMatrix, *, higher_is_better: bool = True
) -> tuple[str, ...]:
    """Return the letters of each system; two systems share a letter if and only if they do not differ significantly.

    The best system has the letter a. After z come A to Z, then a2, b2 and so on.

    Parameters
    ----------
    scores
        The score of each system, (systems,).
    is_significant
        Whether each pair of systems differs significantly, (systems, systems), symmetric; the diagonal is ignored.

    Examples
    --------
    >>> differs = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> compact_letters(np.array([31.0, 30.2, 29.6]), differs)
    ('a', 'ab', 'b')
    """
    ranking = _order(scores, is_significant, higher_is_better=higher_is_better)
    groups = _group(is_significant[np.ix_(ranking, ranking)])
    letters = [""] * len(ranking)
    for number, group in enumerate(groups):
        for place in group:
            letters[ranking[place]] += name_letter(number)
    return tuple(letters)


def share_letter(letters: str, others: str) -> bool:
    """Whether two systems have a letter in common.

    >>> share_letter("ab", "bc"), share_letter("a", "a2")
    (True, False)
    """
    return not set(_LETTER.findall(letters)).isdisjoint(_LETTER.findall(others))


def find_best_group(
    scores: FloatArray, letters: Sequence[str], *, higher_is_better: bool = True
) -> tuple[int, ...]:
    """Return the systems that are not significantly worse than the best score, from best to worst.

    These are the systems with the best score and the systems that share a letter with one of them. Every sentence, colour
    and mark that sets some systems apart as the best ones is derived from this group. Scores that are all equal have no
    best group: the result is empty.

    Examples
    --------
    >>> find_best_group(np.array([29.6, 31.0, 30.2]), ["b", "a", "ab"])
    (1, 2)
    >>> find_best_group(np.array([30.0, 30.0]), ["a", "a"])
    ()
    """
    if len(scores) > 1 and are_equal(scores):
        return ()
    oriented = scores if higher_is_better else -scores
    order: list[int] = np.argsort(-oriented, kind="stable").tolist()
    tops = [i for i in order if are_equal(oriented[[i, order[0]]])]
    return tuple(i for i in order if i in tops or any(share_letter(letters[i], letters[top]) for top in tops))


def are_tied(letters: Sequence[str]) -> bool:
    """Whether no two of these systems differ significantly.

    >>> are_tied(["a", "ab", "ac"]), are_tied(["ab", "a", "b"])
    (True, False)
    """
    return all(share_letter(one, other) for one, other in combinations(letters, 2))


def are_equal(scores: FloatArray) -> bool:
    """Whether all scores are equal, apart from rounding; systems with equal scores have no first place.

    >>> are_equal(np.array([0.3, 0.1 + 0.2])), are_equal(np.array([0.3, 0.31]))
    (True, False)
    """
    return bool(np.ptp(scores) <= ROUNDING * np.abs(scores).max()) if len(scores) else True


def rank_ranges(
    scores: FloatArray, is_significant: BoolMatrix, *, higher_is_better: bool = True
) -> tuple[tuple[int, int], ...]:
    """Return the best and the worst rank of each system that the tests support, counted from 1.

    A system ranks below every significantly better system and above every significantly worse one. Parameters are those
    of `compact_letters`.

    Examples
    --------
    >>> differs = np.array([[False, False, True], [False, False, False], [True, False, False]])
    >>> rank_ranges(np.array([31.0, 30.2, 29.6]), differs)
    ((1, 2), (1, 3), (2, 3))
    """
    _order(scores, is_significant, higher_is_better=higher_is_better)
    oriented = scores if higher_is_better else -scores
    n_better = np.count_nonzero(is_significant & (oriented[None, :] > oriented[:, None]), axis=1)
    n_worse = np.count_nonzero(is_significant & (oriented[None, :] < oriented[:, None]), axis=1)
    return tuple(
        (1 + int(above), len(scores) - int(below)) for above, below in zip(n_better, n_worse, strict=True)
    )


def format_rank_range(ranks: tuple[int, int]) -> str:
    """Write a rank range.

    >>> format_rank_range((1, 3)), format_rank_range((4, 4))
    ('1–3', '4')
    """
    low, high = ranks
    return f"{low}" if low == high else f"{low}–{high}"


def name_letter(number: int) -> str:
    """Return the letter of a group, counted from 0.

    >>> [name_letter(number) for number in (0, 26, 52, 104)]
    ['a', 'A', 'a2', 'a3']
    """
    series, place = divmod(number, len(ascii_letters))
    return ascii_letters[place] + (f"{series + 1}" if series else "")


def _order(scores: FloatArray, is_significant: BoolMatrix, *, higher_is_better: bool) -> list[int]:
    """Return the systems from best to worst; equal systems keep their order."""
    if is_significant.shape != (len(scores), len(scores)) or np.any(is_significant != is_significant.T):
        raise InputError(f"tests of {len(scores)} systems must be a symmetric square matrix")
    if np.any(np.isnan(scores)):
        raise InputError("a score is not a number, so systems cannot be ranked")
    ranking: list[int] = np.argsort(-scores if higher_is_better else scores, kind="stable").tolist()
    return ranking


def _group(is_significant: BoolMatrix) -> list[list[int]]:
    """Split the group of all systems at every significant pair, and absorb subsets of other groups.

    All pairs of one system are split at once: a group that contains it becomes the group without this system and the
    group without the systems that differ from it.
    """
    n_systems = len(is_significant)
    packed = np.packbits(np.triu(is_significant, k=1), axis=1, bitorder="little")
    rows = [
        int.from_bytes(row.tobytes(), "little") for row in packed
    ]  # bit j: differs from the later system j
    groups: Groups = [(1 << n_systems) - 1] if n_systems else []
    for system, others in enumerate(rows):
        own = 1 << system
        split = [group for group in groups if group & own and group & others]
        if not split:
            continue
        whole = [group for group in groups if not (group & own and group & others)]
        halves = {part for group in split for part in (group & ~own, group & ~others)}
        groups = whole + _absorb(halves, whole)
        if len(groups) > 4 * n_systems:  # without this, there may be exponentially many groups
            groups = _drop_redundant(groups, n_systems)
    return sorted(_members(group) for group in _drop_redundant(groups, n_systems))


def _members(group: int) -> list[int]:
    """List the places of the systems of a group."""
    return [place for place in range(group.bit_length()) if group >> place & 1]


def _absorb(halves: set[int], whole: Groups) -> Groups:
    """Return the new groups that are neither subsets of an old group nor of another new one.

    No old group is a subset of a new one: it would have been a subset of the group that was split.
    """
    kept: Groups = []
    for half in sorted(halves, key=int.bit_count, reverse=True):
        if not any(half & other == half for other in chain(kept, whole)):
            kept.append(half)
    return kept


def _drop_redundant(groups: Groups, n_systems: int) -> Groups:
    """Drop groups, smallest first, whose pairs are all in other groups as well."""
    members = {group: _members(group) for group in groups}
    n_shared = np.zeros((n_systems, n_systems), np.int64)
    for group in groups:
        n_shared[np.ix_(members[group], members[group])] += 1
    kept = []
    for group in sorted(groups, key=lambda group: (len(members[group]), members[group])):
        pairs = np.ix_(members[group], members[group])
        if np.all(n_shared[pairs] > 1):
            n_shared[pairs] -= 1
        else:
            kept.append(group)
    return kept
