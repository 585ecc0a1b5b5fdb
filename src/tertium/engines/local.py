"""The engine of this process, batches that run in parallel on its threads, and corpora that are scored many times."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import ceil
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np

from tertium.kernels import Vocabulary, n_threads, use_threads
from tertium.kernels.strings import CORE_TOKENIZERS
from tertium.metrics.base import Metric, is_own
from tertium.metrics.options import is_resource_type
from tertium.records import record
from tertium.text import References, Texts
from tertium.types import Corpus, FloatArray, OffsetArray

# Segments of a batch. Smaller batches repeat the work for frequent words, larger ones need memory on every thread.
_USUAL, _LEAST = 12_500, 2_500


def choose_batch_size(n_segments: int, metrics: Sequence[Metric]) -> int | None:
    """Choose the size of batches that run in parallel on the current threads; None if they should not."""
    threads = n_threads()
    if threads == 1 or n_segments < threads * _LEAST or not may_run_in_parallel(metrics):
        return None
    return max(_LEAST, share_evenly(n_segments, _USUAL))


def share_evenly(n_segments: int, size: int) -> int:
    """Find a batch size near the given one such that all threads have work to the end."""
    rounds = max(1, round(n_segments / (n_threads() * size)))
    return ceil(n_segments / (n_threads() * rounds))


def may_run_in_parallel(metrics: Sequence[Metric]) -> bool:
    """Whether the compiled core alone computes the metrics: other packages may not be safe on several threads."""
    return all(map(_uses_core_only, metrics))


def _uses_core_only(metric: Metric) -> bool:
    tokenizer = metric.word_tokenizer
    return (
        is_own(type(metric))
        and metric.uses_core_only
        and (tokenizer is None or tokenizer in CORE_TOKENIZERS)
        and not any(is_resource_type(each.type) for each in metric.options())
    )


Item = TypeVar("Item")
Result = TypeVar("Result")


class LocalEngine:
    """Calls functions in this process, one after the other; each uses the threads of the core."""

    is_remote = False

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Call the function on every item, in order."""
        return ((number, function(item)) for number, item in enumerate(items))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: all work is finished."""


@record(eq=False)
class Counts:
    """Counts of every system that do not depend on a metric's formula options, and the metric that counted them."""

    fitted: Metric
    groups: OffsetArray
    by_system: Sequence[FloatArray]

    def weigh(self, metric: Metric) -> tuple[Metric, FloatArray]:
        """Compute statistics (systems, segments, k) from the counts with this metric's formula options.

        Returns the metric that counted, with these formula options, and the statistics.
        """
        changes: dict[str, Any] = {name: getattr(metric, name) for name in metric.formula_options}
        current = replace(self.fitted, **changes) if changes else self.fitted
        return current, np.stack([current.weigh(counts, self.groups) for counts in self.by_system])


class PreparedCorpus:
    """A corpus that is scored many times and tokenised once."""

    def __init__(self, corpus: Corpus) -> None:
        vocabulary = Vocabulary()
        self._available = corpus.available
        self._references = References(corpus.references, vocabulary)
        self._source = None if corpus.sources is None else Texts(corpus.sources, vocabulary)
        self._systems = [Texts(outputs, vocabulary) for outputs in corpus.systems.values()]

    def count(self, metric: Metric, *, threads: int | None = None) -> Counts:
        """Count the statistics of every system that the metric's formula reads."""
        with use_threads(threads):
            fitted = metric.for_texts(self._available).fit(self._references)
            texts = [fitted.choose_texts(each, self._references, self._source) for each in self._systems]
            by_system = [fitted.count(*each) for each in texts]
        return Counts(fitted, self._references.offsets, by_system)
