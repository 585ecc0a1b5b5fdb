"""Smoothed sentence BLEU as the WMT metrics tasks reported it, and Chen & Cherry's other smoothings.

Moses' sentence-bleu; Chen & Cherry (2014), A Systematic Comparison of Smoothing Techniques for
Sentence-Level BLEU.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.kernels import count_bleu
from tertium.metrics.base import Metric
from tertium.metrics.lexical._sentence_smoothing import SentenceSmoothing, smooth_sentence_bleu
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.types import FloatArray

__all__ = ["SentBLEU"]


@dataclass(frozen=True)
class SentBLEU(Metric):
    """BLEU of single sentences: matches and totals of all four orders are raised by one.

    The brevity penalty is not smoothed. The default takes text as it is, cut at white space: that
    reproduces the published WMT15 segment-level column; on Moses-tokenised text it gives the WMT16 one.
    The system score is the mean of the segment scores.

    `smoothing` names: `moses` (the default); `none`; `method1` … `method7` as Chen & Cherry number
    them, with the reading of their formulas that nltk has (`method2` adds one for n ≥ 2 only;
    `method5` and `method7` average neighbouring orders and can pass 100; `method6` is 0 where no
    trigram matches).

    >>> round(SentBLEU().sentence_score("the cat sat on a mat", ["the cat sat on the mat"]).score, 2)
    64.35
    """

    paper: ClassVar[str] = "Koehn et al. 2007 (Moses); Chen & Cherry 2014"

    tokenizer: str = tokenizer_option("none")
    lowercase: bool = lowercase_option(default=False)
    smoothing: SentenceSmoothing = option("moses", "which smoothing", key="smooth")

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        counts = count_bleu(
            hypotheses.tokens(self.tokenizer, lowercase=self.lowercase),
            references.tokens(self.tokenizer, lowercase=self.lowercase),
            references.offsets,
            order=5,  # methods 5 and 7 look one order ahead
        )
        scores = 100.0 * smooth_sentence_bleu(counts, self.smoothing)
        return self._weigh(scores, references)

    def combine(self, totals: FloatArray) -> FloatArray:
        weights = totals[..., 1]
        return np.where(weights > 0, totals[..., 0] / np.where(weights > 0, weights, 1.0), self.worst)

    def _weigh(self, scores: FloatArray, references: References) -> FloatArray:  # noqa: ARG002
        return np.stack([scores, np.ones_like(scores)], axis=-1)
