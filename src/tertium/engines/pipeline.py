"""One way to score a corpus of any size: a plan of its parts, a job for each part, and one evaluation.

A corpus in memory is one part, or several that run in parallel on threads. Files can be cut into parts, which are
read and scored one by one, in parallel, or on a cluster. The parts, their order and the machines change no digit.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.catalog import LabelledMetric, match_texts
from tertium.corpus.texts.parts import (
    CorpusPart,
    FileSurvey,
    PartReader,
    cut_parts,
    list_paths,
    make_absolute,
    survey_file,
)
from tertium.corpus.texts.streaming import Plan
from tertium.engines.engine import Engine, LocalEngine, choose_batch_size, may_run_in_parallel, share_evenly
from tertium.engines.jobs import (
    Job,
    MetricRecipe,
    PartResult,
    absolute_resources,
    close_files,
    compute_part,
    count_in_references,
    fit_learnt,
    join_tables,
    learn_part,
    score_part,
    survey_path,
)
from tertium.errors import InputError, LostClusterError, OptionError, argument
from tertium.evaluation.evaluation import Evaluation, SystemTotals, fit_metrics, segments_at_once
from tertium.evaluation.resampling import choose_resampling
from tertium.evaluation.streaming import StreamedEvaluation, StreamedSums
from tertium.files.paths import file_size, show_path
from tertium.kernels.threads import threaded_map, use_threads
from tertium.metrics.base import Metric, ReferenceCounts, plain_metrics
from tertium.progress import report_progress
from tertium.records import record
from tertium.values import Corpus, FloatArray

if TYPE_CHECKING:
    from tertium.engines.checkpoints import Checkpoints

PART_SIZE = 100_000
"""Segments of a part of files, unless the user names another number."""

# Large enough that threads have work, small enough that a million segments are never tokenised at once.
_BATCH_SIZE = 50_000

# Segments that show the language of the texts and likely mistakes in them.
_SAMPLE_SIZE = 20_000

Receive = Callable[[CorpusPart, Sequence[FloatArray]], None]
"""Receives the segment scores of a part: (systems, segments) for each metric."""


@record(eq=False)
class ScoringPlan:
    """A corpus in memory or in files, and the parts in which it is scored."""

    texts: Corpus | Plan
    parts: Sequence[CorpusPart]
    surveys: Mapping[str, FileSurvey] = field(default_factory=dict)

    @property
    def n_segments(self) -> int:
        return sum(part.n_segments for part in self.parts)

    @property
    def systems(self) -> tuple[str, ...]:
        if isinstance(self.texts, Corpus):
            return tuple(self.texts.systems)
        return tuple(name for name, _ in self.texts.systems)

    @property
    def keeps_rows(self) -> bool:
        """Whether the statistics of every segment are kept: always in memory, and while the bootstrap needs them."""
        return isinstance(self.texts, Corpus) or choose_resampling(self.n_segments) == "index"

    def read_sample(self) -> Corpus:
        """Return the corpus in memory, or read the first segments of the files."""
        if isinstance(self.texts, Corpus):
            return self.texts
        reader = PartReader(self.texts, takes_columns=True)
        first = replace(self.parts[0], n_segments=min(_SAMPLE_SIZE, self.parts[0].n_segments))
        try:
            return next(corpus for _, corpus in reader.read(first, _SAMPLE_SIZE))
        finally:
            reader.close()

    def may_run_in_parallel(self, engine: Engine) -> bool:
        """Whether each thread of this process can read a part of its own."""
        return not engine.is_remote and all(survey.is_seekable for survey in self.surveys.values())


def plan_corpus(
    corpus: Corpus, metrics: Sequence[LabelledMetric], batch_size: int | None = None
) -> ScoringPlan:
    """Plan the scoring of a corpus in memory: one part, unless it is large.

    Parameters
    ----------
    batch_size
        Segments of a part. By default, parts run in parallel on threads where that is faster.
    """
    if not corpus.systems:
        raise InputError("no system to score: give at least one hypothesis")
    if batch_size is not None and batch_size < 1:
        raise OptionError(f"{argument('batch_size')} must be at least 1, not {batch_size}")
    kinds = [metric.metric for metric in metrics]
    size = choose_batch_size(len(corpus), kinds) if batch_size is None else None
    size = size or segments_at_once(kinds, batch_size or _BATCH_SIZE)
    starts = range(0, len(corpus), size)
    return ScoringPlan(
        corpus,
        [
            CorpusPart(number, first, min(size, len(corpus) - first), ())
            for number, first in enumerate(starts)
        ],
    )


def plan_files(
    engine: Engine, texts: Plan, *, part_size: int | None = None, with_digests: bool = False
) -> ScoringPlan:
    """Count the rows of all files, on the engine, and cut the corpus into parts.

    Parameters
    ----------
    part_size
        Segments of a part; by default about `PART_SIZE`, such that all threads have work to the end.
    with_digests
        Whether to compute checksums of the files, for checkpoints.
    """
    if part_size is not None and part_size < 1:
        raise OptionError(f"{argument('batch_size')} must be at least 1, not {part_size}")
    plan = make_absolute(texts) if engine.is_remote else texts
    paths, found = list_paths(plan), dict[str, FileSurvey]()
    for path in paths:
        if file_size(path) < 0:
            survey_file(path)  # raises with the reason
    survey = partial(survey_path, with_digest=with_digests)
    surveys = engine.map(survey, paths) if engine.is_remote else enumerate(threaded_map(survey, paths))
    for number, surveyed in surveys:
        found[paths[number]] = surveyed
        report_progress("counting segments", len(found), len(paths))
    whole = ScoringPlan(plan, cut_parts(plan, found, part_size or PART_SIZE), found)
    if part_size is not None or not whole.may_run_in_parallel(engine):
        return whole
    return replace(whole, parts=cut_parts(plan, found, share_evenly(whole.n_segments, PART_SIZE // 2)))


def evaluate(
    corpus: Corpus,
    metrics: Sequence[LabelledMetric],
    *,
    threads: int | None = None,
    batch_size: int | None = None,
) -> Evaluation:
    """Compute the statistics of every metric for every system of a corpus in memory.

    Parameters
    ----------
    batch_size
        Segments that are computed at once, on all threads. By default, batches may also run in parallel.
    """
    with use_threads(threads):
        plan = plan_corpus(corpus, metrics, batch_size)
        found, _ = compute_scores(
            LocalEngine(), plan, metrics, threads=threads, in_parallel=batch_size is None
        )
    assert isinstance(found, Evaluation)  # noqa: S101 - for mypy: a corpus in memory keeps its rows
    return found


def compute_scores(
    engine: Engine,
    plan: ScoringPlan,
    metrics: Sequence[LabelledMetric],
    *,
    recipe: MetricRecipe | None = None,
    n_samples: int = 0,
    seed: int = 0,
    threads: int | None = None,
    in_parallel: bool = True,
    folder: str | None = None,
    receive: Receive | None = None,
) -> tuple[SystemTotals, int]:
    """Compute the statistics of every metric, part by part.

    Parameters
    ----------
    recipe
        How workers build the metrics; by default from their labels alone.
    n_samples, seed
        Samples of the bootstrap; they are drawn now if the plan does not keep the statistics of every segment.
    threads
        Number of threads; a worker of a cluster has one by default.
    in_parallel
        Whether parts may run in parallel on the threads of this process.
    folder
        Keeps finished parts, which the same computation uses again.
    receive
        Called with the segment scores of each part, in order.

    Returns
    -------
    The evaluation, and the number of finished parts in the folder that belong to other computations.
    """
    if not metrics:
        raise OptionError("no metric to compute: name at least one")
    metrics = match_texts(metrics, plan.texts.available)
    recipe = recipe or MetricRecipe(labels=tuple(metric.label for metric in metrics))
    job = Job(
        texts=plan.texts,
        keeps_rows=plan.keeps_rows,
        keeps_scores=receive is not None,
        n_samples=0 if plan.keeps_rows else n_samples,
        seed=seed,
    )
    if engine.is_remote or folder is not None:
        job = _make_portable(job, plan, metrics, recipe, threads=threads or 1)
    checkpoints, total = None, _Total(plan, len(metrics))
    try:
        with use_threads(threads):
            job, fitted = _fit(engine, job, plan, metrics)
            if folder is not None and isinstance(plan.texts, Plan):
                from tertium.engines.checkpoints import open_checkpoints  # noqa: PLC0415 - few runs have them

                checkpoints = open_checkpoints(folder, job, plan.texts, plan.parts, plan.surveys)
            may_run = in_parallel and plan.may_run_in_parallel(engine)
            is_parallel = may_run and may_run_in_parallel([metric.metric for metric in fitted])
            compute = partial(_compute, engine, job, fitted, total.tick, is_parallel=is_parallel)
            for part, result in _compute_missing(
                compute, plan.parts, checkpoints, in_order=receive is not None
            ):
                total.add(part, result)
                if receive is not None:
                    receive(part, result.scores)
    except LostClusterError as error:
        advice = (
            f"finished parts are in {show_path(folder)}; run the same command again"
            if folder is not None
            else f"run the same command again, with {argument('resume', 'FOLDER')} to keep finished parts"
        )
        raise LostClusterError(f"{error}; {advice}") from None
    finally:
        close_files()
    return total.evaluation(fitted), 0 if checkpoints is None else checkpoints.n_unused


def _make_portable(
    job: Job, plan: ScoringPlan, metrics: Sequence[LabelledMetric], recipe: MetricRecipe, *, threads: int
) -> Job:
    """Add the facts that another process needs to compute the job, and the facts that identify its parts."""
    return replace(
        job,
        recipe=replace(recipe, resources=absolute_resources(recipe.resources), folder=str(Path.cwd())),
        signatures=tuple(metric.metric.signature((1, 1)) for metric in metrics),
        sizes={path: survey.size for path, survey in plan.surveys.items()},
        threads=threads,
        key=os.urandom(8).hex(),
    )


def _fit(
    engine: Engine, job: Job, plan: ScoringPlan, metrics: Sequence[LabelledMetric]
) -> tuple[Job, list[LabelledMetric]]:
    """Fit the metrics that learn from all references."""
    if isinstance(plan.texts, Corpus):
        return job, fit_metrics(metrics, plan.texts.references)
    for metric in metrics:
        _check_learns_in_parts(metric)
    if not any(type(metric.metric).learn is not Metric.learn for metric in metrics):
        return job, list(metrics)
    learn = partial(learn_part, job) if engine.is_remote else partial(count_in_references, job, metrics)
    merged, n_done = _CountMerger(), 0
    for number, learnt in engine.map(learn, plan.parts):
        merged.add(learnt)
        n_done += plan.parts[number].n_segments
        report_progress("reading references", n_done, plan.n_segments)
        if not learnt:
            break  # no metric needs counts with these options
    counts = merged.all()
    return replace(job, key=os.urandom(8).hex(), learnt=counts), fit_learnt(metrics, counts)


def _check_learns_in_parts(metric: LabelledMetric) -> None:
    if any(_learns_at_once(type(part)) for part in plain_metrics(metric.metric)):
        raise OptionError(
            f"{metric.label} learns from all references at once, so it cannot be computed in parts;"
            f" leave it out, or score fewer segments without {argument('engine')}, {argument('batch_size')}"
            f" and {argument('resume')}"
        )


def _learns_at_once(kind: type[Metric]) -> bool:
    return kind.fit is not Metric.fit and kind.learn is Metric.learn and not kind.fit_saves_work


class _CountMerger:
    """Merges the counts of parts as a binary counter does, so that large counts are merged rarely."""

    def __init__(self) -> None:
        self._levels: list[dict[str, ReferenceCounts] | None] = []

    def add(self, learnt: dict[str, ReferenceCounts]) -> None:
        for level, other in enumerate(self._levels):
            if other is None:
                self._levels[level] = learnt
                return
            learnt = {label: other[label].merge(counts) for label, counts in learnt.items()}
            self._levels[level] = None
        self._levels.append(learnt)

    def all(self) -> dict[str, ReferenceCounts]:
        total: dict[str, ReferenceCounts] = {}
        for learnt in filter(None, self._levels):
            total = {
                label: total[label].merge(counts) if total else counts for label, counts in learnt.items()
            }
        return total


def _compute(
    engine: Engine,
    job: Job,
    metrics: Sequence[LabelledMetric],
    tick: Callable[[], None],
    parts: Sequence[CorpusPart],
    *,
    is_parallel: bool,
) -> Iterator[tuple[int, PartResult]]:
    """Compute parts on workers, in parallel on threads, or one after the other; the numbers are places in `parts`."""
    if engine.is_remote:
        return engine.map(partial(score_part, job), parts)
    if is_parallel and len(parts) > 1:
        return enumerate(threaded_map(partial(_compute_alone, job, metrics), parts))
    # Parts of files have batches of their own, so only parts in memory count every step.
    steps = tick if isinstance(job.texts, Corpus) else None
    return engine.map(partial(compute_part, job, metrics, tick=steps), parts)


def _compute_alone(job: Job, metrics: Sequence[LabelledMetric], part: CorpusPart) -> PartResult:
    """Compute a part on a thread that may end afterwards, and close its files."""
    try:
        return compute_part(job, metrics, part)
    finally:
        close_files()


def _compute_missing(
    compute: Callable[[Sequence[CorpusPart]], Iterator[tuple[int, PartResult]]],
    parts: Sequence[CorpusPart],
    checkpoints: "Checkpoints | None",
    *,
    in_order: bool,
) -> Iterator[tuple[CorpusPart, PartResult]]:
    """Load finished parts and compute missing parts; return all results, in order if requested."""
    finished = (
        set() if checkpoints is None else {part.number for part in parts if checkpoints.has(part.number)}
    )
    missing = [part for part in parts if part.number not in finished]

    def computed() -> Iterator[tuple[CorpusPart, PartResult]]:
        for number, result in compute(missing):
            if checkpoints is not None:
                checkpoints.save(missing[number].number, result)
            yield missing[number], result

    results = computed()
    waiting: dict[int, PartResult] = {}
    for part in parts:
        if checkpoints is not None and part.number in finished:
            yield part, checkpoints.load(part.number)
        elif in_order:
            while part.number not in waiting:
                other, result = next(results)
                waiting[other.number] = result
            yield part, waiting.pop(part.number)
    yield from results


class _Total:
    """Joins the results of parts, and reports the progress: a step per part, system and metric."""

    def __init__(self, plan: ScoringPlan, n_metrics: int) -> None:
        self._systems = plan.systems
        self._steps_per_part = len(plan.systems) * n_metrics
        self._n_steps = self._steps_per_part * len(plan.parts)
        self._n_parts = self._n_done = 0
        self._n_references: list[int] = []
        self._widths: tuple[int, ...] = ()
        self._rows: dict[int, Sequence[FloatArray]] = {}
        self._sums: StreamedSums | None = None

    def tick(self) -> None:
        self._n_done += 1
        report_progress("scoring", self._n_done, self._n_steps)

    def add(self, part: CorpusPart, result: PartResult) -> None:
        self._widths = result.widths
        self._n_references += result.n_references
        if result.sums is None:
            self._rows[part.number] = result.rows
        elif self._sums is None:
            self._sums = result.sums
        else:
            self._sums.merge(result.sums)
        self._n_parts += 1
        while self._n_done < self._n_parts * self._steps_per_part:
            self.tick()

    def evaluation(self, metrics: Sequence[LabelledMetric]) -> Evaluation | StreamedEvaluation:
        n_references = min(self._n_references), max(self._n_references)
        labels = [metric.label for metric in metrics]
        if self._sums is not None:
            widths = dict(zip(labels, self._widths, strict=True))
            return StreamedEvaluation(self._systems, tuple(metrics), widths, self._sums, n_references)
        tables = join_tables([self._rows[number] for number in sorted(self._rows)])
        return Evaluation(self._systems, tuple(metrics), dict(zip(labels, tables, strict=True)), n_references)
