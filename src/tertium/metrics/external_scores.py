"""A metric for segment scores of other tools; the system score is their mean."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Never

import numpy as np

from tertium.errors import InputError, argument
from tertium.metrics.base import Metric
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.types import FloatArray, TextKind

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
class ExternalScores(Metric):
    """Segment scores computed by another tool; the statistics of a segment are its score and 1."""

    reads: ClassVar[frozenset[TextKind]] = frozenset()
    bounded: ClassVar[bool] = False
    best: ClassVar[float] = math.inf
    worst: ClassVar[float] = -math.inf

    sha256: str = option("", "checksum of the file of scores")

    def statistics(self, hypotheses: Texts, references: References) -> Never:  # noqa: ARG002
        raise InputError(
            f"{self.name} is computed by another tool: pass its scores of these texts with {argument('scores')}"
        )

    def write_title(self, label: str) -> str:
        return _TITLES.get(label.lower(), label)

    def combine(self, totals: FloatArray) -> FloatArray:
        return np.asarray(totals[..., 0] / np.maximum(totals[..., 1], 1.0))

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


def tabulate_scores(scores: FloatArray) -> FloatArray:
    """Turn segment scores (systems, segments) into statistics (systems, segments, 2)."""
    return np.stack([scores, np.ones_like(scores)], axis=-1)
