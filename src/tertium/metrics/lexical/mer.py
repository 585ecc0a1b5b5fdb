"""Match error rate: the proportion of errors among matches and errors.

Morris, Maier & Green (2004), From WER and RIL to MER and WIL: improved evaluation measures for connected speech
recognition.
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.metrics.lexical._word_edits import EditSequenceMetric, ratio
from tertium.values import FloatArray


@dataclass(frozen=True)
class MER(EditSequenceMetric):
    """Edits / (matches + edits), between 0 and 100: the probability that an aligned pair of words is an error.

    The matches and edits are those of the shortest edit sequence that jiwer reports, and the score is the same.
    With several references the nearest one counts. The system score is the formula over the counts summed over all
    segments. Two empty texts score 0; an empty text scores 100 against any other.

    >>> round(MER(tokenizer="none").sentence_score("a b x", ["a b c d"]).score, 1)
    50.0
    """

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    def combine(self, totals: FloatArray) -> FloatArray:
        matches, edits = totals[..., 0], totals[..., 1]
        return 100.0 * ratio(edits, matches + edits, empty=0.0)
