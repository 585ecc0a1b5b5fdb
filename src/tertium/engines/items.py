"""The driver of `meta`, `tune` and `mbr`: language pairs, trials or sources, in this process or on a cluster."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Protocol, TypeVar

from tertium.catalog import ResourceChoice
from tertium.engines.engine import Engine
from tertium.engines.jobs import absolute_resources

Item = TypeVar("Item")
Result = TypeVar("Result")
Item_contra = TypeVar("Item_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)


class DivisibleRequest(Protocol[Item_contra, Result_co]):
    """A frozen dataclass with resource and engine options, whose work is divided into items."""

    @property
    def resources(self) -> ResourceChoice: ...

    @property
    def threads(self) -> int | None: ...

    def __hash__(self) -> int: ...

    def prepare(self) -> Callable[[Item_contra], Result_co]:
        """Read the judged data and return the function that computes one item."""


def compute_items(
    engine: Engine,
    request: DivisibleRequest[Item, Result],
    compute: Callable[[Item], Result],
    items: Iterable[Item],
) -> Iterator[Result]:
    """Compute all items on the engine and yield the results in the order of the items.

    Parameters
    ----------
    compute
        What `request.prepare()` returns, for an engine in this process. Workers prepare the request themselves, once.
    """
    if not engine.is_remote:
        return map(compute, items)
    return _in_order(engine.map(partial(_compute_on_worker, _for_workers(request)), list(items)))


def _for_workers(request: DivisibleRequest[Item, Result]) -> DivisibleRequest[Item, Result]:
    """Change the request for a worker, which has one thread unless the user chose a number."""
    changes: dict[str, Any] = {
        "engine": "local",
        "workers": None,
        "scheduler": None,
        "threads": request.threads or 1,
        **vars(absolute_resources(request.resources)),
    }
    return replace(request, **changes)  # type: ignore[type-var]


def _compute_on_worker(request: DivisibleRequest[Item, Result], item: Item) -> Result:
    compute: Callable[[Item], Result] = _prepare(request)
    return compute(item)


@lru_cache(maxsize=1)
def _prepare(request: DivisibleRequest[Any, Any]) -> Callable[[Any], Any]:
    return request.prepare()


def _in_order(results: Iterator[tuple[int, Result]]) -> Iterator[Result]:
    waiting: dict[int, Result] = {}
    expected = 0
    for number, result in results:
        waiting[number] = result
        while expected in waiting:
            yield waiting.pop(expected)
            expected += 1
