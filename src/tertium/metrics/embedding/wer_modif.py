"""Word error rate in which replacing a word by a similar one costs less.

Wang & Merlo (2016), Modifications of Machine Translation Evaluation Metrics by Using Word Embeddings,
Section 2.2.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tertium.kernels.embedding import count_soft_edits
from tertium.metrics.embeddings import EmbeddingMetric
from tertium.metrics.error_rates import error_rate
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.types import FloatArray

__all__ = ["WERModif"]


@dataclass(frozen=True)
class WERModif(EmbeddingMetric):
    """WER whose substitutions cost 1 − max(0, cosine); insertions and deletions cost 1.

    Equal words cost 0 even without a vector (`oov=zero`: 1), unknown ones 1. With several references the
    cheapest edits count, and their sum over all segments is divided by the sum of **average** reference
    lengths, as WER does. An empty reference costs 100 unless the hypothesis is empty too.
    """

    paper: ClassVar[str] = "Wang & Merlo 2016"
    higher_is_better: ClassVar[bool] = False
    takes_best_reference: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    lowercase: bool = option(False, "ignore case", key="case", spelled={False: "mixed", True: "lc"})
    oov: Literal["identity", "zero"] = option(
        "identity", "what equal words without a vector are to each other: 1 (identity) or 0 (zero)"
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_soft_edits(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            strict=self.oov == "zero",
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        return error_rate(totals[..., 0], totals[..., 1])

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"edits": float(totals[0]), "reference_length": float(totals[1])}
