"""Hungarian Alignment Similarity: the best one-to-one matching of two texts' words.

Matsuo, Komachi & Sudoh (2017), Word-Alignment-Based Segment-Level Machine Translation Evaluation using
Word Embeddings, Eq. 6; after Song & Roth (2015).
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import WordPairing
from tertium.metrics.embedding._base import WordPairMetric, threshold_option


@dataclass(frozen=True)
class HAS(WordPairMetric):
    """100 · the largest sum of cosines of a one-to-one matching, divided by the number of words of
    the shorter text.

    A cosine below the threshold counts as 0, and the denominator stays. By default the threshold is 0.1
    with the package's English vectors, else 0: what agreed best with people on WMT 2015. Equal words have
    similarity 1 even without a vector (`oov=zero`: only vectors count). Two empty texts score 100, an empty
    and another text 0. The best reference counts; the system score is the mean of the segments'.

    Words of the longer text that stay unmatched cost nothing.
    """

    pairing: ClassVar[WordPairing] = "hungarian"

    threshold: float = threshold_option({"english": 0.1})
