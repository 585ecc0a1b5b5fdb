"""Stopping what other threads compute: Python tells signals such as Ctrl-C to its first thread only."""

from collections.abc import Iterator
from contextlib import contextmanager

from tertium._core import Stop

__all__ = ["Stop", "heed"]


@contextmanager
def heed(stop: Stop) -> Iterator[None]:
    """Within this context, what this thread computes is given up as soon as another one calls `stop.ask()`."""
    stop.enter()
    try:
        yield
    finally:
        stop.leave()
