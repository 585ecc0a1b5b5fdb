"""The number of threads of kernels, mapping functions over threads, cancellation, and the build of the core."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import PurePath
from typing import TypeVar

import tertium._core as _core
from tertium._core import Stop
from tertium.errors import OptionError

MAX_THREADS = 65_536  # more than any machine has cores; if a system cannot start that many, fewer run

_threads: ContextVar[int | None] = ContextVar("threads", default=None)


def n_threads() -> int:
    """Return the number of threads set by `use_threads`; by default all cores that this process may use."""
    return _threads.get() or _usable_cores()


def _usable_cores() -> int:
    """Count the cores that this process may use; without CPU affinity these are all cores."""
    if hasattr(os, "sched_getaffinity"):  # missing on macOS and Windows
        return len(os.sched_getaffinity(0))
    count = getattr(os, "process_cpu_count", os.cpu_count)  # the first is new in Python 3.13
    return count() or 1


@contextmanager
def use_threads(count: int | None) -> Iterator[None]:
    """Let kernels within this context use `count` threads (None: all cores). Results do not change."""
    if count is not None and not 1 <= count <= MAX_THREADS:
        raise OptionError(f"threads must be 1 to {MAX_THREADS:,}, not {count}")
    token = _threads.set(count)
    try:
        yield
    finally:
        _threads.reset(token)


@contextmanager
def cancel_scope(stop: Stop) -> Iterator[None]:
    """Cancel this thread's kernels when `stop.request_stop()` is called elsewhere."""
    stop.enter()
    try:
        yield
    finally:
        stop.leave()


Item = TypeVar("Item")
Result = TypeVar("Result")


def threaded_map(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Map a function over items on several threads; yield the results in order.

    An item is requested when a thread becomes free, so that only a few are in memory at once.
    """
    threads, stop = n_threads(), Stop()
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import Future, ThreadPoolExecutor  # noqa: PLC0415 - small corpora need none

    def call(item: Item) -> Result:
        with use_threads(1), cancel_scope(stop):
            return function(item)

    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(call, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:  # after an error, Ctrl-C, or an early end of the iteration
            stop.request_stop()
            for each in waiting:
                each.cancel()


def describe_core() -> str:
    """Name the compiler and the Python ABI that the core was built with.

    >>> describe_core().partition(",")[0] != ""
    True
    """
    is_stable = ".abi3." in PurePath(_core.__file__ or "").name
    return f"{_core.compiler}, {'stable ABI' if is_stable else 'this Python only'}"
