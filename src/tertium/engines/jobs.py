"""Jobs that compute the statistics of the parts of a corpus, in this process or on a worker, and their results."""

import io
import platform
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

import tertium
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, match_texts
from tertium.catalog.finding import make_absolute
from tertium.corpus.texts.parts import CorpusPart, FileSurvey, PartReader, survey_file
from tertium.corpus.texts.streaming import Plan
from tertium.errors import InputError, ResourceError
from tertium.evaluation.evaluation import SegmentBatch, compute_statistics, segments_at_once
from tertium.evaluation.gaps import drop_partial
from tertium.evaluation.streaming import StreamedSums
from tertium.files.paths import exists, file_size, show_path
from tertium.kernels.threads import n_threads, use_threads
from tertium.metrics.base import Metric, ReferenceCounts
from tertium.records import record
from tertium.text import References
from tertium.values import Corpus, FloatArray, TextKind, count_references

# Segments that are read from files and tokenised at once.
_BATCH_SIZE = 20_000


@record(kw_only=True)
class MetricRecipe:
    """How a worker builds the metrics of the process that planned the job.

    Attributes
    ----------
    vectors_for
        The language of the word vectors, if it was detected in the references.
    folder
        The folder of that process, from which the paths in labels start.
    """

    labels: tuple[str, ...]
    tokenizer: str | None = None
    lowercase: bool = False
    resources: ResourceChoice = field(default_factory=ResourceChoice)
    vectors_for: str | None = None
    folder: str = ""

    def make(self, available: frozenset[TextKind]) -> list[LabelledMetric]:
        """Build the metrics with their resources, for the kinds of texts that are there."""
        tokenizer = None if self.tokenizer is None else make_absolute(self.tokenizer, self.folder)
        maker = MetricMaker(self.resources, tokenizer=tokenizer, lowercase=self.lowercase)
        labels = [make_absolute(label, self.folder) for label in self.labels]
        made, _ = maker.with_vectors_for(maker.make_all(labels), self.vectors_for)
        named = [replace(metric, label=label) for metric, label in zip(made, self.labels, strict=True)]
        return match_texts(named, available)


@record(kw_only=True, eq=False)
class Job:
    """The computation for each part of a corpus.

    Attributes
    ----------
    texts
        The corpus in memory, or its files.
    keeps_rows
        Whether the result has the statistics of every segment, or only their sums.
    keeps_scores
        Whether the result has the score of every segment.
    n_samples, seed
        Samples and seed of the Poisson bootstrap over sums; 0 samples for none.
    recipe, signatures
        How workers build the metrics, and the signatures that these must have.
    learnt
        The merged counts of all references that metrics need, by label.
    sizes
        The size of each file in bytes; a worker that sees another size does not take part.
    threads
        The number of threads of a worker.
    key
        Identifies the job, so that a worker builds its metrics once for all parts.
    """

    texts: Corpus | Plan
    keeps_rows: bool = True
    keeps_scores: bool = False
    n_samples: int = 0
    seed: int = 0
    recipe: MetricRecipe = MetricRecipe(labels=())
    signatures: tuple[str, ...] = ()
    learnt: Mapping[str, ReferenceCounts] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)
    threads: int | None = None
    key: str = ""
    version: str = tertium.__version__


def absolute_resources(choice: ResourceChoice) -> ResourceChoice:
    """Replace the paths of resources by absolute paths, for processes in another folder."""

    def fix(value: Any) -> Any:
        is_path = isinstance(value, (str, Path)) and exists(value)
        return str(Path(value).absolute()) if is_path else value

    changes: dict[str, Any] = {
        name: tuple(map(fix, choice.trees)) if name == "trees" else fix(getattr(choice, name))
        for name in choice.named
    }
    return replace(choice, **changes)


_MAGIC = b"tertium-part-2\n"
_SUM_SIZE = 16
_START = len(_MAGIC) + _SUM_SIZE


