"""CharacTER: edits of characters after the hypothesis' phrases have been put into order.

Wang, Peter, Rosendahl & Ney (2016), CharacTer: Translation Edit Rate on Character Level.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.kernels import count_character_edits, vocabulary_words
from tertium.kernels.edits import Shift, levenshtein_distances
from tertium.metrics.base import Metric, best_reference, keep_best
from tertium.metrics.lexical._word_edits import count_edits, describe_edits, describe_shifts, find_edits
from tertium.metrics.lexical._word_ngrams import cut_words, order_facts
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray

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


@dataclass(frozen=True)
class CharacTER(Metric):
    """(character edits + shift costs) / characters of the hypothesis, at most 100.

    First, phrases of the hypothesis are moved to where the reference has them. A phrase that may move is the
    longest run of words that begins at one place of the hypothesis and at another place of the reference. The
    move that lowers the edit distance of words most is made (among equals, the one after which the words come
    last in alphabetical order), then the next, until none lowers it. A phrase that ends up further right costs
    the mean length of its words. Then the characters are compared, with one space between words.

    Of several references the one with the lowest score counts. The system score is the mean of the segment
    scores.

    The default equals CharacTER.py, which moves only words that match exactly. `shift_threshold` gives the
    paper's matching, where words are alike whose edit distance is small: at most so many characters (words
    that share none of theirs are never alike, our reading of the paper).

    The tool computes the word error rate as a running difference. A rounding error in it may let one more move
    pass that lowers nothing, and this is kept for identical scores.

    Every phrase that may move is tried before each move. A text of 1,000 words takes seconds at worst, and time
    grows with about the fourth power of the length.

    An empty hypothesis scores 100, even against an empty reference, as in CharacTER.py; so does any text
    against an empty reference.

    >>> round(CharacTER().sentence_score("b c d a", ["a b c d"]).score, 2)
    14.29
    """

    paper: ClassVar[str] = "Wang, Peter, Rosendahl & Ney 2016"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0
    takes_best_reference: ClassVar[bool] = True

    tokenizer: str = tokenizer_option("none")
    lowercase: bool = lowercase_option(default=False)
    shift_threshold: int = option(
        0,
        "move words that differ from the reference's in at most this many characters",
        at_least=0,
        at_most=1000,
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        ours = hypotheses.tokens(self.tokenizer, lowercase=self.lowercase)
        theirs = references.tokens(self.tokenizer, lowercase=self.lowercase)
        letters = vocabulary_words(references.vocabulary)
        costs = count_character_edits(
            ours, theirs, references.offsets, letters, threshold=self.shift_threshold
        )
        edits, shifts, length = costs.T
        scores = np.where(length > 0, np.minimum(1.0, (edits + shifts) / np.maximum(length, 1.0)), 1.0)
        rows = np.column_stack([100.0 * scores, costs, np.ones_like(scores)])
        return keep_best(rows, references.offsets, lambda row: -row[:, 0])

    def combine(self, totals: FloatArray) -> FloatArray:
        return totals[..., 0] / np.maximum(totals[..., -1], 1.0)

    def details(self, totals: FloatArray) -> dict[str, float]:
        names = ("character_edits", "shift_costs", "hypothesis_characters")
        return {name: float(total) for name, total in zip(names, totals[1:4], strict=True)}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show which phrases are moved, and then the edits of characters."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words, (others,) = cut_words(self, hypothesis, [references[nearest]])
        moves = find_moves(words, others, threshold=self.shift_threshold)
        moved = list(words)
        for move in moves:
            moved = move.apply(moved)
        letters = " ".join(moved), " ".join(others)
        edits = find_edits(*letters)
        return Explanation(
            metric=self.name,
            hypothesis=words,
            reference=others,
            score=score.value,
            steps=[*describe_shifts(words, moves), *describe_edits(edits, *letters, joint="")],
            facts={
                "shifts": len(moves),
                **count_edits(edits),
                **order_facts(score.details),
                "nearest_reference": nearest + 1,
            },
        )
