"""Scores a corpus of any size part by part, on any engine: the same digits for any parts, order or machines."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path

import numpy as np

from tertium.catalog import LabelledMetric, ResourceChoice
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
from tertium.engines.engine import Engine
from tertium.engines.jobs import (
    Job,
    PartResult,
    absolute_resources,
    close_files,
    is_sound,
    learn_part,
    remember_metrics,
    score_part,
    score_part_alone,
    survey_path,
)
from tertium.engines.local import may_run_in_parallel, share_evenly
from tertium.errors import InputError, OptionError
from tertium.evaluation.resampling import POISSON_FROM
from tertium.evaluation.statistics import Evaluation
from tertium.evaluation.streaming import StreamedEvaluation, StreamedSums
from tertium.files.paths import file_size, list_folder, show_path
from tertium.files.writing import write_atomically
from tertium.kernels import use_threads
from tertium.kernels.threads import threaded_map
from tertium.metrics.base import Metric, ReferenceCounts
from tertium.progress import report_progress
from tertium.types import Corpus, FloatArray

PART_SIZE = 100_000
"""Segments of a part: what a worker gets at once, and what is lost if it dies."""

_FIRST_BATCH = 20_000


@dataclass(frozen=True, eq=False)
class StreamPlan:
    """Files that were looked at, and the parts into which their corpus is cut."""

    texts: Plan
    surveys: Mapping[str, FileSurvey]
    parts: Sequence[CorpusPart]

    @property
    def n_segments(self) -> int:
        return sum(part.n_segments for part in self.parts)

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.texts.systems)

    def may_run_in_parallel(self, engine: Engine) -> bool:
        """Whether threads of this process can each read a part of their own."""
        return not engine.is_remote and all(survey.is_seekable for survey in self.surveys.values())

    def read_first(self) -> Corpus:
        """Read the first segments, which show what kind of text this is."""
        reader = PartReader(self.texts)
        first = replace(self.parts[0], n_segments=min(_FIRST_BATCH, self.parts[0].n_segments))
        try:
            return next(corpus for _, corpus in reader.read(first, _FIRST_BATCH))
        finally:
            reader.close()


def plan_stream(
    engine: Engine,
    texts: Plan,
    *,
    part_size: int | None = None,
    with_digests: bool = False,
) -> StreamPlan:
    """Count the rows of all files, on the engine, and cut the corpus into parts.

    Parameters
    ----------
    part_size
        Without it, `PART_SIZE` or a little less, so that all threads have work to the end.
    """
    if part_size is not None and part_size < 1:
        raise OptionError(f"batch_size must be at least 1, not {part_size}")
    plan = make_absolute(texts) if engine.is_remote else texts
    paths, found = list_paths(plan), dict[str, FileSurvey]()
    for path in paths:
        if file_size(path) < 0:
            survey_file(path)  # which says why not
    look_at = partial(survey_path, with_digest=with_digests)
    surveys = engine.map(look_at, paths) if engine.is_remote else enumerate(threaded_map(look_at, paths))
    for number, survey in surveys:
        found[paths[number]] = survey
        report_progress("counting segments", len(found), len(paths))
    whole = StreamPlan(plan, found, cut_parts(plan, found, part_size or PART_SIZE))
    if part_size is not None or not whole.may_run_in_parallel(engine):
        return whole
    return replace(whole, parts=cut_parts(plan, found, share_evenly(whole.n_segments, PART_SIZE // 2)))


_SUFFIX = ".part"


@dataclass(frozen=True)
class Checkpoints:
    """Finished parts by name; a name says what was computed from which bytes, so that nothing is mixed up.

    Attributes
    ----------
    names
        The file's name for each part of this run.
    """

    folder: Path
    names: Sequence[str]
    unused: int = field(default=0)
    """How many finished parts in the folder belong to other inputs, options or versions."""

    def has(self, number: int) -> bool:
        """Whether a part is finished; one whose file is damaged is not, and will be replaced."""
        try:
            return is_sound((self.folder / self.names[number]).read_bytes())
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._unreadable(number, error) from None

    def load(self, number: int) -> PartResult:
        """Read a finished part."""
        try:
            return PartResult.from_bytes((self.folder / self.names[number]).read_bytes())
        except OSError as error:
            raise self._unreadable(number, error) from None

    def _unreadable(self, number: int, error: OSError) -> InputError:
        path = show_path(self.folder / self.names[number])
        return InputError(f"{path} cannot be read: {error.strerror or error}; check its mode, or remove it")

    def save(self, number: int, result: PartResult) -> None:
        """Write a finished part, whole or not at all."""
        with write_atomically(self.folder / self.names[number], InputError) as temporary:
            temporary.write_bytes(result.to_bytes())


def open_checkpoints(
    folder: str, job: Job, parts: Sequence[CorpusPart], surveys: Mapping[str, FileSurvey]
) -> Checkpoints:
    """Open a folder of finished parts, which need not exist yet, for the parts of one job."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {show_path(folder)}: {error.strerror or error}") from None
    names = _name_parts(job, parts, surveys)
    known = frozenset(names)
    there = [each.name for each in list_folder(path) if each.suffix == _SUFFIX]
    return Checkpoints(path, names, sum(name not in known for name in there))


