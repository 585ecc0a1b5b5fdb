"""`tertium sweep`: one option over a range, a table and a curve of agreement with people."""

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments import ListCommand, check_output, write_output, write_picture
from tertium.cli.judged_input import read_sets, takes_judged_data, tell_notes
from tertium.cli.judged_metrics import TunedMetric

if TYPE_CHECKING:
    from tertium.meta import JudgedSet
    from tertium.meta.statistics import StatisticSpec
    from tertium.tuning.trials import Trial

__all__ = ["command"]


@click.command("sweep", cls=ListCommand)
@takes_judged_data
@click.option("-m", "--metric", required=True, metavar="METRIC", help="The metric, with options that stay: bleu:lowercase=yes.")  # fmt: skip
@click.option("--option", required=True, metavar="NAME=VALUES", help="What to sweep: threshold=0:0.9:0.1, order=2,3,4, or a name whose grid the metric declares.")  # fmt: skip
@click.option("-s", "--statistics", multiple=True, metavar="LIST", help="As for 'tertium meta'.  [default: system:pearson and segment:wmt14 or segment:pearson]")  # fmt: skip
@click.option("-f", "--format", "form", type=click.Choice(["text", "json", "csv", "tsv", "md", "latex"]), default="text", show_default=True, help="Output format.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write the table to a file, whole or not at all.")
@click.option("--chart", metavar="FILE", help="Draw the curves, as .svg or .png.")
@click.option("-j", "--threads", type=click.IntRange(min=1), metavar="N", help="Threads.  [default: every core]")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
def command(**given: Any) -> None:
    """Show how agreement with people changes with one option of a metric.

    FOLDER and the other files are as for 'tertium meta'.
    """
    from tertium.cli.progress import progress_bar
    from tertium.meta.statistics import parse_statistic
    from tertium.report.charts.model import check_picture
    from tertium.report.tuning import check_curve, draw_sweep, render_sweep
    from tertium.tuning.space import parse_dimensions
    from tertium.tuning.trials import Trials

    tuned = TunedMetric.read(given)
    (dimension,) = parse_dimensions(type(tuned.metric), [given["option"]])
    statistics = [parse_statistic(text) for each in given["statistics"] for text in each.split(",") if text]
    check_output(given["output"])  # all this before the work begins
    if given["chart"]:
        check_curve(dimension.name, dimension.listed())
        check_picture(given["chart"])
    sets, notes = read_sets(given)
    tell_notes(notes, quiet=given["quiet"])
    sets, builds = tuned.choose(sets)
    statistics = statistics or _usual_statistics(sets)
    trials = Trials(builds, sets, statistics, threads=given["threads"])
    done: list[Trial] = []
    with progress_bar("sweeping", quiet=given["quiet"]) as progress:
        for value in dimension.listed():
            done.append(trials.run({dimension.name: value}))
            if progress is not None:
                progress(len(done), len(dimension.listed()))
    write_output(render_sweep(done, statistics, dimension.name, given["form"]), given["output"])
    if given["chart"]:
        title = f"{given['metric']}: agreement with people by {dimension.name}"
        write_picture(draw_sweep(done, statistics, dimension.name, title=title), given["chart"])


def _usual_statistics(sets: "list[JudgedSet]") -> "list[StatisticSpec]":
    from tertium.meta.statistics import can_show, parse_statistic

    usual = [parse_statistic(text) for text in ("system:pearson", "segment:pearson", "segment:wmt14")]
    return [spec for spec in usual if any(can_show(spec, judged) for judged in sets)]
