"""Measure the limits of this machine: bytes copied and operations per second on one thread, and whether two threads
have a core each.
"""

import hashlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

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
_BLOCK = bytes(32_768)  # stays in a first-level cache


def two_thread_slowdown() -> float:
    """Measure how much longer a computation takes when another thread does the same.

    About 1 if each thread has a core of its own, and more if a virtual machine's cores are parts of one, or if
    something else uses them. The computation stays within a first-level cache and releases the interpreter.
    """
    alone = _time(_hash)
    other = _other_thread.submit(_time, _hash)
    return max(_time(_hash), other.result()) / alone


def _hash() -> None:
    digest = hashlib.sha256()
    for _ in range(60):  # about a millisecond
        digest.update(_BLOCK)


def _time(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
