"""Words into pieces, and words as they are written: what vectors of any word are made from."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.types import IdArray, OffsetArray

__all__ = ["UnigramPieces", "form_vectors"]


class UnigramPieces:
    """Cuts words into the pieces of a unigram model: of all ways, that with the least sum of prices.

    A piece's price is −ln of its probability. A character that no piece covers is left out, at a price
    above that of every piece.

    >>> UnigramPieces(["a", "b", "ab"], [2.0, 2.0, 3.0]).cut(["abba"])[0].tolist()
    [2, 1, 0]
    """

    def __init__(self, pieces: Sequence[str], prices: npt.ArrayLike) -> None:
        self._core = _core.UnigramPieces(list(pieces), np.ascontiguousarray(prices, dtype=np.float32))

    def cut(self, words: Sequence[str]) -> tuple[IdArray, OffsetArray]:
        """The numbers of all words' pieces, one word after the other, and where each word begins."""
        return self._core.cut(list(words))


def form_vectors(words: Sequence[str], *, orders: tuple[int, int], width: int) -> npt.NDArray[np.float32]:
    """Describe how each word is written, by its character n-grams from the first to the last of `orders`.

    The n-grams, with a mark at both ends of the word, are hashed into `width` dimensions; every row has
    length 1.
    """
    first, last = orders
    return _core.form_vectors(list(words), first, last, width)
