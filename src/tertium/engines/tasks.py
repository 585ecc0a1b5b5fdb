"""What engines call on items: pure functions that read files, and return counts, sums or rows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.corpus.texts.parts import Part
from tertium.corpus.texts.survey import Survey, survey_file
from tertium.engines.jobs import Job, close_files, metrics_of, reader_of, unseen
from tertium.engines.part_results import PartResult
from tertium.evaluation.statistics import Batch, compute_statistics, segments_at_once
from tertium.evaluation.streaming import StreamedSums
from tertium.files.paths import file_size
from tertium.kernels import use_threads
from tertium.metrics.base import Learnt
from tertium.text import References
from tertium.types import Corpus, FloatArray

__all__ = ["learn_part", "score_part", "score_part_alone", "survey_path"]

# Segments that are tokenised at once.
_BATCH_SIZE = 20_000


def survey_path(path: str, *, with_digest: bool) -> Survey:
    """Count a file's rows, wherever this is called."""
    if file_size(path) < 0:
        raise unseen(path)
    return survey_file(path, with_digest=with_digest)


def learn_part(job: Job, part: Part) -> dict[str, Learnt]:
    """Count what metrics must know of all references, in one part of them."""
    learnt: dict[str, Learnt] = {}
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


def score_part(job: Job, part: Part) -> PartResult:
    """Compute the statistics of one part: the same on any machine."""
    metrics = metrics_of(job)
    collected = _Collected(job, metrics)
    size = segments_at_once([each.metric for each in metrics], _BATCH_SIZE)
    with use_threads(job.threads):
        for first, corpus in _read(job, part, size):
            collected.add(first, corpus)
    return collected.result()


def score_part_alone(job: Job, part: Part) -> PartResult:
    """Do the same on a thread that ends soon, and leave no file open there."""
    try:
        return score_part(job, part)
    finally:
        close_files()


def _read(job: Job, part: Part, size: int) -> Iterator[tuple[int, Corpus]]:
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


class _Collected:
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
        tables = compute_statistics(Batch(corpus.references, list(corpus.systems.values())), self._metrics)
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
