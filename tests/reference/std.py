"""Semantic Travel Distance as the paper's formulas say it, one pair at a time (Li et al. 2019)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import ot

__all__ = ["Travel", "ngrams_of", "order_distances", "travel"]

Ngram = tuple[str, ...]
Array = npt.NDArray[np.float64]
Vectors = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Travel:
    """One order's transport problem and its answer."""

    ngrams: list[Ngram]
    hypothesis_mass: Array
    reference_mass: Array
    distances: Array
    cost: float


def travel(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    vectors: Vectors,
    order: int,
    *,
    cancel: bool = True,
    nsim: bool = True,
    centroid_of_list: bool = True,
    order_weight: float = 0.4,
) -> Travel | None:
    """The distance of one order, or None where a side has no known word."""
    lists = [ngrams_of([w for w in words if w in vectors], order) for words in (hypothesis, reference)]
    if not all(lists):
        return None
    ngrams = list(dict.fromkeys([*lists[0], *lists[1]]))
    embedded = np.array([np.concatenate([vectors[w] for w in ngram]) for ngram in ngrams], dtype=np.float64)
    centres = lists if centroid_of_list else [list(dict.fromkeys(units)) for units in lists]
    masses = (
        [_nsim(ngrams, embedded, units) for units in centres]
        if nsim
        else [_nbow(ngrams, units) for units in lists]
    )
    semantic = 1 - np.maximum(_cosines(embedded, embedded), 0)
    distances = (1 - order_weight) * semantic + order_weight * order_distances(lists[0], lists[1], ngrams)
    shared = np.minimum(masses[0], masses[1]) if cancel else np.zeros(len(ngrams))
    supply, demand = masses[0] - shared, masses[1] - shared
    moved = supply.sum()
    cost = ot.emd2(supply / moved, demand / demand.sum(), distances) * moved if moved > 1e-15 else 0.0
    return Travel(ngrams, masses[0], masses[1], distances, float(cost))


def ngrams_of(words: Sequence[str], order: int) -> list[Ngram]:
    if not words:
        return []
    padded = [*words, *[words[-1]] * (order - len(words))]  # a short text repeats its last word
    return [tuple(padded[i : i + order]) for i in range(len(padded) - order + 1)]


def order_distances(hypothesis: list[Ngram], reference: list[Ngram], ngrams: list[Ngram]) -> Array:
    """Algorithm 1: a repeated n-gram stands at its last place; rows and columns are all n-grams."""
    in_hypothesis = {ngram: (i + 1) / len(hypothesis) for i, ngram in enumerate(hypothesis)}
    in_reference = {ngram: (i + 1) / len(reference) for i, ngram in enumerate(reference)}
    out = np.zeros((len(ngrams), len(ngrams)))
    for i, one in enumerate(ngrams):
        for j, other in enumerate(ngrams):
            if one in in_hypothesis and other in in_reference:
                out[i, j] = abs(in_hypothesis[one] - in_reference[other])
            if one in in_reference and other in in_hypothesis and out[i, j] == 0:
                out[i, j] = abs(in_reference[one] - in_hypothesis[other])
    return out


def _nsim(ngrams: list[Ngram], embedded: Array, document: list[Ngram]) -> Array:
    place = {ngram: i for i, ngram in enumerate(ngrams)}
    centroid = embedded[[place[ngram] for ngram in document]].mean(axis=0)
    similarity = _cosines(embedded, centroid[None])[:, 0]
    for ngram in document:
        similarity[place[ngram]] = 1.0
    shares: Array = np.exp(similarity) / np.exp(similarity).sum()
    return shares


def _nbow(ngrams: list[Ngram], document: list[Ngram]) -> Array:
    return np.array([document.count(ngram) for ngram in ngrams]) / len(document)


def _cosines(one: Array, other: Array) -> Array:
    scale = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(other, axis=1)
    return np.where(scale > 0, one @ other.T / np.where(scale > 0, scale, 1), 0.0)