def _name_parts(job: Job, parts: Sequence[CorpusPart], surveys: Mapping[str, FileSurvey]) -> list[str]:
    common = _digest(_describe(job, surveys).encode())
    return [_name_part(common, job, part, surveys) for part in parts]


def _name_part(common: bytes, job: Job, part: CorpusPart, surveys: Mapping[str, FileSurvey]) -> str:
    """Name a part by the bytes of its files, its place in them, and all that its numbers depend on."""
    shards = {each.address.path: each for each in job.plan.shards.values()}
    places = [(surveys[shards[place.address].paths[place.shard]].digest, place.row) for place in part.places]
    content = json.dumps([places, part.first, part.n_segments]).encode()
    return f"{part.first:012d}-{_digest(common + content).hex()}{_SUFFIX}"


def _describe(job: Job, surveys: Mapping[str, FileSurvey]) -> str:
    plan, number_of = job.plan, {each.address.path: i for i, each in enumerate(job.plan.shards.values())}
    columns = [
        (number_of[plan.shards[text].address.path], plan.shards[text].address.column) for text in plan.texts
    ]
    facts = {
        "version": job.version,
        "roles": [len(plan.references), plan.source is not None, len(plan.systems)],
        "columns": columns,
        "signatures": job.signatures,
        # what is learnt depends on all references, not only on a part's
        "learnt from": _reference_digests(job, surveys) if job.learnt else [],
        "keeps": [job.keeps_rows, job.keeps_scores],
        "samples": [job.n_samples, job.seed],
    }
    return json.dumps(facts)


def _reference_digests(job: Job, surveys: Mapping[str, FileSurvey]) -> list[str]:
    return [surveys[path].digest for text in job.plan.references for path in job.plan.shards[text].paths]


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()


Receive = Callable[[CorpusPart, Sequence[FloatArray]], None]
Compute = Callable[[Sequence[CorpusPart]], Iterator[tuple[int, PartResult]]]


@dataclass(frozen=True, kw_only=True)
class ScoringOptions:
    """What is computed of a stream; see `Job`."""

    tokenizer: str | None = None
    lowercase: bool = False
    resources: ResourceChoice = field(default_factory=ResourceChoice)
    vectors_for: str | None = None
    n_samples: int = 0
    seed: int = 0
    threads: int | None = None


def stream_scores(
    engine: Engine,
    plan: StreamPlan,
    metrics: Sequence[LabelledMetric],
    options: ScoringOptions,
    *,
    folder: str | None = None,
    receive: Receive | None = None,
) -> tuple[Evaluation | StreamedEvaluation, int]:
    """Compute every metric's statistics, part by part.

    Below `POISSON_FROM` segments all rows are kept, and the result is that of `evaluate`; from there on only
    sums, and if `n_samples` is not 0, those of a Poisson bootstrap.

    Parameters
    ----------
    folder
        Where finished parts are kept and found again.
    receive
        Called with the segments' scores of each part, in order: for each metric (systems, segments).

    Returns
    -------
    The evaluation, and the number of finished parts in the folder that belong to something else.
    """
    keeps_rows = plan.n_segments < POISSON_FROM
    job = Job(
        key=os.urandom(8).hex(),
        plan=plan.texts,
        sizes={path: survey.size for path, survey in plan.surveys.items()},
        labels=tuple(each.label for each in metrics),
        signatures=tuple(each.metric.signature((1, 1)) for each in metrics),
        keeps_rows=keeps_rows,
        keeps_scores=receive is not None,
        **{
            **vars(options),
            "n_samples": 0 if keeps_rows else options.n_samples,
            "resources": absolute_resources(options.resources) if engine.is_remote else options.resources,
        },
    )
    try:
        job, fitted = _fit(engine, job, plan, metrics)
        remember_metrics(job, fitted)
        checkpoints = None if folder is None else open_checkpoints(folder, job, plan.parts, plan.surveys)
        is_parallel = plan.may_run_in_parallel(engine) and may_run_in_parallel(
            [each.metric for each in fitted]
        )
        compute = partial(_compute_in_parallel, job) if is_parallel else partial(_compute_on, engine, job)
        results = _score(compute, job, plan.parts, checkpoints)
        total = _Total(plan, fitted)
        for part, result in results:
            total.add(part, result)
            if receive is not None:
                receive(part, result.scores)
            report_progress("scoring", total.n_done, plan.n_segments)
    finally:
        close_files()
    return total.evaluation(), 0 if checkpoints is None else checkpoints.unused


