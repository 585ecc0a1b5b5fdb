"""Maximum Alignment Similarity: the mean similarity of each word to its nearest.

Matsuo, Komachi & Sudoh (2017), Word-Alignment-Based Segment-Level Machine Translation Evaluation using
Word Embeddings, Eq. 4 and 5; after Song & Roth (2015).
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import WordPairing
from tertium.metrics.embedding._base import WordPairMetric, threshold_option


@dataclass(frozen=True)
class MAS(WordPairMetric):
    """100 · each word's largest cosine with a word of the other text, averaged over a text's words and then over
    both texts.

    A cosine below the threshold counts as 0, and the denominator stays. By default the threshold is 0.2
    with the package's English vectors, else 0: what agreed best with people on WMT 2015. Equal words have
    similarity 1 even without a vector (`oov=zero`: only vectors count). Two empty texts score 100, an empty
    and another text 0. The best reference counts; the system score is the mean of the segments'.
    """

    pairing: ClassVar[WordPairing] = "maximum"

    threshold: float = threshold_option({"english": 0.2})
