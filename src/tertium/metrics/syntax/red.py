"""RED: how much of the reference's dependency structure the hypothesis keeps.

Yu, Wu, Xie, Jiang, Liu & Lin (2014), RED: A Reference Dependency Based MT Evaluation Metric.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium.errors import OptionError
from tertium.kernels import match_dependency_ngrams
from tertium.metrics.base import CountingMetric, best_reference, keep_best
from tertium.metrics.options import option
from tertium.metrics.syntax._base import (
    DependencyNgramMetric,
    capitals_option,
    combine_orders,
    explain_ngrams,
    sum_by_order,
)
from tertium.text import References, Texts
from tertium.types import DependencyNgrams, Explanation, FloatArray, OffsetArray


@dataclass(frozen=True)
class RED(CountingMetric, DependencyNgramMetric):
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

    Two things differ from the paper, both chosen on WMT10, 12, 14 and 15 (docs/which-metric.md); `red@paper` has neither.
    English text is cut into METEOR's tokens, other languages' into 13a's. And an n-gram that matches only in lower case
    earns half of its score (`capitals`): people mind capitals, but less than words.

    The system score is the mean of the segment scores; `system=pooled` computes F over summed counts.
    """

    paper: ClassVar[str] = "Yu, Wu, Xie, Jiang, Liu & Lin 2014"
    perfect_from: ClassVar[int | None] = None
    stays_in_range: ClassVar[bool] = False
    formula_options: ClassVar[frozenset[str]] = frozenset({"alpha", "capitals", "system"})

    alpha: float = option(
        0.5, "weight of recall against precision", at_least=0, at_most=1, grid=(0.1, 0.3, 0.5, 0.7, 0.9)
    )
    weights: tuple[float, ...] = option(
        (1 / 3, 1 / 3, 1 / 3), "weights of n-grams of 1, 2, … words", at_least=0
    )
    capitals: float = capitals_option(0.5, "an n-gram")
    system: Literal["mean", "pooled"] = option("mean", "system score: mean of segments, or F over sums")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not sum(self.weights) > 0 or len(self.weights) > 9:
            raise OptionError(f"{self.name}: weights must be 1 to 9 numbers, not all zero")

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count for each reference: hypothesis length, n-grams by order, matches in lower case and as written."""
        ngrams, order = self.ngrams(references.texts), len(self.weights)
        lengths = np.repeat(self.words(hypotheses).lengths, np.diff(references.offsets)).astype(np.float64)
        matches = [sum_by_order(ngrams, order, each) for each in self._match(hypotheses, references)]
        return np.column_stack([lengths, sum_by_order(ngrams, order), *matches])

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        """Compute for each segment: score, 1, hypothesis length, matches and n-grams by order."""
        order = len(self.weights)
        lengths, ngrams, lowered, written = np.split(counts, [1, 1 + order, 1 + 2 * order], axis=1)
        matches = self._weigh_capitals(lowered, written)
        blank = np.zeros_like(lengths)
        rows = np.column_stack([blank, blank + 1.0, lengths, matches, ngrams])
        rows[:, 0] = self._pooled(rows)
        return keep_best(rows, groups)

    def combine(self, totals: FloatArray) -> FloatArray:
        if self.system == "pooled":
            return self._pooled(totals)
        return np.asarray(totals[..., 0] / np.maximum(totals[..., 1], 1.0))

    def ngrams(self, texts: Texts) -> DependencyNgrams:
        """Extract the dependency n-grams of a column of references, once."""
        return self.extract_ngrams(texts, len(self.weights))

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
        scores = self._weigh_capitals(*self._match(texts, column))
        row = self.statistics(texts, column)[0]
        return explain_ngrams(
            self.name,
            float(row[0]),
            hypothesis=texts.tokens(self.tokenizer).words(0),
            reference=column.tokens(self.tokenizer).words(0),
            trees=self.parse(column.texts),
            ngrams=list(zip(ngrams.of(0), scores.tolist(), strict=True)),
        )

    def _match(self, hypotheses: Texts, references: References) -> tuple[FloatArray, FloatArray]:
        """Score each n-gram of the references in lower case, and again as it is written."""
        ngrams = self.ngrams(references.texts)
        views = [self.words] if self.lowercase else [self.words, self.cased_words]
        scores = [
            match_dependency_ngrams(view(hypotheses), view(references.texts), references.offsets, ngrams)
            for view in views
        ]
        return scores[0], scores[-1]

    def _weigh_capitals(self, lowered: FloatArray, written: FloatArray) -> FloatArray:
        return lowered - self.capitals * (lowered - written)

    def _pooled(self, rows: FloatArray) -> FloatArray:
        order = len(self.weights)
        return combine_orders(
            rows[..., 3 : 3 + order],
            rows[..., 3 + order :],
            rows[..., 2],
            alpha=self.alpha,
            weights=np.asarray(self.weights),
        )
