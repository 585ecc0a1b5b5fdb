"""Jobs that score the parts of a corpus, in this process or on a worker, and their results."""

import io
import platform
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self

import numpy as np

import tertium
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice
from tertium.corpus.texts.parts import CorpusPart, FileSurvey, PartReader, survey_file
from tertium.corpus.texts.streaming import Plan
from tertium.errors import InputError, ResourceError
from tertium.evaluation.statistics import SegmentBatch, compute_statistics, segments_at_once
from tertium.evaluation.streaming import StreamedSums
from tertium.files.paths import exists, file_size, show_path
from tertium.kernels import use_threads
from tertium.metrics.base import ReferenceCounts
from tertium.text import References
from tertium.types import Corpus, FloatArray


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """How parts are computed.

    Attributes
    ----------
    key
        Tells this job from others, so that a process opens files and resources once for all its parts.
    sizes
        The bytes of each file, as whoever planned the job sees it.
    signatures
        The metrics' signatures there: a worker with other resources must not take part.
    vectors_for
        The language whose vectors serve, because the first segments look like it.
    learnt
        What metrics have counted in all references, by label.
    keeps_rows
        Whether a part's rows are returned, or only their sums.
    n_samples, seed
        Of the Poisson bootstrap; 0 samples for none.
    """

    key: str
    plan: Plan
    sizes: Mapping[str, int]
    labels: tuple[str, ...]
    tokenizer: str | None
    lowercase: bool
    resources: ResourceChoice
    signatures: tuple[str, ...]
    vectors_for: str | None = None
    learnt: Mapping[str, ReferenceCounts] = field(default_factory=dict)
    keeps_rows: bool = True
    keeps_scores: bool = False
    n_samples: int = 0
    seed: int = 0
    threads: int | None = None
    version: str = tertium.__version__

    def make_metrics(self) -> list[LabelledMetric]:
        """Build the metrics, with their resources."""
        maker = MetricMaker(self.resources, tokenizer=self.tokenizer, lowercase=self.lowercase)
        made = maker.make_all(self.labels)
        return made if self.vectors_for is None else maker.with_vectors_for(made, self.vectors_for)


def absolute_resources(choice: ResourceChoice) -> ResourceChoice:
    """Name the files of resources by their absolute paths, for processes that work in another folder."""

    def fix(value: Any) -> Any:
        is_path = isinstance(value, (str, Path)) and exists(value)
        return str(Path(value).absolute()) if is_path else value

    changes: dict[str, Any] = {
        name: tuple(map(fix, choice.trees)) if name == "trees" else fix(getattr(choice, name))
        for name in choice.named
    }
    return replace(choice, **changes)


def remember_metrics(job: Job, metrics: Sequence[LabelledMetric]) -> None:
    """Spare this process the making of metrics that it has made already."""
    _made.clear()
    _made[job.key] = list(metrics)


# The metrics of the job that this process works on; every thread has its own open files.
_made: dict[str, list[LabelledMetric]] = {}
_lock = threading.Lock()
_own = threading.local()


def metrics_of(job: Job) -> list[LabelledMetric]:
    """Give the job's metrics, which this process makes once, after it has made sure that it sees what the driver sees."""
    with _lock:
        if job.key not in _made:
            _check_worker(job)
            remember_metrics(job, _fit(job, job.make_metrics()))
        return _made[job.key]


def _fit(job: Job, metrics: Sequence[LabelledMetric]) -> list[LabelledMetric]:
    found = tuple(each.metric.signature((1, 1)) for each in metrics)
    for ours, theirs in zip(found, job.signatures, strict=True):
        if ours != theirs:
            raise ResourceError(
                f"worker {platform.node()} has other resources: it would compute {ours}, not {theirs};"
                " install the same packages and files everywhere"
            )
    return [
        replace(each, metric=each.metric.fit_learnt(job.learnt[each.label]))
        if each.label in job.learnt
        else each
        for each in metrics
    ]


