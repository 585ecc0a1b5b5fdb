"""`tertium explain`: why a segment gets its score."""

from typing import TYPE_CHECKING

import click

from tertium.cli.arguments import ListCommand, resource_options
from tertium.cli.output import Output, output_options

if TYPE_CHECKING:
    from tertium.catalog import ResourceChoice
    from tertium.corpus import CorpusFiles
    from tertium.types import Corpus

__all__ = ["command"]


@click.command("explain", cls=ListCommand)
@click.argument("texts", nargs=-1, metavar="[HYPOTHESIS REFERENCE [REFERENCE]...]")
@click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="[NAME=]FILE", help="Systems' outputs, instead of a hypothesis on the command line.")  # fmt: skip
@click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s).")
@click.option("-n", "--line", type=click.IntRange(min=1), metavar="N", help="Which segment of the files, counted from 1.")  # fmt: skip
@click.option("-m", "--metric", "--metrics", "metrics", default="invwer", metavar="LIST", help="Metrics with options: -m wer,invwer:inversion=0.5.  [default: invwer]")  # fmt: skip
@output_options
@click.option("--picture", metavar="FILE", help="Draw it too, as .svg or .png: lines between words, a tree, or a heat map, as the metric has it.")  # fmt: skip
@click.option("--heatmap", metavar="FILE", help="Draw the metric's matrix too, as .svg or .png.")
@click.option("--matrix", metavar="NAME", help="Which matrix to draw.  [default: the first]")
@resource_options
def command(
    *,
    texts: tuple[str, ...],
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    line: int | None,
    metrics: str,
    output: Output,
    picture: str | None,
    heatmap: str | None,
    matrix: str | None,
    resources: "ResourceChoice",
) -> None:
    """Show why a segment gets its score: edits, alignments, matrices.

    \b
    tertium explain -m invwer "we meet at noon" "at noon we meet"
    tertium explain -m wer,ter -i system.txt -r reference.txt --line 12
    """  # noqa: D301 - click reads the backspace
    from tertium.api.explain import ExplainRequest
    from tertium.report.charts.model import check_picture

    for file in filter(None, (picture, heatmap)):
        check_picture(file)
    corpus = _take_files(texts, hypotheses, references, line) or _take_texts(texts)
    request = ExplainRequest(corpus=corpus, segment=line or 1, metrics=(metrics,), resources=resources)
    result = request.run()
    if picture:
        result.picture().write(picture)
    if heatmap:
        result.heatmap(matrix).write(heatmap)
    output.write(result)


def _take_files(
    texts: tuple[str, ...], hypotheses: tuple[str, ...], references: tuple[str, ...], line: int | None
) -> "CorpusFiles | None":
    from tertium.corpus import CorpusFiles

    files = [bool(hypotheses), bool(references), line is not None]
    if texts and any(files):
        raise click.UsageError("give two texts, or files with -i, -r and --line, not both")
    if any(files) and not all(files):
        raise click.UsageError("files need all of -i HYPOTHESES, -r REFERENCES and --line N")
    return CorpusFiles(references=references, hypotheses=hypotheses) if any(files) else None


def _take_texts(texts: tuple[str, ...]) -> "Corpus":
    from tertium.types import Corpus

    if len(texts) < 2:
        raise click.UsageError("a hypothesis and a reference are needed, or files with -i, -r and --line")
    hypothesis, *references = texts
    return Corpus([references], {"hypothesis": [hypothesis]})
