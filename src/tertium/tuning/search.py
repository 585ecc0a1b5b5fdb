"""Searches over option values; each only asks an objective, which remembers what it was asked before."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from tertium.errors import OptionError
from tertium.tuning.space import Dimension, Point

__all__ = ["alternating_grid", "check_grid", "coordinate_search", "full_grid", "grid_size", "random_search"]

Objective = Callable[[Point], float]
"""The higher the better; -inf where it does not exist."""

Expect = Callable[[Sequence[Point]], None]
"""Told which points will be asked next, so that they can be tried at the same time."""

# At a thousand trials a second, which only options of a formula reach, this takes a quarter of an hour.
_MOST_POINTS = 1_000_000


def grid_size(dimensions: Sequence[Dimension]) -> int:
    """Count the points of the full grid."""
    return prod(len(each.listed()) for each in dimensions)


def check_grid(dimensions: Sequence[Dimension]) -> None:
    """Refuse a grid that no search would ever get through."""
    if (n_points := grid_size(dimensions)) > _MOST_POINTS:
        raise OptionError(
            f"the full grid has {n_points:,} points, more than {_MOST_POINTS:,}; give fewer values, or another "
            "search: random, coordinate or alternating"
        )


def full_grid(
    objective: Objective, dimensions: Sequence[Dimension], start: Point, *, expect: Expect | None = None
) -> Point:
    """Try every combination; of equal ones the first counts."""
    check_grid(dimensions)
    if expect is not None:
        expect(list(_combinations(dimensions, start)))
    return max(_combinations(dimensions, start), key=objective)


def alternating_grid(
    objective: Objective,
    first: Sequence[Dimension],
    second: Sequence[Dimension],
    start: Point,
    *,
    n_iterations: int = 10,
    expect: Expect | None = None,
) -> Point:
    """Try the grid of one subset with the other fixed, then exchange them, until nothing changes.

    Yu et al. (2014), Section 4, who tuned REDp so.
    """
    if not first or not second:
        raise OptionError("an alternating search needs options in both subsets")
    best = start
    for _ in range(n_iterations):
        before = best
        for subset in (first, second):
            found = full_grid(objective, subset, best, expect=expect)
            best = found if objective(found) > objective(best) else best
        if best == before:
            break
    return best


def random_search(
    objective: Objective,
    dimensions: Sequence[Dimension],
    start: Point,
    *,
    n_trials: int,
    rng: np.random.Generator,
    expect: Expect | None = None,
) -> Point:
    """Try the start and as many random points."""
    drawn = [dict(start) | {each.name: each.draw(rng) for each in dimensions} for _ in range(n_trials)]
    if expect is not None:
        expect([start, *drawn])
    return max([start, *drawn], key=objective)


def coordinate_search(
    objective: Objective,
    dimensions: Sequence[Dimension],
    start: Point,
    *,
    n_iterations: int = 10,
    expect: Expect | None = None,
) -> Point:
    """Try all values of one option at a time, the others fixed, until a round changes nothing."""
    best = start
    for _ in range(n_iterations):
        before = best
        for dimension in dimensions:
            found = full_grid(objective, [dimension], best, expect=expect)
            best = found if objective(found) > objective(best) else best
        if best == before:
            break
    return best


def _combinations(dimensions: Sequence[Dimension], start: Point) -> Iterator[Point]:
    names = [each.name for each in dimensions]
    for values in product(*(each.listed() for each in dimensions)):
        yield dict(start) | dict(zip(names, values, strict=True))
