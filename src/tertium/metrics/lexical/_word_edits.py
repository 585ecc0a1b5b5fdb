"""What error rates over words share: how text is cut, and explanations by edits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.metrics.base import Metric
from tertium.metrics.error_rates import ErrorRate
from tertium.metrics.lexical._edit_accounts import Step, count_edits, describe_edits, link_edits
from tertium.metrics.lexical._words import cut_words
from tertium.metrics.options import lowercase_option, tokenizer_option
from tertium.types import Explanation, Score

__all__ = ["WordErrorRate", "explain_edits"]


@dataclass(frozen=True)
class WordErrorRate(ErrorRate):
    """An error rate over words that a tokeniser cuts."""

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=False)

    def words(self, hypothesis: str, reference: str) -> tuple[list[str], list[str]]:
        """Cut both texts into words as this metric sees them."""
        words, (others,) = cut_words(self, hypothesis, [reference])
        return words, others


def explain_edits(
    metric: Metric,
    score: Score,
    words: tuple[Sequence[str], Sequence[str]],
    steps: Sequence[Step],
    facts: Mapping[str, float | str],
) -> Explanation:
    """Explain an error rate by the edits that turn the hypothesis' words into the reference's."""
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
