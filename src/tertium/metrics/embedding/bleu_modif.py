"""BLEU in which a similar n-gram counts in part.

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
from tertium.types import Explanation, FloatArray


@dataclass(frozen=True)
class BLEUModif(EmbeddingMetric):
    """BLEU whose n-gram precision is Σ similarity to the nearest reference n-gram / number of n-grams.

    An n-gram's vector is the mean of its known words' vectors. A similarity below the threshold counts
    as 0; nothing is clipped, so a reference n-gram may serve many times; the nearest one is sought in all
    references. An n-gram without a known word matches an equal one only (`oov=zero`: none). Similarities
    and counts are summed over all segments, as BLEU does, unsmoothed; a segment score leaves out orders
    longer than the hypothesis. The threshold is 0.75 with the package's English vectors and with contextual ones
    (the best on WMT 2012, 2014 and 2015); with others it is 0.1, the paper's best for its CBOW vectors.
    """

    paper: ClassVar[str] = "Wang & Merlo 2016"
    takes_best_reference: ClassVar[bool] = False

    lowercase: bool = lowercase_option(default=False)
    threshold: float = option(
        0.1,
        "the least similarity that counts",
        key="threshold",
        at_least=0,
        at_most=1,
        grid=[n / 10 for n in range(10)],
        by_vectors={"english": 0.75, "contextual": 0.75},
    )
    max_ngram_order: int = option(4, "the longest n-gram", at_least=1, at_most=32)
    oov: Literal["identity", "zero"] = option(
        "identity", "what equal n-grams without a known word are to each other: 1 (identity) or 0 (zero)"
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
        """Show all word similarities, and how near each n-gram comes to any reference's."""
        strict = self.oov == "zero"
        told = self._explain_words(hypothesis, references, strict=strict)
        theirs = Texts(references)
        ours = Texts([hypothesis], theirs.vocabulary)
        orders = nearest_ngrams(
            self._embed(ours), self._embed(theirs), order=self.max_ngram_order, strict=strict
        )
        steps = [
            f"{' '.join(told.rows[i : i + order])}: {value:.3f}"
            for order, values in enumerate(orders, start=1)
            for i, value in enumerate(values)
        ]
        return replace(told, steps=steps)


def _parts(totals: FloatArray, *, effective_order: bool) -> BLEUParts:
    return compute_bleu(totals, smooth_method="none", smooth_value=None, effective_order=effective_order)
