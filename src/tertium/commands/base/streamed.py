"""The choice of texts that are scored in parts, and the file of segment scores that is written meanwhile."""

import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.catalog import LabelledMetric
from tertium.corpus import CorpusFiles, expand_names, expand_paths
from tertium.corpus.texts.formats import is_streamed
from tertium.corpus.texts.parts import CorpusPart, has_more_rows, list_paths
from tertium.corpus.texts.streaming import Plan, plan_texts
from tertium.declarations import options_of
from tertium.errors import OptionError, TertiumError, argument
from tertium.evaluation import resampling
from tertium.files.paths import STDIN, is_folder, is_pattern, parse_address, show_path, split_name
from tertium.records import record
from tertium.stats.analysis import SEGMENT
from tertium.values import Corpus, FloatArray

if TYPE_CHECKING:
    from tertium.commands.base.scoring import ScoreRequest
    from tertium.presentation.segment_files import SegmentWriter


@record
class SegmentFile:
    """A file for the score of every segment, in one of `SEGMENT_FORMATS`, written while parts are scored."""

    form: str
    path: str

    @contextmanager
    def open(self, systems: Sequence[str], metrics: Sequence[LabelledMetric]) -> "Iterator[SegmentWriter]":
        """Begin to write; `finish` must be called at the end."""
        from tertium.presentation.segment_files import make_writer

        folder = Path(self.path).resolve().parent
        labels = [metric.label for metric in metrics]
        with make_writer(self.form, systems, labels, folder if is_folder(folder) else None) as writer:
            yield writer


def write_scores(
    writer: "SegmentWriter",
    metrics: Sequence[LabelledMetric],
    external: Sequence[tuple[LabelledMetric, FloatArray]],
    scale: int,
    part: CorpusPart,
    scores: Sequence[FloatArray],
) -> None:
    """Write the segment scores of a part: those of metrics, and those of other tools.

    Parameters
    ----------
    external
        The scores of other tools for all segments (systems, segments).
    scale
        Where the scores of bounded metrics end.
    """
    rows = slice(part.first, part.first + part.n_segments)
    columns = [*zip(metrics, scores, strict=True), *((metric, table[:, rows]) for metric, table in external)]
    factors = [metric.metric.display_factor(scale) for metric, _ in columns]
    writer.add(
        part.first, [(table * factor).tolist() for (_, table), factor in zip(columns, factors, strict=True)]
    )


def choose_texts(request: "ScoreRequest", whole: Mapping[str, str]) -> Corpus | CorpusFiles | Plan:
    """Decide whether the texts are scored in parts: the only place that does.

    Returns the plan of files that are large or whose options ask for parts, and otherwise the texts, or the files
    to read into memory.

    Parameters
    ----------
    whole
        Options outside the request that need all texts in memory, each with more advice for the error message.

    Raises
    ------
    OptionError
        If an option asks for parts, and another one needs all texts in memory.
    """
    reason, texts = _find_reason(request), request.texts
    if not isinstance(texts, CorpusFiles):
        if reason is not None:
            raise OptionError(f"{reason} needs files, but the texts are in memory already")
        return texts
    reason = reason or _describe_folder(texts)
    obstacle = _find_obstacle(request, whole)
    if reason is None and (obstacle is not None or not _is_large(texts)):
        return texts
    plan = _plan_files(texts)
    obstacle = obstacle or _find_unstreamed(plan)
    if obstacle is None:
        return plan
    if reason is None:
        return texts
    raise OptionError(f"{reason} scores the texts in parts, but {obstacle}")


def _find_reason(request: "ScoreRequest") -> str | None:
    """Return the option that asks for parts, if there is one."""
    if request.engine != "local":
        return argument("engine", request.engine)
    if request.resume is not None:
        return argument("resume")
    return None if request.batch_size is None else argument("batch_size")


def _plan_files(files: CorpusFiles) -> Plan:
    """List all files without reading any."""
    references = [path for _, path in expand_names(files.references)]
    return plan_texts(references, expand_names(files.hypotheses), files.source, columns=files.columns)


def _describe_folder(files: CorpusFiles) -> str | None:
    """Describe a text in several files, if there is one: such texts are only read in parts."""
    for given in (*files.references, *files.hypotheses, *([] if files.source is None else [files.source])):
        name, path = split_name(given)
        if is_folder(path) or is_folder(path.rpartition("#")[0]):
            return f"the folder {show_path(path)}"
        if name is not None and is_pattern(path):
            return f"the pattern {show_path(path)}"
    return None


def _find_obstacle(request: "ScoreRequest", whole: Mapping[str, str]) -> str | None:
    """Describe an option that needs the whole corpus in memory, if there is one."""
    used = {
        argument(option.name): ""
        for option in options_of(type(request))
        if not option.opt.in_parts and not option.is_default(getattr(request, option.name))
    }
    for name, advice in {**used, **whole}.items():
        return f"{name} needs all of them in memory; leave one of the two out{advice}"
    if request.resample not in (None, SEGMENT):
        return f"{argument('resample')} needs all of them in memory; leave one of the two out"
    vectors = request.vectors
    if vectors is not None and not isinstance(vectors, str | PathLike):
        return "the vectors were made in Python; give the name of their file"
    return None


def _find_unstreamed(texts: Plan) -> str | None:
    """Describe a file that cannot be read in parts, if there is one."""
    for path in list_paths(texts):
        if path == STDIN or _is_pipe(path):
            return f"{'standard input' if path == STDIN else path} can be read only once; save it to a file first"
        if not is_streamed(path):
            return f"{show_path(path)} is read as a whole; give .txt, .tsv, .jsonl or .parquet files"
    return None


def _is_large(files: CorpusFiles) -> bool:
    """Whether the first text exceeds the in-memory limit; read errors surface later."""
    try:
        hypotheses = [path for _, path in expand_names(files.hypotheses[:1])]
        path = parse_address([*expand_paths(files.references[:1]), *hypotheses][0]).path
        if path == STDIN or _is_pipe(path) or not is_streamed(path):
            return False
        return has_more_rows(path, resampling.POISSON_FROM - 1)
    except TertiumError:
        return False


def _is_pipe(path: str) -> bool:
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False  # opening it raises with the reason
