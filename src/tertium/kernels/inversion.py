"""Batch kernels of the inversion edit distance: block swaps at a constant price."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.errors import InputError, OptionError
from tertium.kernels.pairs import pair_texts
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, IdArray, OffsetArray, TokenColumn

__all__ = [
    "DEFAULT_MEMORY",
    "DEFAULT_STEPS",
    "LARGEST_MEMORY",
    "LARGEST_STEPS",
    "InversionCosts",
    "count_inversions",
    "trace_inversions",
]

DEFAULT_MEMORY = 800
LARGEST_MEMORY = 1 << 40  # in bytes it still fits into 64 bits
"""Megabytes that the search of one pair may take: enough for any two sequences of 100 symbols."""

DEFAULT_STEPS = 20_000
LARGEST_STEPS = 1 << 40  # the single steps still fit into 64 bits
"""Millions of steps that the searches of one pair may take, two minutes or so on a core of 2024."""

_MILLION = 1_000_000


@dataclass(frozen=True)
class InversionCosts:
    """What each edit costs: finite numbers, none of them negative."""

    insertion: float = 1.0
    deletion: float = 1.0
    substitution: float = 1.0
    inversion: float = 1.0

    def __post_init__(self) -> None:
        for name, cost in vars(self).items():
            if not isinstance(cost, int | float) or not math.isfinite(cost) or cost < 0:
                raise OptionError(f"the cost of an {name} must be a finite number at least 0, not {cost!r}")


def count_inversions(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    *,
    costs: InversionCosts,
    max_memory: int = DEFAULT_MEMORY,
    max_steps: int = DEFAULT_STEPS,
    takes_bounds: bool = False,
    noun: str = "segment",
) -> FloatArray:
    """Count per segment: the least cost over its references, their average length, and 1 if it is a bound.

    Where a search would need more than `max_memory` megabytes or `max_steps` million steps, the best upper
    bound found stands for the distance if `takes_bounds`; otherwise that is an error.
    """
    pairs = pair_texts(hypotheses, references, groups)
    limits = _check_limits(max_memory, max_steps)
    rows, refused = _core.count_inversions(pairs, _core_costs(costs), *limits, takes_bounds, n_threads())
    if refused < len(hypotheses):
        sizes = references.lengths[groups[refused] : groups[refused + 1]]
        raise _too_large(
            f"{noun} {refused + 1:,}",
            int(hypotheses.lengths[refused]),
            int(sizes.max()),
            max_memory,
            max_steps,
        )
    return rows


def trace_inversions(
    first: IdArray,
    second: IdArray,
    *,
    costs: InversionCosts,
    max_memory: int = DEFAULT_MEMORY,
    max_steps: int = DEFAULT_STEPS,
) -> npt.NDArray[np.int32]:
    """Find a cheapest derivation: a row (edit, i0, i1, j0, j1, i, j) per step.

    Edits are 0 match, 1 substitution, 2 deletion, 3 insertion, 4 inversion. The rows of an inversion's left
    part (first[i0:i] and second[j:j1]) follow it, then those of its right part (first[i:i1], second[j0:j]).
    """
    limits = _check_limits(max_memory, max_steps)
    rows = _core.trace_inversions(first, second, _core_costs(costs), *limits)
    if rows is None:
        raise _too_large("this pair", len(first), len(second), max_memory, max_steps)
    return rows


def _too_large(where: str, n_first: int, n_second: int, max_memory: int, max_steps: int) -> InputError:
    return InputError(
        f"{where}: the inversion distance of {n_first:,} and {n_second:,} symbols needs more than "
        f"{max_memory:,} megabytes or {max_steps:,} million steps; shorten them, raise max_memory or max_steps, "
        "or take an upper bound (beyond=bound)"
    )


def _core_costs(costs: InversionCosts) -> _core.InversionCosts:
    return _core.InversionCosts(costs.insertion, costs.deletion, costs.substitution, costs.inversion)


def _check_limits(max_memory: int, max_steps: int) -> tuple[int, int]:
    """The limits in bytes and in steps."""
    return (
        _check_limit("max_memory must be a whole number of megabytes", max_memory, LARGEST_MEMORY),
        _check_limit("max_steps must be a whole number of million steps", max_steps, LARGEST_STEPS),
    )


def _check_limit(claim: str, number: int, most: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= most:
        raise OptionError(f"{claim}, at least 1 and at most {most:,}, not {number!r}")
    return number * _MILLION
