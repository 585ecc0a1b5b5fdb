"""RED: how much of the dependency structure of the reference the hypothesis preserves.

Yu, Wu, Xie, Jiang, Liu & Lin (2014), RED: A Reference Dependency Based MT Evaluation Metric.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium.errors import OptionError
from tertium.kernels.syntax import match_dependency_ngrams
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
from tertium.values import DependencyNgrams, Explanation, FloatArray, OffsetArray


@dataclass(frozen=True)
class RED(CountingMetric, DependencyNgramMetric):
    """The weighted sum of F-scores over dependency n-grams of one, two and three words.

    Only the reference is parsed. Its n-grams are of two kinds. Headword chains (paths down the tree) match where
    their words occur in the same order as in the reference, and score exp(−Σ|dis_r − dis_h| / (n − 1)) at the best
    such position. Fixed and floating structures (a head with adjacent complete constituents; adjacent constituents
    under one head) match where their words are contiguous. Precision divides by the length of the hypothesis,
    recall by the number of n-grams of the reference. With several references the best one counts. The system score
    is the mean of the segment scores; `system=pooled` computes F over summed counts.

    Where the paper is silent or contradicts itself, these are our decisions:

    * Distances are those of Formula 2, not the text's "0.5 and 0.2", and are measured between neighbours in
      the chain (Formula 1).
    * A single word counts once, although it is both a chain and a structure.
    * A structure that is both fixed and floating counts once, and one that is also a chain counts twice.
    * An order without n-grams in the reference is left out, and the other weights are rescaled.

    A reference can have more n-grams of a length than the hypothesis has words, so precision can exceed 1 and the
    score 100: sentences of WMT news score 105 on average against themselves, and at most 112.

    Two defaults differ from the paper, both chosen on WMT10, 12, 14 and 15 (docs/which-metric.md); `red@paper` has
    the paper's. English text is split into METEOR's tokens, text in other languages into 13a's. An n-gram that
    matches only in lower case gets half of its score (`capitals`), because human judges penalise wrong case, but
    less than wrong words.
    """

    paper: ClassVar[str] = "Yu, Wu, Xie, Jiang, Liu & Lin 2014"
    perfect_from: ClassVar[int | None] = None
    stays_in_range: ClassVar[bool] = False
    formula_options: ClassVar[frozenset[str]] = frozenset({"alpha", "capitals", "system"})

    alpha: float = option(
        0.5, "weight of recall relative to precision", at_least=0, at_most=1, grid=(0.1, 0.3, 0.5, 0.7, 0.9)
    )
    weights: tuple[float, ...] = option(
        (1 / 3, 1 / 3, 1 / 3), "weights of n-grams of 1, 2, … words", at_least=0
    )
    capitals: float = capitals_option(0.5, "an n-gram")
    system: Literal["mean", "pooled"] = option(  # type: ignore[misc] # every other metric has it as a fact of its class
        "mean", "system score: mean of the segment scores, or F over summed counts"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not sum(self.weights) > 0 or len(self.weights) > 9:
            raise OptionError(f"{self.name}: weights must be 1 to 9 numbers, not all zero")

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute, for each reference: hypothesis length, n-grams by order, matches in lower case and with case."""
        ngrams, order = self.ngrams(references.texts), len(self.weights)
        lengths = np.repeat(self.words(hypotheses).lengths, np.diff(references.offsets)).astype(np.float64)
        matches = [sum_by_order(ngrams, order, credit) for credit in self._match(hypotheses, references)]
        return np.column_stack([lengths, sum_by_order(ngrams, order), *matches])

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        """Compute, for each segment: score, 1, hypothesis length, matches and n-grams by order."""
        order = len(self.weights)
        lengths, ngrams, lowered, written = np.split(counts, [1, 1 + order, 1 + 2 * order], axis=1)
        matches = self._weigh_case(lowered, written)
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
        """Show the tree of the best reference and the score of each of its n-grams."""
        column = References([[references[best_reference(self, hypothesis, references)]]])
        texts = Texts([hypothesis], column.vocabulary)
        ngrams = self.ngrams(column.texts)
        scores = self._weigh_case(*self._match(texts, column))
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
        """Score each n-gram of the references in lower case, and again with its capitals."""
        ngrams = self.ngrams(references.texts)
        views = [self.words] if self.lowercase else [self.words, self.cased_words]
        scores = [
            match_dependency_ngrams(view(hypotheses), view(references.texts), references.offsets, ngrams)
            for view in views
        ]
        return scores[0], scores[-1]

    def _weigh_case(self, lowered: FloatArray, written: FloatArray) -> FloatArray:
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
