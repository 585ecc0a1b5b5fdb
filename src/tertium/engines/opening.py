"""Engines by name: this process, or a Dask cluster."""

from dataclasses import dataclass
from typing import Literal

from tertium.engines.interface import Engine
from tertium.engines.local import LocalEngine
from tertium.errors import OptionError

__all__ = ["EngineChoice", "EngineName", "open_engine"]

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
