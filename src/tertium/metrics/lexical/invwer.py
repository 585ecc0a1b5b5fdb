"""Inversion word error rate: WER with swaps of adjacent blocks of words.

Leusch, Ueffing & Ney (2003), A Novel String-to-String Distance Measure With Applications to Machine
Translation Evaluation.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Literal

from tertium.kernels.edits import (
    DEFAULT_MEMORY,
    DEFAULT_STEPS,
    MAX_MEMORY,
    MAX_STEPS,
    InversionCosts,
    count_inversions,
    inversion_derivation,
)
from tertium.metrics.base import best_reference
from tertium.metrics.lexical._word_edits import WordErrorRate, explain_edits
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray

_MAX_COST = 1e6  # larger than any useful cost, and sums of it stay exact


@dataclass(frozen=True)
class InvWER(WordErrorRate):
    """Insertions, deletions and substitutions of words and swaps of adjacent blocks, over the reference length.

    The distance is the cost of the cheapest parse of the pair by a bracketing transduction grammar (Eq. 1):
    blocks of any length are swapped at a constant cost, and swaps may be nested but never cross. It is computed
    exactly. References and normalisation are those of WER: with several references the nearest one counts, and
    the system score is the sum of costs over all segments divided by the sum of **average** reference lengths.

    Two errors of the paper are corrected. Its recursion (Eq. 2) does not allow an empty left part, which
    overcounts leading insertions; the grammar of Section 3.2 allows it, and so does this metric. The paper's
    example d(abcd, bdac) = 4 is 3 by its own recursion.

    A segment whose search would need more than `max_memory` megabytes (segments of up to 100 words never do) or
    more than `max_steps` million steps (a few hundred million take a second) raises an error with its number.
    Steps are counted, not timed, so that the result is the same on every machine. With `beyond=bound` the segment
    gets the best upper bound found instead, never worse than WER. `bounded_segments` in the details counts such
    segments; if it is above 0, the score is an upper bound, too.

    >>> InvWER().sentence_score("at noon we meet", ["we meet at noon"]).score
    25.0
    """

    title: ClassVar[str] = "invWER"
    paper: ClassVar[str] = "Leusch, Ueffing & Ney 2003"

    insertion: float = option(1.0, "cost of an insertion", at_least=0, at_most=_MAX_COST)
    deletion: float = option(1.0, "cost of a deletion", at_least=0, at_most=_MAX_COST)
    substitution: float = option(1.0, "cost of a substitution", at_least=0, at_most=_MAX_COST)
    inversion: float = option(1.0, "cost of a swap", at_least=0, at_most=_MAX_COST)
    max_memory: int = option(
        DEFAULT_MEMORY,
        "memory limit for one segment, in megabytes",
        at_least=1,
        at_most=MAX_MEMORY,
    )
    max_steps: int = option(
        DEFAULT_STEPS,
        "limit of search steps for one segment, in millions",
        at_least=1,
        at_most=MAX_STEPS,
    )
    beyond: Literal["refuse", "bound"] = option(
        "refuse", "beyond these limits, raise an error (refuse) or use an upper bound (bound)"
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_inversions(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase),
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
