"""Computes an evaluation on this machine, batch after batch, with the core's threads."""

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.errors import InputError, OptionError
from tertium.evaluation.statistics import Batch, Evaluation, compute_statistics, fit_metrics
from tertium.kernels import use_threads
from tertium.types import Corpus

__all__ = ["evaluate"]

# Large enough that threads have work, small enough that a million segments never lie tokenised at once.
BATCH_SIZE = 50_000

# Told after each step how many of how many are done: a step is one system's batch under one metric.
Progress = Callable[[int, int], None]


def evaluate(
    corpus: Corpus,
    metrics: Sequence[LabelledMetric],
    *,
    threads: int | None = None,
    batch_size: int = BATCH_SIZE,
    progress: Progress | None = None,
) -> Evaluation:
    """Compute every metric's statistics for every system of the corpus."""
    if not corpus.systems:
        raise InputError("no system to score: give at least one hypothesis")
    if not metrics:
        raise OptionError("no metric to compute: name at least one")
    if batch_size < 1:
        raise OptionError(f"batch_size must be at least 1, not {batch_size}")
    with use_threads(threads):
        fitted = fit_metrics(metrics, corpus.references)
        tick = _counter(-(-len(corpus) // batch_size) * len(corpus.systems) * len(fitted), progress)
        parts = [
            compute_statistics(batch, [each.metric for each in fitted], tick)
            for batch in _batches(corpus, batch_size)
        ]
    tables = {
        each.label: parts[0][i] if len(parts) == 1 else np.concatenate([part[i] for part in parts], axis=1)
        for i, each in enumerate(fitted)
    }
    return Evaluation(tuple(corpus.systems), tuple(fitted), tables, corpus.n_references)


def _batches(corpus: Corpus, size: int) -> Iterator[Batch]:
    for start in range(0, len(corpus), size):
        rows = slice(start, start + size)
        yield Batch(corpus.references[rows], [texts[rows] for texts in corpus.systems.values()])


def _counter(n_steps: int, progress: Progress | None) -> Callable[[], None] | None:
    if progress is None:
        return None
    done = itertools.count(1)
    return lambda: progress(next(done), n_steps)
