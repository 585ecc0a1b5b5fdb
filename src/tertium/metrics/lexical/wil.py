"""Word information lost: 100 − word information preserved.

Morris, Maier & Green (2004), From WER and RIL to MER and WIL: improved evaluation measures for connected speech
recognition.
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.metrics.lexical._word_edits import EditSequenceMetric, information_preserved
from tertium.values import FloatArray


@dataclass(frozen=True)
class WIL(EditSequenceMetric):
    """100 · (1 − (matches / hypothesis length) · (matches / reference length)), between 0 and 100.

    This is 100 − WIP and approximates the proportion of information that is lost. With several references the
    nearest one counts. The system score is the formula over the counts summed over all segments. Two empty texts
    score 0; an empty text scores 100 against any other.

    >>> round(WIL(tokenizer="none").sentence_score("a b x", ["a b c d"]).score, 2)
    66.67
    """

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    def combine(self, totals: FloatArray) -> FloatArray:
        return 100.0 * (1.0 - information_preserved(totals))
