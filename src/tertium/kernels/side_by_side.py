"""Calls of one function side by side, each on a thread of its own."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from tertium.kernels.stopping import Stop, heed
from tertium.kernels.threads import n_threads, use_threads

__all__ = ["map_side_by_side"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_side_by_side(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """Call the function on the items, as many at a time as there are threads; give the results in order.

    Items are taken as threads become free, so that only a few are in memory at once.
    """
    threads, stop = n_threads(), Stop()
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import Future, ThreadPoolExecutor  # noqa: PLC0415 - small corpora need none

    def call(item: Item) -> Result:
        with use_threads(1), heed(stop):
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
        finally:  # an error, Ctrl-C, or nobody who wants more: all results are there otherwise
            stop.ask()
            for each in waiting:
                each.cancel()
