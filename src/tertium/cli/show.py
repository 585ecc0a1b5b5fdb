"""`tertium show`: any table of a run, in any format."""

from typing import Any, Literal

import click

from tertium.cli.arguments import part_options, view_options
from tertium.cli.output import Output, output_options, signatures_option
from tertium.errors import OptionError

__all__ = ["command"]

# As `tertium.api.runs.TABLES`, which is not imported before it is needed.
_TABLES = ("scores", "segments", "run", "metrics", "systems", "columns", "inputs", "signatures")


@click.command("show")
@click.argument("run", metavar="RUN")
@click.option("-t", "--table", type=click.Choice(_TABLES), default="scores", show_default=True, help="What to show.")  # fmt: skip
@signatures_option
@output_options
@part_options
@view_options
@click.option("--seed", type=click.IntRange(min=0), help="Seed of the resampling.  [default: the run's]")
@click.option("--scale", type=click.Choice(["100", "1"]), help="Show bounded metrics on 0–100 or 0–1.  [default: the run's]")  # fmt: skip
def command(
    *,
    run: str,
    table: str,
    output: Output,
    by: str | None,
    where: tuple[str, ...],
    view: dict[str, Any],
    seed: int | None,
    scale: Literal["100", "1"] | None,
) -> None:
    """Show a run that `tertium score --save` made.

    The scores come with the intervals and tests that were asked for when the run was made, and with
    those that are asked for now.
    """
    from tertium.api.runs import ShowRequest

    output.check_full(full=view["full"])
    if by is not None and table != "scores":
        raise OptionError(f"--by shows scores, not the table {table}")
    changes = {
        **view,
        "ci": view["ci"] or None,
        "full": view["full"] or None,
        "seed": seed,
        "scale": None if scale is None else int(scale),
        "clusters": None if output.is_for_people and table != "segments" and by is None else False,
    }
    output.write(ShowRequest(path=run, table=table, by=by, where=where, changes=changes).run())
