"""`tertium languages`: what works for which language, and what to install."""

import click

from tertium.cli.output import Output, output_options

__all__ = ["command"]


@click.command("languages")
@click.argument("language", required=False)
@output_options
def command(*, language: str | None, output: Output) -> None:
    """List what works for which language here and now; for one LANGUAGE also what would help it."""
    from tertium.api.listing import list_languages

    output.write(list_languages(language))
