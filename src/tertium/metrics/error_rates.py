"""What error rates share: edits over the average reference length; lower is better."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.base import Metric
from tertium.types import FloatArray

__all__ = ["ErrorRate"]


@dataclass(frozen=True)
class ErrorRate(Metric):
    """A metric whose rows begin with (edits, average reference length)."""

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0
    stays_in_range: ClassVar[bool] = False  # a hypothesis can have more errors than the reference has words

    def combine(self, totals: FloatArray) -> FloatArray:
        return _error_rate(totals[..., 0], totals[..., 1])

    def rate_rows(self, rows: FloatArray) -> FloatArray:
        # Not the rate: lengths are averaged over the references, so the fewest edits decide.
        return -rows[..., 0]

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"edits": float(totals[0]), "reference_length": float(totals[1])}


def _error_rate(edits: FloatArray, length: FloatArray) -> FloatArray:
    """Compute 100 · edits / length; an empty reference costs 100 if there is any edit and 0 if there is none."""
    empty = np.where(edits > 0, 100.0, 0.0)
    # Divided first, as sacreBLEU does for TER: the last digit is then the same.
    return np.where(length > 0, 100.0 * (edits / np.where(length > 0, length, 1.0)), empty)
