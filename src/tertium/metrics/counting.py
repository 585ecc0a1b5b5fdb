"""Metrics that work in two steps: first they count, then they weigh the counts."""

from abc import abstractmethod
from dataclasses import dataclass

from tertium.metrics.base import Metric
from tertium.text import References, Texts
from tertium.types import FloatArray, OffsetArray

__all__ = ["CountingMetric"]


@dataclass(frozen=True)
class CountingMetric(Metric):
    """A metric whose statistics are weighted counts. A tuner of the weights needs to count only once."""

    @abstractmethod
    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count, for each reference of each segment, what does not depend on the options in `formula_options`."""

    @abstractmethod
    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        """Turn the counts of each segment, a row per reference, into its row of statistics."""

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return self.weigh(self.count(hypotheses, references), references.offsets)
