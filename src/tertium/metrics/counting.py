"""Metrics in two steps: counts that no weight changes, and weights that make statistics of them."""

from abc import abstractmethod
from dataclasses import dataclass

from tertium.metrics.base import Metric
from tertium.text import References, Texts
from tertium.types import FloatArray, OffsetArray

__all__ = ["CountingMetric"]


@dataclass(frozen=True)
class CountingMetric(Metric):
    """A metric whose statistics are weighted counts, so that a tuner counts once and weighs often."""

    @abstractmethod
    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count, per segment and reference, what no option in `formula_options` changes."""

    @abstractmethod
    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        """Turn a segment's rows of counts, one per reference, into its row of statistics."""

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return self.weigh(self.count(hypotheses, references), references.offsets)
