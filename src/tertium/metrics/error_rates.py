"""What error rates share: edits over the average reference length, lower is better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics.base import Metric
from tertium.metrics.edit_accounts import Step, count_edits, describe_edits, link_edits
from tertium.metrics.options import lowercase_option, tokenizer_option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray, Score

__all__ = ["ErrorRate", "error_rate", "explain_edits", "nearest_reference"]


def error_rate(edits: FloatArray, length: FloatArray) -> FloatArray:
    """100 · edits / length; an empty reference costs 100 if there is any edit and 0 if there is none."""
    empty = np.where(edits > 0, 100.0, 0.0)
    # Divided first, as sacreBLEU does for TER: the last digit is then the same.
    return np.where(length > 0, 100.0 * (edits / np.where(length > 0, length, 1.0)), empty)


def nearest_reference(metric: Metric, hypothesis: str, references: Sequence[str]) -> int:
    """Find the reference with the fewest edits, the first of them on a tie."""
    column = References([[text] for text in references])
    rows = metric.statistics(Texts([hypothesis] * len(column), column.vocabulary), column)
    return int(np.argmin(rows[:, 0]))


def explain_edits(
    metric: Metric,
    score: Score,
    words: tuple[Sequence[str], Sequence[str]],
    steps: Sequence[Step],
    facts: Mapping[str, float | str],
) -> Explanation:
    """Tell an error rate by its edits of the hypothesis' words."""
    numbers = {name: value for name, value in score.details.items() if isinstance(value, float)}
    return Explanation(
        metric=metric.name,
        hypothesis=words[0],
        reference=words[1],
        score=score.value,
        links=link_edits(steps),
        steps=describe_edits(steps, *words),
        facts={**count_edits(steps), **numbers, **facts},
    )


@dataclass(frozen=True)
class ErrorRate(Metric):
    """A metric whose rows are (edits, average reference length)."""

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=False)

    def combine(self, totals: FloatArray) -> FloatArray:
        return error_rate(totals[..., 0], totals[..., 1])

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {"edits": float(totals[0]), "reference_length": float(totals[1])}

    def words(self, hypothesis: str, reference: str) -> tuple[list[str], list[str]]:
        """The words of both texts as this metric sees them."""
        tokens = Texts([hypothesis, reference]).tokens(self.tokenizer, lowercase=self.lowercase)
        return tokens.words(0), tokens.words(1)
