"""Textbook inversion edit distance: every block, every split, remembered."""

from collections.abc import Hashable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

__all__ = ["Prices", "inversion_distance"]


class Prices(NamedTuple):
    insertion: float = 1
    deletion: float = 1
    substitution: float = 1
    inversion: float = 1


def inversion_distance(a: Sequence[Hashable], b: Sequence[Hashable], prices: Prices = Prices()) -> float:  # noqa: B008
    """Leusch, Ueffing & Ney 2003, Eq. 2, for half-open blocks and with empty parts on either side."""

    @cache
    def cost(i0: int, i1: int, j0: int, j1: int) -> float:
        if i0 == i1 or j0 == j1:
            return (i1 - i0) * prices.deletion + (j1 - j0) * prices.insertion
        options = [(i1 - i0) * prices.deletion + (j1 - j0) * prices.insertion]
        if i1 - i0 == j1 - j0 == 1:
            options.append(0 if a[i0] == b[j0] else prices.substitution)
        for i, j in product(range(i0, i1 + 1), range(j0, j1 + 1)):
            if (i, j) not in {(i0, j0), (i1, j1)}:
                options.append(cost(i0, i, j0, j) + cost(i, i1, j, j1))
            if (i, j) not in {(i0, j1), (i1, j0)}:
                options.append(cost(i0, i, j, j1) + cost(i, i1, j0, j) + prices.inversion)
        return min(options)

    return cost(0, len(a), 0, len(b))
