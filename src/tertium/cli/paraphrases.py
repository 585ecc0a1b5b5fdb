"""`tertium paraphrases`: compile tables of paraphrases."""

from pathlib import Path

import click

__all__ = ["command"]


@click.group("paraphrases")
def command() -> None:
    """Compile tables of paraphrases.

    \b
    tertium paraphrases convert paraphrase-fr.gz -o french.phrases
    tertium score -r ref.txt -i hyp.txt -m meteor:lang=fr --paraphrases french.phrases
    """  # noqa: D301 - click reads the backspace


@command.command("convert")
@click.argument("file", metavar="FILE")
@click.option("-o", "--output", required=True, metavar="STORE", type=click.Path(dir_okay=False, path_type=Path), help="The store to write.")  # fmt: skip
def convert(file: str, output: Path) -> None:
    """Make FILE, a table in METEOR's format, a store that opens at once; --paraphrases takes either."""
    from tertium.api.paraphrases import convert as convert_table

    click.echo(convert_table(file, output))
