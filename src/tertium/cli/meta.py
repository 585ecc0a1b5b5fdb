"""`tertium meta`: outputs, references and judgments in, tables of agreement with people out."""

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments import ListCommand, check_output, expand_paths, write_document
from tertium.cli.judged_input import read_sets, takes_judged_data, tell_failures, tell_notes
from tertium.cli.judged_metrics import MetricMaker
from tertium.report.tables import FORMATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tertium.catalog import LabelledMetric
    from tertium.cli.meta_charts import ChartFolder
    from tertium.meta import JudgedSet
    from tertium.meta.scoring import MetricScores
    from tertium.meta.statistics import StatisticSpec

__all__ = ["command"]


@click.command("meta", cls=ListCommand)
@takes_judged_data
@click.option("-m", "--metrics", multiple=True, metavar="LIST", help="Metrics to compute.  [default: bleu, unless --scores are given]")  # fmt: skip
@click.option("--scores", multiple=True, metavar="FILE", help="Files of metric scores, NAME.seg.score or NAME.sys.score, in any layout of WMT or mt-metrics-eval.")  # fmt: skip
@click.option("--lower", multiple=True, metavar="NAME", help="Metrics of --scores for which lower is better.")
@click.option("-s", "--statistics", multiple=True, metavar="LIST", help="LEVEL:NAME[:GROUPING], a table each: system:pearson, segment:kendall:item, segment:wmt14 …  [default: what the judgments allow]")  # fmt: skip
@click.option("--test", type=click.Choice(["perm-both", "williams", "none"]), default="perm-both", show_default=True, help="Test between metrics.")  # fmt: skip
@click.option("--samples", type=click.IntRange(min=1), default=1000, show_default=True, help="Resamples of the test.")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True, help="Level of the test.")  # fmt: skip
@click.option(
    "--seed", type=click.IntRange(min=0), default=12345, show_default=True, help="Seed of the test."
)
@click.option("--system-score", type=click.Choice(["own", "mean", "length"]), default="own", show_default=True, help="A metric's system score: its own, the mean of its segment scores, or that weighted by length.")  # fmt: skip
@click.option("--ci", is_flag=True, help="95 % bootstrap intervals, over systems or over segments.")
@click.option("--absolute", is_flag=True, help="Show absolute values, as papers do.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all.")
@click.option("--signatures", is_flag=True, help="Show the metrics' signatures on a terminal, too.")
@click.option("--write-scores", metavar="FOLDER", help="Write METRIC.seg.score and METRIC.sys.score there.")
@click.option("--layout", default="2022", show_default=True, help="Their columns: 2016, 2017, 2020, 2021, 2022 (to 2024), mtme.")  # fmt: skip
@click.option("--test-set", default="testset", show_default=True, help="The test set's name in them.")
@click.option("--charts", metavar="FOLDER", help="Draw metric against people, and rankings of systems, into this folder.")  # fmt: skip
@click.option("--chart-format", type=click.Choice(["svg", "png", "both"]), default="svg", show_default=True, help="How charts are drawn.")  # fmt: skip
@click.option("-j", "--threads", type=click.IntRange(min=1), metavar="N", help="Threads.  [default: every core]")  # fmt: skip
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
def command(**given: Any) -> None:
    """Find out how well metrics agree with people.

    FOLDER holds LP/ref.txt, LP/systems/NAME.txt and, beside them, tables of judgments. Without it, give
    references, outputs and judgments as files; with --scores and --human no text is needed.
    """
    named = _check(given)
    charts = _prepare_charts(given)
    sets, notes = read_sets(given)
    scored, failures = _score(sets, given)
    tell_notes(notes, quiet=given["quiet"])
    tell_failures(failures)
    _write_table(sets, scored, named or _usual_statistics(sets), given)
    if given["write_scores"]:
        from tertium.cli.meta_files import write_score_files

        write_score_files(sets, scored, given)
    if charts is not None:
        from tertium.cli.meta_charts import write_charts

        write_charts(sets, scored, charts, normalised=given["normalise_raters"])


def _check(given: dict[str, Any]) -> "list[StatisticSpec]":
    """Find mistakes before the work begins; returns the statistics that were named."""
    from tertium.corpus.judgments.score_files import LAYOUTS
    from tertium.meta.statistics import parse_statistic
    from tertium.meta.tables import check_test

    named = [parse_statistic(text) for each in given["statistics"] for text in each.split(",") if text]
    for spec in named:
        check_test(given["test"], spec)
    if given["layout"] not in LAYOUTS:
        raise click.UsageError(f"unknown layout {given['layout']!r}; choose from {', '.join(LAYOUTS)}")
    check_output(given["output"])
    return named


