"""Time the inversion edit distance against a direct implementation of its recursion, and by length."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from harness import FEWEST, Median, Row, Sample, cpu_seconds, median_seconds
from tertium.kernels.edits import inversion_distances
from tertium.kernels.strings import Vocabulary
from tertium.kernels.threads import use_threads
from tertium.metrics.lexical.invwer import InvWER
from tertium.text import Texts

__all__ = ["measure"]

SOURCE = Path(__file__).with_name("direct_inversion.cpp")
LONGEST_FOR_THE_PEER = 40  # words; its time grows with the sixth power
PAIRS_FOR_THE_PEER = 200
# Limits of the median and the slowest pair, for real text joined and cut to a number of words.
AIMS = {20: (0.001, 0.01), 40: (0.005, 0.05), 60: (0.02, 0.2), 100: (0.05, 1.0)}
PAIRS_PER_LENGTH = 50

Pairs = tuple[list[list[int]], list[list[int]]]


def measure(sample: Sample) -> Iterator[Row]:
    """Time short segments against the recursion, then the whole text, then single lengths."""
    pairs = _ids(sample)
    yield _recursion(_short(pairs))
    yield _whole(sample)
    for length, (aim_median, aim_worst) in AIMS.items():
        seconds = _seconds_at(pairs, length)
        job = f"inversion distance, {len(seconds)} pairs of {length} words"
        yield Row(
            f"{job}, median", f"{aim_median * 1e3:g} ms", float(np.median(seconds)), aim_median, 1, None
        )
        yield Row(f"{job}, slowest", f"{aim_worst * 1e3:g} ms", max(seconds), aim_worst, 1, None)


def _recursion(pairs: Pairs) -> Row:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise SystemExit("a C++ compiler is needed to build the direct recursion")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "direct_inversion"
        subprocess.run([compiler, "-O2", "-std=c++20", "-o", program, SOURCE], check=True)
        lines = "".join(" ".join(map(str, ids)) + "\n" for ids in chain(*zip(*pairs, strict=True)))
        runs = [
            subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
            for _ in range(FEWEST)
        ]
    if inversion_distances(*pairs).tolist() != [float(line) for line in runs[0].stdout.split()]:
        raise SystemExit("the distances differ from the direct recursion's")
    ours = median_seconds(lambda: _alone(lambda: inversion_distances(*pairs)))
    job = f"inversion distance, {len(pairs[0]):,} pairs up to {LONGEST_FOR_THE_PEER} words"
    return Row(job, "direct recursion", ours, Median([float(run.stderr) for run in runs]), 200, None)


def _whole(sample: Sample) -> Row:
    def work() -> object:
        return InvWER().corpus_score(sample.hypotheses, [sample.references], orientation="streams")

    return Row("invWER, all lengths, raw text in", "5 seconds", median_seconds(lambda: _alone(work)), 5.0, 1)


def _seconds_at(pairs: Pairs, length: int) -> list[float]:
    seconds = []
    for first, second in _cut(pairs, length):
        begin = cpu_seconds()
        _alone(lambda: inversion_distances([first], [second]))  # noqa: B023 - called at once
        seconds.append(cpu_seconds() - begin)
    return seconds


def _cut(pairs: Pairs, length: int) -> Iterator[tuple[list[int], list[int]]]:
    """Join adjacent segments until both sides have enough words, and cut them to the length."""
    first: list[int] = []
    second: list[int] = []
    found = 0
    for one, other in zip(*pairs, strict=True):
        first, second = first + one, second + other
        if min(len(first), len(second)) >= length and found < PAIRS_PER_LENGTH:
            found += 1
            yield first[:length], second[:length]
            first, second = [], []


def _short(pairs: Pairs) -> Pairs:
    kept = [pair for pair in zip(*pairs, strict=True) if max(map(len, pair)) <= LONGEST_FOR_THE_PEER]
    kept = kept[:PAIRS_FOR_THE_PEER]
    return [first for first, _ in kept], [second for _, second in kept]


def _ids(sample: Sample) -> Pairs:
    vocabulary = Vocabulary()
    columns = [Texts(texts, vocabulary).tokens("13a") for texts in (sample.hypotheses, sample.references)]
    first, second = (
        [part.tolist() for part in np.split(column.ids, column.offsets[1:-1])] for column in columns
    )
    return first, second


def _alone(work: Callable[[], object]) -> object:
    with use_threads(1):
        return work()
