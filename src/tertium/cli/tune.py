"""`tertium tune`: searches a metric's options for agreement with people, and writes a preset."""

from typing import TYPE_CHECKING, Literal

import click

from tertium.cli.arguments import (
    ListCommand,
    engine_choice_options,
    judged_data_options,
    resource_options,
    seed_option,
    threads_option,
)
from tertium.cli.output import Output, check_output, format_option, tell, tell_warnings, write_text

if TYPE_CHECKING:
    from tertium.catalog import ResourceChoice
    from tertium.engines.engine import EngineChoice
    from tertium.metaeval.data import JudgedData

__all__ = ["command"]


@click.command("tune", cls=ListCommand)
@judged_data_options
@resource_options
@click.option("-m", "--metric", required=True, metavar="METRIC", help="The metric, with options that stay: chrf:word_order=2.")  # fmt: skip
@click.option("--option", "options", multiple=True, metavar="NAME[=VALUES]", help="What to search: beta=1,2,3, alpha=0:1:0.1, alpha=0:1 (random search), or a name whose grid the metric declares.  [default: all of those]")  # fmt: skip
@click.option("--search", type=click.Choice(["grid", "alternating", "random", "coordinate"]), default="grid", show_default=True, help="How to search.")  # fmt: skip
@click.option("--subset", metavar="NAMES", help="alternating: the options of the first subset.  [default: the first half]")  # fmt: skip
@click.option("--iterations", type=click.IntRange(min=1), default=10, show_default=True, help="alternating, coordinate: rounds at most.")  # fmt: skip
@click.option("--trials", "n_trials", type=click.IntRange(min=1), default=100, show_default=True, help="random: points.")  # fmt: skip
@click.option("--objective", metavar="STATISTICS", help="Statistics that are added up.  [default: system:spearman+segment:wmt12, as far as people judged]")  # fmt: skip
@click.option("--held-out", metavar="FOLDER", help="Judged data to test on.  [default: language pairs left out in turn, or half of the segments if there is one pair]")  # fmt: skip
@click.option("--journal", metavar="FILE", help="Keep all trials there; the same command goes on where it was interrupted.")  # fmt: skip
@click.option("-o", "--output", "preset", metavar="FILE", help="Write a preset for -m METRIC@FILE.")
@format_option
@seed_option("random search and of splits")
@threads_option
@engine_choice_options
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress.")
def command(
    *,
    data: "JudgedData",
    resources: "ResourceChoice",
    metric: str,
    options: tuple[str, ...],
    search: Literal["grid", "alternating", "random", "coordinate"],
    subset: str | None,
    iterations: int,
    n_trials: int,
    objective: str | None,
    held_out: str | None,
    journal: str | None,
    preset: str | None,
    form: str,
    seed: int,
    threads: int | None,
    engine: "EngineChoice",
    quiet: bool,
) -> None:
    """Search a metric's options for the best agreement with people.

    FOLDER and the other files are as for 'tertium meta'. The score on data that was not tuned on stands beside the
    training score, with a warning when they part.
    """
    from tertium.api.tune import TuneRequest

    check_output(preset)
    check_output(journal)
    request = TuneRequest(
        data=data,
        metric=metric,
        options=options,
        search=search,
        subset=subset,
        iterations=iterations,
        n_trials=n_trials,
        objective=objective,
        held_out=held_out,
        journal=journal,
        seed=seed,
        resources=resources,
        threads=threads,
        engine=engine,
    )
    result = request.run(lambda kind, line: _tell(kind, line, quiet=quiet))
    if preset:
        write_text(result.render_preset(), preset)
    Output(form, None).write(result)
    tell_warnings(result.warnings)


def _tell(kind: str, line: str, *, quiet: bool) -> None:
    if kind == "warning":
        tell_warnings([line])
    elif not quiet:
        tell(line if kind == "progress" else f"{kind}: {line}")
