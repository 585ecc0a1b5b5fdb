"""`tertium explain`: why a segment gets its score."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments import expand_paths, split_system, write_output, write_picture
from tertium.cli.resources import given_language, resource_options, resource_providers

if TYPE_CHECKING:
    from tertium.catalog import LabelledMetric
    from tertium.types import Corpus, Explanation

__all__ = ["command"]


@click.command("explain")
@click.argument("texts", nargs=-1, metavar="[HYPOTHESIS REFERENCE [REFERENCE]...]")
@click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="[NAME=]FILE", help="Systems' outputs, instead of a hypothesis on the command line.")  # fmt: skip
@click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s).")
@click.option("-n", "--line", type=click.IntRange(min=1), metavar="N", help="Which segment of the files, counted from 1.")  # fmt: skip
@click.option("-m", "--metrics", multiple=True, default=["invwer"], metavar="LIST", help="Metrics with options: -m wer,invwer:inversion=0.5.  [default: invwer]")  # fmt: skip
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
@click.option("--heatmap", metavar="FILE", help="Draw the metric's matrix too, as .svg or .png.")
@click.option("--matrix", metavar="NAME", help="Which matrix to draw.  [default: the first]")
@resource_options
def command(**given: Any) -> None:
    """Show why a segment gets its score: edits, alignments, matrices.

    \b
    tertium explain -m invwer "we meet at noon" "at noon we meet"
    tertium explain -m wer,ter -i system.txt -r reference.txt --line 12
    """  # noqa: D301 - click reads the backspace
    from tertium.catalog import parse_metrics
    from tertium.report.charts.model import check_picture
    from tertium.report.explanations.documents import render_explanations_json
    from tertium.report.explanations.text import render_explanation
    from tertium.text.languages import language_options

    if given["heatmap"]:
        check_picture(given["heatmap"])  # before the work begins
    defaults = language_options(given_language(given))
    metrics = parse_metrics(given["metrics"], defaults=defaults, providers=resource_providers(given))
    corpus = _read_files(given) if _takes_files(given) else _take_texts(given["texts"])
    explanations = list(_explain(corpus, metrics, (given["line"] or 1) - 1))
    if given["heatmap"]:
        _draw(explanations, given)
    if given["form"] == "json":
        write_output(render_explanations_json(explanations), given["output"])
    else:
        write_output("\n".join(map(render_explanation, explanations)), given["output"])


def _draw(explanations: "list[Explanation]", given: dict[str, Any]) -> None:
    from tertium.report.charts.heatmap import draw_heatmap

    if len(explanations) != 1:
        raise click.UsageError(
            f"a heat map shows one metric and one system, not {len(explanations)} together"
        )
    write_picture(draw_heatmap(explanations[0], given["matrix"]), given["heatmap"])


def _takes_files(given: dict[str, Any]) -> bool:
    files = [bool(given["hypotheses"]), bool(given["references"]), given["line"] is not None]
    if given["texts"] and any(files):
        raise click.UsageError("give two texts, or files with -i, -r and --line, not both")
    if any(files) and not all(files):
        raise click.UsageError("files need all of -i HYPOTHESES, -r REFERENCES and --line N")
    return any(files)


def _take_texts(texts: tuple[str, ...]) -> "Corpus":
    from tertium.types import Corpus

    if len(texts) < 2:
        raise click.UsageError("a hypothesis and a reference are needed, or files with -i, -r and --line")
    hypothesis, *references = texts
    return Corpus([references], {"hypothesis": [hypothesis]})


def _read_files(given: dict[str, Any]) -> "Corpus":
    from tertium.corpus import read_corpus
    from tertium.errors import InputError

    systems = [split_system(path) for path in expand_paths(given["hypotheses"])]
    corpus = read_corpus(expand_paths(given["references"]), systems, None)
    if given["line"] > len(corpus):
        raise InputError(f"there is no segment {given['line']:,}: the files have {len(corpus):,}")
    return corpus


def _explain(corpus: "Corpus", metrics: "list[LabelledMetric]", segment: int) -> "Iterator[Explanation]":
    from tertium.text import References

    references = References(corpus.references)
    fitted = [each.metric.fit(references) for each in metrics]
    for texts in corpus.systems.values():
        for metric in fitted:
            yield metric.explain(texts[segment], corpus.references[segment])
