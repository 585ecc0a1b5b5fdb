"""`tertium report`: runs or files in, one page out."""

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments import ListCommand, human_options, scored_options
from tertium.cli.output import check_output, tell
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.metaeval.data import JudgedData

__all__ = ["command"]


@click.command("report", cls=ListCommand)
@click.argument("inputs", nargs=-1, metavar="[RUN|FILE]...")
@click.option("-o", "--output", "path", required=True, metavar="FILE.html", help="The page, written whole or not at all.")  # fmt: skip
@click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="[NAME=]FILE", help="Systems' outputs, besides the runs.")  # fmt: skip
@click.option("--title", metavar="TEXT", help="What stands at the top of the page.")
@human_options
@scored_options
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
def command(
    *,
    inputs: tuple[str, ...],
    path: str,
    hypotheses: tuple[str, ...],
    title: str | None,
    human: "JudgedData",
    scored: dict[str, Any],
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
        human=human,
        command=shlex.join(["tertium", *sys.argv[1:]]),
        **(scored if title is None else {**scored, "title": title}),
    )
    with progress_bar("scoring", quiet=quiet) as progress:
        report = request.run(progress)
    report.write(path)
    if not quiet:
        for note in report.notes:
            tell(f"note: {note}")
        tell(f"wrote {path}: open it in a browser")
