"""CharacTER: character edits after phrases of the hypothesis have been moved to their place in the reference.

Wang, Peter, Rosendahl & Ney (2016), CharacTer: Translation Edit Rate on Character Level.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.kernels.edits import Shift, count_character_edits, levenshtein_distances, trace_edits
from tertium.kernels.strings import vocabulary_words
from tertium.metrics.base import Metric, best_reference, keep_best
from tertium.metrics.lexical._word_edits import count_edits, describe_edits, describe_shifts
from tertium.metrics.lexical._word_ngrams import cut_words, order_facts
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray

_Matrix = npt.NDArray[np.bool_]

_MAX_CELLS = 1 << 22  # cells of the tables that are filled at once: about 30 MB


@record
class _Candidate:
    """A move of a phrase, and the order of the hypothesis's words after it."""

    shift: Shift
    order: list[int]


def find_moves(hypothesis: Sequence[str], reference: Sequence[str], *, threshold: int) -> list[Shift]:
    """Find the phrases that CharacTER moves: in each step the one that reduces the word edit distance most.

    On a tie it chooses the move after which the words are last in alphabetical order. As in CharacTER.py, the
    error rate is a running difference, whose rounding may allow a move without any gain.
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
        best = max(ties, key=lambda alignment: [hypothesis[i] for i in alignment.order])
        gain = float(gains.max())
        if gain <= 0:
            break
        order, rate = best.order, rate - gain
        moves.append(best.shift)
    return moves


def _candidates(order: list[int], alike: _Matrix) -> Iterator[_Candidate]:
    """List the moves: the longest phrase that begins at i in the hypothesis and at j in the reference moves to j."""
    now = alike[order]
    for i, j in np.argwhere(now).tolist():
        if i == j:
            continue
        length = 1
        while i + length < now.shape[0] and j + length < now.shape[1] and now[i + length, j + length]:
            length += 1
        # A phrase cannot move beyond the end.
        shift = Shift(i, length, min(j, len(order) - length))
        yield _Candidate(shift, shift.apply(order))


def _rate_candidates(candidates: Sequence[_Candidate], alike: _Matrix) -> FloatArray:
    size = max(1, _MAX_CELLS // max(1, alike.size))
    parts = [candidates[at : at + size] for at in range(0, len(candidates), size)]
    return np.concatenate(
        [_error_rates(alike[np.array([alignment.order for alignment in part])]) for part in parts]
    )


def _error_rates(alike: _Matrix) -> FloatArray:
    """Compute the word error rates of many word orders at once, from (orders, words, reference words)."""
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
    """Find similar words: equal words, and words that share a letter and have a small edit distance."""
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

    First, phrases of the hypothesis are moved to their position in the reference. A phrase that can move is the
    longest run of words that begins at one position of the hypothesis and at another of the reference. The move
    that reduces the word edit distance most is made (on a tie, the one after which the words are last in
    alphabetical order), and so on until no move reduces it. A phrase that moves to the right costs the mean
    length of its words. Then the characters are compared, with one space between words.

    With several references the one with the lowest score counts. The system score is the mean of the segment
    scores.

    The default equals CharacTER.py, which moves only words that match exactly. `shift_threshold` selects the
    paper's matching, where words also match if their edit distance is at most this number of characters. Words
    that share no character never match, which is our interpretation of the paper.

    The tool computes the word error rate as a running difference, whose rounding errors may allow one more move
    without any gain. This is kept for identical scores.

    All possible moves are tried in each step. A text of 1,000 words takes a few seconds in the worst case, and
    the time grows with about the fourth power of the length.

    An empty hypothesis scores 100, even against an empty reference, as in CharacTER.py. Any text scores 100
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
        "largest edit distance of words that match when phrases move",
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
        """Show the phrases that are moved, and then the character edits."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words, (others,) = cut_words(self, hypothesis, [references[nearest]])
        moves = find_moves(words, others, threshold=self.shift_threshold)
        moved = list(words)
        for move in moves:
            moved = move.apply(moved)
        letters = " ".join(moved), " ".join(others)
        edits = trace_edits(*letters)
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
