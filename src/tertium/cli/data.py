"""`tertium data`: test sets that are on this machine."""

import click

from tertium.cli.output import Output, output_options

__all__ = ["command"]


@click.command("data")
@click.argument("test_set", required=False, metavar="[SET|FOLDER]")
@output_options
def command(*, test_set: str | None, output: Output) -> None:
    """List the test sets that sacreBLEU and mt-metrics-eval keep on this machine, or the language pairs of one.

    \b
    tertium data
    tertium data wmt22
    tertium score -t wmt22 -l en-de -i out.txt
    """  # noqa: D301 - click reads the backspace
    from tertium.api.data import list_data

    output.write(list_data(test_set))