@record(eq=False)
class PartResult:
    """The statistics of a part.

    Attributes
    ----------
    n_references
        The smallest and the largest number of references of a segment.
    widths
        The number of statistics of each metric.
    sums
        The sums over all segments; None if the rows were kept.
    rows
        A table (systems, segments, k) per metric; empty if the rows were summed.
    scores
        The segment scores (systems, segments) per metric, if they were requested.
    """

    n_references: tuple[int, int]
    widths: tuple[int, ...]
    sums: StreamedSums | None = None
    rows: Sequence[FloatArray] = ()
    scores: Sequence[FloatArray] = ()

    def to_bytes(self, identity: str = "") -> bytes:
        """Serialise the result with a checksum, which also covers the name of the part that it belongs to."""
        stream = io.BytesIO()
        arrays: dict[str, Any] = {f"rows{i}": table for i, table in enumerate(self.rows)}
        arrays |= {f"scores{i}": table for i, table in enumerate(self.scores)}
        np.savez(
            stream,
            n_references=np.array(self.n_references),
            widths=np.array(self.widths),
            sums=np.frombuffer(b"" if self.sums is None else self.sums.to_bytes(), np.uint8),
            **arrays,
        )
        content = stream.getvalue()
        return _MAGIC + _digest(identity, content) + content

    @classmethod
    def from_bytes(cls, saved: bytes, identity: str = "") -> Self:
        """Restore a result from `to_bytes`.

        Raises
        ------
        InputError
            If a byte is missing or changed, or the result belongs to another part.
        """
        if not is_sound(saved, identity):
            raise InputError("a saved result is damaged; it must be computed again")
        with np.load(io.BytesIO(saved[_START:]), allow_pickle=False) as arrays:
            low, high = arrays["n_references"].tolist()
            widths = tuple(arrays["widths"].tolist())
            tables = {
                kind: [arrays[f"{kind}{i}"] for i in range(len(widths)) if f"{kind}{i}" in arrays]
                for kind in ("rows", "scores")
            }
            sums = arrays["sums"].tobytes()
            return cls((low, high), widths, StreamedSums.from_bytes(sums) if sums else None, **tables)


def is_sound(saved: bytes, identity: str = "") -> bool:
    """Whether these are the complete and unchanged bytes of a result of this part."""
    return saved.startswith(_MAGIC) and saved[len(_MAGIC) : _START] == _digest(identity, saved[_START:])


def _digest(identity: str, content: bytes) -> bytes:
    from hashlib import blake2b  # noqa: PLC0415 - loads OpenSSL, and few runs save parts

    return blake2b(identity.encode() + b"\0" + content, digest_size=_SUM_SIZE).digest()


def compute_part(
    job: Job, metrics: Sequence[LabelledMetric], part: CorpusPart, tick: Callable[[], None] | None = None
) -> PartResult:
    """Compute the statistics of one part; the result is the same on any thread or machine.

    Parameters
    ----------
    tick
        Called after each system, metric and batch.
    """
    kinds = [metric.metric for metric in metrics]
    sums: StreamedSums | None = None
    rows, scores = list[list[FloatArray]](), list[list[FloatArray]]()
    counts, widths = list[int](), tuple[int, ...]()
    for first, batch in _read_batches(job.texts, part, kinds):
        tables = compute_statistics(batch, kinds, tick)
        widths = tuple(table.shape[2] for table in tables)
        counts += count_references(batch.references)
        if job.keeps_rows:
            rows.append(tables)
        else:
            if sums is None:
                n_columns = len(batch.systems) * sum(widths)
                sums = StreamedSums(n_columns, n_samples=job.n_samples, seed=job.seed)
            sums.add(first, [drop_partial(kind, table) for kind, table in zip(kinds, tables, strict=True)])
        if job.keeps_scores:
            scores.append([kind.segment_scores(table) for kind, table in zip(kinds, tables, strict=True)])
    return PartResult((min(counts), max(counts)), widths, sums, join_tables(rows), join_tables(scores))


def join_tables(batches: Sequence[Sequence[FloatArray]]) -> list[FloatArray]:
    """Join the tables of each metric along the segments."""
    if len(batches) == 1:
        return list(batches[0])
    return [np.concatenate(tables, axis=1) for tables in zip(*batches, strict=True)]


def count_in_references(
    job: Job, metrics: Sequence[LabelledMetric], part: CorpusPart
) -> dict[str, ReferenceCounts]:
    """Count in one part of the references, for metrics that learn from all references."""
    learnt: dict[str, ReferenceCounts] = {}
    assert isinstance(job.texts, Plan)  # noqa: S101 - a corpus in memory is fitted as a whole
    of_references = replace(job.texts, systems=[], source=None)
    for _, batch in _read_batches(of_references, part, ()):
        references = References(batch.references)
        for metric in metrics:
            if (found := metric.metric.learn(references)) is not None:
                before = learnt.get(metric.label)
                learnt[metric.label] = found if before is None else before.merge(found)
    return learnt


