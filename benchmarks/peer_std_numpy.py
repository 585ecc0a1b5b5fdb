"""Semantic Travel Distance as a careful user writes it: numpy for whole segments, POT for the transport."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import ot

__all__ = ["std_with_numpy"]

Array = npt.NDArray[np.float64]
Vectors = Mapping[str, npt.NDArray[np.float32]]


def std_with_numpy(
    hypothesis: Sequence[str], reference: Sequence[str], vectors: Vectors, order: int
) -> float:
    lists = [_ngrams([word for word in words if word in vectors], order) for words in (hypothesis, reference)]
    ngrams = list(dict.fromkeys([*lists[0], *lists[1]]))
    number = {ngram: i for i, ngram in enumerate(ngrams)}
    matrix = np.array([np.concatenate([vectors[word] for word in ngram]) for ngram in ngrams])
    unit = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    places, masses = [], []
    for units in lists:
        at = np.array([number[ngram] for ngram in units])
        place = np.zeros(len(ngrams))
        place[at] = np.arange(1, len(units) + 1) / len(units)
        places.append(place)
        masses.append(_nsim(matrix, unit, at))
    shared = np.minimum(masses[0], masses[1])
    sources, sinks = np.flatnonzero(masses[0] > shared), np.flatnonzero(masses[1] > shared)
    if not (len(sources) and len(sinks)):
        return 0.0
    costs = 0.6 * (1 - np.maximum(unit[sources] @ unit[sinks].T, 0)) + 0.4 * _order(places, sources, sinks)
    supply, demand = (masses[0] - shared)[sources], (masses[1] - shared)[sinks]
    total = supply.sum()
    return float(ot.emd2(supply / total, demand / demand.sum(), costs.astype(np.float64)) * total)


def _ngrams(words: Sequence[str], order: int) -> list[tuple[str, ...]]:
    padded = [*words, *[words[-1]] * (order - len(words))]
    return list(zip(*(padded[k:] for k in range(order)), strict=False))


def _nsim(matrix: npt.NDArray[np.float32], unit: npt.NDArray[np.float32], at: npt.NDArray[np.int64]) -> Array:
    centre = matrix[at].mean(axis=0)
    similarity = unit @ (centre / max(float(np.linalg.norm(centre)), 1e-12))
    similarity[at] = 1.0
    weights: Array = np.exp(similarity.astype(np.float64))
    shares: Array = weights / weights.sum()
    return shares


def _order(places: list[Array], sources: npt.NDArray[np.int64], sinks: npt.NDArray[np.int64]) -> Array:
    def distances(one: Array, other: Array) -> Array:
        both = (one[sources, None] > 0) & (other[sinks] > 0)
        return np.where(both, abs(one[sources, None] - other[sinks]), 0.0)

    first = distances(places[0], places[1])
    return np.where(first == 0, distances(places[1], places[0]), first)
