"""The search for the weights of a sum of metrics: mixtures of all proportions, each metric on the same scale."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import comb

import numpy as np

from tertium.catalog.finding import SUM
from tertium.catalog.labels import split_labels
from tertium.errors import OptionError
from tertium.tuning.search import Expect, Objective, Point
from tertium.tuning.trials import Trials
from tertium.values import FloatArray

MAX_PARTS = 10

_MAX_POINTS = 260  # 0.02 between the shares of two metrics, 0.05 of three, 0.1 of four
_MAX_STEPS = 50


def label_of_parts(texts: Sequence[str]) -> str:
    """Return the label of a mix of these metrics, comma-separated or one by one.

    >>> label_of_parts(["chrf,bleu:lowercase=yes"])
    'mix:1*chrf+1*bleu:lowercase=yes'
    """
    labels = split_labels(texts)
    if not 2 <= len(labels) <= MAX_PARTS:
        raise OptionError(f"a mix has 2 to {MAX_PARTS} metrics, not {len(labels)}")
    return SUM + "+".join(f"1*{label}" for label in labels)


def list_parts(n_parts: int) -> list[Point]:
    """Return the points that give all weight to one part."""
    return [{"weights": tuple(float(i == j) for j in range(n_parts))} for i in range(n_parts)]


def search_weights(
    objective: Objective, spreads: FloatArray, *, expect: Expect | None = None
) -> tuple[Point, Point]:
    """Try all proportions of the parts in equal steps; return the best part alone and the best mix.

    Proportions are those of scores with the same spread, so that a metric with small differences between segments has
    as much influence as another. The points do not depend on the objective, so that a pair that is left out for
    validation has no influence on them.
    """
    points = list(_list_points(spreads))
    if expect is not None:
        expect(points)
    return max(points[: len(spreads)], key=objective), max(points, key=objective)


def _list_points(spreads: FloatArray) -> Iterator[Point]:
    n_parts = len(spreads)
    yield from list_parts(n_parts)
    n_steps = max(
        steps for steps in range(1, _MAX_STEPS + 1) if comb(steps + n_parts - 1, steps) <= _MAX_POINTS
    )
    for shares in _compositions(n_steps, n_parts):
        if n_steps not in shares:  # one part alone: see above
            weights = np.array(shares) / spreads
            yield {"weights": tuple(round(weight, 4) for weight in (weights / weights.sum()).tolist())}


def _compositions(total: int, n_parts: int) -> Iterator[tuple[int, ...]]:
    """List the tuples of whole numbers of at least 0 with this sum."""
    for bars in combinations(range(total + n_parts - 1), n_parts - 1):
        yield tuple(after - before - 1 for before, after in pairwise((-1, *bars, total + n_parts - 1)))


def measure_spreads(trials: Trials) -> FloatArray:
    """Measure the standard deviation of each part's segment scores, averaged over the judged sets."""
    by_set = [_spreads(metric, table) for _, metric, table in trials.tabulate({})]
    found = np.mean(by_set, axis=0)
    return np.where(np.isfinite(found) & (found > 0), found, 1.0)


def _spreads(metric: object, table: FloatArray) -> list[float]:
    from tertium.metrics.combined.mix import Mix  # noqa: PLC0415 - the rest of `tune` works without mixes

    assert isinstance(metric, Mix)  # noqa: S101 - only mixes are searched here
    return [float(np.nanstd(scores)) for scores in metric.part_scores(table)]
