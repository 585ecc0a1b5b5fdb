"""Maximum Alignment Similarity: the mean similarity of each word to its nearest word in the other text.

Matsuo, Komachi & Sudoh (2017), Word-Alignment-Based Segment-Level Machine Translation Evaluation using
Word Embeddings, Eq. 4 and 5; after Song & Roth (2015).
"""

from dataclasses import dataclass
from typing import ClassVar

from tertium.kernels.embedding import WordPairing
from tertium.metrics.embedding._base import WordPairMetric, threshold_option


@dataclass(frozen=True)
class MAS(WordPairMetric):
    """100 · the mean over both texts of the mean, over the text's words, of the largest cosine with the other text.

    A cosine below the threshold counts as 0, and the denominator does not change. By default the threshold is 0.33
    with the package's English vectors, as in the paper, because no other value is better in all years of WMT12 to
    WMT22 (docs/which-metric.md). It is 0 with other vectors, the best value on WMT 2015 with contextual ones.
    Equal words have similarity 1 even without a vector (with `oov=zero`, only vectors count). Two empty texts
    score 100; an empty text against a non-empty one scores 0. With several references the best one counts. The
    system score is the mean of the segment scores.
    """

    pairing: ClassVar[WordPairing] = "maximum"

    threshold: float = threshold_option({"english": 0.33})
