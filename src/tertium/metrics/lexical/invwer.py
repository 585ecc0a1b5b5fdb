"""Inversion word error rate: WER that may also swap neighbouring blocks of words.

Leusch, Ueffing & Ney (2003), A Novel String-to-String Distance Measure With Applications to Machine
Translation Evaluation.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

from tertium.kernels.edits import (
    DEFAULT_MEMORY,
    DEFAULT_STEPS,
    LARGEST_MEMORY,
    LARGEST_STEPS,
    InversionCosts,
    count_inversions,
    inversion_derivation,
)
from tertium.metrics.base import best_reference
from tertium.metrics.lexical._word_edits import WordErrorRate, explain_edits
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray

_LARGEST_COST = 1e6  # far beyond any use, and sums of it stay exact


@dataclass(frozen=True)
class InvWER(WordErrorRate):
    """Insertions, deletions, substitutions of words and swaps of neighbouring blocks, over reference length.

    The distance is the cost of the cheapest parse of the pair by a bracketing transduction grammar (Eq. 1):
    blocks of any length swap at a constant price, and swaps may be nested but never cross. It is computed
    exactly. References and normalisation as in WER: the nearest reference counts, the average length divides.

    Two errors of the paper are corrected. Its recursion (Eq. 2) does not allow an empty left part, which
    overcounts leading insertions; the grammar of Section 3.2 does, and so does this metric. And the paper's
    example d(abcd, bdac) = 4 is 3 by its own recursion.

    A segment whose search would need more than `max_memory` megabytes (none of up to 100 words does) or more
    than `max_steps` million steps (some hundred million take a second) is refused with its number. Steps are
    counted, not timed, so that the same segment stops at the same place on every machine. With `beyond=bound`
    it gets the best upper bound found instead, never worse than WER; `bounded_segments` in the details counts
    such segments, and above 0 the score is itself a bound.

    >>> InvWER().sentence_score("at noon we meet", ["we meet at noon"]).score
    25.0
    """

    paper: ClassVar[str] = "Leusch, Ueffing & Ney 2003"

    insertion: float = option(1.0, "the cost of an insertion", at_least=0, at_most=_LARGEST_COST)
    deletion: float = option(1.0, "the cost of a deletion", at_least=0, at_most=_LARGEST_COST)
    substitution: float = option(1.0, "the cost of a substitution", at_least=0, at_most=_LARGEST_COST)
    inversion: float = option(1.0, "the cost of a swap", at_least=0, at_most=_LARGEST_COST)
    max_memory: int = option(
        DEFAULT_MEMORY,
        "megabytes that the search of one segment may take",
        at_least=1,
        at_most=LARGEST_MEMORY,
    )
    max_steps: int = option(
        DEFAULT_STEPS,
        "million steps that the search of one segment may take",
        at_least=1,
        at_most=LARGEST_STEPS,
    )
    beyond: Literal["refuse", "bound"] = option("refuse", "what a segment gets that needs more")

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_inversions(
            hypotheses.tokens(self.tokenizer, lowercase=self.lowercase),
            references.tokens(self.tokenizer, lowercase=self.lowercase),
            references.offsets,
            costs=self._costs,
            max_memory=self.max_memory,
            max_steps=self.max_steps,
            takes_bounds=self.beyond == "bound",
        )

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {**super().details(totals), "bounded_segments": float(totals[2])}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words = self.words(hypothesis, references[nearest])
        derivation = inversion_derivation(*words, **asdict(self._costs), max_memory=self.max_memory)
        facts: dict[str, float | str] = {
            "inversions": derivation.counts()["inversion"],
            "nearest_reference": nearest + 1,
            "parse": str(derivation),
        }
        return explain_edits(self, score, words, derivation.steps, facts)

    @property
    def _costs(self) -> InversionCosts:
        return InversionCosts(self.insertion, self.deletion, self.substitution, self.inversion)
