"""A progress bar on the terminal, for work that takes longer than a second."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Advance", "progress_bar", "resource_progress"]

PATIENCE = 1.0  # seconds before a bar appears


class Advance(Protocol):
    """Draws how far the work is; `title` says what is being done meanwhile."""

    def __call__(self, done: int, total: int, title: str | None = None) -> None: ...


@contextmanager
def progress_bar(usual: str, *, quiet: bool) -> Iterator[Advance | None]:
    """Give a function (done, total) that draws a bar on stderr; None where nobody would see it.

    `usual` is its title, unless a call gives another.
    """
    if quiet or not sys.stderr.isatty():
        yield None
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

        yield advance


@contextmanager
def resource_progress(advance: Advance | None) -> Iterator[None]:
    """Let slow resources, such as a parser, draw on the same bar."""
    from tertium.resources.progress import use_progress

    if advance is None:
        yield
        return
    with use_progress(lambda title, done, total: advance(done, total, title)):
        yield
