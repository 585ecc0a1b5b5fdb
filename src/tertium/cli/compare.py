"""`tertium compare`: two systems in, where they differ out."""

from typing import Any

import click

from tertium.cli.arguments import ListCommand, scored_options
from tertium.cli.output import Output, output_options

__all__ = ["command"]

# As `tertium.api.compare.TABLES`, which is not imported before it is needed.
_TABLES = ("scores", "segments", "ngrams", "words", "edits", "kinds", "disagreements")


@click.command("compare", cls=ListCommand)
@click.argument("inputs", nargs=-1, required=True, metavar="A B")
@click.option("--systems", multiple=True, metavar="NAME", help="The two systems, if the inputs hold more: --systems A B.")  # fmt: skip
@click.option("--by", multiple=True, metavar="COLUMN", help="Compare on each value of a column, too.")
@click.option("-n", "--show", "n", type=click.IntRange(min=1), default=5, show_default=True, help="Segments of each kind to show.")  # fmt: skip
@click.option("-t", "--table", type=click.Choice(_TABLES), help="Show this table alone, also as CSV and TSV.  [default: all]")  # fmt: skip
@scored_options
@output_options
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def command(
    *,
    inputs: tuple[str, ...],
    systems: tuple[str, ...],
    by: tuple[str, ...],
    n: int,
    table: str | None,
    scored: dict[str, Any],
    output: Output,
    quiet: bool,
) -> None:
    """Show where two systems differ: scores, deciding segments, n-grams, kinds of segments.

    \b
    A and B are outputs (with -r) or runs that `tertium score --save` made:
    tertium compare old.txt new.txt -r ref.txt -m bleu,chrf
    tertium compare release-1.run release-2.run
    tertium compare all.run --systems aurora boreas
    """  # noqa: D301 - click reads the backspace
    from tertium.api.compare import CompareRequest
    from tertium.cli.progress import progress_bar

    request = CompareRequest(inputs=inputs, systems=systems, by=by, n=n, table=table, **scored)
    with progress_bar("scoring", quiet=quiet) as progress:
        result = request.run(progress)
    output.write(result)
