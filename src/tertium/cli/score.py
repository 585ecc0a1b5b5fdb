"""`tertium score`: files in, a table of systems and metrics out."""

import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from tertium.cli.arguments import (
    ListCommand,
    engine_options,
    part_options,
    resource_options,
    seed_option,
    threads_option,
    view_options,
)
from tertium.cli.output import (
    Output,
    output_options_with,
    signatures_option,
    tell_notes,
    tell_warnings,
    write_text,
)
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.api.score import ScoreRequest, ScoreResult
    from tertium.api.streamed import SegmentFile, StreamedResult, StreamOptions
    from tertium.catalog import ResourceChoice

__all__ = ["command"]


@click.command("score", cls=ListCommand)
@click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s): text, .gz, .xz, JSONL, TSV, XML, SGML, Parquet; FILE#COLUMN names a column; - is stdin.")  # fmt: skip
@click.option("-t", "--test-set", metavar="SET", help="Take references and source from a test set on this machine, of the pair that -l names: -t wmt15 -l de-en ('tertium data' lists them).")  # fmt: skip
@click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="[NAME=]FILE", help="Systems' outputs, as many as you like: -i systems/*.txt.")  # fmt: skip
@click.option("-s", "--src", "source", metavar="FILE", help="Source text.")
@click.option("-m", "--metrics", multiple=True, default=["bleu"], metavar="LIST", help="Metrics with options: -m wer,bleu:tokenizer=intl,lowercase=yes.  [default: bleu]")  # fmt: skip
@click.option("--lowercase", is_flag=True, help="Ignore case, for every metric that can.")
@click.option("--tokenizer", metavar="NAME", help="Tokenizer for every metric that has one.")
@signatures_option
@output_options_with("jsonl", "parquet")
@click.option("--segments", is_flag=True, help="Every segment's score instead of the systems'.")
@click.option("--columns", metavar="FILE", help="What is known about each segment, a row each: TSV with a header, JSONL or Parquet.")  # fmt: skip
@click.option("--scores", multiple=True, metavar="[NAME=]FILE", help="Segment scores of another tool, as a metric: TSV (system, segment, score), .seg.score, COMET's JSON, a score per line, FILE#COLUMN.")  # fmt: skip
@click.option("--lower", multiple=True, metavar="NAME", help="Those of --scores for which lower is better.")
@part_options
@view_options
@seed_option("the resampling")
@click.option("--score-only", is_flag=True, help="Only numbers, a line per system and a tab between metrics, for scripts.")  # fmt: skip
@threads_option
@click.option("--scale", type=click.Choice(["100", "1"]), default="100", show_default=True, help="Show bounded metrics on 0–100 or 0–1.")  # fmt: skip
@resource_options
@engine_options
@click.option("--save", metavar="FILE.run", help="Save everything as a run, which show, compare, gate and report read (needs the extra parquet).")  # fmt: skip
@click.option("--no-texts", is_flag=True, help="Save checksums instead of texts.")
@click.option("-q", "--quiet", is_flag=True, help="No warnings, no progress bar.")
def command(
    *,
    references: tuple[str, ...],
    test_set: str | None,
    hypotheses: tuple[str, ...],
    source: str | None,
    metrics: tuple[str, ...],
    lowercase: bool,
    tokenizer: str | None,
    output: Output,
    segments: bool,
    columns: str | None,
    scores: tuple[str, ...],
    lower: tuple[str, ...],
    by: str | None,
    where: tuple[str, ...],
    view: dict[str, Any],
    seed: int,
    score_only: bool,
    threads: int | None,
    scale: Literal["100", "1"],
    resources: "ResourceChoice",
    streaming: "StreamOptions",
    save: str | None,
    no_texts: bool,
    quiet: bool,
) -> None:
    """Score one or many systems against one or many references."""
    from tertium.api.score import ScoreRequest, ScoreResult
    from tertium.corpus import CorpusFiles

    if segments and by is not None:
        raise OptionError("give either --segments or --by, not both")
    _check_saving(save, no_texts=no_texts)
    output.check_full(full=view["full"])
    files = _take_files(test_set, resources.language, references, hypotheses, source)
    shown = "numbers" if score_only else "segments" if segments else "parts" if by is not None else "systems"
    request = ScoreRequest(
        corpus=CorpusFiles(**files, columns=columns),
        metrics=metrics,
        tokenizer=tokenizer,
        lowercase=lowercase,
        resources=resources,
        scores=scores,
        lower=lower,
        where=where,
        by=by,
        **{key: value for key, value in view.items() if value is not None},
        seed=seed,
        clusters=None if output.is_for_people and shown == "systems" else False,
        scale=100 if scale == "100" else 1,
        threads=threads,
    )
    result, is_written = _score(request, streaming, output, shown, save=save, quiet=quiet)
    _tell(result, quiet=quiet)
    if save is not None and isinstance(result, ScoreResult):
        result.save(save, texts=not no_texts, command=shlex.join(["tertium", *sys.argv[1:]]))
    if score_only:
        write_text(result.numbers(), output.path)
    elif not is_written:
        _write(result, output, by=by, segments=segments)


