"""The text, the timing and the output rows of all benchmarks."""

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import quantiles
from typing import Self

from limits import two_thread_slowdown

__all__ = [
    "FEWEST",
    "Row",
    "Sample",
    "Seconds",
    "alternating_seconds",
    "cpu_seconds",
    "median_seconds",
    "threaded_seconds",
]


FEWEST = 5  # runs of each side
NOISY = 0.25  # of the median, between the quartiles
STEADY = 0.05  # the same; a measurement that varies more is repeated
MOST_MEASUREMENTS = 6
PAUSE = 1.0  # seconds between two measurements
PATIENCE = 60.0  # seconds after which none is repeated
WHOLE_CORES = 1.03  # two threads of pure computation take at most so many times as long as one


class Seconds(float):
    """The median of several runs, with their spread."""

    spread: float
    remark: str

    def __new__(cls, runs: Sequence[float], remark: str = "") -> Self:
        low, median, high = quantiles(runs, n=4, method="inclusive")
        seconds = super().__new__(cls, median)
        seconds.remark = remark
        seconds.spread = (high - low) / median if median else 0.0
        return seconds


def cpu_seconds() -> float:
    """Return the processor time of this process and its children, which depends least on other load."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


@dataclass(frozen=True)
class Sample:
    """The output of one system and its references, the input of both tools."""

    name: str
    hypotheses: list[str]
    references: list[str]


@dataclass(frozen=True)
class Row:
    """A job that two tools did on the same text in the same run.

    `n_texts` is the number of times that the sample's text was read; None for a job on other data.
    """

    job: str
    peer: str
    our_seconds: float
    peer_seconds: float
    wanted_ratio: float
    n_texts: float | None = 1.0

    @property
    def ratio(self) -> float:
        return self.peer_seconds / self.our_seconds

    @property
    def spread(self) -> float:
        """The interquartile range divided by the median, of the side that varied more."""
        return max(getattr(seconds, "spread", 0.0) for seconds in (self.our_seconds, self.peer_seconds))

    @property
    def remark(self) -> str:
        """How steady the measurement was."""
        counted = getattr(self.our_seconds, "remark", "")
        return f"{self.spread:.0%}{' noisy' * (self.spread > NOISY)}{', ' * bool(counted)}{counted}"


def median_seconds(
    work: Callable[[], object], repeats: int = FEWEST, clock: Callable[[], float] = cpu_seconds
) -> Seconds:
    """Measure the median of several runs, in processor time unless the job starts threads."""
    (seconds,) = alternating_seconds([work], repeats, clock)
    return seconds


def alternating_seconds(
    works: Sequence[Callable[[], object]],
    repeats: int = FEWEST,
    clock: Callable[[], float] = cpu_seconds,
) -> list[Seconds]:
    """Measure the medians of jobs that run in turns, so that slow phases of the machine affect all of them.

    If the times vary, other load probably disturbed the measurement: it is repeated after a pause, and the
    steadiest one is returned.
    """
    begin = time.perf_counter()
    measured = [_measure(works, repeats, clock)]
    while (
        _largest_spread(measured[-1]) > STEADY
        and len(measured) < MOST_MEASUREMENTS
        and time.perf_counter() - begin < PATIENCE
    ):
        time.sleep(PAUSE)
        measured.append(_measure(works, repeats, clock))
    return min(measured, key=_largest_spread)


def threaded_seconds(work: Callable[[int], object], repeats: int = FEWEST) -> tuple[Seconds, Seconds]:
    """Measure the elapsed time of work(1) and work(2), which run on so many threads, in turns.

    A turn counts if the machine has two whole cores before, between and after its two runs, because nothing can be
    twice as fast otherwise. If there are too few such turns, all count.
    """
    turns: list[tuple[float, list[float]]] = []
    n_whole = 0
    begin = time.perf_counter()
    with _no_collection():
        while n_whole < max(repeats, FEWEST) and time.perf_counter() - begin < PATIENCE:
            slowdowns, seconds = [two_thread_slowdown()], []
            for n_threads in (1, 2):
                seconds.append(_seconds_of(partial(work, n_threads), time.perf_counter))
                slowdowns.append(two_thread_slowdown())
            turns.append((max(slowdowns), seconds))
            n_whole += max(slowdowns) <= WHOLE_CORES
    is_enough = n_whole >= FEWEST
    counted = [seconds for slowdown, seconds in turns if slowdown <= WHOLE_CORES or not is_enough]
    remark = f"{n_whole} of {len(turns)} turns" + ("" if is_enough else " with two cores: all count")
    one, two = (Seconds(runs, remark) for runs in zip(*counted, strict=True))
    return one, two


def _largest_spread(sides: Sequence[Seconds]) -> float:
    return max(seconds.spread for seconds in sides)


def _measure(
    works: Sequence[Callable[[], object]], repeats: int, clock: Callable[[], float]
) -> list[Seconds]:
    with _no_collection():
        turns = [[_seconds_of(work, clock) for work in works] for _ in range(max(repeats, FEWEST))]
    return [Seconds(runs) for runs in zip(*turns, strict=True)]


def _seconds_of(work: Callable[[], object], clock: Callable[[], float]) -> float:
    begin = clock()
    work()
    return clock() - begin


@contextmanager
def _no_collection() -> Iterator[None]:
    """Turn garbage collection off, as `timeit` does, because it would collect the garbage of earlier benchmarks."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
