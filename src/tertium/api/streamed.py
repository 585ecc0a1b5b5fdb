"""Score files of any size part by part, on this machine or on a cluster."""

import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path

from tertium.api.command import options_of
from tertium.api.score import ScoreRequest, ScoreResult, check_references
from tertium.api.scores import MAX_SEGMENTS_FOR_CLUSTERS
from tertium.catalog import LabelledMetric, MetricMaker, split_labels
from tertium.catalog.choice import check_languages
from tertium.corpus import CorpusFiles, expand_paths, split_system
from tertium.corpus.texts.formats import is_streamed
from tertium.corpus.texts.parts import CorpusPart, has_more_rows, list_paths
from tertium.corpus.texts.streaming import Plan, plan_texts
from tertium.engines.engine import open_engine
from tertium.engines.streamed import PART_SIZE, ScoringOptions, StreamPlan, plan_stream, stream_scores
from tertium.errors import OptionError, TertiumError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import count_drawn
from tertium.evaluation.resampling import POISSON_FROM
from tertium.evaluation.streaming import StreamedEvaluation
from tertium.files.paths import STDIN, is_folder, parse_address, show_path
from tertium.kernels import use_threads
from tertium.reporting.segment_files import SegmentWriter, make_writer
from tertium.types import Corpus, FloatArray

_WILDCARDS = "*?["


@dataclass(frozen=True)
class SegmentFile:
    """A file for the score of every segment, in one of `SEGMENT_FORMATS`, written while parts are scored."""

    form: str
    path: str

    @contextmanager
    def open(self, systems: Sequence[str], metrics: Sequence[LabelledMetric]) -> Iterator[SegmentWriter]:
        """Begin to write; `finish` must be called at the end."""
        folder = Path(self.path).resolve().parent
        labels = [each.label for each in metrics]
        with make_writer(self.form, systems, labels, folder if is_folder(folder) else None) as writer:
            yield writer

    def write_all(self, result: ScoreResult) -> None:
        """Write the scores of all segments of a result in memory."""
        found = result.evaluation
        with self.open(found.systems, found.metrics) as writer:
            scores = [result.tables.segment_scores(each.label) for each in found.metrics]
            writer.add(0, _scale(scores, found.metrics, result.options.score_scale))
            writer.finish(result.table.systems, Path(self.path))


def score_in_parts(
    request: ScoreRequest, sink: SegmentFile | None, whole: Sequence[str]
) -> ScoreResult | None:
    """Score in parts if the files are large or the options ask for it; otherwise return None.

    Raises
    ------
    OptionError
        If an option needs all texts in memory.
    """
    reason, texts = _find_reason(request), request.texts
    if not isinstance(texts, CorpusFiles):
        if reason is not None:
            raise OptionError(f"{reason} needs files, but the texts are in memory already")
        return None
    reason = reason or _describe_folder(texts)
    obstacle = _find_obstacle(request, whole)
    if reason is None and (obstacle is not None or not _is_large(texts)):
        return None
    plan = _plan_files(texts)
    obstacle = obstacle or _find_unstreamed(plan)
    if obstacle is not None:
        if reason is None:
            return None
        raise OptionError(f"{reason} scores the texts in parts, but {obstacle}")
    return _Streaming(request, plan, sink).run()


def _find_reason(request: ScoreRequest) -> str | None:
    """Return the option that asks for parts, if there is one."""
    if request.engine != "local":
        return argument("engine", request.engine)
    if request.resume is not None:
        return argument("resume")
    return None if request.batch_size is None else argument("batch_size")


def _plan_files(files: CorpusFiles) -> Plan:
    """List all files without reading any."""
    systems = [each for text in files.hypotheses for each in _expand(text)]
    references = [path for text in files.references for _, path in _expand(text)]
    return plan_texts(references, systems, files.source, columns=files.columns)


def _expand(given: str) -> list[tuple[str | None, str]]:
    """Expand a pattern into files; but `NAME=PATTERN` is one text in many files."""
    name, path = split_system(given)
    if name is not None and any(each in path for each in _WILDCARDS):
        return [(name, path)]
    return [split_system(each) for each in expand_paths([given])]


def _describe_folder(files: CorpusFiles) -> str | None:
    """Describe a text in several files, if there is one: such texts are only read in parts."""
    for given in (*files.references, *files.hypotheses):
        name, path = split_system(given)
        if is_folder(path) or is_folder(path.rpartition("#")[0]):
            return f"the folder {show_path(path)}"
        if name is not None and any(each in path for each in _WILDCARDS):
            return f"the pattern {show_path(path)}"
    return None


