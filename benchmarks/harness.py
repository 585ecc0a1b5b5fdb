"""The text, the timing and the output rows of all benchmarks."""

import gc
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import Self

__all__ = ["FEWEST", "Row", "Sample", "Seconds", "alternating_seconds", "cpu_seconds", "median_seconds"]


FEWEST = 5  # runs of each side
NOISY = 0.25  # of the median, between the quartiles


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
    def is_noisy(self) -> bool:
        """Whether another run may give a clearly different ratio."""
        return self.spread > NOISY


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

    As in `timeit`, garbage collection is off, because it would collect the garbage of earlier benchmarks.
    """
    runs: list[list[float]] = [[] for _ in works]
    gc.collect()
    gc.disable()
    try:
        for _ in range(max(repeats, FEWEST)):
            for work, own in zip(works, runs, strict=True):
                begin = clock()
                work()
                own.append(clock() - begin)
    finally:
        gc.enable()
    return [Seconds(own) for own in runs]
