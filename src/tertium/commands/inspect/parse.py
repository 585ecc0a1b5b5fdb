"""Parse a text: dependency trees over the tokens of the metrics."""

from collections.abc import Callable
from dataclasses import KW_ONLY, replace
from typing import Annotated

from tertium.commands.base.command_line import OUTPUT, CommandBase
from tertium.commands.base.options import PARSER, TOKENIZER
from tertium.commands.base.output import check_output, write_text
from tertium.commands.base.request import Request, function_of
from tertium.commands.base.results import CommandResult
from tertium.corpus import read_lines
from tertium.declarations import Opt
from tertium.records import record
from tertium.resources.trees import load_parser, render_conllu
from tertium.text import Texts
from tertium.text.tokenizers import check_tokenizer
from tertium.values import TokenColumn, TreeColumn


@record
class ParseRequest(Request["ParseResult"]):
    """Parse a text with one segment per line, over the tokens that the metrics use.

    Parses are also kept in the cache (TERTIUM_CACHE), so that scoring the same text needs no parser.
    CoNLL-U has no empty sentences: empty lines are left out, and sent_id is the line number.
    """

    file: Annotated[str, Opt("The text.", "Input", is_argument=True, metavar="FILE")]
    _: KW_ONLY
    parser: Annotated[
        str | None,
        replace(
            PARSER, help="spaCy model: a package, a folder, or 'spacy'.", default="the parser in the package"
        ),
    ] = None
    tokenizer: Annotated[
        str,
        replace(TOKENIZER, help="Tokenizer of the metrics that will use the trees."),
    ] = "13a"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_tokenizer(self.tokenizer)

    def run(self) -> "ParseResult":
        trees = load_parser(self.parser)
        texts = Texts(read_lines(self.file))
        return ParseResult(texts, self.tokenizer, trees.parse(texts.tokens(self.tokenizer)))


@record
class ParseResult(CommandResult):
    """The texts, their tokens and their trees."""

    texts: Texts
    tokenizer: str
    trees: TreeColumn

    @property
    def tokens(self) -> TokenColumn:
        """The tokens of the texts."""
        return self.texts.tokens(self.tokenizer)

    def __reduce__(self) -> "tuple[Callable[..., ParseResult], tuple[list[str], str, TreeColumn]]":
        """Pickle the texts as strings; their tokens are made again."""
        trees = replace(
            self.trees,
            lemmas=list(self.trees.lemmas),
            tags=list(self.trees.tags),
            relations=list(self.trees.relations),
        )
        return _unpickle, (list(self.texts), self.tokenizer, trees)

    def conllu(self) -> str:
        """Render the trees as CoNLL-U; empty lines are left out."""
        return "".join(render_conllu(self.tokens, self.trees, self.texts))


def _unpickle(texts: list[str], tokenizer: str, trees: TreeColumn) -> ParseResult:
    return ParseResult(Texts(texts), tokenizer, trees)


@record(kw_only=True)
class ParseCommand(CommandBase):
    """Trees as CoNLL-U."""

    request = ParseRequest
    work = "parsing"

    output: Annotated[str | None, OUTPUT] = None

    def check(self) -> None:
        check_output(self.output)

    def write(self, result: ParseResult) -> None:
        write_text(result.conllu(), self.output)


parse = function_of("parse", ParseRequest)
