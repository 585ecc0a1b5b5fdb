"""Score files of any size: in memory if they are small, and part by part, here or on a cluster, if not."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from tertium.api.results import Progress
from tertium.api.score import ScoreRequest, ScoreResult, check_references, find_warnings
from tertium.api.scored import CLUSTERS_UNASKED, ScoredSums, View
from tertium.api.stream_inputs import find_obstacle, find_unstreamed, is_large, name_folder, plan_files
from tertium.catalog import LabelledMetric, MetricMaker, split_labels
from tertium.catalog.choice import check_languages
from tertium.corpus import CorpusFiles
from tertium.corpus.texts.parts import CorpusPart
from tertium.corpus.texts.streaming import Plan
from tertium.engines.engine import EngineChoice, open_engine
from tertium.engines.streamed import PART_SIZE, ScoringOptions, StreamPlan, plan_stream, stream_scores
from tertium.errors import OptionError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import DEFAULT_SAMPLES, Comparison, compare
from tertium.evaluation.resampling import POISSON_FROM
from tertium.evaluation.streaming import StreamedEvaluation, bootstrap_options
from tertium.files.paths import is_folder, show_path
from tertium.kernels import use_threads
from tertium.report.segment_files import SegmentWriter, make_writer
from tertium.stats.significance import PairedTest
from tertium.types import Corpus, FloatArray

__all__ = ["SegmentFile", "StreamOptions", "StreamedResult", "score_files"]


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


@dataclass(frozen=True)
class SegmentFile:
    """Where every segment's score goes as soon as it is known: a file in one of `SEGMENT_FORMATS`."""

    form: str
    path: str

    @contextmanager
    def open(self, systems: Sequence[str], metrics: Sequence[LabelledMetric]) -> Iterator[SegmentWriter]:
        """Begin to write; `finish` must be called in the end."""
        folder = Path(self.path).resolve().parent
        labels = [each.label for each in metrics]
        with make_writer(self.form, systems, labels, folder if is_folder(folder) else None) as writer:
            yield writer


def score_files(
    request: ScoreRequest,
    options: StreamOptions,
    *,
    segments: SegmentFile | None = None,
    whole: Sequence[str] = (),
    progress: Progress | None = None,
) -> ScoreResult | StreamedResult:
    """Score as `request.run` does; in parts if the files are large or the options ask for it.

    Parameters
    ----------
    segments
        Where to write every segment's score.
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
        return _run_in_memory(request, segments, progress)
    reason = options.reason or name_folder(request.corpus)
    obstacle = find_obstacle(request, whole)
    if reason is None and (obstacle is not None or not is_large(request.corpus)):
        return _run_in_memory(request, segments, progress)
    texts = plan_files(request.corpus)
    obstacle = obstacle or find_unstreamed(texts)
    if obstacle is not None:
        if reason is None:
            return _run_in_memory(request, segments, progress)
        raise OptionError(f"{reason} goes through the texts in parts, but {obstacle}")
    return _Streaming(request, options, texts, segments).run(progress)


def _run_in_memory(
    request: ScoreRequest, segments: SegmentFile | None, progress: Progress | None
) -> ScoreResult:
    result = request.run(progress)
    if segments is not None:
        found = result.evaluation
        with segments.open(found.systems, found.metrics) as writer:
            scores = [found.segment_scores(each.label) for each in found.metrics]
            writer.add(0, _scale(scores, found.metrics, request.scale))
            writer.finish(result.table.systems, Path(segments.path))
    return result


def _scale(
    scores: Sequence[FloatArray], metrics: Sequence[LabelledMetric], scale: int
) -> list[list[list[float]]]:
    factors = [scale / 100 if each.metric.bounded else 1.0 for each in metrics]
    return [(each * factor).tolist() for each, factor in zip(scores, factors, strict=True)]


@dataclass(frozen=True)
class _Streaming:
    """One request that is computed in parts."""

    request: ScoreRequest
    options: StreamOptions
    texts: Plan
    segments: SegmentFile | None = None

    def run(self, progress: Progress | None) -> StreamedResult:
        request = self.request
        maker = MetricMaker(request.resources, tokenizer=request.tokenizer, lowercase=request.lowercase)
        metrics = maker.make_all(split_labels(request.metrics))
        request.check_sort([each.label for each in metrics])
        request.check_systems(tuple(name for name, _ in self.texts.systems))
        with open_engine(self.options.engine) as engine, use_threads(request.threads):
            plan = plan_stream(
                engine,
                self.texts,
                part_size=self.options.batch_size or (PART_SIZE if self.options.resume is not None else None),
                with_digests=self.options.resume is not None,
                progress=progress,
            )
            self._check_test(plan.n_segments)
            first = plan.read_first()
            language = maker.guess_vectors(metrics, first)
            metrics, doubts = maker.choose_vectors(metrics, first)
            options = replace(self._scoring(plan), vectors_for=language)
            compute = partial(stream_scores, engine, plan, metrics, options)
            return self._score(compute, plan, metrics, first, doubts, progress)

    def _score(
        self,
        compute: Callable[..., tuple[Evaluation | StreamedEvaluation, int]],
        plan: StreamPlan,
        metrics: Sequence[LabelledMetric],
        first: Corpus,
        doubts: list[str],
        progress: Progress | None,
    ) -> StreamedResult:
        check_references(metrics, first.n_references)
        doubts = doubts + check_languages(first, metrics, self.request.resources.target)
        doubts += [doubt for each in metrics for doubt in each.warnings]
        compute = partial(compute, folder=self.options.resume, progress=progress)
        if self.segments is None:
            return self._make_result(metrics, first, doubts, *compute())
        with self.segments.open(plan.systems, metrics) as writer:

            def receive(part: CorpusPart, scores: Sequence[FloatArray]) -> None:
                writer.add(part.first, _scale(scores, metrics, self.request.scale))

            result = self._make_result(metrics, first, doubts, *compute(receive=receive))
            writer.finish(result.table.systems, Path(self.segments.path))
            return result

    def _make_result(
        self,
        metrics: Sequence[LabelledMetric],
        first: Corpus,
        doubts: Sequence[str],
        evaluation: Evaluation | StreamedEvaluation,
        n_unused: int,
    ) -> StreamedResult:
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
        is_quick = plan.n_segments <= CLUSTERS_UNASKED
        wants_clusters = is_quick if request.clusters is None else request.clusters
        if request.ci or request.paired or request.full or wants_clusters:
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
