"""Progress of slow work, and messages while it runs: reported by any function, shown by a listener."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from tertium.arguments import describe_value
from tertium.errors import OptionError, argument

ProgressListener = Callable[[str, int, int], None]
"""Receives the title of the work, the number of finished steps and the number of all steps."""

MessageKind = Literal["note", "warning", "progress"]
MessageListener = Callable[[MessageKind, str], None]

_progress: ContextVar[ProgressListener | None] = ContextVar("progress", default=None)
_messages: ContextVar[MessageListener | None] = ContextVar("messages", default=None)
_subjects: ContextVar[set[str]] = ContextVar("subjects")


def report_progress(title: str, done: int, total: int) -> None:
    """Report that `done` of `total` steps are finished."""
    if (listener := _progress.get()) is not None:
        listener(title, done, total)


def report_message(kind: MessageKind, text: str, *, once: str | None = None) -> None:
    """Report one line while the work continues.

    Parameters
    ----------
    once
        The subject of the line: only the first line about it is reported in one context of `use_progress`.
    """
    if (listener := _messages.get()) is None:
        return
    if once is not None:
        if once in (said := _subjects.get()):
            return
        said.add(once)
    listener(kind, text)


@contextmanager
def use_progress(
    listener: ProgressListener | None, messages: MessageListener | None = None
) -> Iterator[None]:
    """Send the reports of all work inside this context to the listeners.

    >>> with use_progress(lambda title, done, total: print(f"{title}: {done} of {total}")):
    ...     report_progress("scoring", 1, 2)
    scoring: 1 of 2
    """
    for name, function in (("listener", listener), ("messages", messages)):
        if function is not None and not callable(function):
            raise OptionError(f"{argument(name)} must be a function, not {describe_value(function)}")
    tokens = _progress.set(listener), _messages.set(messages)
    subjects = _subjects.set(set())
    try:
        yield
    finally:
        _progress.reset(tokens[0])
        _messages.reset(tokens[1])
        _subjects.reset(subjects)
