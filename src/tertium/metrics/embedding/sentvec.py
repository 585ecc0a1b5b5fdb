"""The cosine of the mean word vectors of two texts.

Matsuo, Komachi & Sudoh (2017), Section 3.2, Eq. 1 and 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.kernels.embedding import text_vector_cosines
from tertium.metrics.embedding._base import EmbeddingMetric, MeanSimilarity
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class SentVec(MeanSimilarity, EmbeddingMetric):
    """100 · max(0, cosine) of the mean vectors of the known words of both texts.

    A negative cosine counts as 0, so that no text scores below an empty one. A word whose vector is zero everywhere
    counts as unknown. Texts without a known word score 100
    if their words are the same, in any order, otherwise 0. With several references the best one counts. The system score is the
    mean of the segment scores.
    """

    paper: ClassVar[str] = "Matsuo, Komachi & Sudoh 2017"

    def _similarities(self, hypotheses: Texts, references: References) -> FloatArray:
        cosines = text_vector_cosines(
            self._embed(hypotheses), self._embed(references.texts), references.offsets
        )
        return np.maximum(cosines, 0.0)

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the similarities of all word pairs, which determine the cosine of the texts."""
        return self._explain_words(hypothesis, references)
