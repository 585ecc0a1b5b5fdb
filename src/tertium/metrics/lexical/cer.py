"""Character error rate: Levenshtein distance of characters divided by reference length.

Morris, Maier & Green (2004), From WER and RIL to MER and WIL, describe the family; CER is WER over characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.edits import count_levenshtein, trace_edits
from tertium.kernels.strings import decode_texts
from tertium.metrics.base import ErrorRate, best_reference
from tertium.metrics.lexical._word_edits import count_edits, describe_edits, link_edits
from tertium.metrics.options import lowercase_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TokenColumn


@dataclass(frozen=True)
class CER(ErrorRate):
    """Insertions, deletions and substitutions of characters that turn the hypothesis into the reference.

    Characters are code points, spaces included; white space at both ends of a text is ignored, as in jiwer. With
    several references the nearest one counts. The system score is the sum of edits over all segments divided by
    the sum of **average** reference lengths. The score can exceed 100. An empty reference gives 100, or 0 if the
    hypothesis is empty, too; jiwer returns the number of characters instead of 100.

    >>> CER().sentence_score("a bad", ["a bed"]).score
    20.0
    """

    paper: ClassVar[str] = "Morris, Maier & Green 2004"

    lowercase: bool = lowercase_option(default=False)

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_levenshtein(
            self._characters(hypotheses), self._characters(references.texts), references.offsets
        )

    def _characters(self, texts: Texts) -> TokenColumn:
        def strip_and_decode() -> TokenColumn:
            column = texts.column(lowercase=self.lowercase)
            return decode_texts([text.strip() for text in column], keep_space=True)

        return texts.remember(("stripped characters", self.lowercase), strip_and_decode)

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the edits of characters, one line for each run of one kind."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        texts = [text.strip() for text in (hypothesis, references[nearest])]
        ours, theirs = (text.lower() for text in texts) if self.lowercase else texts
        edits = trace_edits(ours, theirs)
        return Explanation(
            metric=self.name,
            hypothesis=list(ours),
            reference=list(theirs),
            score=score.value,
            links=link_edits(edits),
            steps=describe_edits(edits, ours, theirs, joint=""),
            facts={**count_edits(edits), "nearest_reference": nearest + 1},
        )
