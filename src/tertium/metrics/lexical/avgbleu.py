"""The mean of sentence BLEU over a test set, unweighted or weighted by reference length.

Leusch, Ueffing & Ney (2003), A Novel String-to-String Distance Measure, Section 4.2.1.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.bleu_formula import SentenceSmoothing
from tertium.metrics.lexical.sentbleu import SentBLEU
from tertium.metrics.options import option, tokenizer_option
from tertium.text import References
from tertium.values import FloatArray


@dataclass(frozen=True)
class AvgBLEU(SentBLEU):
    """Σ w·BLEU(segment) / Σ w, with w = 1 or the segment's average reference length.

    The paper predates smoothing, so the default is unsmoothed BLEU without the orders that are longer than the
    hypothesis; `smoothing` selects one of the methods of `sentbleu`. A segment whose references are all empty has
    weight 0 with `weighted=yes`, and its segment score is 0.

    >>> metric = AvgBLEU(weighted=True)
    >>> hypotheses = ["the cat sat on the mat", "no"]
    >>> round(metric.corpus_score(hypotheses, [["the cat sat on the mat", "yes"]]).score, 2)
    85.71
    """

    paper: ClassVar[str] = "Leusch, Ueffing & Ney 2003"

    tokenizer: str = tokenizer_option("13a")
    smoothing: SentenceSmoothing = option("none", "smoothing method", key="smooth")
    weighted: bool = option(False, "weight segments by their average reference length", key="weighted")

    def _weigh(self, scores: FloatArray, references: References) -> FloatArray:
        if not self.weighted:
            return super()._weigh(scores, references)
        lengths = references.tokens(self.tokenizer, lowercase=self.lowercase).lengths
        weights = np.add.reduceat(lengths, references.offsets[:-1]) / np.diff(references.offsets)
        return np.stack([scores * weights, weights], axis=-1)
