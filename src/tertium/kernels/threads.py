"""How many threads a kernel may use."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tertium.errors import OptionError

__all__ = ["n_threads", "use_threads"]

MOST_THREADS = 65_536  # more than any machine has cores; a system that cannot start so many starts fewer

_threads: ContextVar[int | None] = ContextVar("threads", default=None)


def n_threads() -> int:
    """The number of threads in force: what `use_threads` set, else every core this process may use."""
    return _threads.get() or _usable_cores()


def _usable_cores() -> int:
    """Count the cores that this process may use; systems without affinities may use all they have."""
    if hasattr(os, "sched_getaffinity"):  # missing on macOS and Windows
        return len(os.sched_getaffinity(0))
    count = getattr(os, "process_cpu_count", os.cpu_count)  # the first is new in Python 3.13
    return count() or 1


@contextmanager
def use_threads(count: int | None) -> Iterator[None]:
    """Within this context kernels use `count` threads (None: every core). Results do not change."""
    if count is not None and not 1 <= count <= MOST_THREADS:
        raise OptionError(f"threads must be 1 to {MOST_THREADS:,}, not {count}")
    token = _threads.set(count)
    try:
        yield
    finally:
        _threads.reset(token)
