"""How slow resources, and resampling, tell how far they are, to whoever wants to know."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Told what is being done, and how many of how many items are.
ResourceProgress = Callable[[str, int, int], None]

_listener: ContextVar[ResourceProgress | None] = ContextVar("listener", default=None)


def report_progress(title: str, done: int, total: int) -> None:
    """Tell the listener in force, if there is one."""
    if (listener := _listener.get()) is not None:
        listener(title, done, total)


@contextmanager
def use_progress(listener: ResourceProgress | None) -> Iterator[None]:
    """Within this context resources report to `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
