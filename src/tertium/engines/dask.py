"""The Dask engine: computes on processes of this machine, or on a running cluster."""

import logging
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib import metadata
from types import TracebackType
from typing import Any, Self, TypeVar

import tertium
from tertium.errors import LostClusterError, MissingExtraError, ResourceError, argument
from tertium.files.extras import install_hint

Item = TypeVar("Item")
Result = TypeVar("Result")

# Seconds to wait for the answer of a scheduler, and for the first worker of a cluster.
_PATIENCE = 20
# Seconds between two checks of a cluster that returns no result.
_LOOK = 5
# Queued items per thread of the cluster: enough that no thread is idle, few enough that memory stays bounded.
_AHEAD = 2
# Bytes of a function that is sent with every item.
_SMALL = 100_000
# Number of workers that may die with the same item before the run is stopped.
_DEATHS = 2
# For workers on this machine. Dask's statistics of their call stacks and processes are not shown anywhere and cost 3 %
# of the time. Its limit for unused memory makes malloc return every large array to the system, which then has to clear
# pages for the next one: 6 %.
_SETTINGS = {
    "distributed.scheduler.allowed-failures": _DEATHS,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}


class DaskEngine:
    """Sends items to the workers of a cluster; a worker that dies is replaced by another.

    Parameters
    ----------
    workers
        Number of processes of a new cluster on this machine; one per core by default.
    scheduler
        Address of a running cluster, such as `tcp://10.0.0.1:8786`.
    """

    is_remote = True

    def __init__(self, *, workers: int | None = None, scheduler: str | None = None) -> None:
        self._dask = _import_dask()
        self._workers, self._scheduler = workers, scheduler
        self._cluster: Any = None
        self._client: Any = None

    def __enter__(self) -> Self:
        try:
            self._connect()
            self._check_versions()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @property
    def address(self) -> str:
        """The address of the scheduler, with which other engines share the cluster."""
        return str(self._client.scheduler.address)

    @property
    def processes(self) -> list[int]:
        """The process ids of all workers."""
        return [int(pid) for pid in self._client.run(_process_id).values()]

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[tuple[int, Result]]:
        """Call the function on every item, on any free worker."""
        # A small function is sent with every item, so that all workers can start at once. A large one is a task of its
        # own: each worker receives it only once, also after a death, but from another worker that may be busy.
        is_small = len(self._dask.protocol.pickle.dumps(function)) <= _SMALL
        sent = function if is_small else self._client.submit(_identity, function, pure=False)
        running: dict[Any, int] = {}
        waiting = iter(enumerate(items))
        try:
            while True:
                self._send(sent, running, waiting)
                if not running:
                    return
                for future in self._wait(running):
                    number = running.pop(future)
                    yield number, self._result(future)
                    future.release()
        finally:
            with suppress(Exception):
                self._client.cancel([*running, *([] if is_small else [sent])], force=True)

    def _send(self, sent: Any, running: dict[Any, int], waiting: Iterator[tuple[int, Any]]) -> None:
        """Submit items until enough are queued."""
        limit = _AHEAD * max(1, self._n_threads())
        with _explained(self._name, self._describe_limit):
            self._submit(sent, running, waiting, limit)

    def _submit(
        self, sent: Any, running: dict[Any, int], waiting: Iterator[tuple[int, Any]], limit: int
    ) -> None:
        while len(running) < limit and (entry := next(waiting, None)) is not None:
            number, item = entry
            with delayed_interrupt():
                future = self._client.submit(_call, sent, item, pure=False, priority=-number, retries=0)
                running[future] = number

    def _wait(self, running: dict[Any, int]) -> list[Any]:
        """Wait until an item is done; raise if the cluster has no workers for some time."""
        n_idle = 0
        while True:
            try:
                with _explained(self._name, self._describe_limit), self._client.as_current():
                    waited = self._dask.wait(list(running), timeout=_LOOK, return_when="FIRST_COMPLETED")
                    return list(waited.done)
            except TimeoutError:
                n_idle = 0 if self._n_threads() else n_idle + 1
                if n_idle * _LOOK >= _PATIENCE:
                    raise ResourceError(
                        f"the cluster has had no worker for {_PATIENCE} seconds; start one with 'dask worker ADDRESS'"
                    ) from None

    def _result(self, future: Any) -> Any:
        with _explained(self._name, self._describe_limit):
            return future.result()

    def _n_threads(self) -> int:
        with _explained(self._name, str):
            return sum(worker["nthreads"] for worker in self._workers_info().values())

    def _workers_info(self) -> dict[str, Any]:
        return dict(self._client.scheduler_info(n_workers=-1)["workers"])

    def _describe_limit(self) -> str:
        limits = [
            worker["memory_limit"] for worker in self._workers_info().values() if worker["memory_limit"]
        ]
        return f" (its limit is {min(limits) / 2**30:.1f} GB)" if limits else ""

    def _connect(self) -> None:
        for name in ("distributed", *filter(_is_dask, logging.root.manager.loggerDict)):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # our errors describe the failures
        try:
            if self._scheduler is None:
                self._cluster = self._start_cluster()
            self._client = self._dask.Client(
                self._cluster or self._scheduler, timeout=_PATIENCE, set_as_default=False
            )
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise ResourceError(
                f"the cluster {self._name} has no worker; start one with 'dask worker ADDRESS'"
            ) from None
        except (OSError, ValueError) as error:
            raise ResourceError(
                f"no Dask scheduler answers {self._name}: {str(error).splitlines()[0]}; check the address"
            ) from None

    def _start_cluster(self) -> Any:
        import dask  # noqa: PLC0415 - an extra

        # New processes ignore Ctrl-C: the process that starts them also ends them.
        ignored = _on_interrupt(signal.SIG_IGN)
        with dask.config.set(_SETTINGS), ignored:
            return self._dask.LocalCluster(
                n_workers=self._workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=":0",  # any free port
                silence_logs=logging.CRITICAL,
            )

    @property
    def _name(self) -> str:
        return f"at {self._scheduler}" if self._scheduler else "on this machine"

    def _check_versions(self) -> None:
        """Raise if a worker has no Tertium or another version of it."""
        found = self._client.run(metadata.version, "tertium", on_error="return")
        for address, version in found.items():
            if isinstance(version, BaseException):
                raise ResourceError(
                    f"worker {address} has no Tertium; install version {tertium.__version__} there, with the extra"
                    " 'cluster'"
                )
            if version != tertium.__version__:
                raise ResourceError(
                    f"worker {address} has Tertium {version}, but this is {tertium.__version__};"
                    " install the same version everywhere"
                )

    def _close(self) -> None:
        for opened in (self._client, self._cluster):
            if opened is not None:
                with suppress(Exception):
                    opened.close(timeout=_LOOK)
        self._client = self._cluster = None


