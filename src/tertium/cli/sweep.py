"""`tertium sweep`: one option over a range, a table and a curve of agreement with people."""

from typing import TYPE_CHECKING

import click

from tertium.cli.arguments import (
    ListCommand,
    engine_choice_options,
    judged_data_options,
    resource_options,
    threads_option,
)
from tertium.cli.output import Output, output_options, tell_notes, tell_warnings

if TYPE_CHECKING:
    from tertium.catalog import ResourceChoice
    from tertium.engines.engine import EngineChoice
    from tertium.metaeval.data import JudgedData

__all__ = ["command"]


@click.command("sweep", cls=ListCommand)
@judged_data_options
@resource_options
@click.option("-m", "--metric", required=True, metavar="METRIC", help="The metric, with options that stay: bleu:lowercase=yes.")  # fmt: skip
@click.option("--option", required=True, metavar="NAME=VALUES", help="What to sweep: threshold=0:0.9:0.1, order=2,3,4, or a name whose grid the metric declares.")  # fmt: skip
@click.option("-s", "--statistics", multiple=True, metavar="LIST", help="As for 'tertium meta'.  [default: system:pearson and segment:wmt14 or segment:pearson]")  # fmt: skip
@output_options
@click.option("--chart", metavar="FILE", help="Draw the curves, as .svg or .png.")
@threads_option
@engine_choice_options
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
def command(
    *,
    data: "JudgedData",
    resources: "ResourceChoice",
    metric: str,
    option: str,
    statistics: tuple[str, ...],
    output: Output,
    chart: str | None,
    threads: int | None,
    engine: "EngineChoice",
    quiet: bool,
) -> None:
    """Show how agreement with people changes with one option of a metric.

    FOLDER and the other files are as for 'tertium meta'.
    """
    from tertium.api.sweep import SweepRequest
    from tertium.cli.progress import progress_bar
    from tertium.report.charts.model import check_picture

    if chart:
        check_picture(chart)
    request = SweepRequest(
        data=data,
        metric=metric,
        option=option,
        statistics=statistics,
        draws=bool(chart),
        resources=resources,
        threads=threads,
        engine=engine,
    )
    with progress_bar("sweeping", quiet=quiet) as progress:
        result = request.run(progress)
    tell_notes(result.notes, quiet=quiet)
    tell_warnings(result.failures)
    output.write(result)
    if chart:
        result.chart().write(chart)
