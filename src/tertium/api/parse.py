"""Parse a text: a segment per line in, dependency trees over the metrics' own tokens out."""

from dataclasses import dataclass

from tertium.corpus import read_lines
from tertium.resources.trees import load_parser, render_conllu
from tertium.text import Texts
from tertium.text.tokenizers import check_tokenizer
from tertium.types import TokenColumn, TreeColumn

__all__ = ["ParseRequest", "ParseResult", "parse"]


@dataclass(frozen=True, kw_only=True)
class ParseRequest:
    """Everything that `tertium parse` can be told: a file, a spaCy model, the tokenizer of the metrics to come."""

    file: str
    parser: str | None = None
    tokenizer: str = "13a"

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer)

    def run(self) -> "ParseResult":
        """Parse every line; parses are also kept in the cache."""
        trees = load_parser(self.parser)
        texts = Texts(read_lines(self.file))
        tokens = texts.tokens(self.tokenizer)
        return ParseResult(texts, tokens, trees.parse(tokens))


@dataclass(frozen=True)
class ParseResult:
    """The texts, their tokens and their trees."""

    texts: Texts
    tokens: TokenColumn
    trees: TreeColumn

    def conllu(self) -> str:
        """Write the trees as CoNLL-U, which has no empty sentence: empty lines are left out."""
        return "".join(render_conllu(self.tokens, self.trees, self.texts))


def parse(file: str, *, parser: str | None = None, tokenizer: str = "13a") -> ParseResult:
    """Parse a file; the options are those of `tertium parse`."""
    return ParseRequest(file=file, parser=parser, tokenizer=tokenizer).run()
