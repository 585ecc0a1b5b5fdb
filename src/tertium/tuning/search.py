"""Search spaces of metric options, and the searches over them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from math import comb, nan, prod
from typing import Any

import numpy as np

from tertium.catalog.finding import SUM
from tertium.catalog.labels import split_labels
from tertium.decimals import parse_float
from tertium.errors import OptionError, UnknownNameError, argument
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type
from tertium.records import record
from tertium.values import FloatArray

Point = Mapping[str, Any]
"""Option values by name."""

# A step that gives more values of one option is probably a typing mistake.
_MAX_VALUES = 10_000


@record
class Dimension:
    """One option and its values: a list, or all numbers between two bounds."""

    name: str
    values: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 0.0

    def listed(self) -> tuple[Any, ...]:
        """Return the list of values; raise if there are only bounds."""
        if not self.values:
            raise OptionError(
                f"{self.name}={self.low:g}:{self.high:g} has no step; write {self.name}=LOW:HIGH:STEP"
            )
        return self.values

    def draw(self, rng: np.random.Generator) -> Any:
        """Draw a random value."""
        if self.values:
            return self.values[int(rng.integers(len(self.values)))]
        return float(rng.uniform(self.low, self.high))


def parse_dimensions(metric: type[Metric], texts: Sequence[str]) -> list[Dimension]:
    """Parse `NAME=V1,V2`, `NAME=LOW:HIGH:STEP`, `NAME=LOW:HIGH` (random search) or `NAME`.

    A name without values means the grid that the metric declares, or all values of a closed choice. Without any
    text, every option with a declared grid is searched.
    """
    known = {option.name: option for option in metric.options() if not is_resource_type(option.type)}
    if not texts:
        texts = [name for name, option in known.items() if option.grid]
        if not texts:
            raise OptionError(
                f"{metric.name} declares no grid; name options with values: {argument('options', 'NAME=V1,V2')}"
            )
    dimensions = [_parse(metric.name, known, text) for text in texts]
    names = [dimension.name for dimension in dimensions]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"option {name!r} is given twice")
    return dimensions


def describe_point(point: Point) -> str:
    """Format a point as the command line takes it: `alpha=0.9,order=3`."""
    return ",".join(f"{name}={_format_value(value)}" for name, value in point.items())


def point_key(point: Point) -> str:
    """Return a text that identifies a point, regardless of the order of its options."""
    return json.dumps(dict(point), sort_keys=True)


def _parse(owner: str, known: Mapping[str, Option], text: str) -> Dimension:
    name, equals, values = text.partition("=")
    if name not in known:
        raise UnknownNameError(f"{owner} has no option {name!r}; choose from {', '.join(sorted(known))}")
    option = known[name]
    if not equals:
        return Dimension(name, _declared_values(owner, option))
    if ":" in values:
        return _parse_range(owner, option, values)
    return Dimension(name, tuple(option.parse(value, owner) for value in values.split(",")))


def _declared_values(owner: str, option: Option) -> tuple[Any, ...]:
    if option.grid:
        return tuple(option.grid)
    if option.choices:
        return option.choices
    if isinstance(option.default, bool):
        return (False, True)
    raise OptionError(
        f"{owner} declares no grid for {option.name}; write {option.name}=V1,V2 or LOW:HIGH:STEP"
    )


def _parse_range(owner: str, option: Option, text: str) -> Dimension:
    try:
        low, high, *step = (
            nan if (found := parse_float(part)) is None else found for part in text.split(":")
        )
        is_range = len(step) <= 1 and low < high and all(number > 0 for number in step)
    except ValueError:
        is_range = False
    if not is_range:
        raise OptionError(f"{option.name}={text} is not a range; write LOW:HIGH:STEP with LOW below HIGH")
    if not step:
        option.check(low, owner)
        option.check(high, owner)
        return Dimension(option.name, low=low, high=high)
    if (high - low) / step[0] >= _MAX_VALUES:
        raise OptionError(f"{option.name}={text} has more than {_MAX_VALUES:,} values; use a larger step")
    n_steps = int((high - low) / step[0] + 1e-9)
    numbers = [round(low + i * step[0], 12) for i in range(n_steps + 1)]
    return Dimension(option.name, tuple(option.parse(_short(number), owner) for number in numbers))


def _format_value(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _short(number: float) -> str:
    return repr(number).removesuffix(".0")


Objective = Callable[[Point], float]
"""Higher is better; -inf if the objective is undefined."""

Expect = Callable[[Sequence[Point]], None]
"""Receives the points that the search will need next, so that they can be tried in parallel."""

# At a thousand trials per second, the fastest for options of a formula, this takes a quarter of an hour.
_MAX_POINTS = 1_000_000


def grid_size(dimensions: Sequence[Dimension]) -> int:
    """Count the points of the full grid."""
    return prod(len(dimension.listed()) for dimension in dimensions)


def check_grid(dimensions: Sequence[Dimension]) -> None:
    """Raise if the grid is too large to be searched."""
    if (n_points := grid_size(dimensions)) > _MAX_POINTS:
        raise OptionError(
            f"the full grid has {n_points:,} points, more than {_MAX_POINTS:,}; pass fewer values, or choose another"
            " search: random, coordinate or alternating"
        )


def halve(dimensions: Sequence[Dimension]) -> tuple[list[Dimension], list[Dimension]]:
    """Divide options into a first and a second half for an alternating search."""
    n = -(-len(dimensions) // 2)
    return list(dimensions[:n]), list(dimensions[n:])


def full_grid(
    objective: Objective, dimensions: Sequence[Dimension], start: Point, *, expect: Expect | None = None
) -> Point:
    """Try every combination and return the best point, the first one on a tie."""
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
    """Search the grid of one subset of options with the other fixed, in turns, until nothing changes.

    Yu et al. (2014), Section 4, tuned REDp with this search.
    """
    if not first or not second:
        raise OptionError("an alternating search needs at least one option in both subsets")
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
    """Try the start and `n_trials` random points."""
    drawn = [
        dict(start) | {dimension.name: dimension.draw(rng) for dimension in dimensions}
        for _ in range(n_trials)
    ]
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
    """Try all values of one option at a time, with the others fixed, until a round changes nothing."""
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
    names = [dimension.name for dimension in dimensions]
    for values in product(*(dimension.listed() for dimension in dimensions)):
        yield dict(start) | dict(zip(names, values, strict=True))


# The weights of a sum of metrics: mixtures of all proportions, each metric on the same scale.

MAX_PARTS = 10

_MAX_MIXTURES = 260  # 0.02 between the shares of two metrics, 0.05 of three, 0.1 of four
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

    Scores are scaled to the same spread before they are mixed, so that a metric with small differences between segments has
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
        steps for steps in range(1, _MAX_STEPS + 1) if comb(steps + n_parts - 1, steps) <= _MAX_MIXTURES
    )
    for shares in _compositions(n_steps, n_parts):
        if n_steps not in shares:  # one part alone: see above
            weights = np.array(shares) / spreads
            yield {"weights": tuple(round(weight, 4) for weight in (weights / weights.sum()).tolist())}


def _compositions(total: int, n_parts: int) -> Iterator[tuple[int, ...]]:
    """List the tuples of whole numbers of at least 0 with this sum."""
    for bars in combinations(range(total + n_parts - 1), n_parts - 1):
        yield tuple(after - before - 1 for before, after in pairwise((-1, *bars, total + n_parts - 1)))
