"""What WAS, MAS and HAS share: they average similarities of word pairs, each over other pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tertium.interfaces import VectorKind
from tertium.kernels.embedding import Alignment as WordPairing
from tertium.kernels.embedding import alignment_similarities, solve_assignments
from tertium.metrics.embedding._base import EmbeddingMetric
from tertium.metrics.embedding._mean_similarity import MeanSimilarity
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray

__all__ = ["WordPairMetric", "WordPairing", "threshold_option"]


def threshold_option(by_vectors: Mapping[VectorKind, float]) -> float:
    """Declare the threshold, which is 0 unless a kind of vectors has a better one."""
    declared: float = option(
        0.0,
        "the least similarity that counts",
        key="threshold",
        at_least=0,
        at_most=1,
        grid=[n / 20 for n in range(21)],
        by_vectors=by_vectors,
    )
    return declared


@dataclass(frozen=True)
class WordPairMetric(MeanSimilarity, EmbeddingMetric):
    """A mean of the similarities of word pairs; `pairing` says which pairs of the two texts count."""

    pairing: ClassVar[WordPairing]
    paper: ClassVar[str] = "Matsuo, Komachi & Sudoh 2017"

    threshold: float = threshold_option({})
    oov: Literal["identity", "zero"] = option(
        "identity", "what equal words without a vector are to each other: 1 (identity) or 0 (zero)"
    )

    def _similarities(self, hypotheses: Texts, references: References) -> FloatArray:
        return alignment_similarities(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            kind=self.pairing,
            threshold=self.threshold,
            strict=self.oov == "zero",
        )

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the similarity of all word pairs, and which of them count."""
        told = self._explain_words(hypothesis, references, strict=self.oov == "zero")
        alike = told.matrices["similarity"]
        kept = np.where(alike >= self.threshold, alike, 0.0)
        links = [(i, j, f"{kept[i, j]:.3f}") for i, j in self._pairs(kept) if kept[i, j] > 0]
        steps = [f"{told.rows[i]} – {told.columns[j]}: {value}" for i, j, value in links]
        return replace(told, links=links, steps=steps)

    def _pairs(self, kept: FloatArray) -> list[tuple[int, int]]:
        """List the pairs of words that count; for WAS, where all do, the matrix tells enough."""
        if self.pairing == "whole" or 0 in kept.shape:
            return []
        if self.pairing == "hungarian":
            (match,) = solve_assignments([kept])[1]
            return [(i, int(j)) for i, j in enumerate(match) if j >= 0]
        there = [(i, int(j)) for i, j in enumerate(kept.argmax(axis=1))]
        back = [(int(i), j) for j, i in enumerate(kept.argmax(axis=0))]
        return sorted({*there, *back})
