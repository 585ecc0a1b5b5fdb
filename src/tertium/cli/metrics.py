"""`tertium metrics`: what there is, and what each one wants to know."""

import click

from tertium.cli.arguments import write_document
from tertium.report.tables import FORMATS

__all__ = ["command"]


@click.command("metrics")
@click.argument("name", required=False)
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
def command(name: str | None, form: str) -> None:
    """List all metrics, or show one with its options."""
    from tertium.catalog import families, find_metric
    from tertium.report.metrics import describe_metric, describe_metrics

    if name:
        document = describe_metric(find_metric(name), families()[name])
    else:
        document = describe_metrics((find_metric(each), family) for each, family in families().items())
    write_document(document, form)
