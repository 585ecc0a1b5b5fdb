"""The interface of an engine, and the choice of one by name."""

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Literal, Protocol, Self, TypeVar, get_args

from tertium.engines.local import LocalEngine
from tertium.errors import OptionError, UnknownNameError, argument
from tertium.records import record

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Calls functions on items; examples/ray_engine.py implements it for Ray.

    A function may be called twice on an item, and results may come in any order: every function that an engine
    receives returns the same result for the same item and writes nothing.
    """

    @property
    def is_remote(self) -> bool:
        """Whether functions run in other processes, so that they and their items must be picklable."""

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Call the function on every item; return each result with the number of its item as soon as it is computed."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop all running work."""


EngineName = Literal["local", "dask"]


@record(kw_only=True)
class EngineChoice:
    """The engine that computes, by name, and the workers of its cluster.

    Attributes
    ----------
    workers
        Number of processes of a new cluster on this machine; one per core by default.
    scheduler
        Address of a running cluster, instead of a new one.
    """

    name: EngineName = "local"
    workers: int | None = None
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.name not in (known := get_args(EngineName)):
            raise UnknownNameError(
                f"unknown engine {self.name!r}; {argument('engine')} must be {' or '.join(known)}"
            )
        if self.workers is not None and self.scheduler is not None:
            raise OptionError(
                f"give either {argument('workers')} or {argument('scheduler')}: a running cluster has its own workers"
            )
        if self.name == "local" and (self.workers is not None or self.scheduler is not None):
            given = argument("workers" if self.workers is not None else "scheduler")
            raise OptionError(f"{given} requires {argument('engine', 'dask')}")
        if self.workers is not None and self.workers < 1:
            raise OptionError(f"{argument('workers')} must be at least 1, not {self.workers}")


def open_engine(choice: EngineChoice) -> Engine:
    """Open an engine; use it in a `with` statement."""
    if choice.name == "local":
        return LocalEngine()
    from tertium.engines.dask import DaskEngine  # noqa: PLC0415 - an extra

    return DaskEngine(workers=choice.workers, scheduler=choice.scheduler)