def _prepare_charts(given: dict[str, Any]) -> "ChartFolder | None":
    """Find out before the work begins whether charts can be written."""
    from tertium.cli.meta_charts import ChartFolder

    if not given["charts"]:
        return None
    return ChartFolder.make(given["charts"], given["chart_format"])


def _score(
    sets: "list[JudgedSet]", given: dict[str, Any]
) -> "tuple[list[dict[str, MetricScores]], list[str]]":
    from tertium.cli.progress import progress_bar, resource_progress
    from tertium.corpus.judgments.score_files import read_score_file
    from tertium.errors import InputError
    from tertium.meta.scoring import score_each_set, scores_from_files

    metrics, failures = _build_metrics(sets, given)
    files = [read_score_file(path) for path in expand_paths(given["scores"])]
    _check_lower(given["lower"], {name for file in files for name in file.metrics})
    with progress_bar("scoring", quiet=given["quiet"]) as progress, resource_progress(progress):
        scored, more = score_each_set(sets, metrics, threads=given["threads"], progress=progress)
    scored = [
        by_label | scores_from_files(judged, files, lower_is_better=given["lower"])
        for judged, by_label in zip(sets, scored, strict=True)
    ]
    failures += more
    if not any(scored):
        raise InputError("; ".join(failures) or "the score files have no score of these systems")
    return _with_system_scores(sets, scored, given["system_score"]), failures


def _build_metrics(
    sets: "list[JudgedSet]", given: dict[str, Any]
) -> "tuple[list[list[LabelledMetric]], list[str]]":
    """Build each set's metrics; one that a set's language has no resource for is told of and left out there."""
    from tertium.catalog import split_labels

    maker, warnings = MetricMaker(given), []
    metrics: dict[str, list[LabelledMetric]] = {judged.pair: [] for judged in sets}
    for label in split_labels(given["metrics"] or ([] if given["scores"] else ["bleu"])):
        made, more = maker.make_for(label, list(metrics))
        warnings += more
        for metric, pairs in made:
            for pair in pairs:
                metrics[pair].append(metric)
    return [metrics[judged.pair] for judged in sets], warnings


def _check_lower(lower: "Sequence[str]", known: set[str]) -> None:
    for name in lower:
        if name not in known:
            raise click.UsageError(
                f"--lower {name}: no file of --scores has this metric; "
                + (f"there are {', '.join(sorted(known))}" if known else "it is for metrics of --scores")
            )


def _with_system_scores(
    sets: "list[JudgedSet]", scored: "list[dict[str, MetricScores]]", kind: str
) -> "list[dict[str, MetricScores]]":
    from tertium.meta.scoring import with_mean_scores

    if kind == "own":
        return scored
    return [
        {
            label: with_mean_scores(judged, each, by_length=kind == "length")
            for label, each in by_label.items()
        }
        for judged, by_label in zip(sets, scored, strict=True)
    ]


def _write_table(
    sets: "list[JudgedSet]",
    scored: "list[dict[str, MetricScores]]",
    statistics: "list[StatisticSpec]",
    given: dict[str, Any],
) -> None:
    from tertium.meta.tables import TestOptions, make_meta_table
    from tertium.report.agreement import describe_agreement

    test = TestOptions(given["test"], given["samples"], given["seed"], given["alpha"], given["ci"])
    tables = [make_meta_table(spec, sets, scored, test) for spec in statistics]
    document = describe_agreement(tables, signatures=_signatures(sets, scored), absolute=given["absolute"])
    write_document(document, given["form"], given["output"], signatures=given["signatures"])


def _signatures(sets: "list[JudgedSet]", scored: "list[dict[str, MetricScores]]") -> dict[str, str]:
    """Each metric's signature, or its signatures where language pairs differ."""
    found: dict[str, dict[str, list[str]]] = {}
    for judged, by_label in zip(sets, scored, strict=True):
        for label, scores in by_label.items():
            found.setdefault(label, {}).setdefault(scores.signature, []).append(judged.pair)
    named: dict[str, str] = {}
    for label, by_signature in found.items():
        for signature, pairs in by_signature.items():
            named[f"{label} on {', '.join(pairs)}" if len(by_signature) > 1 else label] = signature
    return named


def _usual_statistics(sets: "list[JudgedSet]") -> "list[StatisticSpec]":
    from tertium.meta.statistics import can_show, parse_statistic

    usual = [parse_statistic(text) for text in ("system:pearson", "segment:pearson", "segment:wmt14")]
    return [spec for spec in usual if any(can_show(spec, judged) for judged in sets)]
