"""Consent to run code: code that a file names runs only if the user agrees.

Code of the user is a program, a Python file, a checkpoint or a parser in a folder, or the scheduler of a cluster. The
function that opens such code calls `check_consent`. A function that reads names of metrics, tokenizers or
resources from a file does so inside `refuse_code`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tertium.errors import ConsentError
from tertium.records import record


@record
class _Refusal:
    """The file whose code may not run, and the remedy for the user."""

    place: str
    remedy: str


_GIVEN = "given"
_state: ContextVar[_Refusal | str | None] = ContextVar("consent", default=None)


def check_consent(code: str) -> None:
    """Raise if a file named this code and the user has not agreed to run it.

    >>> with refuse_code("rules.toml", "remove it"):
    ...     check_consent("the program ./judge.sh")
    Traceback (most recent call last):
        ...
    tertium.errors.ConsentError: rules.toml would run the program ./judge.sh; remove it
    """
    if isinstance(state := _state.get(), _Refusal):
        raise ConsentError(f"{state.place} would run {code}; {state.remedy}")


@contextmanager
def refuse_code(place: str, remedy: str) -> Iterator[None]:
    """Reject code inside this context, because `place` names it; inside `allow_code` all code may run."""
    token = _state.set(_state.get() if _state.get() == _GIVEN else _Refusal(place, remedy))
    try:
        yield
    finally:
        _state.reset(token)


@contextmanager
def allow_code() -> Iterator[None]:
    """Run the code that files name, because the user agreed."""
    token = _state.set(_GIVEN)
    try:
        yield
    finally:
        _state.reset(token)
