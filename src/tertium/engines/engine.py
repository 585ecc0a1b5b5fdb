"""The interface of an engine, and the choice of one by name."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Protocol, Self, TypeVar

from tertium.engines.local import LocalEngine
from tertium.errors import OptionError

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


EngineName = Literal["local", "dask"]


@dataclass(frozen=True, kw_only=True)
class EngineChoice:
    """Which engine computes, and with what.

    Attributes
    ----------
    workers
        How many processes of this machine a new cluster gets; as many as there are cores by default.
    scheduler
        The address of a cluster that runs already, instead of a new one.
    """

    name: EngineName = "local"
    workers: int | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.scheduler is not None:
            raise OptionError(
                "give either --workers or --scheduler: a cluster that runs already has its own workers"
            )
        if self.name == "local" and (self.workers is not None or self.scheduler is not None):
            given = "--workers" if self.workers is not None else "--scheduler"
            raise OptionError(f"{given} goes with --engine dask")
        if self.workers is not None and self.workers < 1:
            raise OptionError(f"--workers must be at least 1, not {self.workers}")


def open_engine(choice: EngineChoice) -> Engine:
    """Make the engine; use it in a `with` statement."""
    if choice.name == "local":
        return LocalEngine()
    from tertium.engines.dask import DaskEngine  # noqa: PLC0415 - an extra

    return DaskEngine(workers=choice.workers, scheduler=choice.scheduler)
