"""What metrics over dependency trees share: the parser, the tokens it sees, and how words are matched."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from tertium.errors import OptionError
from tertium.interfaces import Trees, known_languages
from tertium.kernels import extract_dependency_ngrams
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.text.casing import lower_tokens
from tertium.text.languages import DEFAULT_TOKENIZER
from tertium.text.tokenizers import METEOR
from tertium.types import DependencyNgrams, TokenColumn, TreeColumn

__all__ = ["DependencyNgramMetric", "ParsedTextMetric", "capitals_option"]


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


@dataclass(frozen=True)
class DependencyNgramMetric(ParsedTextMetric):
    """A metric over dependency n-grams of the references: RED and REDp.

    English is cut into METEOR's tokens, other languages into 13a's. Words match in any case, but those whose capitals
    differ earn less, unless `lowercase` is set.
    """

    tokenizer: str = tokenizer_option(METEOR, outside_english=DEFAULT_TOKENIZER)
    lowercase: bool = lowercase_option(default=False)
    language: str = option("en", "language of the text, which chooses the tokenizer", key="lang")

    def __post_init__(self) -> None:
        if self.tokenizer is None:
            object.__setattr__(self, "tokenizer", self._usual_tokenizer())
        super().__post_init__()
        known = known_languages(self.trees)
        if known is not None and self.language not in known:
            raise OptionError(
                f"{self.name}: the parser knows {', '.join(sorted(known))}, but language is {self.language!r};"
                f" use -l {self.language}, which chooses a parser too"
            )

    def usual(self, option: Option) -> Any:
        return self._usual_tokenizer() if option.name == "tokenizer" else super().usual(option)

    def _usual_tokenizer(self) -> str:
        """METEOR's tokens, which agree better with people; they are known for English only."""
        return METEOR if self.language == "en" else DEFAULT_TOKENIZER

    def words(self, texts: Texts) -> TokenColumn:
        """Cut texts into words in lower case, which are matched first."""
        return lower_tokens(texts, self.tokenizer)

    def cased_words(self, texts: Texts) -> TokenColumn:
        """Cut texts into words as they are written; in lower case where case is ignored."""
        return self.words(texts) if self.lowercase else texts.tokens(self.tokenizer)

    def extract_ngrams(self, texts: Texts, order: int) -> DependencyNgrams:
        """Extract the dependency n-grams of a column of references, once."""
        key = ("dependency n-grams", self.trees.identity, self.tokenizer, order)
        return texts.remember(key, lambda: extract_dependency_ngrams(self.parse(texts), order=order))


def capitals_option(default: float, unit: str) -> Any:
    """Declare how much capitals matter to a metric that sees them.

    There is no grid: a search of the papers' parameters leaves it alone unless it is named.
    """
    help_text = f"what {unit} loses if capitals differ; 0 ignores case as `lowercase` does"
    return option(default, help_text, at_least=0, at_most=1)
