"""Batch kernels of optimal transport: Semantic Travel Distance and the plain problem."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.errors import InputError
from tertium.kernels.embedding import EmbeddedTexts, check_finite, flatten_arrays
from tertium.kernels.pairs import pair_embedded
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, IdArray, OffsetArray

__all__ = [
    "TravelOptions",
    "TravelPlan",
    "explain_travel",
    "solve_transports",
    "travel_distances",
]

Matrices = Sequence[npt.ArrayLike]


@dataclass(frozen=True)
class TravelOptions:
    """What Semantic Travel Distance leaves open.

    `order_weight` is the share of place in the ground distance, `cancels` leaves mass where both
    sides have it, `similarity_mass` weighs n-grams by nSIM rather than by the tokens' weights,
    `centroid_of_list` counts a repeated n-gram repeatedly in a text's centre, and `occurrences`
    makes each occurrence an n-gram of its own.
    """

    order_weight: float = 0.4
    cancels: bool = True
    similarity_mass: bool = True
    centroid_of_list: bool = True
    occurrences: bool = False


@dataclass(frozen=True, eq=False)
class TravelPlan:
    """One pair's transport: n-grams are numbered in their order of appearance, hypothesis first.

    `ground` has a row and a column for every n-gram, `flow` a row per source and a column per sink.
    """

    distance: float
    hypothesis: IdArray
    reference: IdArray
    hypothesis_mass: FloatArray
    reference_mass: FloatArray
    sources: OffsetArray
    sinks: OffsetArray
    ground: FloatArray
    flow: FloatArray


def travel_distances(
    hypotheses: EmbeddedTexts,
    references: EmbeddedTexts,
    groups: OffsetArray,
    *,
    orders: Sequence[int],
    options: TravelOptions,
) -> FloatArray:
    """Compute Semantic Travel Distance in 0..1: a row per reference, a column per n-gram order."""
    pairs = pair_embedded(hypotheses, references, groups)
    wanted = np.array(orders, dtype=np.int64)
    return _core.travel_distances(pairs, wanted, _core_options(options), n_threads())


def explain_travel(
    hypothesis: EmbeddedTexts, reference: EmbeddedTexts, *, order: int, options: TravelOptions
) -> TravelPlan | None:
    """Show the transport between two columns' first texts; None if one of them has no known word."""
    seen = _core.explain_travel(hypothesis, reference, order, _core_options(options))
    return None if seen is None else TravelPlan(*seen)


def solve_transports(
    supplies: Matrices, demands: Matrices, costs: Matrices
) -> tuple[FloatArray, list[FloatArray]]:
    """Solve transportation problems exactly: the least cost of each, and its flow.

    >>> total, (flow,) = solve_transports([[0.5, 0.5]], [[0.25, 0.75]], [[[0.0, 1.0], [1.0, 0.0]]])
    >>> total, flow
    (array([0.25]), array([[0.25, 0.25], [0.  , 0.5 ]]))
    """
    shapes = [(np.size(s), np.size(d)) for s, d in zip(supplies, demands, strict=True)]
    for number, ((sources, sinks), cost) in enumerate(zip(shapes, costs, strict=True), start=1):
        if np.shape(cost) != (sources, sinks):
            raise InputError(f"problem {number}: costs must be {sources} by {sinks}, not {np.shape(cost)}")
    flat, offsets = flatten_arrays(costs)
    sides = [flatten_arrays(supplies), flatten_arrays(demands)]
    for noun, (values, ends) in zip(("costs", "supplies", "demands"), [(flat, offsets), *sides], strict=True):
        check_finite(values, ends, noun)
    totals, flows = _core.solve_transports(*sides[0], *sides[1], flat, offsets, n_threads())
    parts = [
        flows[begin:end].reshape(shape) for (begin, end), shape in zip(pairwise(offsets), shapes, strict=True)
    ]
    return totals, parts


def _core_options(options: TravelOptions) -> _core.TravelOptions:
    return _core.TravelOptions(*astuple(options))
