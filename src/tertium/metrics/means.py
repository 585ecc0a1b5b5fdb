"""Means of segment scores, and metrics whose system score is one: scores of files, programs and neural models."""

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Never

import numpy as np

from tertium.errors import InputError, argument
from tertium.metrics.base import Metric
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.values import FloatArray, TextKind


def tabulate_scores(scores: FloatArray) -> FloatArray:
    """Turn segment scores (...) into statistics (..., 2): the score and 1, or 0 and 0 for NaN."""
    has_score = np.isfinite(scores)
    return np.stack([np.where(has_score, scores, 0.0), has_score.astype(np.float64)], axis=-1)


def average_scores(totals: FloatArray) -> FloatArray:
    """Turn summed statistics of `tabulate_scores` into means; NaN if there is no score."""
    counts = totals[..., 1]
    return np.where(counts > 0, totals[..., 0] / np.where(counts > 0, counts, 1.0), np.nan)


_NAMES = (
    "BARTScore",
    "BERTScore",
    "BLEURT",
    "COMET",
    "COMETKiwi",
    "MetricX",
    "Prism",
    "UniTE",
    "XCOMET",
    "YiSi",
)
_TITLES = {name.lower(): name for name in _NAMES}


@dataclass(frozen=True)
class MeanMetric(Metric):
    """A metric whose system score is the mean of its segment scores.

    The statistics of a segment are its score and 1, or 0 and 0 if it has no score. Scores may be on any scale.
    """

    bounded: ClassVar[bool] = False
    best: ClassVar[float] = math.inf
    worst: ClassVar[float] = -math.inf
    perfect_from: ClassVar[int | None] = None
    uses_core_only: ClassVar[bool] = False
    empty_is_worst: ClassVar[bool] = False

    @abstractmethod
    def rate(self, hypotheses: Texts, references: References, source: Texts | None) -> FloatArray:
        """Compute the score of each segment; NaN if it has none."""

    def statistics(
        self, hypotheses: Texts, references: References, source: Texts | None = None
    ) -> FloatArray:
        return tabulate_scores(self.rate(hypotheses, references, source))

    def combine(self, totals: FloatArray) -> FloatArray:
        return average_scores(totals)

    def count_scores(self, totals: FloatArray) -> FloatArray:
        return np.asarray(totals[..., 1])


@dataclass(frozen=True)
class ExternalScores(MeanMetric):
    """Segment scores that another tool has computed."""

    reads: ClassVar[frozenset[TextKind]] = frozenset()

    sha256: str = option("", "checksum of the file of scores")

    def shown_scale(self, scores: FloatArray, scale: int) -> int:  # noqa: ARG002 - it is not known
        """Choose the scale by the size of the scores; COMET's best score is about 1."""
        return 1 if bool(np.max(np.abs(scores)) < 10) else 100

    def rate(self, hypotheses: Any, references: Any, source: Any) -> Never:  # noqa: ARG002
        raise InputError(
            f"{self.name} is computed by another tool: pass its scores of these texts with {argument('scores')}"
        )

    def write_title(self, label: str) -> str:
        return _TITLES.get(label.lower(), label)

    def signature(self, n_references: tuple[int, int], **extra: str | int) -> str:  # noqa: ARG002
        facts: Mapping[str, str | int] = {**extra, "sha256": self.sha256}
        return "|".join([self.name, "given", *(f"{key}:{value}" for key, value in facts.items())])


def make_external(name: str, sha256: str, *, higher_is_better: bool = True) -> ExternalScores:
    """Make a metric for the scores of another tool.

    >>> make_external("comet", "1f3a9c02").signature((1, 1))
    'comet|given|sha256:1f3a9c02'
    """
    facts = {"name": name, "higher_is_better": higher_is_better, "__module__": __name__}
    made: ExternalScores = type("ExternalScores", (ExternalScores,), facts)(sha256)
    return made
