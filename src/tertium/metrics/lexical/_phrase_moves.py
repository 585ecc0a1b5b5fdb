"""CharacTER's moves one by one: which phrases it moves before it compares characters."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.kernels.reordering import Shift
from tertium.kernels.sequences import levenshtein_distances
from tertium.types import FloatArray

__all__ = ["find_moves"]

_Matrix = npt.NDArray[np.bool_]

_MOST_CELLS = 1 << 22  # of the tables that are filled at once: some 30 MB


@dataclass(frozen=True)
class _Candidate:
    """A move, and the places of the hypothesis' words after it."""

    shift: Shift
    order: list[int]


def find_moves(hypothesis: Sequence[str], reference: Sequence[str], *, threshold: int) -> list[Shift]:
    """Find the phrases that CharacTER moves: each time the one that lowers the edit distance of words most.

    Among equals it takes the move whose words come last in alphabetical order. As in CharacTER.py, the
    error rate is a running difference, whose rounding may let a move pass that lowers nothing.
    """
    if not hypothesis or not reference:
        return []
    alike = _compare_words(hypothesis, reference, threshold)
    order, moves = list(range(len(hypothesis))), list[Shift]()
    rate = float(_error_rates(alike[None])[0])
    while candidates := list(_candidates(order, alike)):
        rates = _rate_candidates(candidates, alike)
        gains = rate - rates
        ties = [candidates[k] for k in np.flatnonzero(gains == gains.max())]
        best = max(ties, key=lambda each: [hypothesis[i] for i in each.order])
        gain = float(gains.max())
        if gain <= 0:
            break
        order, rate = best.order, rate - gain
        moves.append(best.shift)
    return moves


def _candidates(order: list[int], alike: _Matrix) -> Iterator[_Candidate]:
    """List the moves: the longest phrase that begins at i here and at j in the reference moves from i to j."""
    now = alike[order]
    for i, j in np.argwhere(now).tolist():
        if i == j:
            continue
        length = 1
        while i + length < now.shape[0] and j + length < now.shape[1] and now[i + length, j + length]:
            length += 1
        # Past the end, a move lands at the end.
        shift = Shift(i, length, min(j, len(order) - length))
        yield _Candidate(shift, shift.apply(order))


def _rate_candidates(candidates: Sequence[_Candidate], alike: _Matrix) -> FloatArray:
    size = max(1, _MOST_CELLS // max(1, alike.size))
    parts = [candidates[at : at + size] for at in range(0, len(candidates), size)]
    return np.concatenate([_error_rates(alike[np.array([each.order for each in part])]) for part in parts])


def _error_rates(alike: _Matrix) -> FloatArray:
    """Compute the word error rate of many orders at once: an array (orders, words, reference words)."""
    n_orders, n_words, length = alike.shape
    places = np.arange(length + 1)
    # row[j]: distance from the words so far to the first j words of the reference
    row = np.broadcast_to(places, (n_orders, length + 1)).copy()
    for i in range(n_words):
        new = row + 1
        new[:, 1:] = np.minimum(new[:, 1:], row[:, :-1] + ~alike[:, i])
        row = np.minimum.accumulate(new - places, axis=1) + places  # insertions, from the left
    return np.asarray(row[:, -1] / length)


def _compare_words(hypothesis: Sequence[str], reference: Sequence[str], threshold: int) -> _Matrix:
    """Find which words are alike: equal ones, and those that share a letter and differ in few."""
    alike = np.array([[first == second for second in reference] for first in hypothesis])
    if threshold > 0:
        shares_letter = [[bool({*first} & {*second}) for second in reference] for first in hypothesis]
        near = np.argwhere(np.array(shares_letter) & ~alike)
        pairs = [hypothesis[i] for i in near[:, 0]], [reference[j] for j in near[:, 1]]
        alike[tuple(near.T)] = levenshtein_distances(*pairs) <= threshold
    return alike
