"""Where functions run: the interface of engines, the engine of this process, and batches on its threads."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from math import ceil
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeVar, get_args

import numpy as np

from tertium.consent import check_consent
from tertium.errors import OptionError, UnknownNameError, argument
from tertium.kernels.strings import CORE_TOKENIZERS, Vocabulary
from tertium.kernels.threads import n_threads, use_threads
from tertium.metrics.base import Metric, is_own
from tertium.metrics.options import is_resource_type
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Corpus, FloatArray, OffsetArray

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Calls functions on items; examples/ray_engine.py implements it for Ray.

    A function may be called twice on an item, and results may come in any order: every function that an engine
    receives returns the same result for the same item and writes nothing.
    """

    @property
    def is_remote(self) -> bool:
        """Whether functions run in other processes, so that they and their items must be picklable."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Call the function on every item; return each result with the number of its item as soon as it is computed."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop all running work."""


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


class ClusterEngine(Engine, Protocol):
    """An engine with workers in other processes, to which further engines can connect."""

    @property
    def address(self) -> str:
        """The address of the scheduler."""


EngineName = Literal["local", "dask"]
"""The names of the engines, for the option `engine`."""

# Each engine in another process, with its module and its class; adding an engine is a row here and a name above.
_CLUSTERS: dict[EngineName, tuple[str, str]] = {"dask": ("tertium.engines.dask", "DaskEngine")}


@record(kw_only=True)
class EngineChoice:
    """The engine that computes, by name, and the workers of its cluster.

    Attributes
    ----------
    workers
        Number of processes of a new cluster on this machine; one per core by default.
    scheduler
        Address of a running cluster, instead of a new one.
    """

    name: EngineName = "local"
    workers: int | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.name not in (known := get_args(EngineName)):
            raise UnknownNameError(
                f"unknown engine {self.name!r}; {argument('engine')} must be {' or '.join(known)}"
            )
        if self.workers is not None and self.scheduler is not None:
            raise OptionError(
                f"give either {argument('workers')} or {argument('scheduler')}: a running cluster has its own workers"
            )
        if not self.is_cluster and (self.workers is not None or self.scheduler is not None):
            given = argument("workers" if self.workers is not None else "scheduler")
            raise OptionError(
                f"{given} requires {' or '.join(argument('engine', name) for name in _CLUSTERS)}"
            )
        if self.workers is not None and self.workers < 1:
            raise OptionError(f"{argument('workers')} must be at least 1, not {self.workers}")
        if self.scheduler is not None:
            check_scheduler(self.scheduler)

    @property
    def is_cluster(self) -> bool:
        """Whether the engine has workers in other processes."""
        return self.name in _CLUSTERS


def check_scheduler(address: str) -> None:
    """Raise if a file names the scheduler of a cluster without consent: the answers of the cluster are unpickled."""
    check_consent(f"code for the cluster {address}")


def open_engine(choice: EngineChoice) -> Engine:
    """Open an engine; use it in a `with` statement."""
    return _open_cluster(choice) if choice.is_cluster else LocalEngine()


@contextmanager
def share_cluster(choice: EngineChoice) -> Iterator[EngineChoice]:
    """Start one cluster for several jobs, and yield the choice of an engine that uses it; other choices stay as they are."""
    if not choice.is_cluster or choice.scheduler is not None:
        yield choice
        return
    with _open_cluster(choice) as engine:
        yield replace(choice, workers=None, scheduler=engine.address)


def _open_cluster(choice: EngineChoice) -> ClusterEngine:
    module, name = _CLUSTERS[choice.name]  # imported now: clusters need an extra
    engine: ClusterEngine = getattr(import_module(module), name)(
        workers=choice.workers, scheduler=choice.scheduler
    )
    return engine


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
        and not any(is_resource_type(option.type) for option in metric.options())
    )


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
            texts = [fitted.choose_texts(system, self._references, self._source) for system in self._systems]
            by_system = [fitted.count(*text) for text in texts]
        return Counts(fitted, self._references.offsets, by_system)
