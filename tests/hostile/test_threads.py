"""Eight concurrent threads give the same results as one, for every metric and all shared resources."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from tertium.catalog import LabelledMetric, build_metric, self_contained_names
from tertium.engines import evaluate
from tertium.interfaces import Paraphrases, WordVectors
from tertium.kernels.strings import Vocabulary
from tertium.resources.paraphrases import load_paraphrases
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.loading import WordTable
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_vectors
from tertium.text import Texts
from tertium.values import Corpus

Providers = dict[type, Callable[[], object]]

N_THREADS = 8
N_WORDS = 4_000


def at_once(work: Callable[[int], object]) -> list[object]:
    """Start all threads at the same time and return their results."""
    barrier = Barrier(N_THREADS)

    def begin(number: int) -> object:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(begin, range(N_THREADS)))


@pytest.fixture(scope="module", params=["v.vectors", "v.txt"])
def vectors(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a file in which the vector of word i is i + 1 in all dimensions."""
    path: Path = tmp_path_factory.mktemp("vectors") / request.param
    matrix = np.repeat(np.arange(1, N_WORDS + 1, dtype=np.float32)[:, None], 4, axis=1)
    write_vectors(path, MemoryVectors([f"w{i}" for i in range(N_WORDS)], matrix), name="test")
    return path


@pytest.mark.parametrize("attempt", range(3))
def test_a_table_of_vectors_is_learned_by_all_threads(vectors: Path, attempt: int) -> None:
    table = load_vectors(vectors)
    assert isinstance(table, WordTable)

    def look_up(number: int) -> bool:
        rng = np.random.default_rng([number, attempt])
        for _ in range(30):
            ids = rng.integers(0, N_WORDS, 200).tolist()
            found = table.vectors([f"w{i}" for i in ids])
            if [None if each is None else each.tolist() for each in found] != [[i + 1.0] * 4 for i in ids]:
                return False
        return True

    assert at_once(look_up) == [True] * N_THREADS
    everything = table.vectors([f"w{i}" for i in range(N_WORDS)])
    assert [float(each[0]) for each in everything if each is not None] == list(range(1, N_WORDS + 1))


@pytest.mark.parametrize("attempt", range(3))
def test_columns_over_one_vocabulary_are_cut_by_all_threads(attempt: int) -> None:
    vocabulary = Vocabulary()
    rng = np.random.default_rng(attempt)
    lines = [
        [" ".join(f"w{i}" for i in rng.integers(0, 500, 20)) for _ in range(100)] for _ in range(N_THREADS)
    ]
    shared = Texts(lines[0], vocabulary)
    columns = [Texts(strings, vocabulary) for strings in lines]

    def cut(number: int) -> bool:
        own, common = columns[number].tokens("none"), shared.tokens("none")
        return [" ".join(own.words(i)) for i in range(100)] == lines[number] and [
            " ".join(common.words(i)) for i in range(100)
        ] == lines[0]

    assert at_once(cut) == [True] * N_THREADS
    assert len({id(view) for view in at_once(lambda _: shared.tokens("13a"))}) == 1


REFERENCES = [
    ["The cat sat on the mat.", "A cat is on the mat."],
    ["He bought a new car yesterday."],
    ["It rained."],
]
OUTPUTS = ["The cat is on a mat.", "Yesterday he bought a car.", "It was raining."]


@pytest.fixture(scope="module")
def providers(tmp_path_factory: pytest.TempPathFactory) -> Providers:
    """Return the default vectors and a small table of paraphrases, because an installed table takes seconds to read."""
    table = tmp_path_factory.mktemp("paraphrases") / "table"
    table.write_text("0.5\nbought\npurchased\n0.1\nthe mat\na mat\n", encoding="utf-8")
    return {WordVectors: lambda: load_vectors("english"), Paraphrases: lambda: load_paraphrases(table)}


@pytest.mark.parametrize("name", self_contained_names())
def test_every_metric_scores_alike_from_eight_threads(name: str, providers: Providers) -> None:
    def score(_: int) -> list[float]:
        evaluation = evaluate(
            Corpus(REFERENCES, {"A": OUTPUTS}, sources=[group[0] for group in REFERENCES]),
            [LabelledMetric("metric", metric)],
            threads=2,
        )
        return [
            *evaluation.segment_scores("metric")[0].tolist(),
            *evaluation.system_scores("metric").tolist(),
        ]

    metric = build_metric(name, {}, providers)
    found = at_once(score)
    metric = build_metric(name, {}, providers)
    np.testing.assert_array_equal(np.array(found), np.array([score(0)] * N_THREADS))
