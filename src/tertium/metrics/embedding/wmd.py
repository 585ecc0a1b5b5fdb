"""Word Mover's Distance: optimal transport between the words of two texts.

Kusner, Sun, Kolkin & Weinberger (2015), From Word Embeddings To Document Distances.
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import TravelOptions
from tertium.metrics.embedding._transport import TransportMetric


@dataclass(frozen=True)
class WMD(TransportMetric):
    """100 · the minimal cost of moving the words of the hypothesis to those of the reference.

    Every occurrence of a word has the same weight, and moving it to another word costs the Euclidean distance of their
    vectors, which have length 1, as in gensim. Words without a vector are left out; the paper's list of stop words is
    not used. With contextual vectors, every occurrence is a word of its own.

    Unrelated words have the distance 141, opposite ones 200. A text without a known word scores 200, or 0 if the other
    text has the same words, in any order. With several references the best one counts. The system score is the mean of the segment
    scores. Lower is better.
    """

    paper: ClassVar[str] = "Kusner, Sun, Kolkin & Weinberger 2015"
    worst: ClassVar[float] = 200.0

    def _travel_options(self) -> TravelOptions:
        return TravelOptions(
            order_weight=0.0,
            cost="euclidean",
            similarity_mass=False,
            occurrences=self._is_contextual,
        )
