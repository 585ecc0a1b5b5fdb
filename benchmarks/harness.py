"""What every benchmark shares: the text, the clock and the row it prints."""

import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Row", "Sample", "best_seconds"]


@dataclass(frozen=True)
class Sample:
    """One system's output and its references: what both tools are given."""

    name: str
    hypotheses: list[str]
    references: list[str]


@dataclass(frozen=True)
class Row:
    """A job that two tools did on the same text in the same run."""

    job: str
    peer: str
    our_seconds: float
    peer_seconds: float
    wanted_ratio: float

    @property
    def ratio(self) -> float:
        return self.peer_seconds / self.our_seconds


def best_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """The shortest of several runs: the one that other processes disturbed least."""
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)
