"""Distances between sequences of any hashable symbols: useful outside translation too."""

from collections.abc import Hashable, Sequence

import numpy as np

from tertium.errors import InputError
from tertium.kernels.lexical import count_levenshtein
from tertium.kernels.strings import number_symbols
from tertium.types import FloatArray, TokenColumn

__all__ = ["levenshtein_distances", "pair_columns"]


def levenshtein_distances(
    first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]
) -> FloatArray:
    """Compute the edit distance of each pair of sequences.

    >>> levenshtein_distances(["kitten", [1, 2, 3]], ["sitting", [1, 3]])
    array([3., 1.])
    """
    one, other = pair_columns(first, second)
    return count_levenshtein(one, other, np.arange(len(other) + 1, dtype=np.int64))[:, 0]


def pair_columns(
    first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]
) -> tuple[TokenColumn, TokenColumn]:
    """Number the symbols of two lists of sequences together, so that equal symbols have equal ids."""
    if len(first) != len(second):
        raise InputError(f"pairs are needed: {len(first):,} sequences against {len(second):,}")
    both = number_symbols([*first, *second])
    middle = both.offsets[len(first)]
    return (
        TokenColumn(both.ids[:middle], both.offsets[: len(first) + 1], both.vocabulary),
        TokenColumn(both.ids[middle:], both.offsets[len(first) :] - middle, both.vocabulary),
    )
