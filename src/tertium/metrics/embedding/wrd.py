"""Word Rotator's Distance: optimal transport between the directions of word vectors, weighted by their lengths.

Yokoi, Takahashi, Akama, Suzuki & Inui (2020), Word Rotator's Distance.
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import TravelOptions
from tertium.metrics.embedding._transport import TransportMetric, vector_lengths
from tertium.values import Embedding, FloatArray, TokenColumn


@dataclass(frozen=True)
class WRD(TransportMetric):
    """100 · the minimal cost of rotating the words of the hypothesis to those of the reference.

    The weight of a word is the length of its vector, and moving it to another word costs 1 − cosine. This equals
    `std:mass=norm,cost=cosine,shared_mass=travel,order_weight=0,orders=1`. Words without a vector are left out. With
    contextual vectors, every occurrence is a word of its own.

    Unrelated words have the distance 100, opposite ones 200. A text without a known word scores 200, or 0 if the other
    text has the same words, in any order. With several references the best one counts. The system score is the mean of the segment
    scores. Lower is better.
    """

    paper: ClassVar[str] = "Yokoi, Takahashi, Akama, Suzuki & Inui 2020"
    worst: ClassVar[float] = 200.0

    def _travel_options(self) -> TravelOptions:
        return TravelOptions(
            order_weight=0.0,
            cost="cosine",
            cancels=False,  # a detour may be shorter: 1 - cosine does not satisfy the triangle inequality
            similarity_mass=False,
            occurrences=self._is_contextual,
        )

    def _weigh_tokens(self, tokens: TokenColumn, embedding: Embedding) -> FloatArray | None:  # noqa: ARG002
        return vector_lengths(embedding)
