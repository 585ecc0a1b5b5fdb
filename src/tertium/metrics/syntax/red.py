"""RED: how much of the reference's dependency structure the hypothesis keeps.

Yu, Wu, Xie, Jiang, Liu & Lin (2014), RED: A Reference Dependency Based MT Evaluation Metric.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium.errors import OptionError
from tertium.kernels import extract_dependency_ngrams, match_dependency_ngrams
from tertium.metrics.best_reference import best_reference, keep_best
from tertium.metrics.counting import CountingMetric
from tertium.metrics.options import option
from tertium.metrics.syntax._base import ParsedTextMetric
from tertium.metrics.syntax._explanation import explain_ngrams
from tertium.metrics.syntax._fscore import combine_orders, sum_by_order
from tertium.text import References, Texts
from tertium.types import DependencyNgrams, Explanation, FloatArray, OffsetArray

__all__ = ["RED"]


@dataclass(frozen=True)
class RED(CountingMetric, ParsedTextMetric):
    """The weighted sum of F-scores over dependency n-grams of one, two and three words.

    Only the reference is parsed. Its n-grams are headword chains (paths down the tree), which match
    where their words stand in the reference's order and score exp(−Σ|dis_r − dis_h| / (n − 1)) at the
    best such place; and fixed and floating structures (a head with complete constituents next to it;
    neighbouring constituents under one head), which match where their words stand together. Precision
    divides by the hypothesis's length, recall by the number of the reference's n-grams.

    Where the paper is silent or contradicts itself, these are the decisions:

    * distances are those of Formula 2, not the text's "0.5 and 0.2", and are taken between neighbours in
      the chain (Formula 1);
    * a single word counts once, although it is a chain and a structure;
    * a structure that is both fixed and floating counts once, and one that is also a chain counts twice;
    * an order of which the reference has no n-gram is left out, and the other weights grow in proportion.

    A reference can have more n-grams of a length than the hypothesis has words, so precision can pass 1 and
    the score 100: sentences of WMT's news score 105 on average against themselves, and up to 112.

    The system score is the mean of the segment scores; `system=pooled` computes F over summed counts.
    """

    paper: ClassVar[str] = "Yu, Wu, Xie, Jiang, Liu & Lin 2014"
    perfect_from: ClassVar[int | None] = None
    stays_in_range: ClassVar[bool] = False
    formula_options: ClassVar[frozenset[str]] = frozenset({"alpha", "system"})

    alpha: float = option(
        0.5, "weight of recall against precision", at_least=0, at_most=1, grid=(0.1, 0.3, 0.5, 0.7, 0.9)
    )
    weights: tuple[float, ...] = option(
        (1 / 3, 1 / 3, 1 / 3), "weights of n-grams of 1, 2, … words", at_least=0
    )
    system: Literal["mean", "pooled"] = option("mean", "system score: mean of segments, or F over sums")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not sum(self.weights) > 0 or len(self.weights) > 9:
            raise OptionError(f"{self.name}: weights must be 1 to 9 numbers, not all zero")

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count for each reference: hypothesis length, matches and n-grams; `weigh` puts the score first."""
        ngrams = self.ngrams(references.texts)
        words = self.words(hypotheses)
        scores = match_dependency_ngrams(words, self.words(references.texts), references.offsets, ngrams)
        lengths = np.repeat(words.lengths, np.diff(references.offsets))
        order = len(self.weights)
        rows = np.empty((len(ngrams), 3 + 2 * order))
        rows[:, 0], rows[:, 1], rows[:, 2] = 0.0, 1.0, lengths
        rows[:, 3 : 3 + order] = sum_by_order(ngrams, order, scores)
        rows[:, 3 + order :] = sum_by_order(ngrams, order)
        return rows

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        scored = counts.copy()
        scored[:, 0] = self._pooled(counts)
        return keep_best(scored, groups)

    def combine(self, totals: FloatArray) -> FloatArray:
        if self.system == "pooled":
            return self._pooled(totals)
        return np.asarray(totals[..., 0] / np.maximum(totals[..., 1], 1.0))

    def ngrams(self, texts: Texts) -> DependencyNgrams:
        """Extract the dependency n-grams of a column of references, once."""
        order = len(self.weights)
        key = ("dependency n-grams", self.trees.identity, self.tokenizer, order)
        return texts.remember(key, lambda: extract_dependency_ngrams(self.parse(texts), order=order))

    def details(self, totals: FloatArray) -> dict[str, float | Sequence[float]]:
        order = len(self.weights)
        return {
            "matches": totals[3 : 3 + order].tolist(),
            "ngrams": totals[3 + order :].tolist(),
            "hypothesis_length": float(totals[2]),
        }

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the best reference's tree and what each of its n-grams earns."""
        column = References([[references[best_reference(self, hypothesis, references)]]])
        texts = Texts([hypothesis], column.vocabulary)
        ngrams = self.ngrams(column.texts)
        scores = match_dependency_ngrams(self.words(texts), self.words(column.texts), column.offsets, ngrams)
        row = self.statistics(texts, column)[0]
        return explain_ngrams(
            self.name,
            float(row[0]),
            hypothesis=texts.tokens(self.tokenizer).words(0),
            reference=column.tokens(self.tokenizer).words(0),
            trees=self.parse(column.texts),
            ngrams=list(zip(ngrams.of(0), scores.tolist(), strict=True)),
        )

    def _pooled(self, rows: FloatArray) -> FloatArray:
        order = len(self.weights)
        return combine_orders(
            rows[..., 3 : 3 + order],
            rows[..., 3 + order :],
            rows[..., 2],
            alpha=self.alpha,
            weights=np.asarray(self.weights),
        )
