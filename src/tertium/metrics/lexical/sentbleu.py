"""Smoothed sentence BLEU as reported by the WMT metrics tasks, and Chen & Cherry's other smoothing methods.

Moses' sentence-bleu; Chen & Cherry (2014), A Systematic Comparison of Smoothing Techniques for
Sentence-Level BLEU.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.kernels.ngrams import count_bleu
from tertium.metrics.base import Metric, best_reference
from tertium.metrics.bleu_formula import SentenceSmoothing, brevity_penalty, smooth_sentence_bleu
from tertium.metrics.lexical._word_ngrams import cut_words, explain_ngrams
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class SentBLEU(Metric):
    """BLEU of single sentences with add-one smoothing: matches and totals of all four orders are increased by 1.

    The brevity penalty is not smoothed. By default text is split at white space only, which reproduces the
    published segment-level scores of WMT15, and those of WMT16 on Moses-tokenised text. The system score is the
    mean of the segment scores.

    Values of `smoothing` are `moses` (the default), `none`, and `method1` … `method7` as numbered by Chen & Cherry
    and implemented in nltk: `method2` adds one for n ≥ 2 only; `method5` and `method7` average adjacent orders and
    can exceed 100; `method6` is 0 if no trigram matches. `none` leaves out orders that are longer than the hypothesis: a
    hypothesis of two words is scored by its unigrams and bigrams.

    >>> round(SentBLEU().sentence_score("the cat sat on a mat", ["the cat sat on the mat"]).score, 2)
    64.35
    """

    paper: ClassVar[str] = "Koehn et al. 2007 (Moses); Chen & Cherry 2014"

    tokenizer: str = tokenizer_option("none")
    lowercase: bool = lowercase_option(default=False)
    smoothing: SentenceSmoothing = option("moses", "smoothing method", key="smooth")

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        counts = count_bleu(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase), order=5
        )  # methods 5 and 7 use one order more
        scores = 100.0 * smooth_sentence_bleu(counts, self.smoothing)
        return self._weigh(scores, references)

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the n-grams of each order that match and that do not, before smoothing, and the brevity penalty."""
        score = self.sentence_score(hypothesis, references).value
        words = cut_words(self, hypothesis, references)
        length = len(words[0])
        closest = min(map(len, words[1]), key=lambda other: (abs(other - length), other))
        penalty = brevity_penalty(np.array(float(length)), np.array(float(closest)))
        return explain_ngrams(
            self.name,
            score,
            words,
            nearest=best_reference(self, hypothesis, references),
            orders=range(1, 5),
            facts={
                "brevity_penalty": float(penalty),
                "hypothesis_length": length,
                "reference_length": closest,
            },
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        weights = totals[..., 1]
        return np.where(weights > 0, totals[..., 0] / np.where(weights > 0, weights, 1.0), self.worst)

    def _weigh(self, scores: FloatArray, references: References) -> FloatArray:  # noqa: ARG002
        return np.stack([scores, np.ones_like(scores)], axis=-1)