def _fit(
    engine: Engine,
    job: Job,
    plan: StreamPlan,
    metrics: Sequence[LabelledMetric],
) -> tuple[Job, list[LabelledMetric]]:
    """Make the pass over all references that some metrics need."""
    for each in metrics:
        _check_streams(each)
    remember_metrics(job, metrics)
    if not any(type(each.metric).learn is not Metric.learn for each in metrics):
        return job, list(metrics)
    merged, n_done = _CountMerger(), 0
    for number, learnt in engine.map(partial(learn_part, job), plan.parts):
        merged.add(learnt)
        n_done += plan.parts[number].n_segments
        report_progress("reading references", n_done, plan.n_segments)
        if not learnt:
            break  # the metrics' options ask for nothing
    learnt = merged.all()
    fitted = [
        replace(each, metric=each.metric.fit_learnt(learnt[each.label])) if each.label in learnt else each
        for each in metrics
    ]
    return replace(job, key=os.urandom(8).hex(), learnt=learnt), fitted


def _check_streams(each: LabelledMetric) -> None:
    kind = type(each.metric)
    if kind.fit is not Metric.fit and kind.learn is Metric.learn and not kind.fit_saves_work:
        raise OptionError(
            f"{each.label} learns from all references at once, so it cannot be computed in parts;"
            " leave it out, or score fewer segments on this machine without --engine and --resume"
        )


class _CountMerger:
    """Merges what parts have learnt: small counts with small ones, so that large ones are seldom touched."""

    def __init__(self) -> None:
        self._levels: list[dict[str, ReferenceCounts] | None] = []

    def add(self, learnt: dict[str, ReferenceCounts]) -> None:
        for level, other in enumerate(self._levels):
            if other is None:
                self._levels[level] = learnt
                return
            learnt = {label: other[label].merge(each) for label, each in learnt.items()}
            self._levels[level] = None
        self._levels.append(learnt)

    def all(self) -> dict[str, ReferenceCounts]:
        total: dict[str, ReferenceCounts] = {}
        for learnt in filter(None, self._levels):
            total = {label: total[label].merge(each) if total else each for label, each in learnt.items()}
        return total


def _score(
    compute: Compute, job: Job, parts: Sequence[CorpusPart], checkpoints: Checkpoints | None
) -> Iterator[tuple[CorpusPart, PartResult]]:
    """Give the results of all parts, those that are finished first; or in order, if segments' scores are wanted."""
    finished = [] if checkpoints is None else [part for part in parts if checkpoints.has(part.number)]
    known = {part.number for part in finished}
    missing = [part for part in parts if part.number not in known]
    loaded = ((part, checkpoints.load(part.number)) for part in finished if checkpoints is not None)
    computed = _compute(compute, missing, checkpoints)
    if not job.keeps_scores:
        yield from loaded
        yield from computed
        return
    waiting: dict[int, PartResult] = {}
    for part in parts:
        source = loaded if part.number in known else computed
        while part.number not in waiting:
            other, result = next(source)
            waiting[other.number] = result
        yield part, waiting.pop(part.number)


def _compute_on(engine: Engine, job: Job, parts: Sequence[CorpusPart]) -> Iterator[tuple[int, PartResult]]:
    return engine.map(partial(score_part, job), parts)


def _compute_in_parallel(job: Job, parts: Sequence[CorpusPart]) -> Iterator[tuple[int, PartResult]]:
    with use_threads(job.threads):
        yield from enumerate(threaded_map(partial(score_part_alone, replace(job, threads=1)), parts))


def _compute(
    compute: Compute, parts: Sequence[CorpusPart], checkpoints: Checkpoints | None
) -> Iterator[tuple[CorpusPart, PartResult]]:
    for number, result in compute(parts):
        if checkpoints is not None:
            checkpoints.save(parts[number].number, result)
        yield parts[number], result


class _Total:
    """Puts the results of parts together."""

    def __init__(self, plan: StreamPlan, metrics: Sequence[LabelledMetric]) -> None:
        self._systems, self._metrics = plan.systems, tuple(metrics)
        self._n_references: list[int] = []
        self._widths: tuple[int, ...] = ()
        self._rows: dict[int, Sequence[FloatArray]] = {}
        self._sums: StreamedSums | None = None
        self.n_done = 0

    def add(self, part: CorpusPart, result: PartResult) -> None:
        self.n_done += part.n_segments
        self._widths = result.widths
        self._n_references += result.n_references
        if result.sums is None:
            self._rows[part.number] = result.rows
        elif self._sums is None:
            self._sums = result.sums
        else:
            self._sums.merge(result.sums)

    def evaluation(self) -> Evaluation | StreamedEvaluation:
        n_references = min(self._n_references), max(self._n_references)
        labels = [each.label for each in self._metrics]
        if self._sums is not None:
            widths = dict(zip(labels, self._widths, strict=True))
            return StreamedEvaluation(self._systems, self._metrics, widths, self._sums, n_references)
        parts = [self._rows[number] for number in sorted(self._rows)]
        tables = {
            label: np.concatenate([part[i] for part in parts], axis=1) for i, label in enumerate(labels)
        }
        return Evaluation(self._systems, self._metrics, tables, n_references)
