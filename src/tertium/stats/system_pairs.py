"""Pairs of systems of one test set: where their systems stand, and how people would judge them under given probabilities."""

from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from tertium.types import FloatArray

__all__ = ["PlacedPairs", "draw_agreements", "place_systems"]

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]

# Sizes are kept with five digits, so places that are computed from them differ by no more than this share of the largest.
_TOLERANCE = 1e-4


@dataclass(frozen=True, eq=False)
class PlacedPairs:
    """The scores of systems up to a shift and a sign, and for each pair the better system and the worse."""

    places: FloatArray
    better: IntArray
    worse: IntArray


def place_systems(sizes: FloatArray) -> PlacedPairs | None:
    """Find systems' scores from the sizes of their differences, which stand in the order of `combinations`.

    One pair may be missing (people called its systems equal), but not the one that differs most. None if the sizes fit no
    scores.

    >>> place_systems(np.array([1.0, 3.0, 2.0])).places.tolist()
    [0.0, 1.0, 3.0]
    """
    n_systems = (1 + isqrt(1 + 8 * len(sizes))) // 2
    complete = n_systems * (n_systems - 1) // 2 == len(sizes)
    pairs = np.array(list(combinations(range(n_systems + (not complete)), 2)), dtype=np.int64).reshape(-1, 2)
    if len(sizes) == 0 or len(pairs) - len(sizes) > 1:
        return None
    tried = [pairs] if complete else [np.delete(pairs, i, axis=0) for i in range(len(pairs))]
    found = [(_place(sizes, each), each) for each in tried]
    (places, misfit), kept = min(found, key=lambda each: each[0][1])
    if misfit > _TOLERANCE * sizes.max():
        return None
    first, second = kept.T
    rises = places[first] < places[second]
    return PlacedPairs(places, np.where(rises, second, first), np.where(rises, first, second))


def _place(sizes: FloatArray, pairs: IntArray) -> tuple[FloatArray, float]:
    """Put the two systems that differ most at the ends; returns places, and by how much they miss the sizes at worst."""
    n_systems = int(pairs.max()) + 1
    distances = np.full((n_systems, n_systems), np.nan)
    distances[pairs[:, 0], pairs[:, 1]] = distances[pairs[:, 1], pairs[:, 0]] = sizes
    np.fill_diagonal(distances, 0.0)
    start, end = pairs[int(sizes.argmax())]
    places = np.where(np.isnan(distances[start]), sizes.max() - distances[end], distances[start])
    misfit = np.abs(np.abs(places[:, None] - places) - distances)
    return places, float(np.nanmax(misfit))


def draw_agreements(
    probabilities: FloatArray, sizes: FloatArray, *, n_samples: int, rng: np.random.Generator
) -> BoolArray:
    """Draw (samples, pairs) whether people agree with each pair of one test set.

    People's score of a system is off by an amount of its own, which all of its pairs share, and each pair is agreed with as
    often as its probability says. Where systems cannot be placed, pairs are drawn independently.
    """
    placed = place_systems(sizes)
    if placed is None:
        return rng.random((n_samples, len(sizes))) < probabilities
    noise = rng.standard_normal((n_samples, len(placed.places))) / np.sqrt(2.0)
    leads = np.array([NormalDist().inv_cdf(each) for each in probabilities.tolist()])
    return np.asarray(leads + noise[:, placed.better] - noise[:, placed.worse] > 0)
