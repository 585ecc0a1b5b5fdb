"""What metrics over dependency trees share: the parser, the tokens it sees, and how words are matched."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from tertium.interfaces import Trees
from tertium.metrics.base import Metric
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.text.casing import lower_tokens
from tertium.types import TokenColumn, TreeColumn

__all__ = ["ParsedTextMetric"]


@dataclass(frozen=True)
class ParsedTextMetric(Metric):
    """A metric over trees. Text is parsed as it is written, and words are matched in lower case."""

    takes_best_reference: ClassVar[bool] = True
    fit_saves_work: ClassVar[bool] = (
        True  # it checks whole files, and a text without a tree is refused anyway
    )

    trees: Trees = option(None, "trees: --parser MODEL (spaCy) or --trees FILE (CoNLL-U)", key="trees")
    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)

    def fit(self, references: References) -> Self:
        """Check that the trees fit the references."""
        aligned = self.trees.align(references.tokens(self.tokenizer))
        return self if aligned is self.trees else replace(self, trees=aligned)

    def words(self, texts: Texts) -> TokenColumn:
        """Cut texts into the words that are matched."""
        return lower_tokens(texts, self.tokenizer) if self.lowercase else texts.tokens(self.tokenizer)

    def parse(self, texts: Texts) -> TreeColumn:
        """Parse a column once; its trees have the same positions as its words."""
        key = ("trees", self.trees.identity, self.tokenizer)
        return texts.remember(key, lambda: self.trees.parse(texts.tokens(self.tokenizer)))
