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
    """100 · the mean cosine of all pairs of a hypothesis word and a reference word.

    A cosine below the threshold counts as 0, and the denominator does not change. By default the threshold is 0.5
    with the package's English vectors, 0.7 with contextual vectors and 0 with others, the values with the best
    human agreement on WMT 2015. Equal words have similarity 1 even without a vector (with `oov=zero`, only vectors
    count). Two empty texts score 100; an empty text against a non-empty one scores 0. With several references
    the best one counts. The system score is the mean of the segment scores.

    Two equal texts score 100 only if they have a single word, and longer texts score lower, as the paper notes.
    Only compare scores of the same segments.
    """

    pairing: ClassVar[WordPairing] = "whole"
    perfect_from: ClassVar[int | None] = None

    threshold: float = threshold_option({"english": 0.5, "contextual": 0.7})
