"""The number of threads of kernels, mapping functions over threads, cancellation, and the build of the core."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

import tertium._core as _core
from tertium._core import Stop
from tertium.errors import OptionError

if TYPE_CHECKING:
    from concurrent.futures import Future

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
    """Map a function over items on several threads, of which this is one; yield the results in order.

    Items are requested as threads become free: at most twice as many as there are threads are in memory at once.
    """
    threads, stop = n_threads(), Stop()
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - small corpora need none

    call = partial(_call_on_one_thread, function)
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    with ThreadPoolExecutor(threads - 1) as pool:
        try:
            for item in items:
                waiting.append((item, pool.submit(call, item, stop)))
                if len(waiting) == 2 * threads:
                    _help(call, waiting)
                    yield waiting.popleft()[1].result()
            while waiting:
                _help(call, waiting)
                yield waiting.popleft()[1].result()
        finally:  # after an error, Ctrl-C, or an early end of the iteration
            stop.request_stop()
            for _, future in waiting:
                future.cancel()


def _call_on_one_thread(function: Callable[[Item], Result], item: Item, stop: Stop) -> Result:
    with use_threads(1), cancel_scope(stop):
        return function(item)


def _help(call: Callable[[Item, Stop], Result], waiting: "deque[tuple[Item, Future[Result]]]") -> None:
    """Compute items that no other thread has begun, until the first one is done."""
    for place, (item, planned) in enumerate(waiting):
        if waiting[0][1].done():
            return
        if planned.cancel():
            earlier = [future for _, future in islice(waiting, place)]
            waiting[place] = item, _compute_here(call, item, earlier)


def _compute_here(
    call: Callable[[Item, Stop], Result], item: Item, earlier: "Sequence[Future[Result]]"
) -> "Future[Result]":
    """Compute an item on this thread; if an earlier one fails, this one is stopped and its result is missing."""
    from concurrent.futures import Future  # noqa: PLC0415 - as above

    stop, result, failed = Stop(), Future[Result](), list[Future[Result]]()

    def watch(other: Future[Result]) -> None:
        if other.exception() is not None:
            failed.append(other)
            stop.request_stop()

    for future in earlier:
        future.add_done_callback(watch)
    try:
        result.set_result(call(item, stop))
    except Exception as error:  # noqa: BLE001 - raised in its turn
        result.set_exception(error)
    except KeyboardInterrupt:  # raised by Ctrl-C or by `stop`
        if not failed:
            raise
    return result


def describe_core() -> str:
    """Name the compiler and the Python ABI that the core was built with.

    >>> describe_core().partition(",")[0] != ""
    True
    """
    is_stable = ".abi3." in PurePath(_core.__file__ or "").name
    return f"{_core.compiler}, {'stable ABI' if is_stable else 'this Python only'}"
