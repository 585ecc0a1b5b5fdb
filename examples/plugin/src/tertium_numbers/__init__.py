"""A metric for Tertium: are the numbers of the reference in the translation?"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.base import Metric
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.values import FloatArray

__all__ = ["Numbers"]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Numbers(Metric):
    """F1 of the numbers that stand in both texts, such as 14.5 or 2,000.

    The best reference counts. Where neither text has a number nothing can be wrong, and nothing is counted.
    """

    paper: ClassVar[str] = "the tutorial of Tertium"

    separators: bool = option(True, "whether 2,000 and 2000 differ")

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count the numbers in common, in the translation and in the reference: a row per segment."""
        return np.array(
            [self._best(hypothesis, group) for hypothesis, group in zip(hypotheses, references, strict=True)],
            dtype=np.float64,
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        """Make a score of the counts of one segment or, added up, of all."""
        common, ours, theirs = np.moveaxis(totals, -1, 0)
        both = ours + theirs
        return np.where(both > 0, 200 * common / np.maximum(both, 1), 100.0)

    def _best(self, hypothesis: str, group: list[str]) -> tuple[int, int, int]:
        return max((self._compare(hypothesis, reference) for reference in group), key=_f1)

    def _compare(self, hypothesis: str, reference: str) -> tuple[int, int, int]:
        ours, theirs = self._numbers(hypothesis), self._numbers(reference)
        return (ours & theirs).total(), ours.total(), theirs.total()

    def _numbers(self, text: str) -> Counter[str]:
        found = _NUMBER.findall(text)
        return Counter(found if self.separators else [re.sub("[.,]", "", each) for each in found])


def _f1(counts: tuple[int, int, int]) -> float:
    common, ours, theirs = counts
    return 2 * common / (ours + theirs) if ours + theirs else 1.0