def _check_worker(job: Job) -> None:
    if tertium.__version__ != job.version:
        raise ResourceError(
            f"worker {platform.node()} has Tertium {tertium.__version__}, but this is {job.version};"
            " install the same version everywhere"
        )
    for path, size in job.sizes.items():
        if (found := file_size(path)) < 0:
            raise unseen(path)
        if found != size:
            raise InputError(
                f"worker {platform.node()} sees another {show_path(path)}: it has {found:,} bytes, not {size:,};"
                " put the files where all machines see the same"
            )


def unseen(path: str) -> InputError:
    """Say that this worker does not see a file."""
    return InputError(
        f"worker {platform.node()} sees no file {show_path(path)};"
        " put the files where all machines see them under the same path"
    )


@contextmanager
def reader_of(job: Job) -> Iterator[PartReader]:
    """Give this thread's reader of the job's files; if something goes wrong, the next part opens them anew."""
    known: tuple[Job, PartReader] | None = getattr(_own, "reader", None)
    if known is None or known[0].plan != job.plan:
        close_files()
        _own.reader = job, PartReader(job.plan)
    try:
        yield _own.reader[1]
    except BaseException:
        close_files()
        raise


def close_files() -> None:
    """Close the files that this thread has open."""
    with suppress(AttributeError):
        _own.reader[1].close()
        del _own.reader


_MAGIC = b"tertium-part-1\n"
_SUM_SIZE = 16
_START = len(_MAGIC) + _SUM_SIZE


@dataclass(frozen=True, eq=False)
class PartResult:
    """The statistics of a part.

    Attributes
    ----------
    n_references
        The smallest and the largest number of references of a segment.
    widths
        Each metric's number of statistics.
    sums
        None if the rows were kept.
    rows
        For each metric a table (systems, segments, k); none if they were summed.
    scores
        For each metric the segments' scores (systems, segments), if they were asked for.
    """

    n_references: tuple[int, int]
    widths: tuple[int, ...]
    sums: StreamedSums | None = None
    rows: Sequence[FloatArray] = ()
    scores: Sequence[FloatArray] = ()

    def to_bytes(self) -> bytes:
        """Write the result down, with a checksum."""
        stream = io.BytesIO()
        arrays: dict[str, Any] = {f"rows{i}": each for i, each in enumerate(self.rows)}
        arrays |= {f"scores{i}": each for i, each in enumerate(self.scores)}
        np.savez(
            stream,
            n_references=np.array(self.n_references),
            widths=np.array(self.widths),
            sums=np.frombuffer(b"" if self.sums is None else self.sums.to_bytes(), np.uint8),
            **arrays,
        )
        content = stream.getvalue()
        return _MAGIC + _digest(content) + content

    @classmethod
    def from_bytes(cls, saved: bytes) -> Self:
        """Read what `to_bytes` wrote.

        Raises
        ------
        InputError
            If a byte is missing or changed.
        """
        if not is_sound(saved):
            raise InputError("a result is damaged; it must be computed again")
        with np.load(io.BytesIO(saved[_START:]), allow_pickle=False) as arrays:
            low, high = arrays["n_references"].tolist()
            widths = tuple(arrays["widths"].tolist())
            tables = {
                kind: [arrays[f"{kind}{i}"] for i in range(len(widths)) if f"{kind}{i}" in arrays]
                for kind in ("rows", "scores")
            }
            sums = arrays["sums"].tobytes()
            return cls((low, high), widths, StreamedSums.from_bytes(sums) if sums else None, **tables)


def is_sound(saved: bytes) -> bool:
    """Whether these are the bytes of a result, all of them and unchanged."""
    return saved.startswith(_MAGIC) and saved[len(_MAGIC) : _START] == _digest(saved[_START:])


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_SUM_SIZE).digest()


