"""Position-independent error rate: what is left of WER when word order is free.

Leusch, Ueffing & Ney (2003), A Novel String-to-String Distance Measure, Section 4.2.3.
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels import count_bag_errors
from tertium.metrics.lexical._word_edits import WordErrorRate
from tertium.text import References, Texts
from tertium.types import FloatArray

__all__ = ["PER"]


@dataclass(frozen=True)
class PER(WordErrorRate):
    """max(|h|, |r|) minus the number of words in common, counted with repeats.

    References and normalisation as in WER: the nearest reference counts, the average length divides.

    >>> PER().corpus_score(["a b c d"], [["d c b a"]], orientation="streams").score
    0.0
    """

    paper: ClassVar[str] = "Leusch, Ueffing & Ney 2003"

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_bag_errors(
            hypotheses.tokens(self.tokenizer, lowercase=self.lowercase),
            references.tokens(self.tokenizer, lowercase=self.lowercase),
            references.offsets,
        )