def _is_dask(logger: str) -> bool:
    return logger.startswith(("distributed.", "tornado."))


def _identity(function: Item) -> Item:
    return function


def _call(function: Callable[[Item], Result], item: Item) -> Result:
    return function(item)


def _process_id() -> int:
    import os  # noqa: PLC0415 - runs on a worker

    return os.getpid()


def _import_dask() -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError(
            f"{argument('engine', 'dask')} requires Dask: {install_hint('cluster')}"
        ) from None
    return distributed


@contextmanager
def _on_interrupt(handler: Any) -> Iterator[None]:
    """Handle Ctrl-C in another way; outside the main thread, which alone is interrupted, nothing changes."""
    try:
        before = signal.signal(signal.SIGINT, handler)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def delayed_interrupt() -> Iterator[None]:
    """Let Ctrl-C take effect at the end of the block: Dask prints a traceback for a future that is not complete."""
    pressed: list[int] = []
    with _on_interrupt(lambda number, _: pressed.append(number)):
        yield
    if pressed:
        raise KeyboardInterrupt


@contextmanager
def _explained(name: str, limit: Callable[[], str]) -> Iterator[None]:
    """Replace Dask's errors by messages with a remedy."""
    import distributed  # noqa: PLC0415 - an extra

    try:
        yield
    except distributed.KilledWorker:
        raise ResourceError(
            f"workers died {_DEATHS + 1} times with the same part, probably for lack of memory{limit()};"
            f" use smaller parts with {argument('batch_size')}, or give the workers more memory"
        ) from None
    except (CancelledError, distributed.comm.core.CommClosedError):
        raise LostClusterError(f"the scheduler {name} is gone") from None
    except ModuleNotFoundError as error:
        raise ResourceError(f"a worker lacks {error.name}; install the same packages everywhere") from None