def _score(
    request: "ScoreRequest",
    streaming: "StreamOptions",
    output: Output,
    shown: str,
    *,
    save: str | None,
    quiet: bool,
) -> "tuple[ScoreResult | StreamedResult, bool]":
    """Compute everything that will be shown; say whether segments' scores are written already."""
    from tertium.api.streamed import score_files
    from tertium.cli.progress import progress_bar

    with (
        _segment_target(output, wanted=shown == "segments", is_full=request.full) as target,
        progress_bar("scoring", quiet=quiet) as progress,
    ):
        whole = ["--save"] if save else []
        whole += [f"--segments -f {output.form}"] if shown == "segments" and target is None else []
        result = score_files(request, streaming, segments=target, whole=whole, progress=progress)
        if shown == "systems":
            _ = result.comparison  # which the table would ask for when no bar can be drawn any more
    return result, target is not None


def _tell(result: "ScoreResult | StreamedResult", *, quiet: bool) -> None:
    """Print what looks like a mistake, and what was done in parts."""
    from tertium.api.streamed import StreamedResult

    if not quiet:
        tell_warnings(result.warnings)
    if isinstance(result, StreamedResult):
        tell_notes(result.notes, quiet=quiet)


def _write(result: "ScoreResult | StreamedResult", output: Output, *, by: str | None, segments: bool) -> None:
    """Write the table of systems, of a column's values or of segments; a stream has only the first."""
    from tertium.api.score import ScoreResult

    if isinstance(result, ScoreResult) and segments:
        output.write(result.by_segment())
    elif isinstance(result, ScoreResult) and by is not None:
        output.write(result.by(by))
    else:
        output.write(result)


@contextmanager
def _segment_target(output: Output, *, wanted: bool, is_full: bool) -> "Iterator[SegmentFile | None]":
    """Give the file for formats that are written as scores come; for standard output one that is copied there.

    Full and guarded rows are not written one by one.
    """
    from tertium.api.streamed import SegmentFile
    from tertium.report.segment_files import SEGMENT_FORMATS

    is_plain = not (is_full or output.spreadsheet_safe)
    if output.form not in SEGMENT_FORMATS or not (wanted and is_plain):
        if output.form in ("jsonl", "parquet"):
            raise OptionError(f"-f {output.form} goes with --segments")
        yield None
        return
    if output.path not in (None, "-"):
        yield SegmentFile(output.form, str(output.path))
        return
    if output.form == "parquet":
        raise OptionError("-f parquet is written to a file: give -o FILE")
    with tempfile.TemporaryDirectory(prefix="tertium-") as folder:
        target = SegmentFile(output.form, str(Path(folder) / "segments"))
        yield target
        with Path(target.path).open(encoding="utf-8", newline="") as content:
            while block := content.read(1 << 20):
                click.echo(block, nl=False)


def _take_files(
    test_set: str | None,
    pair: str | None,
    references: tuple[str, ...],
    hypotheses: tuple[str, ...],
    source: str | None,
) -> dict[str, Any]:
    """Take the files that are named, and the rest from the test set; its systems too if none are named."""
    if test_set is not None:
        from tertium.corpus.test_sets import open_pair

        if references:
            raise OptionError("give references with -r, or a test set with -t, not both")
        found = open_pair(test_set, pair)
        references = tuple(map(str, found.references))
        source = source or (None if found.source is None else str(found.source))
        hypotheses = hypotheses or tuple(f"{name}={path}" for name, path in found.systems.items())
    for option, given in (("--ref FILE (or --test-set SET)", references), ("--hyp FILE", hypotheses)):
        if not given:
            raise click.UsageError(f"{option} is missing")
    return {"references": references, "hypotheses": hypotheses, "source": source}


def _check_saving(path: str | None, *, no_texts: bool) -> None:
    """Say before the work begins if its run could not be saved in the end."""
    if path is not None:
        from tertium.evaluation.runs import check_run_path

        check_run_path(path)
    elif no_texts:
        raise OptionError("--no-texts goes with --save FILE.run")
