"""CharacTER: edits of characters after the hypothesis' phrases have been put into order.

Wang, Peter, Rosendahl & Ney (2016), CharacTer: Translation Edit Rate on Character Level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.kernels import count_character_edits, spell_words
from tertium.metrics.base import Metric
from tertium.metrics.best_reference import best_reference, keep_best
from tertium.metrics.lexical._edit_accounts import count_edits, describe_edits, describe_shifts, find_edits
from tertium.metrics.lexical._ngram_accounts import order_facts
from tertium.metrics.lexical._phrase_moves import find_moves
from tertium.metrics.lexical._words import cut_words
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray

__all__ = ["CharacTER"]


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
        letters = spell_words(references.vocabulary)
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
