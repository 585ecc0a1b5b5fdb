"""Word error rate in which replacing a word by a similar one costs less.

Wang & Merlo (2016), Modifications of Machine Translation Evaluation Metrics by Using Word Embeddings,
Section 2.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from tertium.kernels.embedding import count_soft_edits
from tertium.metrics.base import ErrorRate
from tertium.metrics.embedding._base import EmbeddingMetric
from tertium.metrics.options import lowercase_option, option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray


@dataclass(frozen=True)
class WERModif(ErrorRate, EmbeddingMetric):
    """WER whose substitutions cost 1 − max(0, cosine); insertions and deletions cost 1.

    Equal words cost 0 even without a vector (`oov=zero`: 1), unknown ones 1. With several references the
    cheapest edits count, and their sum over all segments is divided by the sum of **average** reference
    lengths, as WER does. An empty reference costs 100 unless the hypothesis is empty too.
    """

    paper: ClassVar[str] = "Wang & Merlo 2016"
    takes_best_reference: ClassVar[bool] = False

    lowercase: bool = lowercase_option(default=False)
    oov: Literal["identity", "zero"] = option(
        "identity", "what equal words without a vector are to each other: 1 (identity) or 0 (zero)"
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_soft_edits(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            strict=self.oov == "zero",
        )

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show all word similarities and one cheapest sequence of edits."""
        told = self._explain_words(hypothesis, references, strict=self.oov == "zero")
        costs = 1.0 - np.maximum(told.matrices["similarity"], 0.0)
        path = _cheapest_path(costs)
        links = [(i, j, f"{costs[i, j]:.3f}") for i, j in path if i is not None and j is not None]
        return replace(told, links=links, steps=[_tell_edit(told, costs, i, j) for i, j in path])


def _cheapest_path(costs: FloatArray) -> list[tuple[int | None, int | None]]:
    """List the pairs of words that a cheapest sequence of edits joins; None stands where there is no partner."""
    n, m = costs.shape
    table = np.add.outer(np.arange(n + 1.0), np.arange(m + 1.0))
    for i in range(n):
        for j in range(m):
            replaced = table[i, j] + costs[i, j]
            table[i + 1, j + 1] = min(replaced, table[i, j + 1] + 1, table[i + 1, j] + 1)
    path: list[tuple[int | None, int | None]] = []
    while n or m:
        if n and m and table[n, m] == table[n - 1, m - 1] + costs[n - 1, m - 1]:
            n, m = n - 1, m - 1
            path.append((n, m))
        elif n and table[n, m] == table[n - 1, m] + 1:
            n -= 1
            path.append((n, None))
        else:
            m -= 1
            path.append((None, m))
    return path[::-1]


def _tell_edit(told: Explanation, costs: FloatArray, i: int | None, j: int | None) -> str:
    if i is None or j is None:
        return f"+ {told.columns[j]}: 1" if j is not None else f"- {told.rows[i or 0]}: 1"
    return f"{told.rows[i]} → {told.columns[j]}: {costs[i, j]:.3f}"
