"""HWCM: headword chains shared by the trees of hypothesis and reference.

Liu & Gildea (2005), Syntactic Features for Evaluation of Machine Translation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium.kernels.elementary import exp, log
from tertium.kernels.syntax import count_headword_chains
from tertium.metrics.base import best_reference, keep_best
from tertium.metrics.options import option
from tertium.metrics.syntax._base import ParsedTextMetric, explain_chains
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class HWCM(ParsedTextMetric):
    """The mean precision of headword chains of one to four words, clipped as in BLEU.

    A headword chain is the sequence of words on a path down the tree. Hypothesis and reference are parsed. With
    several references the best one counts. The system score is computed from chains and matches summed over all
    segments.

    `mean=geometric` is the geometric mean, with `epsilon` in place of a precision of zero, as in the comparison of
    the RED paper. An order that is too long for both trees is left out; an order that only the reference has
    counts as zero.
    """

    paper: ClassVar[str] = "Liu & Gildea 2005"

    order: int = option(4, "length of the longest chain", key="order", at_least=1, at_most=32)
    mean: Literal["arithmetic", "geometric"] = option("arithmetic", "mean of the precisions", key="mean")
    epsilon: float = option(
        1e-3, "replacement for a precision of zero in the geometric mean", above=0, at_most=1
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count the matches, hypothesis chains and reference chains of each length, for each segment."""
        rows = count_headword_chains(
            self.words(hypotheses),
            self.parse(hypotheses),
            self.words(references.texts),
            self.parse(references.texts),
            references.offsets,
            order=self.order,
        )
        return keep_best(rows, references.offsets, self.combine)

    def combine(self, totals: FloatArray) -> FloatArray:
        matches, chains, wanted = np.split(totals, 3, axis=-1)
        precisions = np.where(chains > 0, matches / np.where(chains > 0, chains, 1.0), 0.0)
        exists = (chains > 0) | (wanted > 0)
        n_orders = np.maximum(exists.sum(axis=-1), 1)
        score = self._average(precisions, exists, n_orders)
        score = np.where(
            matches.sum(axis=-1) > 0, score, 0.0
        )  # no shared chain: also 0 for the geometric mean
        return np.asarray(100.0 * np.where(exists.any(axis=-1), score, 1.0))  # two empty texts are equal

    def details(self, totals: FloatArray) -> dict[str, float | Sequence[float]]:
        matches, chains, wanted = np.split(totals, 3)
        return {"matches": matches.tolist(), "chains": chains.tolist(), "reference_chains": wanted.tolist()}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the trees of the hypothesis and its best reference, and the chains that they share."""
        best = references[best_reference(self, hypothesis, references)]
        column = Texts([hypothesis, best])
        return explain_chains(
            self.name,
            self.sentence_score(hypothesis, [best]).value,
            column.tokens(self.tokenizer),
            self.words(column),
            self.parse(column),
            order=self.order,
        )

    def _average(
        self,
        precisions: FloatArray,
        exists: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
        n_orders: FloatArray,
    ) -> FloatArray:
        if self.mean == "arithmetic":
            return np.asarray(precisions.sum(axis=-1) / n_orders)
        floored = np.where(precisions > 0, precisions, self.epsilon)
        return np.asarray(exp(np.where(exists, log(floored), 0.0).sum(axis=-1) / n_orders))
