"""Statistics of systems as tables, and the scores that are computed from their sums."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from threading import Lock
from typing import Literal

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.errors import UnknownNameError, suggest
from tertium.evaluation.units import Units
from tertium.kernels.resampling import sum_kept, sum_poisson, sum_resamples
from tertium.kernels.strings import Vocabulary
from tertium.kernels.sums import sum_rows
from tertium.metrics.base import Metric, format_n_references
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import FloatArray


@record(eq=False)
class LazyTables(Mapping[str, FloatArray]):
    """Tables by label whose size and sums are known before a table is loaded.

    Attributes
    ----------
    sums
        The summed statistics (systems, k) of each label.
    load
        Loads the table (systems, segments, k) of a label; it is called once per label.
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

    def __reduce__(self) -> tuple[type[dict[str, FloatArray]], tuple[dict[str, FloatArray]]]:
        """Pickle all tables as a dictionary, because `load` may hold open files and locks."""
        return dict, ({label: self[label] for label in self},)

    def __iter__(self) -> Iterator[str]:
        return iter(self.sums)

    def __len__(self) -> int:
        return len(self.sums)


@record
class SegmentBatch:
    """The texts of some segments of a corpus."""

    references: Sequence[Sequence[str]]
    systems: Sequence[Sequence[str]]
    source: Sequence[str] | None = None


def compute_statistics(
    batch: SegmentBatch, metrics: Sequence[Metric], tick: Callable[[], None] | None = None
) -> list[FloatArray]:
    """Compute each metric's table (systems, segments, k) of a batch.

    The result depends on the arguments only, so any thread, process or machine may compute it. The joined tables of
    all batches equal the tables of the whole corpus.

    Parameters
    ----------
    tick
        Called after each system and metric.
    """
    vocabulary = Vocabulary()
    references = References(batch.references, vocabulary)
    source = None if batch.source is None else Texts(batch.source, vocabulary)
    tables: list[list[FloatArray]] = [[] for _ in metrics]
    for outputs in batch.systems:
        hypotheses = Texts(outputs, vocabulary)
        for rows, metric in zip(tables, metrics, strict=True):
            rows.append(metric.checked_statistics(hypotheses, references, source))
            if tick is not None:
                tick()
    # One system is the usual case, and a copy of its table takes as long as reading its texts.
    return [np.stack(rows) if len(rows) > 1 else np.asarray(rows[0])[None] for rows in tables]


def segments_at_once(metrics: Sequence[Metric], size: int) -> int:
    """Return the largest batch size, up to `size`, for which every metric has memory."""
    return min([size, *(metric.most_segments or size for metric in metrics)])


def fit_metrics(
    metrics: Sequence[LabelledMetric], references: Sequence[Sequence[str]]
) -> list[LabelledMetric]:
    """Fit the metrics that learn from all references."""
    needing = [metric for metric in metrics if type(metric.metric).fit is not Metric.fit]
    if not needing:
        return list(metrics)
    whole = References(references)
    return [
        replace(metric, metric=metric.metric.fit(whole)) if metric in needing else metric
        for metric in metrics
    ]


Resampling = Literal["index", "poisson"]
"""The bootstrap draws as many segments as there are, as in sacreBLEU, or each segment a Poisson number of times."""


