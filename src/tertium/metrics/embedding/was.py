"""Whole Alignment Similarity: the mean similarity of all word pairs of two texts.

Matsuo, Komachi & Sudoh (2017), Word-Alignment-Based Segment-Level Machine Translation Evaluation using
Word Embeddings, Eq. 3; after Song & Roth (2015).
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import WordPairing
from tertium.metrics.embedding._base import WordPairMetric, threshold_option


@dataclass(frozen=True)
class WAS(WordPairMetric):
    """100 · the mean over all pairs of a hypothesis word and a reference word of their cosine.

    A cosine below the threshold counts as 0, and the denominator stays. By default the threshold is 0.5
    with the package's English vectors, 0.7 with contextual ones, else 0: what agreed best with people on
    WMT 2015. Equal words have similarity 1 even without a vector (`oov=zero`: only vectors count). Two
    empty texts score 100, an empty and another text 0. The best reference counts; the system score is the
    mean of the segments'.

    Two equal texts do not score 100 unless they have one word only, and longer texts score lower: the
    paper notes it too. Compare scores of the same segments only.
    """

    pairing: ClassVar[WordPairing] = "whole"
    perfect_from: ClassVar[int | None] = None

    threshold: float = threshold_option({"english": 0.5, "contextual": 0.7})
