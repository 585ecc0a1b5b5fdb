"""The text, the timing and the output rows of all benchmarks."""

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import harmonic_mean, median, quantiles
from typing import Self

__all__ = [
    "FEWEST",
    "Row",
    "Sample",
    "Seconds",
    "alternating_seconds",
    "cpu_seconds",
    "median_seconds",
    "threaded_row",
]


FEWEST = 5  # runs of each side
NOISY = 0.25  # of the median, between the quartiles
STEADY = 0.05  # the same; a measurement that varies more is repeated
MOST_MEASUREMENTS = 6
PAUSE = 1.0  # seconds between two measurements
PATIENCE = 60.0  # seconds after which none is repeated, and for which turns on two threads are measured


class Seconds(float):
    """The median of several runs, with their spread."""

    spread: float

    def __new__(cls, runs: Sequence[float]) -> Self:
        low, median, high = quantiles(runs, n=4, method="inclusive")
        seconds = super().__new__(cls, median)
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

    `n_texts` is the number of times that the sample's text was read; None for a job on other data. `turns` are the
    ratios of single turns, if the row shows their median.
    """

    job: str
    peer: str
    our_seconds: float
    peer_seconds: float
    wanted_ratio: float
    n_texts: float | None = 1.0
    turns: Sequence[float] = ()

    @property
    def ratio(self) -> float:
        return median(self.turns) if self.turns else self.peer_seconds / self.our_seconds

    @property
    def spread(self) -> float:
        """The interquartile range divided by the median: of the turns' ratios, or of the side that varied more."""
        if self.turns:
            return Seconds(self.turns).spread
        return max(getattr(seconds, "spread", 0.0) for seconds in (self.our_seconds, self.peer_seconds))

    @property
    def remark(self) -> str:
        """How steady the measurement was."""
        noisy = " noisy" if self.spread > NOISY else ""
        return f"{self.spread:.0%}{noisy}" + (f", {len(self.turns)} turns" if self.turns else "")


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


def threaded_row(
    job: str, work: Callable[[int], object], wanted_ratio: float, n_texts: float | None = 1.0
) -> Row:
    """Measure the elapsed time of work(1) and work(2), which run on so many threads, in turns.

    A turn runs the job on one core, on two threads, and on another core, because the cores of a virtual machine
    differ in speed from second to second. Its time on one thread is the one at the mean speed of both cores.
    """
    one: list[float] = []
    two: list[float] = []
    begin = time.perf_counter()
    with _no_collection():
        work(2)  # starts its threads
        while len(two) < FEWEST or time.perf_counter() - begin < PATIENCE:
            on_first = _seconds_on_core(0, partial(work, 1))
            two.append(_seconds_of(partial(work, 2), time.perf_counter))
            one.append(harmonic_mean([on_first, _seconds_on_core(-1, partial(work, 1))]))
    ratios = [alone / together for alone, together in zip(one, two, strict=True)]
    return Row(job, "one thread", Seconds(two), Seconds(one), wanted_ratio, n_texts, ratios)


def _seconds_on_core(place: int, work: Callable[[], object]) -> float:
    """Measure the elapsed time of work that this thread does alone, on the first (0) or last (-1) of its cores.

    Where the system does not let a thread choose, it runs on any of them.
    """
    if not hasattr(os, "sched_setaffinity"):
        return _seconds_of(work, time.perf_counter)
    usable = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(usable)[place]})
    try:
        return _seconds_of(work, time.perf_counter)
    finally:
        os.sched_setaffinity(0, usable)


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
