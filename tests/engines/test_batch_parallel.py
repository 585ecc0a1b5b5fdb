"""Batches that run side by side give what one thread gives, in order, and stop together."""

import gzip
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tertium.catalog import MetricMaker, ResourceChoice
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus import CorpusFiles
from tertium.engines import evaluate
from tertium.engines.engine import choose_batch_size
from tertium.kernels.edits import inversion_distance
from tertium.kernels.threads import n_threads, threaded_map, use_threads
from tertium.metrics.base import Metric
from tertium.metrics.embedding.onehot import OneHot
from tertium.metrics.lexical.bleu import BLEU
from tertium.metrics.lexical.wer import WER
from tertium.progress import use_progress
from tertium.values import Corpus

LONG = [i * 7919 % 50 for i in range(400)], [i * 104729 % 50 for i in range(400)]  # takes minutes


def make_corpus(n_segments: int) -> Corpus:
    rng = np.random.default_rng(3)
    texts = [[f"w{word}" for word in row] for row in rng.integers(0, 90, (n_segments, 9))]
    references = [[" ".join(words)] for words in texts]
    return Corpus(references, {"a": [" ".join(words[:7]) for words in texts], "b": ["w1 w2"] * n_segments})


@pytest.mark.parametrize("threads", [2, 3])
def test_tables_are_those_of_one_thread(threads: int) -> None:
    corpus = make_corpus(7_600)
    metrics = MetricMaker(ResourceChoice()).make_all(["bleu", "nist", "ter", "chrf"])
    with use_threads(threads):
        assert choose_batch_size(len(corpus), [metric.metric for metric in metrics]) is not None
    one, several = evaluate(corpus, metrics, threads=1), evaluate(corpus, metrics, threads=threads)
    for label in one.labels:
        np.testing.assert_array_equal(one.tables[label], several.tables[label])


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_streams_give_the_bytes_of_one_thread(tmp_path: Path, threads: int, suffix: str) -> None:
    """A compressed file cannot be entered in the middle: its parts follow one another."""
    corpus = make_corpus(900)
    opened = gzip.open if suffix else open
    for name, texts in {"ref": [group[0] for group in corpus.references], **corpus.systems}.items():
        with opened(tmp_path / f"{name}.txt{suffix}", "wt") as file:
            file.writelines(f"{text}\n" for text in texts)
    files = CorpusFiles(
        references=(str(tmp_path / f"ref.txt{suffix}"),),
        hypotheses=tuple(str(tmp_path / f"{name}.txt{suffix}") for name in corpus.systems),
    )

    def render(n_threads: int) -> str:
        request = ScoreRequest(files, metrics=("bleu,nist,ter",), threads=n_threads, batch_size=70)
        return request.run().render("json")

    assert render(threads) == render(1)


def test_progress_counts_every_step_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    corpus, metrics = make_corpus(5_200), MetricMaker(ResourceChoice()).make_all(["wer", "per"])
    with use_progress(lambda _, done, total: told.append((done, total))):
        evaluate(corpus, metrics, threads=2)
    n_steps = told[-1][1]
    assert told == [(done, n_steps) for done in range(1, n_steps + 1)]


class Foreign(WER):
    """A metric of another package."""


Foreign.__module__ = "elsewhere.metrics"


@pytest.mark.parametrize(
    "metric",
    [Foreign(), OneHot(tokenizer="ja-mecab"), WER(tokenizer="ko-mecab")],
    ids=lambda metric: metric.name,
)
def test_what_other_packages_compute_runs_alone(metric: Metric) -> None:
    with use_threads(2):
        assert choose_batch_size(10**6, [BLEU()]) is not None
        assert choose_batch_size(10**6, [BLEU(), metric]) is None


def test_what_asks_for_a_resource_runs_alone() -> None:
    metrics = [metric.metric for metric in MetricMaker(ResourceChoice()).make_all(["bleu", "std"])]
    with use_threads(2):
        assert choose_batch_size(10**6, metrics) is None


@pytest.mark.parametrize(("n_segments", "threads"), [(4_999, 2), (10**6, 1)])
def test_few_segments_or_one_thread_need_no_batches(n_segments: int, threads: int) -> None:
    with use_threads(threads):
        assert choose_batch_size(n_segments, [BLEU()]) is None


@pytest.mark.parametrize("n_segments", [5_000, 31_000, 100_000])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_no_thread_is_left_without_work_in_the_last_round(n_segments: int, threads: int) -> None:
    with use_threads(threads):
        size = choose_batch_size(n_segments, [BLEU()])
    if size is not None and size > 2_500:
        assert -(-n_segments // size) % threads == 0


def test_results_come_in_order_and_each_call_has_one_thread() -> None:
    def call(item: int) -> tuple[int, int]:
        time.sleep(0.02 * (item % 3 == 0))
        return item, n_threads()

    with use_threads(3):
        assert list(threaded_map(call, range(10))) == [(item, 1) for item in range(10)]


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_only_a_few_items_are_taken_ahead(threads: int) -> None:
    """At most two for each thread, even while the first one takes long and all others are done."""
    taken, others_done = [], threading.Event()

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    def call(item: int) -> int:
        if item == 0:
            others_done.wait(60)
        elif item == 2 * threads - 1:
            others_done.set()
        return item

    with use_threads(threads):
        results = threaded_map(call, items())
        assert next(results) == 0
        assert others_done.is_set()
        assert len(taken) == 2 * threads
        results.close()  # type: ignore[attr-defined]


def test_the_calling_thread_computes_too() -> None:
    both_compute = threading.Barrier(2, timeout=600)

    def call(item: int) -> int:
        both_compute.wait()
        return threading.get_ident()

    with use_threads(2):
        used = set(threaded_map(call, range(12)))
    assert len(used) == 2
    assert threading.get_ident() in used


@pytest.mark.parametrize("threads", [2, 3, 5])
@pytest.mark.parametrize("first_wrong", range(0, 14, 3))
def test_results_before_the_first_error_in_order_are_yielded(threads: int, first_wrong: int) -> None:
    rng = random.Random(first_wrong * threads)
    pauses = [rng.choice([0, 0, 0.005, 0.02]) for _ in range(15)]
    wrong = {first_wrong, *(item for item in range(first_wrong, 15) if rng.random() < 0.4)}

    def call(item: int) -> int:
        time.sleep(pauses[item])
        if item in wrong:
            raise ValueError(f"item {item}")
        return item

    found = list[int]()
    with use_threads(threads), pytest.raises(ValueError, match=rf"^item {first_wrong}$"):
        list(map(found.append, threaded_map(call, range(15))))
    assert found == list(range(first_wrong))


def test_the_first_error_in_order_is_raised_and_the_others_stop() -> None:
    finished = []

    def call(item: int) -> None:
        if item == 0:
            time.sleep(0.2)
            raise ValueError("the first one")
        inversion_distance(*LONG, max_memory=4000)  # takes minutes
        finished.append(item)

    with use_threads(3), pytest.raises(ValueError, match="the first one"):
        list(threaded_map(call, range(6)))
    assert finished == []
    assert threading.active_count() < 20
    assert inversion_distance("abcd", "cdab") == 1  # nobody is asked to stop any more
