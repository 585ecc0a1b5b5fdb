"""Score files of any size: in memory if they are small, and part by part, here or on a cluster, if not."""

import stat
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tertium.api.results import Progress
from tertium.api.score import ScoreRequest, ScoreResult, check_references, find_warnings
from tertium.api.scored import ScoredSums, SegmentScores, View
from tertium.catalog import LabelledMetric, MetricMaker, split_labels
from tertium.catalog.needs import check_languages
from tertium.corpus import CorpusFiles, expand_paths, split_system
from tertium.corpus.texts.batches import Plan
from tertium.corpus.texts.formats import is_streamed
from tertium.corpus.texts.parts import list_paths
from tertium.corpus.texts.streaming import plan_texts
from tertium.corpus.texts.survey import exceeds
from tertium.engines.interface import Engine
from tertium.engines.opening import EngineChoice, open_engine
from tertium.engines.streamed import (
    PART_SIZE,
    ScoringOptions,
    StreamPlan,
    plan_stream,
    stream_scores,
)
from tertium.errors import OptionError, TertiumError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import DEFAULT_SAMPLES, Comparison, PairedTest, compare
from tertium.evaluation.sampling import POISSON_FROM
from tertium.evaluation.streaming import StreamedEvaluation, bootstrap_options
from tertium.files.addresses import STDIN, parse_address
from tertium.files.paths import is_folder, show_path
from tertium.types import Corpus

__all__ = ["StreamOptions", "StreamedResult", "score_files"]

_WILDCARDS = "*?["


@dataclass(frozen=True, kw_only=True)
class StreamOptions:
    """How a corpus in files is gone through.

    Attributes
    ----------
    engine
        Where parts are computed.
    resume
        A folder for finished parts: after a crash the same call goes on where it stopped.
    batch_size
        Segments of a part; 100,000 by default.
    """

    engine: EngineChoice = EngineChoice()
    resume: str | None = None
    batch_size: int | None = None

    @property
    def reason(self) -> str | None:
        """The option that asks for parts, if one does."""
        if self.engine.name != "local":
            return f"--engine {self.engine.name}"
        if self.resume is not None:
            return "--resume"
        return None if self.batch_size is None else "--batch-size"


