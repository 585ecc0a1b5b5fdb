"""Word error rate: Levenshtein distance divided by reference length.

Leusch, Ueffing & Ney (2003), A Novel String-to-String Distance Measure, Eq. 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.edits import count_levenshtein, trace_edits
from tertium.metrics.base import best_reference
from tertium.metrics.lexical._word_edits import WordErrorRate, explain_edits
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class WER(WordErrorRate):
    """Insertions, deletions and substitutions that turn the hypothesis into the reference, over its length.

    With several references the nearest one counts. The system score is the sum of edits over all segments divided
    by the sum of **average** reference lengths (Eq. 3). The score can exceed 100 if hypotheses are longer than
    references. An empty reference gives 100, or 0 if the hypothesis is empty, too.

    >>> round(WER().corpus_score(["a b c d"], [["a b d c"]], orientation="streams").score, 1)
    50.0
    """

    paper: ClassVar[str] = "Leusch, Ueffing & Ney 2003"

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_levenshtein(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase)
        )

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words = self.words(hypothesis, references[nearest])
        return explain_edits(self, score, words, trace_edits(*words), {"nearest_reference": nearest + 1})
