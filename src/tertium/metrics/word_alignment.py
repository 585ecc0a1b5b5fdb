"""What WAS, MAS and HAS share: word similarities above a threshold, aligned in different ways."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tertium.kernels.embedding import Alignment, alignment_similarities
from tertium.metrics.embeddings import EmbeddingMetric
from tertium.metrics.mean_similarity import MeanSimilarity
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.types import FloatArray

__all__ = ["AlignmentMetric"]


@dataclass(frozen=True)
class AlignmentMetric(MeanSimilarity, EmbeddingMetric):
    """A mean of word similarities over an alignment of two texts' words."""

    alignment: ClassVar[Alignment]
    paper: ClassVar[str] = "Matsuo, Komachi & Sudoh 2017"

    threshold: float = option(
        0.0,
        "the least similarity that counts",
        key="threshold",
        at_least=0,
        at_most=1,
        grid=[n / 20 for n in range(21)],
    )
    oov: Literal["identity", "zero"] = option(
        "identity", "what equal words without a vector are to each other: 1 (identity) or 0 (zero)"
    )

    def _similarities(self, hypotheses: Texts, references: References) -> FloatArray:
        return alignment_similarities(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            kind=self.alignment,
            threshold=self.threshold,
            strict=self.oov == "zero",
        )