@dataclass(frozen=True, eq=False, repr=False)
class StreamedResult(ScoredSums):
    """Scores of a corpus that was never in memory as a whole.

    Attributes
    ----------
    first
        The first segments, by which warnings are made.
    notes
        What a user may like to know.
    """

    request: ScoreRequest
    first: Corpus
    evaluation: Evaluation | StreamedEvaluation
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def view(self) -> View:
        return self.request

    @property
    def target(self) -> str | None:
        return self.request.resources.target

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What looks like a mistake in the first texts or in the choice of resources."""
        return (*self.doubts, *find_warnings(self.first, self.evaluation.metrics))

    def compare(
        self, test: PairedTest = "bootstrap", *, n_samples: int | None = None, baseline: str | None = None
    ) -> Comparison:
        view, given = self.view, self.evaluation
        wanted = DEFAULT_SAMPLES[test] if n_samples is None else n_samples
        if isinstance(given, Evaluation):
            return compare(
                given, test=test, n_samples=wanted, seed=view.seed, baseline=baseline, alpha=view.alpha
            )
        options = bootstrap_options(n_samples=wanted, seed=view.seed, baseline=baseline, alpha=view.alpha)
        return given.compare(options)

    def by_segment(self) -> SegmentScores:
        """Show every segment's score instead of the systems', if there are not too many."""
        if not isinstance(self.evaluation, Evaluation):
            raise OptionError(
                f"the scores of {self.evaluation.n_segments:,} segments are too many for this format;"
                " write them with --segments -f csv, tsv, jsonl or parquet"
            )
        return SegmentScores(self.evaluation, self)


def score_files(
    request: ScoreRequest,
    options: StreamOptions,
    *,
    whole: Sequence[str] = (),
    progress: Progress | None = None,
) -> ScoreResult | StreamedResult:
    """Score as `request.run` does; in parts if the files are large or the options ask for it.

    Parameters
    ----------
    whole
        What the caller will ask for that needs all texts in memory, such as `--save`.

    Raises
    ------
    OptionError
        If something is asked for that cannot be had in parts.
    """
    if not isinstance(request.corpus, CorpusFiles):
        if options.reason is not None:
            raise OptionError(f"{options.reason} needs files, but the texts are in memory already")
        return request.run(progress)
    reason = options.reason or _name_folder(request.corpus)
    obstacle = _find_obstacle(request, whole)
    if reason is None and (obstacle is not None or not _is_large(request.corpus)):
        return request.run(progress)
    texts = _plan(request.corpus)
    obstacle = obstacle or _find_unstreamed(texts)
    if obstacle is not None:
        if reason is None:
            return request.run(progress)
        raise OptionError(f"{reason} goes through the texts in parts, but {obstacle}")
    return _Streaming(request, options, texts).run(progress)


@dataclass(frozen=True)
class _Streaming:
    """One request that is computed in parts."""

    request: ScoreRequest
    options: StreamOptions
    texts: Plan

    def run(self, progress: Progress | None) -> StreamedResult:
        request = self.request
        maker = MetricMaker(request.resources, tokenizer=request.tokenizer, lowercase=request.lowercase)
        metrics = maker.make_all(split_labels(request.metrics))
        request.check_sort([each.label for each in metrics])
        request.check_systems(tuple(name for name, _ in self.texts.systems))
        with open_engine(self.options.engine) as engine:
            plan = plan_stream(
                engine,
                self.texts,
                part_size=PART_SIZE if self.options.batch_size is None else self.options.batch_size,
                with_digests=self.options.resume is not None,
                progress=progress,
            )
            return self._score(engine, plan, metrics, progress)

    def _score(
        self, engine: Engine, plan: StreamPlan, metrics: Sequence[LabelledMetric], progress: Progress | None
    ) -> StreamedResult:
        self._check_test(plan.n_segments)
        first = plan.read_first()
        check_references(metrics, first.n_references)
        doubts = check_languages(first, metrics, self.request.resources.target)
        doubts += [doubt for each in metrics for doubt in each.doubts]
        evaluation, n_unused = stream_scores(
            engine, plan, metrics, self._scoring(plan), folder=self.options.resume, progress=progress
        )
        check_references(metrics, evaluation.n_references)
        return StreamedResult(self.request, first, evaluation, tuple(doubts), self._notes(n_unused))

    def _check_test(self, n_segments: int) -> None:
        if self.request.paired == "randomization" and n_segments >= POISSON_FROM:
            raise OptionError(
                f"--paired randomization needs the rows of all {n_segments:,} segments in memory;"
                " --paired bootstrap does not"
            )

    def _scoring(self, plan: StreamPlan) -> ScoringOptions:
        request, n_samples = self.request, 0
        if request.ci or request.paired or request.clusters:
            wanted = DEFAULT_SAMPLES["bootstrap"] if request.samples is None else request.samples
            options = bootstrap_options(n_samples=wanted, seed=request.seed, alpha=request.alpha)
            n_samples = options.n_drawn(len(plan.systems))
        return ScoringOptions(
            tokenizer=request.tokenizer,
            lowercase=request.lowercase,
            resources=request.resources,
            n_samples=n_samples,
            seed=request.seed,
            threads=self._threads(),
        )

    def _threads(self) -> int | None:
        """Let workers share the cores: each has one thread unless the user says otherwise."""
        if self.request.threads is None and self.options.engine.name != "local":
            return 1
        return self.request.threads

    def _notes(self, n_unused: int) -> tuple[str, ...]:
        if not n_unused:
            return ()
        folder = show_path(self.options.resume or "")
        files = "1 file" if n_unused == 1 else f"{n_unused:,} files"
        return (f"{files} in {folder} came from other inputs, options or versions, and stayed unused",)


def _plan(files: CorpusFiles) -> Plan:
    systems = [each for text in files.hypotheses for each in _expand(text)]
    references = [path for text in files.references for _, path in _expand(text)]
    return plan_texts(references, systems, files.source, columns=files.columns)


def _expand(argument: str) -> list[tuple[str | None, str]]:
    """Expand a pattern into files; but `NAME=PATTERN` is one text in many files."""
    name, path = split_system(argument)
    if name is not None and any(each in path for each in _WILDCARDS):
        return [(name, path)]
    return [split_system(each) for each in expand_paths([argument])]


def _name_folder(files: CorpusFiles) -> str | None:
    """Find a text that lies in many files, which are only read in parts."""
    for argument in (*files.references, *files.hypotheses):
        name, path = split_system(argument)
        if is_folder(path) or is_folder(path.rpartition("#")[0]):
            return f"the folder {show_path(path)}"
        if name is not None and any(each in path for each in _WILDCARDS):
            return f"the pattern {show_path(path)}"
    return None


def _find_obstacle(request: ScoreRequest, whole: Sequence[str]) -> str | None:
    """Find something that was asked for and needs the whole corpus in memory."""
    given = {
        "--by": request.by,
        "--where": request.where,
        "--resample": request.resample,
        "--scores": request.scores,
    }
    wanted = [*(name for name, value in given.items() if value), *whole]
    if wanted:
        return f"{wanted[0]} needs all of them in memory; leave one of the two out"
    vectors = request.resources.vectors
    if vectors is not None and not isinstance(vectors, (str, Path)):
        return "the vectors were made in Python; give the name of their file"
    return None


def _find_unstreamed(texts: Plan) -> str | None:
    """Find a file that cannot be read in parts."""
    for path in list_paths(texts):
        if path == STDIN or _is_pipe(path):
            return f"{'standard input' if path == STDIN else path} can be read only once; save it to a file first"
        if not is_streamed(path):
            return f"{show_path(path)} is read as a whole; give .txt, .tsv, .jsonl or .parquet files"
    return None


def _is_large(files: CorpusFiles) -> bool:
    """Whether the first reference has too many segments to keep; whatever is wrong with it is found later."""
    try:
        path = parse_address(expand_paths(files.references)[0]).path
        return path != STDIN and not _is_pipe(path) and is_streamed(path) and exceeds(path, POISSON_FROM - 1)
    except TertiumError:
        return False


def _is_pipe(path: str) -> bool:
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False  # whoever opens it says what is wrong
