"""`tertium report`: runs or files in, one page out."""

import shlex
import sys
from typing import TYPE_CHECKING, Literal

import click

from tertium.cli.arguments import ListCommand, human_options, resource_options, seed_option, threads_option
from tertium.cli.output import check_output, tell
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.agreement.data import JudgedData
    from tertium.catalog import ResourceChoice

__all__ = ["command"]


@click.command("report", cls=ListCommand)
@click.argument("inputs", nargs=-1, metavar="[RUN|FILE]...")
@click.option("-o", "--output", "path", required=True, metavar="FILE.html", help="The page, written whole or not at all.")  # fmt: skip
@click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s), if outputs are given.")  # fmt: skip
@click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="[NAME=]FILE", help="Systems' outputs, besides the runs.")  # fmt: skip
@click.option("-s", "--src", "source", metavar="FILE", help="Source text.")
@click.option("--columns", metavar="FILE", help="More about each segment: TSV with a header, or JSONL.")
@click.option("-m", "--metrics", multiple=True, metavar="LIST", help="Metrics.  [default: those of the run, else bleu]")  # fmt: skip
@click.option("--lowercase", is_flag=True, help="Ignore case, for every metric that can.")
@click.option("--tokenizer", metavar="NAME", help="Tokenizer for every metric that has one.")
@click.option("--title", metavar="TEXT", help="What stands at the top of the page.")
@click.option("--test", type=click.Choice(["bootstrap", "randomization"]), default="bootstrap", show_default=True, help="The paired test.")  # fmt: skip
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Resamples.  [default: 1000 bootstrap, 10000 randomization]")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True, help="Level of tests and clusters; intervals have 1 - alpha.")  # fmt: skip
@seed_option("the resampling")
@human_options
@resource_options
@threads_option
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
def command(
    *,
    inputs: tuple[str, ...],
    path: str,
    references: tuple[str, ...],
    hypotheses: tuple[str, ...],
    source: str | None,
    columns: str | None,
    metrics: tuple[str, ...],
    lowercase: bool,
    tokenizer: str | None,
    title: str | None,
    test: Literal["bootstrap", "randomization"],
    samples: int | None,
    alpha: float,
    seed: int,
    human: "JudgedData",
    resources: "ResourceChoice",
    threads: int | None,
    quiet: bool,
) -> None:
    """Write one page with the answer, scores, tests, charts and every segment; it opens without any network.

    \b
    tertium report all.run -o report.html
    tertium report -r reference.txt -i systems/*.txt -m bleu,chrf -o report.html
    tertium report all.run --human judgments.tsv -o report.html
    """  # noqa: D301 - click reads the backspace
    from tertium.api.report import ReportRequest
    from tertium.cli.progress import progress_bar

    if not (inputs or hypotheses):
        raise OptionError("nothing to report on: give a run, or outputs with -r REFERENCE -i FILE")
    check_output(path)
    request = ReportRequest(
        inputs=(*inputs, *hypotheses),
        references=references,
        source=source,
        columns=columns,
        metrics=metrics or None,
        tokenizer=tokenizer,
        lowercase=lowercase,
        resources=resources if resources.language or resources.named else None,
        **({} if title is None else {"title": title}),
        test=test,
        samples=samples,
        seed=seed,
        alpha=alpha,
        threads=threads,
        human=human,
        command=shlex.join(["tertium", *sys.argv[1:]]),
    )
    with progress_bar("scoring", quiet=quiet) as progress:
        report = request.run(progress)
    report.write(path)
    if not quiet:
        for note in report.notes:
            tell(f"note: {note}")
        tell(f"wrote {path}: open it in a browser")
