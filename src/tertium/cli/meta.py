"""`tertium meta`: outputs, references and judgments in, tables of agreement with people out."""

from dataclasses import replace
from pathlib import Path
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
from tertium.cli.output import (
    Output,
    file_name,
    make_folder,
    output_options,
    signatures_option,
    tell_notes,
    tell_warnings,
    write_text,
)

if TYPE_CHECKING:
    from tertium.api.meta import MetaResult
    from tertium.catalog import ResourceChoice
    from tertium.engines.engine import EngineChoice
    from tertium.metaeval.data import JudgedData

__all__ = ["command"]


@click.command("meta", cls=ListCommand)
@judged_data_options
@resource_options
@click.option("-m", "--metrics", multiple=True, metavar="LIST", help="Metrics to compute.  [default: bleu, unless --scores are given]")  # fmt: skip
@click.option("--scores", multiple=True, metavar="FILE", help="Files of metric scores, NAME.seg.score or NAME.sys.score, in any layout of WMT or mt-metrics-eval; in mt-metrics-eval's folder a metric's name will do: --scores BLEU.")  # fmt: skip
@click.option("--lower", multiple=True, metavar="NAME", help="Metrics of --scores for which lower is better.")
@click.option("-s", "--statistics", multiple=True, metavar="LIST", help="LEVEL:NAME[:GROUPING], a table each: system:pearson, segment:kendall:item, segment:wmt14 …  [default: what the judgments allow]")  # fmt: skip
@click.option("--test", type=click.Choice(["perm-both", "williams", "none"]), default="perm-both", show_default=True, help="Test between metrics.")  # fmt: skip
@click.option("--samples", type=click.IntRange(min=1), default=1000, show_default=True, help="Resamples of the test.")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True, help="Level of the test.")  # fmt: skip
@seed_option("the test")
@click.option("--system-score", type=click.Choice(["own", "mean", "length"]), default="own", show_default=True, help="A metric's system score: its own, the mean of its segment scores, or that weighted by length.")  # fmt: skip
@click.option("--ci", is_flag=True, help="95 % bootstrap intervals, over systems or over segments.")
@click.option("--ceiling", is_flag=True, help="How well people agree with people: half of the raters against the other half.")  # fmt: skip
@click.option("--by", metavar="COLUMN", help="A column per value of a column of segments (document, domain …) instead of per language pair.")  # fmt: skip
@click.option("--sort", is_flag=True, help="Order metrics by their average, best first.")
@click.option("--absolute", is_flag=True, help="Show absolute values, as papers do.")
@signatures_option
@output_options
@click.option("--write-scores", metavar="FOLDER", help="Write METRIC.seg.score and METRIC.sys.score there.")
@click.option("--layout", default="2022", show_default=True, help="Their columns: 2016, 2017, 2020, 2021, 2022 (to 2024), mtme.")  # fmt: skip
@click.option("--test-set", metavar="NAME", help="The test set's name in what is written.  [default: testset; for --calibrate the FOLDER's name]")  # fmt: skip
@click.option("--calibrate", is_flag=True, help="Learn how often people agree with a difference of which size; -o FILE keeps it for tertium score --calibration.")  # fmt: skip
@click.option("--pool", multiple=True, metavar="FILE", help="Add what --calibrate learnt from other judgments.")  # fmt: skip
@click.option("--charts", metavar="FOLDER", help="Draw metric against people, and rankings of systems, into this folder.")  # fmt: skip
@click.option("--chart-format", type=click.Choice(["svg", "png", "both"]), default="svg", show_default=True, help="How charts are drawn.")  # fmt: skip
@threads_option
@engine_choice_options
@click.option("-q", "--quiet", is_flag=True, help="No notes, no progress bar.")
def command(
    *,
    data: "JudgedData",
    resources: "ResourceChoice",
    metrics: tuple[str, ...],
    scores: tuple[str, ...],
    lower: tuple[str, ...],
    statistics: tuple[str, ...],
    test: Literal["perm-both", "williams", "none"],
    samples: int,
    alpha: float,
    seed: int,
    system_score: Literal["own", "mean", "length"],
    ci: bool,
    ceiling: bool,
    by: str | None,
    sort: bool,
    absolute: bool,
    output: Output,
    write_scores: str | None,
    layout: str,
    test_set: str | None,
    calibrate: bool,
    pool: tuple[str, ...],
    charts: str | None,
    chart_format: str,
    threads: int | None,
    engine: "EngineChoice",
    quiet: bool,
) -> None:
    """Find out how well metrics agree with people.

    FOLDER holds LP/ref.txt, LP/systems/NAME.txt and, beside them, tables of judgments; or it is a test set of
    mt-metrics-eval, whose name will do if it lies in ~/.mt-metrics-eval. Without it, give
    references, outputs and judgments as files; with --scores and --human no text is needed.
    """
    from tertium.api.meta import MetaRequest
    from tertium.cli.progress import progress_bar
    from tertium.metaeval.tables import TestOptions

    request = MetaRequest(
        data=data,
        metrics=metrics,
        scores=scores,
        lower=lower,
        statistics=statistics,
        test=TestOptions(test, samples, seed, alpha, ci),
        system_score=system_score,
        resources=resources,
        absolute=absolute,
        by=by,
        ceiling=ceiling,
        sort=sort,
        threads=threads,
        engine=engine,
    )
    if pool and not calibrate:
        raise click.UsageError("--pool goes with --calibrate")
    _check_layout(layout)
    suffixes = _prepare_charts(charts, chart_format)
    with progress_bar("scoring", quiet=quiet) as progress:
        result = request.run(progress)
    tell_notes(result.notes, quiet=quiet)
    tell_warnings(result.failures)
    name = test_set or Path(data.folder or "testset").resolve().name
    if calibrate:
        _calibrate(result, name, pool, output)
    else:
        output.write(result)
    if write_scores:
        _write_scores(result, write_scores, layout, test_set or "testset")
    if charts:
        _write_charts(result, charts, suffixes)


def _calibrate(result: "MetaResult", name: str, pool: tuple[str, ...], output: Output) -> None:
    """Show the table to people, and keep it for programs if a file is named."""
    made = result.calibrate(name, pool=pool)
    replace(output, path=None).write(made)
    if output.path is not None:
        write_text(made.to_file(), output.path)


def _check_layout(layout: str) -> None:
    from tertium.corpus.judgments.score_files import LAYOUTS

    if layout not in LAYOUTS:
        raise click.UsageError(f"unknown layout {layout!r}; choose from {', '.join(LAYOUTS)}")


def _prepare_charts(folder: str | None, form: str) -> tuple[str, ...]:
    """Find out before the work begins whether charts can be written; returns their files' endings."""
    from tertium.report.charts.model import check_picture

    if folder is None:
        return ()
    suffixes = (".svg", ".png") if form == "both" else (f".{form}",)
    for suffix in suffixes:
        check_picture(f"{folder}/*{suffix}")
    make_folder(folder)
    return suffixes


def _write_scores(result: "MetaResult", folder: str, layout: str, test_set: str) -> None:
    made = make_folder(folder)
    for name, text in result.score_files(layout=layout, test_set=test_set, spell=file_name):
        write_text(text, str(made / name))


def _write_charts(result: "MetaResult", folder: str, suffixes: tuple[str, ...]) -> None:
    for parts, chart in result.charts():
        name = ".".join(map(file_name, parts))
        for suffix in suffixes:
            chart.write(f"{folder}/{name}{suffix}")
