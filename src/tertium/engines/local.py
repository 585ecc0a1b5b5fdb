"""Compute statistics on this machine's threads, in parallel batches where that is faster."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np

from tertium.catalog.building import LabelledMetric
from tertium.errors import InputError, OptionError
from tertium.evaluation.statistics import (
    Evaluation,
    SegmentBatch,
    compute_statistics,
    fit_metrics,
    segments_at_once,
)
from tertium.kernels import Vocabulary, n_threads, use_threads
from tertium.kernels.strings import CORE_TOKENIZERS
from tertium.kernels.threads import threaded_map
from tertium.metrics.base import Metric, is_own
from tertium.metrics.options import is_resource_type
from tertium.progress import report_progress
from tertium.text import References, Texts
from tertium.types import Corpus, FloatArray, OffsetArray

# Segments of a batch. Smaller ones meet the same words anew too often, larger ones take memory on every thread.
_USUAL, _LEAST = 12_500, 2_500


def choose_batch_size(n_segments: int, metrics: Sequence[Metric]) -> int | None:
    """Choose how large batches are that run side by side on the threads in force; None if they should not."""
    threads = n_threads()
    if threads == 1 or n_segments < threads * _LEAST or not may_run_in_parallel(metrics):
        return None
    return max(_LEAST, share_evenly(n_segments, _USUAL))


def share_evenly(n_segments: int, size: int) -> int:
    """Find a size near the given one with which all threads have work to the end."""
    rounds = max(1, round(n_segments / (n_threads() * size)))
    return ceil(n_segments / (n_threads() * rounds))


def may_run_in_parallel(metrics: Sequence[Metric]) -> bool:
    """Tell whether only the core computes the metrics: other packages may not expect several threads."""
    return all(map(_asks_the_core_only, metrics))


def _asks_the_core_only(metric: Metric) -> bool:
    tokenizer = metric.word_tokenizer
    return (
        is_own(type(metric))
        and (tokenizer is None or tokenizer in CORE_TOKENIZERS)
        and not any(is_resource_type(each.type) for each in metric.options())
    )


Item = TypeVar("Item")
Result = TypeVar("Result")

# Large enough that threads have work, small enough that a million segments never lie tokenised at once.
BATCH_SIZE = 50_000


class LocalEngine:
    """Calls functions in this process, one after the other; the core's threads work inside each."""

    is_remote = False

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Call the function on every item, in order."""
        return ((number, function(item)) for number, item in enumerate(items))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave nothing behind: all work was done here."""


def evaluate(
    corpus: Corpus,
    metrics: Sequence[LabelledMetric],
    *,
    threads: int | None = None,
    batch_size: int | None = None,
) -> Evaluation:
    """Compute every metric's statistics for every system of the corpus.

    Parameters
    ----------
    batch_size
        How many segments are computed at once, on all threads. Without it, batches may also run side by side.
    """
    if not corpus.systems:
        raise InputError("no system to score: give at least one hypothesis")
    if not metrics:
        raise OptionError("no metric to compute: name at least one")
    if batch_size is not None and batch_size < 1:
        raise OptionError(f"batch_size must be at least 1, not {batch_size}")
    with use_threads(threads):
        fitted = fit_metrics(metrics, corpus.references)
        parts = _compute(corpus, [each.metric for each in fitted], batch_size)
    tables = {
        each.label: parts[0][i] if len(parts) == 1 else np.concatenate([part[i] for part in parts], axis=1)
        for i, each in enumerate(fitted)
    }
    return Evaluation(tuple(corpus.systems), tuple(fitted), tables, corpus.n_references)


def _compute(corpus: Corpus, metrics: Sequence[Metric], batch_size: int | None) -> list[list[FloatArray]]:
    """Compute the tables of all batches, in order."""
    own_size = choose_batch_size(len(corpus), metrics) if batch_size is None else None
    size = own_size or segments_at_once(metrics, batch_size or BATCH_SIZE)
    n_steps = len(corpus.systems) * len(metrics)
    tick = _counter(-(-len(corpus) // size) * n_steps)
    batches = _batches(corpus, size)
    if own_size is None:
        return [compute_statistics(batch, metrics, tick) for batch in batches]
    parts = []
    for part in threaded_map(lambda batch: compute_statistics(batch, metrics), batches):
        parts.append(part)
        for _ in range(n_steps):
            tick()
    return parts


def _batches(corpus: Corpus, size: int) -> Iterator[SegmentBatch]:
    for start in range(0, len(corpus), size):
        rows = slice(start, start + size)
        yield SegmentBatch(corpus.references[rows], [texts[rows] for texts in corpus.systems.values()])


def _counter(n_steps: int) -> Callable[[], None]:
    done = itertools.count(1)
    return lambda: report_progress("scoring", next(done), n_steps)


@dataclass(frozen=True, eq=False)
class Counts:
    """What no formula option of a metric changes, for every system; and the metric that counted it."""

    fitted: Metric
    groups: OffsetArray
    by_system: Sequence[FloatArray]

    def weigh(self, metric: Metric) -> tuple[Metric, FloatArray]:
        """Turn the counts into statistics (systems, segments, k) under this metric's formula options.

        Returns the metric that can read them: the one that counted, with these formula options.
        """
        changes: dict[str, Any] = {name: getattr(metric, name) for name in metric.formula_options}
        current = replace(self.fitted, **changes) if changes else self.fitted
        return current, np.stack([current.weigh(counts, self.groups) for counts in self.by_system])


class PreparedCorpus:
    """A corpus that is scored many times: its texts' views are kept, and so nothing is tokenised twice."""

    def __init__(self, corpus: Corpus) -> None:
        vocabulary = Vocabulary()
        self._references = References(corpus.references, vocabulary)
        self._systems = [Texts(outputs, vocabulary) for outputs in corpus.systems.values()]

    def count(self, metric: Metric, *, threads: int | None = None) -> Counts:
        """Count what the metric needs of every system."""
        with use_threads(threads):
            fitted = metric.fit(self._references)
            by_system = [fitted.count(hypotheses, self._references) for hypotheses in self._systems]
        return Counts(fitted, self._references.offsets, by_system)
