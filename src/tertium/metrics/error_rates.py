"""What error rates share: edits over the average reference length, lower is better."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.base import Metric
from tertium.metrics.options import option
from tertium.types import FloatArray

__all__ = ["ErrorRate", "error_rate"]


def error_rate(edits: FloatArray, length: FloatArray) -> FloatArray:
    """100 · edits / length; an empty reference costs 100 if there is any edit and 0 if there is none."""
    empty = np.where(edits > 0, 100.0, 0.0)
    # Divided first, as sacreBLEU does for TER: the last digit is then the same.
    return np.where(length > 0, 100.0 * (edits / np.where(length > 0, length, 1.0)), empty)


@dataclass(frozen=True)
class ErrorRate(Metric):
    """A metric whose rows are (edits, average reference length)."""

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    tokenizer: str = option("13a", "how text is cut into words", key="tok")
    lowercase: bool = option(False, "ignore case", key="case", spelled={False: "mixed", True: "lc"})

    def combine(self, totals: FloatArray) -> FloatArray:
        return error_rate(totals[..., 0], totals[..., 1])

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"edits": float(totals[0]), "reference_length": float(totals[1])}