class SystemTotals(ABC):
    """Statistics of systems that can be summed and resampled."""

    systems: tuple[str, ...]
    metrics: tuple[LabelledMetric, ...]
    n_references: tuple[int, int]
    widths: Mapping[str, int]
    """The number of statistics of each metric, by label."""
    units: Units = Units()
    """The units that intervals and tests resample."""

    @property
    @abstractmethod
    def n_segments(self) -> int:
        """The number of segments, or of groups of segments."""

    @abstractmethod
    def totals(self, label: str) -> FloatArray:
        """Return each system's summed statistics (systems, k), which do not depend on the order of the segments."""

    @abstractmethod
    def resample(self, n_samples: int, *, seed: int, resampling: Resampling) -> Iterator[FloatArray]:
        """Sum the statistics of resamples, in blocks (samples, columns); the same seed gives the same blocks.

        The columns are the statistics of the first metric for each system, then the statistics of the second metric, and so on.
        """

    @abstractmethod
    def exchange(self, n_samples: int, *, seed: int) -> Iterator[FloatArray]:
        """Sum the statistics of random halves of the segments, in blocks as `resample` does.

        A randomization test exchanges the other half of the segments between two systems.
        """

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.widths)

    def metric(self, label: str) -> Metric:
        """Return the metric with this label."""
        for metric in self.metrics:
            if metric.label == label:
                return metric.metric
        raise UnknownNameError(f"no metric {label!r} was computed; {suggest(label, self.labels)}")

    def system_scores(self, label: str) -> FloatArray:
        """Return each system's score."""
        return self.metric(label).combine(self.totals(label))

    def signature(self, label: str, **extra: str | int) -> str:
        """Return the metric's signature on this corpus, with the checksum of its preset if it has one."""
        return format_signature(self.metrics, label, self.n_references, extra)


@record(eq=False)
class Evaluation(SystemTotals):
    """Every metric's statistics for every system and segment.

    `tables` maps a metric's label to an array (systems, segments, k), which may be loaded on first use.
    """

    systems: tuple[str, ...]
    metrics: tuple[LabelledMetric, ...]
    tables: Mapping[str, FloatArray]
    n_references: tuple[int, int]
    units: Units = Units()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self.tables)

    @property
    def widths(self) -> Mapping[str, int]:  # type: ignore[override]
        return {label: table.shape[2] for label, table in self.tables.items()}

    @property
    def n_segments(self) -> int:
        if isinstance(self.tables, LazyTables):
            return self.tables.n_segments
        return int(next(iter(self.tables.values())).shape[1])

    def totals(self, label: str) -> FloatArray:
        if isinstance(self.tables, LazyTables):
            return self.tables.sums[label]
        return sum_rows(self.tables[label])

    def segment_scores(self, label: str) -> FloatArray:
        """Return the score of each system and segment (systems, segments)."""
        return self.metric(label).segment_scores(self.tables[label])

    def resample(self, n_samples: int, *, seed: int, resampling: Resampling) -> Iterator[FloatArray]:
        if resampling == "poisson":
            return sum_poisson(self._rows, n_samples, seed=seed)
        return sum_resamples(self._rows, n_samples, np.random.default_rng(seed))

    def exchange(self, n_samples: int, *, seed: int) -> Iterator[FloatArray]:
        return sum_kept(self._rows, n_samples, np.random.default_rng(seed))

    @property
    def _rows(self) -> list[FloatArray]:
        return [system for table in self.tables.values() for system in table]


def format_signature(
    metrics: Sequence[LabelledMetric],
    label: str,
    n_references: tuple[int, int],
    extra: Mapping[str, str | int],
) -> str:
    """Format the signature of the metric with this label, with further facts."""
    (labelled,) = (metric for metric in metrics if metric.label == label)
    if labelled.recorded is not None:
        return _extend(labelled.recorded, n_references, extra)
    facts = {**extra, **dict(labelled.text_facts)}
    if labelled.preset is not None:
        facts["preset"] = labelled.preset
    return labelled.metric.signature(n_references, **facts)


def _extend(signature: str, n_references: tuple[int, int], extra: Mapping[str, str | int]) -> str:
    """Insert further facts where a metric would write them: after the number of references."""
    name, *facts = signature.split("|")
    if facts and facts[0].startswith("nrefs:") and facts[0] != "nrefs:0":  # 0: the metric reads none
        facts[0] = f"nrefs:{format_n_references(n_references)}"
    return "|".join([name, *facts[:1], *(f"{key}:{value}" for key, value in extra.items()), *facts[1:]])
