"""The text, the timing and the output rows of all benchmarks."""

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from statistics import harmonic_mean, median, quantiles
from typing import Self, TypeVar

from limits import two_thread_slowdown

__all__ = [
    "FEWEST",
    "Median",
    "Row",
    "Sample",
    "alternating_seconds",
    "compared_row",
    "cpu_seconds",
    "median_seconds",
    "threaded_row",
]


FEWEST = 5  # runs of each side
NOISY = 0.25  # of the median, between the quartiles
STEADY = 0.05  # the same; a measurement that varies more is repeated
MOST_MEASUREMENTS = 6
PAUSE = 1.0  # seconds between two measurements
PATIENCE = 60.0  # seconds after which none is repeated
ONE_CORE = 1.5  # slowdown of pure computation on two threads: 1 on two cores, 2 on one that runs both


class Median(float):
    """The median of several runs, with their spread: the interquartile range divided by the median."""

    spread: float

    def __new__(cls, runs: Sequence[float]) -> Self:
        low, middle, high = quantiles(runs, n=4, method="inclusive")
        made = super().__new__(cls, middle)
        made.spread = (high - low) / middle if middle else 0.0
        return made


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

    `n_texts` is the number of times that the sample's text was read; None for a job on other data. `turns_ratio` is
    the median of the ratios of single turns, if the row shows it, and `remark` says which turns count.
    """

    job: str
    peer: str
    our_seconds: float
    peer_seconds: float
    wanted_ratio: float
    n_texts: float | None = 1.0
    turns_ratio: Median | None = None
    remark: str = ""

    @property
    def ratio(self) -> float:
        return self.peer_seconds / self.our_seconds if self.turns_ratio is None else self.turns_ratio

    @property
    def spread(self) -> str:
        """The spread of the turns' ratios, or of the side that varied more, and the remark."""
        sides = (self.our_seconds, self.peer_seconds) if self.turns_ratio is None else (self.turns_ratio,)
        spread = max(getattr(side, "spread", 0.0) for side in sides)
        return f"{spread:.0%}{' noisy' * (spread > NOISY)}{', ' * bool(self.remark)}{self.remark}"


def median_seconds(
    work: Callable[[], object], repeats: int = FEWEST, clock: Callable[[], float] = cpu_seconds
) -> Median:
    """Measure the median of several runs, in processor time unless the job starts threads."""
    (seconds,) = alternating_seconds([work], repeats, clock)
    return seconds


def alternating_seconds(
    works: Sequence[Callable[[], object]],
    repeats: int = FEWEST,
    clock: Callable[[], float] = cpu_seconds,
) -> list[Median]:
    """Measure the medians of jobs that run in turns, so that slow phases of the machine affect all of them."""

    def measure() -> list[Median]:
        with _no_collection():
            turns = [[_seconds_of(work, clock) for work in works] for _ in range(max(repeats, FEWEST))]
        return [Median(runs) for runs in zip(*turns, strict=True)]

    return _steadiest(measure, lambda sides: max(side.spread for side in sides))


def compared_row(
    job: str,
    peer: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    wanted_ratio: float,
    n_texts: float | None = 1.0,
) -> Row:
    """Measure the processor time of a job and of the same job by a peer, in turns.

    Ours is shorter and runs several times in a turn, of which the median counts: a single run would be slower than
    usual after a peer that has used the caches.
    """

    def measure_turn() -> tuple[float, float]:
        short = median(_seconds_of(ours, cpu_seconds) for _ in range(FEWEST))
        return short, _seconds_of(theirs, cpu_seconds)

    def measure() -> Row:
        with _no_collection():
            turns = [measure_turn() for _ in range(FEWEST)]
        short, long = (Median(runs) for runs in zip(*turns, strict=True))
        ratios = Median([long / short for short, long in turns])
        return Row(job, peer, short, long, wanted_ratio, n_texts, ratios)

    return _steadiest(measure, _spread_of_turns)


def threaded_row(
    job: str,
    work: Callable[[int], object],
    wanted_ratio: float,
    *,
    n_turns: int,
    n_texts: float | None = 1.0,
) -> Row:
    """Measure the elapsed time of work(1) and work(2), which run on so many threads, in turns.

    A turn counts if the machine has two cores before and after it: a virtual machine's may be halves of one. If
    there are too few such turns, all count, and the row says so.
    """

    def measure() -> Row:
        turns = _measure_turns(work, n_turns)
        counted = [(one, two) for one, two, has_two_cores in turns if has_two_cores]
        remark = (
            f"{len(counted)} of {len(turns)} turns; {median(one / two for one, two, _ in turns):.2f} over all"
        )
        if len(counted) < FEWEST:
            counted = [(one, two) for one, two, _ in turns]
            remark = f"{len(turns)} turns, too few of them with two cores"
        one, two = (Median(runs) for runs in zip(*counted, strict=True))
        ratios = Median([one / two for one, two in counted])
        return Row(job, "one thread", two, one, wanted_ratio, n_texts, ratios, remark)

    work(2)  # starts its threads
    return _steadiest(measure, _spread_of_turns)


Measured = TypeVar("Measured")


def _steadiest(measure: Callable[[], Measured], spread: Callable[[Measured], float]) -> Measured:
    """Measure, again after a pause if other load disturbed it; return the measurement with the smallest spread."""
    begin = time.perf_counter()
    measured = [measure()]
    while (
        spread(measured[-1]) > STEADY
        and len(measured) < MOST_MEASUREMENTS
        and time.perf_counter() - begin < PATIENCE
    ):
        time.sleep(PAUSE)
        measured.append(measure())
    return min(measured, key=spread)


def _spread_of_turns(row: Row) -> float:
    return row.turns_ratio.spread if row.turns_ratio else 0.0


def _measure_turns(work: Callable[[int], object], n_turns: int) -> list[tuple[float, float, bool]]:
    """Measure turns on one thread and on two, until the machine had two cores in so many of them."""
    turns: list[tuple[float, float, bool]] = []
    begin = time.perf_counter()
    with _no_collection():
        after = two_thread_slowdown()
        while len(turns) < FEWEST or (
            sum(has_two_cores for *_, has_two_cores in turns) < n_turns
            and time.perf_counter() - begin < PATIENCE
        ):
            one, two = _measure_turn(work)
            before, after = after, two_thread_slowdown()
            turns.append((one, two, max(before, after) < ONE_CORE))
    return turns


def _measure_turn(work: Callable[[int], object]) -> tuple[float, float]:
    """Measure the elapsed time on one thread and on two.

    The job runs on one core, on two threads, and on another core, because the cores of a virtual machine differ in
    speed from second to second. The time on one thread is the one at the mean speed of both cores.
    """
    first = _seconds_on_core(0, partial(work, 1))
    two = _seconds_of(partial(work, 2), time.perf_counter)
    return harmonic_mean([first, _seconds_on_core(-1, partial(work, 1))]), two


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
