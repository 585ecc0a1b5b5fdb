"""Where RIBES places each word of the hypothesis in the reference, and by which n-gram it knows the place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["PlacedWord", "place_words"]


@dataclass(frozen=True)
class PlacedWord:
    """Word `i` of the hypothesis is word `j` of the reference, since both texts have `ngram` once."""

    i: int
    j: int
    ngram: tuple[str, ...]


def place_words(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[PlacedWord]:
    """Place every word that can be placed, in the hypothesis' order.

    >>> [word.j for word in place_words("b a a b".split(), "a a b a".split())]
    [2, 3, 1, 2]
    """
    known = _Places(hypothesis, reference)
    for i in range(len(hypothesis)):
        placed = _place(known, i, len(hypothesis))
        if placed is not None:
            yield placed


class _Places:
    """Which n-grams both texts have once, and where; one table per order, made when it is needed."""

    def __init__(self, hypothesis: Sequence[str], reference: Sequence[str]) -> None:
        self._texts = (hypothesis, reference)
        self._tables: dict[int, dict[tuple[str, ...], int]] = {}

    def find(self, begin: int, end: int) -> int | None:
        """Find where the n-gram of the hypothesis begins in the reference; None unless both have it once."""
        order = end - begin
        if order not in self._tables:
            ours, theirs = (_single_ngrams(text, order) for text in self._texts)
            self._tables[order] = {ngram: at for ngram, at in theirs.items() if ngram in ours}
        return self._tables[order].get(self.spell(begin, end))

    def spell(self, begin: int, end: int) -> tuple[str, ...]:
        return tuple(self._texts[0][begin:end])


def _place(known: _Places, i: int, length: int) -> PlacedWord | None:
    """Widen the window around a word until its n-gram is unique: the words before it first, then those behind."""
    for width in range(max(i + 1, length - i)):
        if width <= i and (at := known.find(i - width, i + 1)) is not None:
            return PlacedWord(i, at + width, known.spell(i - width, i + 1))
        if i + width < length and (at := known.find(i, i + width + 1)) is not None:
            return PlacedWord(i, at, known.spell(i, i + width + 1))
    return None


def _single_ngrams(words: Sequence[str], order: int) -> dict[tuple[str, ...], int]:
    places: dict[tuple[str, ...], list[int]] = {}
    for i in range(len(words) - order + 1):
        places.setdefault(tuple(words[i : i + order]), []).append(i)
    return {ngram: at[0] for ngram, at in places.items() if len(at) == 1}
