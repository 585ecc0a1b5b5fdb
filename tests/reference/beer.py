"""Shared n-grams and skip bigrams counted one by one: the judge of BEER's counts."""

from collections import Counter
from collections.abc import Sequence

__all__ = ["family_counts"]


def family_counts(hypothesis: Sequence[str], reference: Sequence[str]) -> list[list[int]]:
    """The hypothesis's, the reference's and the common units of every family."""
    ours, theirs = _families(hypothesis), _families(reference)
    return [[a.total(), b.total(), (a & b).total()] for a, b in zip(ours, theirs, strict=True)]


def _families(words: Sequence[str]) -> list[Counter[tuple[str, ...]]]:
    bordered = ["<s>", *words, "</s>"]
    characters = list("".join(words))
    families = [_ngrams(words, 1)]
    families += [_ngrams(bordered, n) for n in (2, 3, 4)]
    families += [_ngrams(characters, n) for n in range(1, 7)]
    return families + [_skip_bigrams(words, gap) for gap in (1, 2, 3, 4, len(words))]


def _ngrams(items: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))


def _skip_bigrams(words: Sequence[str], gap: int) -> Counter[tuple[str, ...]]:
    return Counter(
        (words[i], words[j]) for i in range(len(words)) for j in range(i + 1, len(words)) if j - i - 1 <= gap
    )
