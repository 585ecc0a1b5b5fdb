"""What every benchmark shares: the text, the clock and the row it prints."""

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
    """The median of several runs, which remembers how far apart they were."""

    spread: float

    def __new__(cls, runs: Sequence[float]) -> Self:
        low, median, high = quantiles(runs, n=4, method="inclusive")
        seconds = super().__new__(cls, median)
        seconds.spread = (high - low) / median if median else 0.0
        return seconds


def cpu_seconds() -> float:
    """The processor time of this process and of those it waited for: a busy machine stretches it least."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


@dataclass(frozen=True)
class Sample:
    """One system's output and its references: what both tools are given."""

    name: str
    hypotheses: list[str]
    references: list[str]


@dataclass(frozen=True)
class Row:
    """A job that two tools did on the same text in the same run.

    `n_texts` says how many times the sample's text was read; None for a job on something else.
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
        """Of the side that varied more, the distance between the quartiles by the median."""
        return max(getattr(seconds, "spread", 0.0) for seconds in (self.our_seconds, self.peer_seconds))

    @property
    def is_noisy(self) -> bool:
        """Whether another run may well give another ratio."""
        return self.spread > NOISY


def median_seconds(
    work: Callable[[], object], repeats: int = FEWEST, clock: Callable[[], float] = cpu_seconds
) -> Seconds:
    """The median of several runs, by processor time unless the job has threads of its own."""
    (seconds,) = alternating_seconds([work], repeats, clock)
    return seconds


def alternating_seconds(
    works: Sequence[Callable[[], object]],
    repeats: int = FEWEST,
    clock: Callable[[], float] = cpu_seconds,
) -> list[Seconds]:
    """The medians of works that take turns, so that a machine's slow minutes meet all of them.

    As in `timeit`, nobody looks for garbage meanwhile: it would be that of all benches before.
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