def _find_obstacle(request: ScoreRequest, whole: Sequence[str]) -> str | None:
    """Describe an option that needs the whole corpus in memory, if there is one."""
    used = [
        argument(each.name)
        for each in options_of(ScoreRequest)
        if not each.opt.in_parts and getattr(request, each.name)
    ]
    wanted = [*used, *whole]
    if wanted:
        others = ", or choose csv, tsv, jsonl or parquet" if wanted[0] in whole[1:] else ""
        return f"{wanted[0]} needs all of them in memory; leave one of the two out{others}"
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
    """Whether the first reference exceeds the in-memory limit; read errors surface later."""
    try:
        path = parse_address(expand_paths(files.references)[0]).path
        return (
            path != STDIN
            and not _is_pipe(path)
            and is_streamed(path)
            and has_more_rows(path, POISSON_FROM - 1)
        )
    except TertiumError:
        return False


def _is_pipe(path: str) -> bool:
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False  # opening it raises with the reason


def _scale(
    scores: Sequence[FloatArray], metrics: Sequence[LabelledMetric], scale: int
) -> list[list[list[float]]]:
    factors = [scale / 100 if each.metric.bounded else 1.0 for each in metrics]
    return [(each * factor).tolist() for each, factor in zip(scores, factors, strict=True)]


@dataclass(frozen=True)
class _Streaming:
    """A request that is computed in parts."""

    request: ScoreRequest
    texts: Plan
    sink: SegmentFile | None = None

    def run(self) -> ScoreResult:
        request = self.request
        maker = MetricMaker(request.resources, tokenizer=request.tokenizer, lowercase=request.lowercase)
        metrics = maker.make_all(split_labels(tuple(request.metrics)))
        request.check_sort([each.label for each in metrics])
        request.check_systems(tuple(name for name, _ in self.texts.systems))
        with open_engine(request.engine_choice) as engine, use_threads(request.threads):
            plan = plan_stream(
                engine,
                self.texts,
                part_size=request.batch_size or (PART_SIZE if request.resume is not None else None),
                with_digests=request.resume is not None,
            )
            self._check_test(plan.n_segments)
            first = plan.read_first()
            language = maker.guess_vectors(metrics, first)
            metrics, warnings = maker.choose_vectors(metrics, first)
            options = replace(self._scoring(plan), vectors_for=language)
            compute = partial(stream_scores, engine, plan, metrics, options)
            return self._score(compute, plan, metrics, first, warnings)

    def _score(
        self,
        compute: Callable[..., tuple[Evaluation | StreamedEvaluation, int]],
        plan: StreamPlan,
        metrics: Sequence[LabelledMetric],
        first: Corpus,
        warnings: list[str],
    ) -> ScoreResult:
        check_references(metrics, first.n_references)
        warnings = warnings + check_languages(first, metrics, self.request.resources.target)
        warnings += [warning for each in metrics for warning in each.warnings]
        compute = partial(compute, folder=None if self.request.resume is None else str(self.request.resume))
        if self.sink is None:
            return self._make_result(metrics, first, warnings, *compute())
        with self.sink.open(plan.systems, metrics) as writer:

            def receive(part: CorpusPart, scores: Sequence[FloatArray]) -> None:
                writer.add(part.first, _scale(scores, metrics, self.request.score_scale))

            result = self._make_result(metrics, first, warnings, *compute(receive=receive))
            writer.finish(result.table.systems, Path(self.sink.path))
            return result

    def _make_result(
        self,
        metrics: Sequence[LabelledMetric],
        first: Corpus,
        warnings: Sequence[str],
        evaluation: Evaluation | StreamedEvaluation,
        n_unused: int,
    ) -> ScoreResult:
        check_references(metrics, evaluation.n_references)
        return ScoreResult(self.request, evaluation, None, first, tuple(warnings), self._notes(n_unused))

    def _check_test(self, n_segments: int) -> None:
        if self.request.paired == "randomization" and n_segments >= POISSON_FROM:
            raise OptionError(
                f"{argument('paired', 'randomization')} needs the statistics of all {n_segments:,} segments in memory;"
                f" {argument('paired', 'bootstrap')} does not"
            )

    def _scoring(self, plan: StreamPlan) -> ScoringOptions:
        request, n_samples = self.request, 0
        is_quick = plan.n_segments <= MAX_SEGMENTS_FOR_CLUSTERS
        wants_clusters = is_quick if request.clusters is None else request.clusters
        analysis = request.analysis
        if request.ci or request.paired or request.full or wants_clusters:
            n_samples = count_drawn(analysis, len(plan.systems))
        return ScoringOptions(
            tokenizer=request.tokenizer,
            lowercase=request.lowercase,
            resources=request.resources,
            n_samples=n_samples,
            seed=analysis.seed,
            threads=self._threads(),
        )

    def _threads(self) -> int | None:
        """Give each worker one thread unless the user says otherwise."""
        if self.request.threads is None and self.request.engine != "local":
            return 1
        return self.request.threads

    def _notes(self, n_unused: int) -> tuple[str, ...]:
        if not n_unused:
            return ()
        folder = show_path(self.request.resume or "")
        files = "1 file" if n_unused == 1 else f"{n_unused:,} files"
        return (f"{files} in {folder} came from other inputs, options or versions and were not used",)
