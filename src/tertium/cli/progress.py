"""A progress bar on the terminal, for work that takes longer than a second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]

PATIENCE = 1.0  # seconds before a bar appears


@contextmanager
def progress_bar(title: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function (done, total) that draws a bar on stderr; None where nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    began = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True, disable=False, auto_refresh=False) as bar:
        task = bar.add_task(title, visible=False)

        def advance(done: int, total: int) -> None:
            visible = time.monotonic() - began > PATIENCE
            bar.update(task, completed=done, total=total, visible=visible, refresh=visible)

        yield advance
