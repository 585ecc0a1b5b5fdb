"""`tertium parse`: text in, its dependency trees out as CoNLL-U."""

import click

from tertium.cli.output import check_output, write_text

__all__ = ["command"]


@click.command("parse")
@click.argument("file")
@click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.  [default: stdout]")  # fmt: skip
@click.option("--parser", metavar="MODEL", help="spaCy model: package or folder, or 'spacy'.  [default: the English parser in the package]")  # fmt: skip
@click.option("--tokenizer", default="13a", show_default=True, help="The tokenizer of the metrics to come.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def command(file: str, output: str | None, parser: str | None, tokenizer: str, quiet: bool) -> None:
    """Parse a text, a segment per line, over the tokens that the metrics see.

    Parses are also kept in the cache (TERTIUM_CACHE), so that scoring the same text needs no parser again.
    CoNLL-U has no empty sentence: empty lines are left out, and sent_id counts lines.
    """
    from tertium.api.parse import ParseRequest
    from tertium.cli.progress import progress_bar

    check_output(output)
    request = ParseRequest(file=file, parser=parser, tokenizer=tokenizer)
    with progress_bar("parsing", quiet=quiet):
        result = request.run()
    write_text(result.conllu(), output)
