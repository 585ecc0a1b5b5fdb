"""Semantic Travel Distance in the style of published code: dictionaries, scikit-learn's cosines, pyemd."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from pyemd import emd
from sklearn.metrics.pairwise import cosine_similarity

__all__ = ["std_as_published"]

Vector = npt.NDArray[np.float32]


def std_as_published(
    hypothesis: Sequence[str], reference: Sequence[str], vectors: Mapping[str, Vector], order: int
) -> float:
    ours, theirs = (_ngrams([w for w in words if w in vectors], order) for words in (hypothesis, reference))
    vocabulary = sorted(set(ours) | set(theirs))
    embedded = {ngram: np.concatenate([vectors[w] for w in ngram.split(" ")]) for ngram in vocabulary}
    first = _nsim(ours, vocabulary, embedded)
    second = _nsim(theirs, vocabulary, embedded)
    semantic = 1 - np.maximum(cosine_similarity(np.array([embedded[ngram] for ngram in vocabulary])), 0)
    distances = 0.6 * semantic + 0.4 * _order_distances(ours, theirs, vocabulary)
    return float(emd(first, second, np.ascontiguousarray(distances, dtype=np.float64)))


def _ngrams(words: list[str], order: int) -> list[str]:
    padded = words + [words[-1]] * (order - len(words))
    return [" ".join(padded[i : i + order]) for i in range(len(padded) - order + 1)]


def _nsim(
    document: list[str], vocabulary: list[str], embedded: Mapping[str, Vector]
) -> npt.NDArray[np.float64]:
    centre = np.mean([embedded[ngram] for ngram in document], axis=0)
    similarities = []
    for ngram in vocabulary:
        if ngram in document:
            similarities.append(1.0)
        else:
            similarities.append(float(cosine_similarity([embedded[ngram]], [centre])[0][0]))
    weights = np.exp(np.array(similarities))
    shares: npt.NDArray[np.float64] = weights / weights.sum()
    return shares


def _order_distances(ours: list[str], theirs: list[str], vocabulary: list[str]) -> npt.NDArray[np.float64]:
    our_places = {ngram: i + 1 for i, ngram in enumerate(ours)}
    their_places = {ngram: i + 1 for i, ngram in enumerate(theirs)}
    out = np.zeros((len(vocabulary), len(vocabulary)))
    for i, one in enumerate(vocabulary):
        for j, other in enumerate(vocabulary):
            if one in our_places and other in their_places and out[i, j] == 0:
                out[i, j] = abs(our_places[one] / len(ours) - their_places[other] / len(theirs))
            if one in their_places and other in our_places and out[i, j] == 0:
                out[i, j] = abs(their_places[one] / len(theirs) - our_places[other] / len(ours))
    return out
