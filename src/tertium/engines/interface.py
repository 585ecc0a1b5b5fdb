"""What an engine is: something that calls a function on many small items, here or on other machines."""

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Protocol, Self, TypeVar

__all__ = ["Engine"]

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Calls functions on items; Ray or Spark need no more than this (see examples/ray_engine.py).

    A function may be called twice on an item, and results may come in any order: every function that an
    engine is given returns the same for the same item, and writes nothing.
    """

    @property
    def is_remote(self) -> bool:
        """Whether functions run in other processes, so that they and their items must be picklable."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Call the function on every item; give each result with its item's number, as soon as it is there."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all work that still goes on."""
