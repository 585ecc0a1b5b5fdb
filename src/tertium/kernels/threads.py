"""How many threads a kernel may use."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tertium.errors import OptionError

__all__ = ["n_threads", "use_threads"]

_threads: ContextVar[int | None] = ContextVar("threads", default=None)


def n_threads() -> int:
    """The number of threads in force: what `use_threads` set, else every core this process may use."""
    return _threads.get() or len(os.sched_getaffinity(0))


@contextmanager
def use_threads(count: int | None) -> Iterator[None]:
    """Within this context kernels use `count` threads (None: every core). Results do not change."""
    if count is not None and count < 1:
        raise OptionError(f"threads must be at least 1, not {count}")
    token = _threads.set(count)
    try:
        yield
    finally:
        _threads.reset(token)
