"""(corpus, metrics) → Evaluation: the tables of statistics, and the scores that are asked of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.errors import UnknownNameError
from tertium.kernels import Vocabulary
from tertium.kernels.sums import sum_rows
from tertium.metrics.base import Metric, format_n_references
from tertium.text import References, Texts
from tertium.types import FloatArray


@dataclass(frozen=True, eq=False)
class LazyTables(Mapping[str, FloatArray]):
    """Tables by label, of which the size and the sums are known before any is loaded.

    Attributes
    ----------
    sums
        Each label's summed statistics (systems, k).
    load
        Makes the table (systems, segments, k) of a label; it is called once for each.
    """

    n_segments: int
    sums: Mapping[str, FloatArray]
    load: Callable[[str], FloatArray]
    _loaded: dict[str, FloatArray] = field(default_factory=dict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def __getitem__(self, label: str) -> FloatArray:
        if label not in self.sums:
            raise KeyError(label)
        with self._lock:
            if label not in self._loaded:
                self._loaded[label] = self.load(label)
        return self._loaded[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sums)

    def __len__(self) -> int:
        return len(self.sums)


@dataclass(frozen=True)
class SegmentBatch:
    """Some segments of a corpus: what a worker needs to compute their statistics."""

    references: Sequence[Sequence[str]]
    systems: Sequence[Sequence[str]]


def compute_statistics(
    batch: SegmentBatch, metrics: Sequence[Metric], tick: Callable[[], None] | None = None
) -> list[FloatArray]:
    """Compute each metric's table (systems, segments, k) of a batch; `tick` is called after each step.

    A pure function of its arguments: a thread, a process or another machine may call it, and the
    tables of all batches put together are those of the whole corpus.
    """
    vocabulary = Vocabulary()
    references = References(batch.references, vocabulary)
    tables: list[list[FloatArray]] = [[] for _ in metrics]
    for outputs in batch.systems:
        hypotheses = Texts(outputs, vocabulary)
        for rows, metric in zip(tables, metrics, strict=True):
            rows.append(metric.checked_statistics(hypotheses, references))
            if tick is not None:
                tick()
    return [np.stack(rows) for rows in tables]


def segments_at_once(metrics: Sequence[Metric], size: int) -> int:
    """How many segments to give to `compute_statistics` at once: `size`, or what every metric has memory for."""
    return min([size, *(each.most_segments or size for each in metrics)])


def fit_metrics(
    metrics: Sequence[LabelledMetric], references: Sequence[Sequence[str]]
) -> list[LabelledMetric]:
    """Give every metric its pass over all references, if it has one."""
    needing = [each for each in metrics if type(each.metric).fit is not Metric.fit]
    if not needing:
        return list(metrics)
    whole = References(references)
    return [replace(each, metric=each.metric.fit(whole)) if each in needing else each for each in metrics]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Every metric's statistics for every system and segment; no text is scored twice.

    `tables` maps a metric's label to an array (systems, segments, k), which may be loaded on first use.
    """

    systems: tuple[str, ...]
    metrics: tuple[LabelledMetric, ...]
    tables: Mapping[str, FloatArray]
    n_references: tuple[int, int]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.tables)

    @property
    def n_segments(self) -> int:
        if isinstance(self.tables, LazyTables):
            return self.tables.n_segments
        return int(next(iter(self.tables.values())).shape[1])

    def metric(self, label: str) -> Metric:
        """The metric that goes by this label."""
        for each in self.metrics:
            if each.label == label:
                return each.metric
        raise UnknownNameError(f"no metric {label!r} was computed; there are {', '.join(self.tables)}")

    def totals(self, label: str) -> FloatArray:
        """Each system's summed statistics (systems, k), the same for any order of the segments."""
        if isinstance(self.tables, LazyTables):
            return self.tables.sums[label]
        return sum_rows(self.tables[label])

    def system_scores(self, label: str) -> FloatArray:
        """Each system's score."""
        return self.metric(label).combine(self.totals(label))

    def segment_scores(self, label: str) -> FloatArray:
        """Each system's and segment's score (systems, segments)."""
        return self.metric(label).segment_scores(self.tables[label])

    def signature(self, label: str, **extra: str | int) -> str:
        """The metric's signature on this corpus, with the checksum of its preset if it has one."""
        return format_signature(self.metrics, label, self.n_references, extra)


def format_signature(
    metrics: Sequence[LabelledMetric],
    label: str,
    n_references: tuple[int, int],
    extra: Mapping[str, str | int],
) -> str:
    """Write the signature of the metric that goes by this label, with further facts."""
    (labelled,) = (each for each in metrics if each.label == label)
    if labelled.recorded is not None:
        return _extend(labelled.recorded, n_references, extra)
    facts = {**extra, "preset": labelled.preset} if labelled.preset is not None else extra
    return labelled.metric.signature(n_references, **facts)


def _extend(signature: str, n_references: tuple[int, int], extra: Mapping[str, str | int]) -> str:
    """Put further facts where a metric would put them: behind the number of references."""
    name, *facts = signature.split("|")
    if facts and facts[0].startswith("nrefs:"):
        facts[0] = f"nrefs:{format_n_references(n_references)}"
    return "|".join([name, *facts[:1], *(f"{key}:{value}" for key, value in extra.items()), *facts[1:]])
