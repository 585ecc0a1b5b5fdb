"""Language pairs and trials on a cluster: every worker reads the judged data itself, once."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Protocol, TypeVar

from tertium.catalog import LabelledMetric, ResourceChoice
from tertium.engines.engine import Engine
from tertium.engines.jobs import absolute_resources
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores, score_each_set
from tertium.progress import report_progress
from tertium.tuning.search import Point
from tertium.tuning.trials import Trial, Trials

AnyRequest = TypeVar("AnyRequest", bound="_Request")
Result = TypeVar("Result")


class _Request(Protocol):
    """The options that all requests over judged data share."""

    @property
    def resources(self) -> ResourceChoice: ...

    @property
    def threads(self) -> int | None: ...

    def __hash__(self) -> int: ...  # a worker keeps what it has read for a request


class _TrialRequest(_Request, Protocol):
    def make_trials(self) -> Trials: ...


class _PairRequest(_Request, Protocol):
    def read_sets(self) -> tuple[list[JudgedSet], list[list[LabelledMetric]]]: ...


def try_points(engine: Engine, request: _TrialRequest, points: Sequence[Point]) -> Iterator[Trial]:
    """Try points on the engine; the trials come in the order of the points."""
    return _in_order(engine.map(partial(_try_point, _for_workers(request)), points))


def score_sets_on(
    engine: Engine, request: _PairRequest, n_sets: int
) -> tuple[list[dict[str, MetricScores]], list[str]]:
    """Score every judged set on the engine, as `score_each_set` does."""
    scored, notes = [], []
    for by_label, failures in _in_order(
        engine.map(partial(_score_set, _for_workers(request)), range(n_sets))
    ):
        scored.append(by_label)
        notes += failures
        report_progress("scoring", len(scored), n_sets)
    return scored, notes


def _for_workers(request: AnyRequest) -> AnyRequest:
    """Make the request for a worker, which has one thread unless the user says otherwise."""
    changes: dict[str, Any] = {
        "engine": "local",
        "workers": None,
        "scheduler": None,
        "threads": request.threads or 1,
        **vars(absolute_resources(request.resources)),
    }
    return replace(request, **changes)  # type: ignore[type-var]


@lru_cache(maxsize=1)
def _trials_of(request: _TrialRequest) -> Trials:
    return request.make_trials()


def _try_point(request: _TrialRequest, point: Point) -> Trial:
    return _trials_of(request).run(point)


@lru_cache(maxsize=1)
def _sets_of(request: _PairRequest) -> tuple[list[JudgedSet], list[list[LabelledMetric]]]:
    return request.read_sets()


def _score_set(request: _PairRequest, number: int) -> tuple[dict[str, MetricScores], list[str]]:
    sets, metrics = _sets_of(request)
    (scored,), notes = score_each_set([sets[number]], [metrics[number]], threads=request.threads)
    return scored, notes


def _in_order(results: Iterator[tuple[int, Result]]) -> Iterator[Result]:
    waiting: dict[int, Result] = {}
    expected = 0
    for number, result in results:
        waiting[number] = result
        while expected in waiting:
            yield waiting.pop(expected)
            expected += 1
