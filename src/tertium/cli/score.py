"""`tertium score`: files in, a table of systems and metrics out."""

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments import ListCommand, expand_paths, split_system, write_document
from tertium.cli.resources import given_language, resource_options, resource_providers
from tertium.report.tables import FORMATS, FORMATS_FOR_PEOPLE

if TYPE_CHECKING:
    from tertium.evaluation.comparison import Comparison
    from tertium.evaluation.statistics import Evaluation
    from tertium.report.score_table import ScoreTable
    from tertium.types import Corpus

__all__ = ["command"]

# Beyond this many segments a table gets its clusters only on demand: resampling would take longer
# than scoring.
_CLUSTERS_UNASKED = 100_000

# Options that name resources, the metrics' field that takes them, and what they are.
_RESOURCES = (
    ("parser", "trees", "trees"),
    ("trees", "trees", "trees"),
    ("vectors", "vectors", "vectors"),
    ("paraphrases", "paraphrases", "paraphrases"),
    ("function_words", "word_lists", "function words"),
)


@click.command("score", cls=ListCommand)
@click.option("-r", "--ref", "references", multiple=True, required=True, metavar="FILE", help="Reference file(s): text, .gz, .xz, JSONL, TSV, XML, SGML, Parquet; FILE#COLUMN names a column; - is stdin.")  # fmt: skip
@click.option("-i", "--hyp", "hypotheses", multiple=True, required=True, metavar="[NAME=]FILE", help="Systems' outputs, as many as you like: -i systems/*.txt.")  # fmt: skip
@click.option("-s", "--src", "source", metavar="FILE", help="Source text.")
@click.option("-m", "--metrics", multiple=True, default=["bleu"], metavar="LIST", help="Metrics with options: -m wer,bleu:tokenizer=intl,lowercase=yes.  [default: bleu]", shell_complete=lambda c, p, i: _complete_metrics(i))  # fmt: skip # noqa: ARG005
@click.option("--lowercase", is_flag=True, help="Ignore case, for every metric that can.")
@click.option("--tokenizer", metavar="NAME", help="Tokenizer for every metric that has one.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
@click.option("--signatures", is_flag=True, help="Show the metrics' signatures on a terminal, too.")
@click.option("--segments", is_flag=True, help="Every segment's score instead of the systems'.")
@click.option("--ci", is_flag=True, help="95 % bootstrap confidence intervals.")
@click.option("--paired", type=click.Choice(["bootstrap", "randomization"]), help="Test every system against the baseline.")  # fmt: skip
@click.option("--baseline", metavar="NAME", help="The baseline of --paired.  [default: the first system]")
@click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Resamples.  [default: 1000 bootstrap, 10000 randomization]")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the resampling.")  # fmt: skip
@click.option("-j", "--threads", type=click.IntRange(min=1), metavar="N", help="Threads.  [default: every core]")  # fmt: skip
@click.option("--scale", type=click.Choice(["100", "1"]), default="100", show_default=True, help="Show bounded metrics on 0–100 or 0–1.")  # fmt: skip
@resource_options
@click.option("-q", "--quiet", is_flag=True, help="No warnings, no progress bar.")
def command(**given: Any) -> None:
    """Score one or many systems against one or many references."""
    from tertium.catalog import parse_metrics
    from tertium.report.score_table import make_score_table

    metrics = parse_metrics(
        given["metrics"], defaults=_shared_options(given), providers=resource_providers(given)
    )
    _check_shared_options(given, metrics)
    corpus = _read(given)
    if not given["quiet"]:
        _warn(corpus)
    evaluation = _evaluate(corpus, metrics, given)
    comparison = _compare(evaluation, given)
    table = make_score_table(evaluation, comparison, shows_intervals=given["ci"], scale=int(given["scale"]))
    _write(evaluation, table, given)


def _shared_options(given: dict[str, Any]) -> dict[str, Any]:
    from tertium.text.languages import language_options
    from tertium.text.tokenizers import check_tokenizer

    shared = language_options(given_language(given))
    if given["tokenizer"]:
        check_tokenizer(given["tokenizer"])
        shared["tokenizer"] = given["tokenizer"]
    if given["lowercase"]:
        shared["lowercase"] = True
    return shared


def _check_shared_options(given: dict[str, Any], metrics: list[Any]) -> None:
    for name in ("tokenizer", "lowercase"):
        if given[name] and not any(hasattr(each.metric, name) for each in metrics):
            raise click.UsageError(f"none of these metrics has an option {name}")
    for name, field, what in _RESOURCES:
        if given[name] and not any(hasattr(each.metric, field) for each in metrics):
            option = name.replace("_", "-")
            raise click.UsageError(f"--{option} was given, but none of these metrics looks at {what}")


def _read(given: dict[str, Any]) -> "Corpus":
    from tertium.corpus import read_corpus

    systems = [split_system(path) for path in expand_paths(given["hypotheses"])]
    return read_corpus(expand_paths(given["references"]), systems, given["source"])


def _warn(corpus: "Corpus") -> None:
    """Say in one line what looks like a mistake in the files."""
    from tertium.doctor import quick_check

    first = [group[0] for group in corpus.references]
    for system, texts in corpus.systems.items():
        findings = quick_check(list(texts), first)
        if findings:
            more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
            click.echo(
                f"tertium: warning: {system}: {findings[0].problem}{more}; 'tertium doctor' tells more",
                err=True,
            )


def _evaluate(corpus: "Corpus", metrics: list[Any], given: dict[str, Any]) -> "Evaluation":
    from tertium.cli.progress import progress_bar, resource_progress
    from tertium.engines import evaluate

    with progress_bar("scoring", quiet=given["quiet"]) as progress, resource_progress(progress):
        return evaluate(corpus, metrics, threads=given["threads"], progress=progress)


def _compare(evaluation: "Evaluation", given: dict[str, Any]) -> "Comparison | None":
    from tertium.evaluation.comparison import compare

    if given["baseline"] and not given["paired"]:
        raise click.UsageError("--baseline goes with --paired bootstrap or --paired randomization")
    if given["paired"] and len(evaluation.systems) < 2:
        raise click.UsageError("--paired needs two systems or more")
    wanted = given["ci"] or given["paired"]
    is_small = len(evaluation.systems) > 1 and evaluation.n_segments <= _CLUSTERS_UNASKED
    is_table = given["form"] in FORMATS_FOR_PEOPLE and not given["segments"]
    if not wanted and not (is_table and is_small):
        return None
    baseline = (given["baseline"] or evaluation.systems[0]) if given["paired"] else None
    return compare(
        evaluation,
        test=given["paired"] or "bootstrap",
        n_samples=given["samples"],
        seed=given["seed"],
        baseline=baseline,
    )


def _write(evaluation: "Evaluation", table: "ScoreTable", given: dict[str, Any]) -> None:
    from tertium.report.scores import describe_scores, describe_segments

    document = describe_segments(evaluation, table) if given["segments"] else describe_scores(table)
    write_document(document, given["form"], given["output"], signatures=given["signatures"])


def _complete_metrics(incomplete: str) -> list[str]:
    from tertium.catalog import metric_names

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in metric_names() if name.startswith(last)]
