"""YiSi-1: greedy matching of n-grams by word vectors, weighted by inverse document frequency.

Lo (2019), YiSi: a Unified Semantic MT Quality Evaluation and Estimation Metric for Languages with Different
Levels of Available Resources.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tertium.kernels.elementary import log
from tertium.metrics.embedding._base import VectorMatching
from tertium.metrics.frequencies import weighted_f
from tertium.metrics.options import option
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class YiSi1(VectorMatching):
    """P · R / (α · P + (1 − α) · R), where each n-gram is matched with the most similar n-gram of the other text.

    The similarity of two n-grams is the mean of the cosines of their words, place by place, weighted by the words
    of the text whose n-grams are matched. A word weighs ln(1 + (N + 1) / (n + 1)), where n of the N references
    contain it; precision and recall are means over n-grams weighted by the sum of their words' weights. A text
    with fewer than `order` words lowers the order to its length. Semantic role labels (YiSi-1_srl) are not used.

    Equal words without a vector have similarity 1. Two empty texts score 100, an empty text against another 0.
    With several references the best one counts. The system score is the mean of the segment scores.
    """

    paper: ClassVar[str] = "Lo 2019"
    formula_options: ClassVar[frozenset[str]] = frozenset({"alpha"})

    order: int = option(3, "length of the n-grams", key="order", at_least=1, at_most=32)
    alpha: float = option(0.8, "weight of recall", key="alpha", at_least=0, at_most=1)

    @property
    def _order(self) -> int:
        return self.order

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the cosines of all word pairs, with precision and recall of the n-grams."""
        words = self._explain_matches(hypothesis, references)
        return replace(words, steps=[f"{name}: {value:.2f}" for name, value in words.facts.items()])

    def _score(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        return weighted_f(precision, recall, self.alpha)

    def _weigh(self, ratios: FloatArray) -> FloatArray:
        return log(1.0 + ratios)
