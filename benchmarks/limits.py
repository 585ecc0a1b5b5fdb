"""Measure the limits of this machine: bytes copied and operations per second on one thread, and whether two threads
have a core each.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from statistics import median

import numpy as np

__all__ = ["copy_speed", "operation_speed", "two_thread_slowdown"]


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


_other_thread = ThreadPoolExecutor(1)
_FACTORS = np.ones((192, 192))
_PRODUCTS = np.empty_like(_FACTORS), np.empty_like(_FACTORS)


def two_thread_slowdown(*, repeats: int = 3) -> float:
    """Measure how much longer a matrix product takes when another thread computes one, too.

    It keeps a core's arithmetic units busy: the slowdown is 1 on two cores, and 2 if one core runs both threads.
    BLAS must not start threads of its own. The faster thread counts, because the other may start later.
    """
    return median(_slowdown() for _ in range(repeats))


def _slowdown() -> float:
    alone = _time(lambda: _multiply(0))
    other = _other_thread.submit(_time, lambda: _multiply(1))
    return min(_time(lambda: _multiply(0)), other.result()) / alone


def _multiply(place: int) -> None:
    np.dot(_FACTORS, _FACTORS, out=_PRODUCTS[place])


def _time(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
