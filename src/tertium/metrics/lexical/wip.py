"""Word information preserved: the product of the proportions of words that match.

Morris, Maier & Green (2004), From WER and RIL to MER and WIL: improved evaluation measures for connected speech
recognition.
"""

from dataclasses import dataclass

from tertium.metrics.lexical._word_edits import EditSequenceMetric, information_preserved
from tertium.values import FloatArray


@dataclass(frozen=True)
class WIP(EditSequenceMetric):
    """(matches / hypothesis length) · (matches / reference length), between 0 and 100.

    The matches are those of the shortest edit sequence that jiwer reports, and the score is the same. With several
    references the nearest one counts. The system score is the formula over the counts summed over all segments.
    Two empty texts score 100; an empty text scores 0 against any other.

    >>> round(WIP(tokenizer="none").sentence_score("a b x", ["a b c d"]).score, 2)
    33.33
    """

    def combine(self, totals: FloatArray) -> FloatArray:
        return 100.0 * information_preserved(totals)
