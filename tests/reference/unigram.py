"""The textbook's way to cut a word by a unigram model: try every way."""

from collections.abc import Iterator, Mapping

__all__ = ["cheapest_price", "ways_to_cut"]


def ways_to_cut(word: str, prices: Mapping[str, float], unknown: float) -> Iterator[tuple[float, list[str]]]:
    """Every way to cut a word into known pieces and single characters, with its price; unknown ones are left out."""
    if not word:
        yield 0.0, []
    for end in range(1, len(word) + 1):
        piece = word[:end]
        for price, rest in ways_to_cut(word[end:], prices, unknown):
            if piece in prices:
                yield prices[piece] + price, [piece, *rest]
            if end == 1:
                yield unknown + price, rest


def cheapest_price(word: str, prices: Mapping[str, float], unknown: float) -> float:
    return min(price for price, _ in ways_to_cut(word, prices, unknown))