# Segments that are tokenised at once.
_BATCH_SIZE = 20_000


def survey_path(path: str, *, with_digest: bool) -> FileSurvey:
    """Count a file's rows, wherever this is called."""
    if file_size(path) < 0:
        raise unseen(path)
    return survey_file(path, with_digest=with_digest)


def learn_part(job: Job, part: CorpusPart) -> dict[str, ReferenceCounts]:
    """Count what metrics must know of all references, in one part of them."""
    learnt: dict[str, ReferenceCounts] = {}
    metrics = metrics_of(job)
    of_references = replace(job, plan=replace(job.plan, systems=[], source=None))
    with use_threads(job.threads):
        for _, corpus in _read(of_references, part, _BATCH_SIZE):
            references = References(corpus.references)
            for each in metrics:
                if (found := each.metric.learn(references)) is not None:
                    before = learnt.get(each.label)
                    learnt[each.label] = found if before is None else before.merge(found)
    return learnt


def score_part(job: Job, part: CorpusPart) -> PartResult:
    """Compute the statistics of one part: the same on any machine."""
    metrics = metrics_of(job)
    collected = _StatisticsCollector(job, metrics)
    size = segments_at_once([each.metric for each in metrics], _BATCH_SIZE)
    with use_threads(job.threads):
        for first, corpus in _read(job, part, size):
            collected.add(first, corpus)
    return collected.result()


def score_part_alone(job: Job, part: CorpusPart) -> PartResult:
    """Do the same on a thread that ends soon, and leave no file open there."""
    try:
        return score_part(job, part)
    finally:
        close_files()


def _read(job: Job, part: CorpusPart, size: int) -> Iterator[tuple[int, Corpus]]:
    with reader_of(job) as reader:
        batches = reader.read(part, size)
        yield from batches if job.threads == 1 else _read_ahead(batches)


def _read_ahead(batches: Iterator[tuple[int, Corpus]]) -> Iterator[tuple[int, Corpus]]:
    """Let a thread of its own read the next batch while the one before is computed."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - small corpora need none

    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch


class _StatisticsCollector:
    """Sums or keeps the statistics of a part's batches."""

    def __init__(self, job: Job, metrics: Sequence[LabelledMetric]) -> None:
        self._job, self._metrics = job, [each.metric for each in metrics]
        self._sums: StreamedSums | None = None
        self._rows: list[list[FloatArray]] = []
        self._scores: list[list[FloatArray]] = []
        self._widths: tuple[int, ...] = ()
        self._n_references: list[int] = []

    def add(self, first: int, corpus: Corpus) -> None:
        """Compute a batch, whose first segment has this number."""
        tables = compute_statistics(
            SegmentBatch(corpus.references, list(corpus.systems.values())), self._metrics
        )
        self._widths = tuple(table.shape[2] for table in tables)
        self._n_references += corpus.n_references
        if self._job.keeps_rows:
            self._rows.append(tables)
        else:
            self._sum(first, len(corpus.systems), tables)
        if self._job.keeps_scores:
            scored = zip(self._metrics, tables, strict=True)
            self._scores.append([metric.segment_scores(table) for metric, table in scored])

    def _sum(self, first: int, n_systems: int, tables: Sequence[FloatArray]) -> None:
        if self._sums is None:
            n_columns = n_systems * sum(self._widths)
            self._sums = StreamedSums(n_columns, n_samples=self._job.n_samples, seed=self._job.seed)
        self._sums.add(first, tables)

    def result(self) -> PartResult:
        """Put all batches together."""
        return PartResult(
            (min(self._n_references), max(self._n_references)),
            self._widths,
            self._sums,
            _join(self._rows),
            _join(self._scores),
        )


def _join(batches: Sequence[Sequence[FloatArray]]) -> list[FloatArray]:
    """Join each metric's tables along the segments."""
    return [np.concatenate(tables, axis=1) for tables in zip(*batches, strict=True)]
