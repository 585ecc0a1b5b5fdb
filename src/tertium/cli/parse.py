"""`tertium parse`: text in, its dependency trees out as CoNLL-U."""

import click

from tertium.cli.arguments import check_output, write_output

__all__ = ["command"]


@click.command("parse")
@click.argument("file")
@click.option(
    "-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.  [default: stdout]"
)
@click.option(
    "--parser",
    metavar="MODEL",
    help="spaCy model: package, folder, or 'spacy' for its small English one.  [default: ours, English]",
)
@click.option("--tokenizer", default="13a", show_default=True, help="The tokenizer of the metrics to come.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def command(file: str, output: str | None, parser: str | None, tokenizer: str, quiet: bool) -> None:
    """Parse a text, a segment per line, over the tokens that the metrics see.

    The parses of a spaCy model are also kept in the cache (TERTIUM_CACHE), so that scoring the same text needs it no more.
    CoNLL-U has no empty sentence: empty lines are left out, and sent_id counts lines.
    """
    from tertium.cli.progress import progress_bar, resource_progress
    from tertium.corpus import read_lines
    from tertium.resources.trees import load_parser, render_conllu
    from tertium.text import Texts
    from tertium.text.tokenizers import check_tokenizer

    check_tokenizer(tokenizer)
    check_output(output)
    trees = load_parser(parser)
    texts = Texts(read_lines(file))
    tokens = texts.tokens(tokenizer)
    with progress_bar("parsing", quiet=quiet) as progress, resource_progress(progress):
        column = trees.parse(tokens)
    write_output("".join(render_conllu(tokens, column, texts)), output)
