"""Measure the limits of this machine: bytes copied and operations per second, on one thread."""

import time
from collections.abc import Callable

import numpy as np

__all__ = ["copy_speed", "operation_speed"]


def copy_speed(*, megabytes: int = 64, repeats: int = 9) -> float:
    """Measure the bytes read and written per second, the best of several runs."""
    source = np.ones(megabytes * 1_000_000, dtype=np.uint8)
    target = np.empty_like(source)
    return source.nbytes / min(_time(lambda: np.copyto(target, source)) for _ in range(repeats))


def operation_speed(*, size: int = 4096, repeats: int = 2000) -> float:
    """Measure the additions of 64-bit integers per second of numpy's vector loops, in the cache."""
    values = np.ones(size, dtype=np.int64)
    seconds = min(_time(lambda: np.add(values, values, out=values)) for _ in range(repeats))
    return size / seconds


def _time(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
