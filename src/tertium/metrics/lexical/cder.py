"""CDER: word error rate in which blocks of the hypothesis may be covered in any order.

Leusch, Ueffing & Ney (2006), CDER: Efficient MT Evaluation Using Block Movements.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.kernels.edits import count_cover_errors
from tertium.metrics.base import best_reference
from tertium.metrics.lexical._word_edits import WordErrorRate
from tertium.metrics.lexical._word_ngrams import order_facts
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class CDER(WordErrorRate):
    """(edits + jumps) / reference length: the cheapest way to cover every reference word exactly once.

    The reference is covered from left to right. Besides the edits of WER, a jump of cost 1 to any position of the
    hypothesis is allowed after each reference word. Hypothesis words may be covered several times or not at all
    without further cost, which makes the distance computable in quadratic time.

    References and normalisation are those of WER: with several references the nearest one counts, and the system
    score is the sum of costs over all segments divided by the sum of **average** reference lengths. With one
    reference the segment scores equal those of Moses' CDER scorer, which prints 1 − rate.

    >>> CDER(tokenizer="none").sentence_score("c d a b", ["a b c d"]).score
    75.0
    """

    paper: ClassVar[str] = "Leusch, Ueffing & Ney 2006"

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_cover_errors(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase)
        )

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show how the reference is covered, word by word, with the jumps in between."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words = self.words(hypothesis, references[nearest])
        steps = trace_cover(*words)
        return Explanation(
            metric=self.name,
            hypothesis=words[0],
            reference=words[1],
            score=score.value,
            links=[(s.i, s.j, s.kind) for s in steps if s.i is not None and s.j is not None],
            steps=[s.describe(*words) for s in steps],
            facts={
                "jumps": sum(s.kind == "jump" for s in steps),
                **order_facts(score.details),
                "nearest_reference": nearest + 1,
            },
        )


@record
class CoverStep:
    """A step of the cheapest cover: hypothesis word `i` and reference word `j`, where the step concerns them."""

    kind: str  # match, substitution, insertion, deletion or jump
    i: int | None
    j: int | None

    def describe(self, hypothesis: Sequence[str], reference: Sequence[str]) -> str:
        """Describe the step in words; a jump names the hypothesis word at which the cover continues."""
        ours = "" if self.i is None else hypothesis[self.i] if self.i < len(hypothesis) else "the end"
        theirs = "" if self.j is None else reference[self.j]
        if self.kind == "jump":
            return f"jump     to {ours}"
        verbs = {"match": "keep", "substitution": "replace", "insertion": "insert", "deletion": "delete"}
        both = f"{ours} → {theirs}" if self.kind == "substitution" else ours or theirs
        return f"{verbs[self.kind]:8} {both}"


def trace_cover(hypothesis: Sequence[str], reference: Sequence[str]) -> list[CoverStep]:
    """Find the steps of one cheapest cover of the reference.

    >>> [step.kind for step in trace_cover("defgabc", "abcdefg")]
    ['jump', 'match', 'match', 'match', 'jump', 'match', 'match', 'match', 'match', 'jump']
    """
    before, after = _cover_costs(hypothesis, reference)
    steps: list[CoverStep] = []
    i, j = len(hypothesis), len(reference)
    while j > 0:
        row = before[j]
        if row[i] > after[j, i]:  # a jump was cheaper than the edits up to here
            steps.append(CoverStep("jump", i, None))
            i = int(row.argmin())
        elif i > 0 and row[i] == after[j - 1, i - 1] + (hypothesis[i - 1] != reference[j - 1]):
            kind = "match" if hypothesis[i - 1] == reference[j - 1] else "substitution"
            i, j = i - 1, j - 1
            steps.append(CoverStep(kind, i, j))
        elif row[i] == after[j - 1, i] + 1:
            j -= 1
            steps.append(CoverStep("insertion", None, j))
        else:
            i -= 1
            steps.append(CoverStep("deletion", i, None))
    if i > 0:
        steps.append(CoverStep("jump", i, None))
    return steps[::-1]


def _cover_costs(
    hypothesis: Sequence[str], reference: Sequence[str]
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int64]], np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
    """Compute the cost at each position after each reference word, before and after a jump is allowed."""
    places = np.arange(len(hypothesis) + 1)
    before = np.zeros((len(reference) + 1, len(places)), dtype=np.int64)
    after = before.copy()
    before[0] = places
    after[0] = np.minimum(places, 1)
    for j, word in enumerate(reference, start=1):
        differs = np.array([other != word for other in hypothesis], dtype=np.int64)
        row = after[j - 1] + 1
        row[1:] = np.minimum(row[1:], after[j - 1, :-1] + differs)
        before[j] = np.minimum.accumulate(row - places) + places  # deletions, from the left
        after[j] = np.minimum(before[j], before[j].min() + 1)
    return before, after
