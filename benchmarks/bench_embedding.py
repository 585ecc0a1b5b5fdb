"""Time STD against two programs that a user would write, and the embedding metrics against their target speeds."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from contextual_loop import measure_contextual
from harness import Row, Sample, compared_row, median_seconds
from peer_std_numpy import std_with_numpy
from peer_std_published import std_as_published
from tertium.kernels.threads import use_threads
from tertium.metrics.base import Metric
from tertium.metrics.embedding.bleu_modif import BLEUModif
from tertium.metrics.embedding.has import HAS
from tertium.metrics.embedding.mas import MAS
from tertium.metrics.embedding.std import STD
from tertium.metrics.embedding.was import WAS
from tertium.metrics.embedding.wer_modif import WERModif
from tertium.resources.vectors import default_vectors
from tertium.resources.vectors.loading import WordTable
from tertium.resources.vectors.training import MemoryVectors
from tertium.text import Texts

__all__ = ["Vectors", "load_vectors", "make_up_vectors", "measure"]

FEW = 100  # segments for the peer that needs tens of milliseconds for each

Vectors = dict[str, npt.NDArray[np.float32]]
Peer = Callable[[Sequence[str], Sequence[str], Vectors, int], float]


def make_up_vectors(words: Iterable[str], width: int = 300) -> Vectors:
    """Make a vector for every word, with a common direction, as trained vectors have."""

    def vector(word: str) -> npt.NDArray[np.float32]:
        return np.random.default_rng(zlib.crc32(word.encode())).normal(0.5, 1.0, width).astype(np.float32)

    return {word: vector(word) for word in dict.fromkeys(words)}


def load_vectors(vectors: Vectors) -> WordTable:
    """Return the table of words that Tertium has after it has read a file with these vectors."""
    source = MemoryVectors(list(vectors), np.array(list(vectors.values())))
    return WordTable(source, "made-up", (load_vectors, (vectors,)))


def measure(sample: Sample) -> Iterator[Row]:
    """Time STD with 300-d vectors against its peers; then every metric against its target."""
    yield _std_beside("numpy, POT per segment", std_with_numpy, sample, 25)
    few = Sample(sample.name, sample.hypotheses[:FEW], sample.references[:FEW])
    yield _std_beside(f"published style, {FEW} segments", std_as_published, few, 100)
    ours = default_vectors()
    yield _at_speed(STD(vectors=ours), sample, 10_000)
    yield _at_speed(STD(vectors=ours, units="types", mass="nsim"), sample, 10_000)
    for metric in (WAS, MAS, HAS, BLEUModif, WERModif):
        yield _at_speed(metric(vectors=ours), sample, 20_000)
    yield from measure_contextual(sample)


def _std_beside(name: str, peer: Peer, sample: Sample, aim: float) -> Row:
    pairs = _tokenize(sample)
    vectors = make_up_vectors(word for pair in pairs for words in pair for word in words)
    metric = STD(vectors=load_vectors(vectors))

    def work() -> list[float]:
        return [50 * sum(peer(*pair, vectors, order) for order in (1, 2)) for pair in pairs]

    ours = metric.corpus_score(sample.hypotheses, [sample.references]).details
    wanted = (ours["order_1"] + ours["order_2"]) / 2  # type: ignore[operator]
    if abs(float(np.mean(work())) - wanted) > 1e-4:
        raise AssertionError(f"{name}: {np.mean(work())} is not our {wanted}")
    with use_threads(1):
        return compared_row(
            "STD, 300-d, raw text in, score out", name, partial(_score, metric, sample), work, aim
        )


def _tokenize(sample: Sample) -> list[tuple[list[str], list[str]]]:
    sides = [Texts(texts).tokens("13a", lowercase=True) for texts in (sample.hypotheses, sample.references)]
    return [(sides[0].words(i), sides[1].words(i)) for i in range(len(sample.hypotheses))]


def _at_speed(metric: Metric, sample: Sample, per_second: int) -> Row:
    aim = len(sample.hypotheses) / per_second
    units = f" on {metric.units}" if isinstance(metric, STD) else ""
    job = f"{metric.name}{units}, default vectors"
    return Row(job, f"{per_second:,} segments/s", _seconds(metric, sample), aim, 1)


def _seconds(metric: Metric, sample: Sample) -> float:
    with use_threads(1):
        _score(metric, sample)  # vectors are read once
        return median_seconds(partial(_score, metric, sample))


def _score(metric: Metric, sample: Sample) -> object:
    return metric.corpus_score(sample.hypotheses, [sample.references])
