"""Hungarian Alignment Similarity: the best one-to-one matching of the words of two texts.

Matsuo, Komachi & Sudoh (2017), Word-Alignment-Based Segment-Level Machine Translation Evaluation using
Word Embeddings, Eq. 6; after Song & Roth (2015).
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import WordPairing
from tertium.metrics.embedding._base import WordPairMetric, threshold_option


@dataclass(frozen=True)
class HAS(WordPairMetric):
    """100 · the largest sum of cosines of a one-to-one matching of words / words of the shorter text.

    Unmatched words of the longer text are not penalised. A cosine below the threshold counts as 0, and the
    denominator does not change. By default the threshold is 0.1 with the package's English vectors and 0 with
    others, the values with the best human agreement on WMT 2015. Equal words have similarity 1 even without a
    vector (with `oov=zero`, only vectors count). Two empty texts score 100; an empty text against a non-empty one
    scores 0. With several references the best one counts. The system score is the mean of the segment scores.
    """

    pairing: ClassVar[WordPairing] = "hungarian"

    threshold: float = threshold_option({"english": 0.1})
