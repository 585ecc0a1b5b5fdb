"""`tertium metrics`: what there is, and what each one wants to know."""

import click

from tertium.cli.output import Output, output_options, tell_warnings

__all__ = ["command"]


@click.command("metrics")
@click.argument("name", required=False)
@output_options
def command(*, name: str | None, output: Output) -> None:
    """List all metrics, or show one with its options."""
    from tertium.api.listing import list_metrics

    result = list_metrics(name)
    tell_warnings(result.failures)
    output.write(result)
