"""`tertium compare`: two systems in, where they differ out."""

from typing import TYPE_CHECKING, Literal

import click

from tertium.cli.arguments import ListCommand, resource_options, seed_option, threads_option
from tertium.cli.output import Output, output_options

if TYPE_CHECKING:
    from tertium.catalog import ResourceChoice

__all__ = ["command"]

# As `tertium.api.compare.TABLES`, which is not imported before it is needed.
_TABLES = ("scores", "segments", "ngrams", "words", "edits", "kinds", "disagreements")


@click.command("compare", cls=ListCommand)
@click.argument("inputs", nargs=-1, required=True, metavar="A B")
@click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s), if A and B are outputs.")  # fmt: skip
@click.option("-s", "--src", "source", metavar="FILE", help="Source text, shown beside the outputs.")
@click.option("--columns", metavar="FILE", help="More about each segment: TSV with a header, or JSONL.")
@click.option("-m", "--metrics", multiple=True, metavar="LIST", help="Metrics.  [default: those of the run, else bleu]")  # fmt: skip
@click.option("--systems", multiple=True, metavar="NAME", help="The two systems, if the inputs hold more: --systems A B.")  # fmt: skip
@click.option("--by", multiple=True, metavar="COLUMN", help="Compare on each value of a column, too.")
@click.option("-n", "--show", "n", type=click.IntRange(min=1), default=5, show_default=True, help="Segments of each kind to show.")  # fmt: skip
@click.option("-t", "--table", type=click.Choice(_TABLES), help="Show this table alone, also as CSV and TSV.  [default: all]")  # fmt: skip
@click.option("--test", type=click.Choice(["bootstrap", "randomization"]), default="bootstrap", show_default=True, help="The paired test.")  # fmt: skip
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Resamples.  [default: 1000 bootstrap, 10000 randomization]")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True, help="Level of the tests.")  # fmt: skip
@seed_option("the resampling")
@resource_options
@threads_option
@output_options
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def command(
    *,
    inputs: tuple[str, ...],
    references: tuple[str, ...],
    source: str | None,
    columns: str | None,
    metrics: tuple[str, ...],
    systems: tuple[str, ...],
    by: tuple[str, ...],
    n: int,
    table: str | None,
    test: Literal["bootstrap", "randomization"],
    samples: int | None,
    alpha: float,
    seed: int,
    resources: "ResourceChoice",
    threads: int | None,
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

    request = CompareRequest(
        inputs=inputs,
        references=references,
        source=source,
        columns=columns,
        metrics=metrics or None,
        systems=systems,
        by=by,
        n=n,
        table=table,
        test=test,
        samples=samples,
        seed=seed,
        alpha=alpha,
        resources=resources if resources.language or resources.named else None,
        threads=threads,
    )
    with progress_bar("scoring", quiet=quiet) as progress:
        result = request.run(progress)
    output.write(result)
