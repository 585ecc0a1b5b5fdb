"""A progress bar on the terminal, for work that takes longer than a second."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from tertium.cli.output import tell

__all__ = ["Advance", "progress_bar"]

PATIENCE = 1.0  # seconds before a bar appears
LOG_PATIENCE = 15.0  # seconds between two lines where no terminal shows a bar


class Advance(Protocol):
    """Draws how far the work is; `title` says what is being done meanwhile."""

    def __call__(self, done: int, total: int, title: str | None = None) -> None: ...


@contextmanager
def progress_bar(usual: str, *, quiet: bool) -> Iterator[Advance | None]:
    """Give a function (done, total) that draws a bar on stderr, or prints a line now and then into a log.

    `usual` is its title, unless a call gives another. Slow resources, such as a parser, draw on the same bar.
    """
    if quiet:
        yield None
        return
    if sys.stderr is None or not sys.stderr.isatty():
        with _resource_progress(lines := _LineProgress(usual)):
            yield lines
        return
    from rich.console import Console
    from rich.progress import Progress

    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True, disable=False, auto_refresh=False) as bar:
        task = bar.add_task(usual, visible=False)

        def advance(done: int, total: int, title: str | None = None) -> None:
            visible = time.monotonic() - began > PATIENCE
            bar.update(
                task,
                description=title or usual,
                completed=done,
                total=total,
                visible=visible,
                refresh=visible,
            )

        with _resource_progress(advance):
            yield advance


@contextmanager
def _resource_progress(advance: Advance) -> Iterator[None]:
    """Let slow resources, such as a parser, draw on the same bar."""
    from tertium.resources.progress import use_progress

    with use_progress(lambda title, done, total: advance(done, total, title)):
        yield


class _LineProgress:
    """Prints how far the work is, a line now and then: for logs."""

    def __init__(self, usual: str) -> None:
        self._usual, self._last = usual, time.monotonic()

    def __call__(self, done: int, total: int, title: str | None = None) -> None:
        if time.monotonic() - self._last < LOG_PATIENCE:
            return
        self._last = time.monotonic()
        tell(f"{title or self._usual}: {done:,} of {total:,}")
