"""Word error rate with cheaper substitutions of similar words.

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
from tertium.values import Explanation, FloatArray


@dataclass(frozen=True)
class WERModif(ErrorRate, EmbeddingMetric):
    """WER whose substitutions cost 1 − max(0, cosine); insertions and deletions cost 1.

    Equal words cost 0 even without a vector (with `oov=zero`, 1); other words without a vector cost 1. With
    several references the cheapest edits count. The system score is the sum of costs over all segments divided by
    the sum of **average** reference lengths, as in WER. An empty reference gives 100, or 0 if the hypothesis is
    empty, too.
    """

    title: ClassVar[str] = "WERmodif"
    paper: ClassVar[str] = "Wang & Merlo 2016"
    takes_best_reference: ClassVar[bool] = False

    lowercase: bool = lowercase_option(default=False)
    oov: Literal["identity", "zero"] = option(
        "identity", "similarity of equal words without a vector: 1 (identity) or 0 (zero)"
    )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_soft_edits(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            strict=self.oov == "zero",
        )

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show all word similarities and one of the cheapest sequences of edits."""
        words = self._explain_words(hypothesis, references, strict=self.oov == "zero")
        costs = 1.0 - np.maximum(words.matrices["similarity"], 0.0)
        path = _cheapest_path(costs)
        links = [(i, j, f"{costs[i, j]:.3f}") for i, j in path if i is not None and j is not None]
        return replace(words, links=links, steps=[_describe_edit(words, costs, i, j) for i, j in path])


def _cheapest_path(costs: FloatArray) -> list[tuple[int | None, int | None]]:
    """List the word pairs of one of the cheapest sequences of edits; None marks an insertion or a deletion."""
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


def _describe_edit(words: Explanation, costs: FloatArray, i: int | None, j: int | None) -> str:
    if i is None or j is None:
        return f"+ {words.columns[j]}: 1" if j is not None else f"- {words.rows[i or 0]}: 1"
    return f"{words.rows[i]} → {words.columns[j]}: {costs[i, j]:.3f}"
