"""Word Mover's and Word Rotator's Distance by numpy and POT, and partial transport as a linear program."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import ot
from scipy.optimize import linprog

__all__ = ["partial_cost", "word_movers_distance", "word_rotators_distance"]

Array = npt.NDArray[np.float64]
Vectors = Mapping[str, npt.NDArray[np.float32]]


def word_movers_distance(hypothesis: Sequence[str], reference: Sequence[str], vectors: Vectors) -> float:
    """Every word weighs the same; a move costs the Euclidean distance of the normalised vectors."""
    ours, theirs = (_normalised(_known(words, vectors)) for words in (hypothesis, reference))
    costs = np.linalg.norm(ours[:, None] - theirs[None], axis=2)
    return float(ot.emd2(ot.unif(len(ours)), ot.unif(len(theirs)), costs))


def word_rotators_distance(hypothesis: Sequence[str], reference: Sequence[str], vectors: Vectors) -> float:
    """A word weighs the length of its vector; a move costs 1 − cosine."""
    ours, theirs = (_known(words, vectors) for words in (hypothesis, reference))
    masses = [np.linalg.norm(side, axis=1) / np.linalg.norm(side, axis=1).sum() for side in (ours, theirs)]
    return float(ot.emd2(*masses, 1 - _normalised(ours) @ _normalised(theirs).T))


def partial_cost(supply: Array, demand: Array, costs: Array, price: float) -> float:
    """The cheapest transport in which mass may be left out on either side at a price per unit.

    The unknowns are the flows and the mass that is left out of every supply and every demand.
    """
    m, n = costs.shape
    rows = np.hstack([np.kron(np.eye(m), np.ones(n)), np.eye(m), np.zeros((m, n))])
    columns = np.hstack([np.kron(np.ones(m), np.eye(n)), np.zeros((n, m)), np.eye(n)])
    found = linprog(
        np.concatenate([costs.ravel(), np.full(m + n, price)]),
        A_eq=np.vstack([rows, columns]),
        b_eq=np.concatenate([supply, demand]),
    )
    assert found.success, found.message
    return float(found.fun)


def _known(words: Sequence[str], vectors: Vectors) -> Array:
    return np.array([vectors[word] for word in words if word in vectors], dtype=np.float64)


def _normalised(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)
