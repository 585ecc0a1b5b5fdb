"""What metrics share whose segment score is a similarity, and whose system score is the mean of those."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.base import Metric
from tertium.text import References, Texts
from tertium.types import FloatArray

__all__ = ["MeanSimilarity"]


@dataclass(frozen=True)
class MeanSimilarity(Metric):
    """A metric whose rows are (100 · similarity to the best reference, 1)."""

    takes_best_reference: ClassVar[bool] = True

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        similarities = self._similarities(hypotheses, references)
        best = 100.0 * np.maximum.reduceat(similarities, references.offsets[:-1])
        return np.stack([best, np.ones_like(best)], axis=-1)

    def combine(self, totals: FloatArray) -> FloatArray:
        count = totals[..., 1]
        return np.where(count > 0, totals[..., 0] / np.where(count > 0, count, 1.0), self.worst)

    def _similarities(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the similarity, 0 to 1, of each reference to its segment's hypothesis."""
        raise NotImplementedError
