"""BLEU with partial credit for similar n-grams.

Wang & Merlo (2016), Modifications of Machine Translation Evaluation Metrics by Using Word Embeddings,
Section 2.1, Eq. 4 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from tertium.kernels.embedding import count_soft_matches, nearest_ngrams
from tertium.metrics.bleu_formula import BLEUParts, compute_bleu
from tertium.metrics.embedding._base import EmbeddingMetric
from tertium.metrics.options import lowercase_option, option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class BLEUModif(EmbeddingMetric):
    """BLEU whose n-gram precision is Σ similarity to the nearest reference n-gram / number of n-grams.

    The vector of an n-gram is the mean of the vectors of its known words. The nearest n-gram is searched in all
    references. A similarity below the threshold counts as 0. Matches are not clipped: one reference n-gram may
    match many hypothesis n-grams. An n-gram without a known word matches only an equal n-gram (with `oov=zero`,
    none).

    The system score is computed from similarities and counts summed over all segments, as in BLEU, without
    smoothing. A segment score leaves out orders longer than the hypothesis.

    The threshold is 0.75 with the package's English vectors and with contextual vectors (the best value on WMT
    2012, 2014 and 2015). With other vectors it is 0.1, the paper's best value for its CBOW vectors.
    """

    title: ClassVar[str] = "BLEUmodif"
    paper: ClassVar[str] = "Wang & Merlo 2016"
    takes_best_reference: ClassVar[bool] = False

    lowercase: bool = lowercase_option(default=False)
    threshold: float = option(
        0.1,
        "similarities below this count as 0",
        key="threshold",
        at_least=0,
        at_most=1,
        grid=[n / 10 for n in range(10)],
        by_vectors={"english": 0.75, "contextual": 0.75},
    )
    max_ngram_order: int = option(4, "length of the longest n-gram", at_least=1, at_most=32)
    oov: Literal["identity", "zero"] = option(
        "identity", "similarity of equal n-grams without a known word: 1 (identity) or 0 (zero)"
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_soft_matches(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            order=self.max_ngram_order,
            threshold=self.threshold,
            strict=self.oov == "zero",
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        return _parts(totals, effective_order=False).score

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        return _parts(rows, effective_order=True).score

    def details(self, totals: FloatArray) -> dict[str, float | list[float]]:
        parts = _parts(totals, effective_order=False)
        return {
            "precisions": [float(p) for p in parts.precisions],
            "brevity_penalty": float(parts.brevity_penalty),
            "hypothesis_length": float(totals[0]),
            "reference_length": float(totals[1]),
        }

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show all word similarities, and the similarity of each n-gram to the nearest reference n-gram."""
        strict = self.oov == "zero"
        words = self._explain_words(hypothesis, references, strict=strict)
        theirs = Texts(references)
        ours = Texts([hypothesis], theirs.vocabulary)
        orders = nearest_ngrams(
            self._embed(ours), self._embed(theirs), order=self.max_ngram_order, strict=strict
        )
        steps = [
            f"{' '.join(words.rows[i : i + order])}: {value:.3f}"
            for order, values in enumerate(orders, start=1)
            for i, value in enumerate(values)
        ]
        return replace(words, steps=steps)


def _parts(totals: FloatArray, *, effective_order: bool) -> BLEUParts:
    return compute_bleu(totals, smooth_method="none", smooth_value=None, effective_order=effective_order)
