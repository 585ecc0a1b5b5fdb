"""Words as a metric sees them, for explanations of single segments."""

from collections.abc import Iterable
from typing import Protocol

from tertium.text import Texts

__all__ = ["cut_words"]


class CutsWords(Protocol):
    """A metric with the two options that decide what a word is."""

    @property
    def tokenizer(self) -> str: ...

    @property
    def lowercase(self) -> bool: ...


def cut_words(
    metric: CutsWords, hypothesis: str, references: Iterable[str]
) -> tuple[list[str], list[list[str]]]:
    """Cut a hypothesis and its references into words as this metric sees them."""
    column = Texts([hypothesis, *references])
    tokens = column.tokens(metric.tokenizer, lowercase=metric.lowercase)
    return tokens.words(0), [tokens.words(i) for i in range(1, len(column))]
