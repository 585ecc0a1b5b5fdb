"""The local engine: batches, threads, progress; the choice of an engine, and the order of its results."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from tertium.catalog import ResourceChoice, parse_metrics
from tertium.engines import evaluate
from tertium.engines.engine import EngineChoice, LocalEngine, share_cluster
from tertium.engines.items import compute_items
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.metrics.base import Metric
from tertium.progress import use_progress
from tertium.records import record
from tertium.values import Corpus

CORPUS = Corpus([["a b"], ["c d"], ["e f"]], {"one": ["a b", "c", "x"], "two": ["a", "c d", "e f"]})


def test_progress_counts_every_system_metric_and_batch() -> None:
    seen: list[tuple[int, int]] = []
    with use_progress(lambda _, done, total: seen.append((done, total))):
        evaluate(CORPUS, parse_metrics(["wer,per"]), batch_size=2)
    assert seen == [(i, 8) for i in range(1, 9)]


def test_a_metric_may_ask_for_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, seen = evaluate(CORPUS, parse_metrics(["wer"])), list[tuple[int, int]]()
    monkeypatch.setattr(Metric, "most_segments", 2)
    with use_progress(lambda _, done, total: seen.append((done, total))):
        parted = evaluate(CORPUS, parse_metrics(["wer"]))
    assert seen == [(i, 4) for i in range(1, 5)]
    np.testing.assert_array_equal(parted.tables["wer"], whole.tables["wer"])


def test_tables_are_in_the_order_of_systems_and_segments() -> None:
    evaluation = evaluate(CORPUS, parse_metrics(["wer"]))
    np.testing.assert_array_equal(evaluation.segment_scores("wer"), [[0, 50, 100], [50, 0, 0]])
    np.testing.assert_allclose(evaluation.system_scores("wer"), [50, 100 / 6])


@pytest.mark.parametrize("options", [{"threads": 0}, {"batch_size": 0}])
def test_impossible_options_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(OptionError, match=r"at least 1|must be 1 to"):
        evaluate(CORPUS, parse_metrics(["wer"]), **options)


def test_without_systems_or_metrics_there_is_nothing_to_do() -> None:
    with pytest.raises(InputError, match="no system"):
        evaluate(Corpus([["a"]], {}), parse_metrics(["wer"]))
    with pytest.raises(OptionError, match="no metric"):
        evaluate(CORPUS, [])


def test_a_metric_that_was_not_computed_is_named() -> None:
    with pytest.raises(UnknownNameError, match="did you mean wer"):
        evaluate(CORPUS, parse_metrics(["wer"])).metric("per")


@pytest.mark.parametrize("references", [[], [[]], ["a b"]])
def test_a_corpus_without_proper_references_is_refused(references: list[list[str]]) -> None:
    with pytest.raises(InputError):
        Corpus(references, {})


def test_an_engine_has_one_worker_at_least() -> None:
    with pytest.raises(OptionError, match="workers= must be at least 1, not 0"):
        EngineChoice(name="dask", workers=0)


def test_only_a_cluster_is_shared() -> None:
    for choice in (EngineChoice(), EngineChoice(name="dask", scheduler="tcp://127.0.0.1:1")):
        with share_cluster(choice) as shared:
            assert shared is choice


class ReversedEngine(LocalEngine):
    """An engine in another process, as far as its caller knows, whose last item is done first."""

    is_remote = True

    def map(self, function: Callable[[Any], Any], items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        return ((number, function(items[number])) for number in reversed(range(len(items))))


@record
class Doubling(ResourceChoice):
    """A request whose work is to double numbers."""

    engine: str = "dask"
    workers: int | None = 3
    scheduler: str | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        """Check nothing: not every field is a resource."""

    @property
    def resources(self) -> ResourceChoice:
        return ResourceChoice()

    def prepare(self) -> Callable[[int], tuple[int, int | None, int | None]]:
        return lambda item: (2 * item, self.workers, self.threads)


def test_results_of_a_cluster_are_in_the_order_of_the_items() -> None:
    """Workers prepare the request themselves, with one thread and without a cluster of their own."""
    found = list(compute_items(ReversedEngine(), Doubling(), Doubling().prepare(), [1, 2, 3]))
    assert found == [(2, None, 1), (4, None, 1), (6, None, 1)]