def _read_batches(
    texts: Corpus | Plan, part: CorpusPart, metrics: Sequence[Metric]
) -> Iterator[tuple[int, SegmentBatch]]:
    """Read the texts of a part in batches, each with the number of its first segment."""
    if isinstance(texts, Corpus):
        rows = slice(part.first, part.first + part.n_segments)
        source = None if texts.sources is None else texts.sources[rows]
        systems = [system[rows] for system in texts.systems.values()]
        yield part.first, SegmentBatch(texts.references[rows], systems, source)
        return
    with _open_reader(texts) as reader:
        batches = reader.read(part, segments_at_once(metrics, _BATCH_SIZE))
        for first, corpus in batches if n_threads() == 1 else _read_ahead(batches):
            yield first, SegmentBatch(corpus.references, list(corpus.systems.values()), corpus.sources)


def _read_ahead(batches: Iterator[tuple[int, Corpus]]) -> Iterator[tuple[int, Corpus]]:
    """Read the next batch on another thread while the current batch is computed."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - small corpora need none

    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            yield batch


# The open files of each thread: parts that follow one another are read without opening them again.
_own = threading.local()


@contextmanager
def _open_reader(plan: Plan) -> Iterator[PartReader]:
    """Return this thread's reader of the files; after an error, the next part opens them again."""
    known: tuple[Plan, PartReader] | None = getattr(_own, "reader", None)
    if known is None or known[0] != plan:
        close_files()
        _own.reader = plan, PartReader(plan)
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


def survey_path(path: str, *, with_digest: bool) -> FileSurvey:
    """Count the rows of a file, in this process or on a worker."""
    if file_size(path) < 0:
        raise _unseen(path)
    return survey_file(path, with_digest=with_digest)


def score_part(job: Job, part: CorpusPart) -> PartResult:
    """Compute one part on a worker."""
    with use_threads(job.threads):
        return compute_part(job, _worker_metrics(job), part)


def learn_part(job: Job, part: CorpusPart) -> dict[str, ReferenceCounts]:
    """Count one part of the references on a worker."""
    with use_threads(job.threads):
        return count_in_references(job, _worker_metrics(job), part)


# The metrics of the job that this worker computes.
_made: dict[str, list[LabelledMetric]] = {}
_lock = threading.Lock()


def _worker_metrics(job: Job) -> list[LabelledMetric]:
    """Return the metrics of a job; a worker builds them once, after it has checked its version, files and resources."""
    with _lock:
        if job.key not in _made:
            _check_worker(job)
            made = job.recipe.make(job.texts.available)
            _check_signatures(job, made)
            _made.clear()
            _made[job.key] = fit_learnt(made, job.learnt)
        return _made[job.key]


def fit_learnt(
    metrics: Sequence[LabelledMetric], learnt: Mapping[str, ReferenceCounts]
) -> list[LabelledMetric]:
    """Fit metrics to the merged counts of all references."""
    return [
        replace(metric, metric=metric.metric.fit_learnt(learnt[metric.label]))
        if metric.label in learnt
        else metric
        for metric in metrics
    ]


def _check_signatures(job: Job, metrics: Sequence[LabelledMetric]) -> None:
    for metric, theirs in zip(metrics, job.signatures, strict=True):
        if (ours := metric.metric.signature((1, 1))) != theirs:
            raise ResourceError(
                f"worker {platform.node()} has other resources: it would compute {ours}, not {theirs};"
                " install the same packages and files everywhere"
            )


def _check_worker(job: Job) -> None:
    if tertium.__version__ != job.version:
        raise ResourceError(
            f"worker {platform.node()} has Tertium {tertium.__version__}, but this is {job.version};"
            " install the same version everywhere"
        )
    for path, size in job.sizes.items():
        if (found := file_size(path)) < 0:
            raise _unseen(path)
        if found != size:
            raise InputError(
                f"worker {platform.node()} sees another {show_path(path)}: it has {found:,} bytes, not {size:,};"
                " put the files where all machines see the same"
            )


def _unseen(path: str) -> InputError:
    return InputError(
        f"worker {platform.node()} sees no file {show_path(path)};"
        " put the files where all machines see them under the same path"
    )
