"""Distances between sequences of any hashable symbols: useful outside translation too."""

from collections.abc import Hashable, Sequence

import numpy as np

from tertium.kernels.lexical import count_levenshtein
from tertium.kernels.strings import number_pairs
from tertium.types import FloatArray

__all__ = ["levenshtein_distances"]


def levenshtein_distances(
    first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]
) -> FloatArray:
    """Compute the edit distance of each pair of sequences.

    >>> levenshtein_distances(["kitten", [1, 2, 3]], ["sitting", [1, 3]])
    array([3., 1.])
    """
    one, other = number_pairs(first, second)
    return count_levenshtein(one, other, np.arange(len(other) + 1, dtype=np.int64))[:, 0]
