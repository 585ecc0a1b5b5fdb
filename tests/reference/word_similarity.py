"""WAS, MAS, HAS, BLEUmodif and WERmodif by their formulas, one pair at a time."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

__all__ = ["has", "mas", "mas_directions", "similarities", "soft_precision", "soft_wer", "was"]

Array = npt.NDArray[np.float64]
Vectors = Mapping[str, npt.NDArray[np.float32]]
Words = Sequence[str]


def cosine(a: npt.NDArray[np.float32], b: npt.NDArray[np.float32]) -> float | None:
    """None where a vector has no direction."""
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    scale = math.sqrt(float(a64 @ a64)) * math.sqrt(float(b64 @ b64))
    return float(a64 @ b64) / scale if scale > 0 else None


def similarities(one: Words, other: Words, vectors: Vectors, *, strict: bool = False) -> Array:
    out = np.zeros((len(one), len(other)))
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            value = cosine(vectors[a], vectors[b]) if a in vectors and b in vectors else None
            out[i, j] = float(a == b and not strict) if value is None else value
    return out


def was(kept: Array) -> float:
    return float(kept.mean())


def mas_directions(kept: Array) -> tuple[float, float]:
    return float(kept.max(axis=1).mean()), float(kept.max(axis=0).mean())


def mas(kept: Array) -> float:
    there, back = mas_directions(kept)
    return (there + back) / 2


def has(kept: Array) -> float:
    rows, columns = linear_sum_assignment(kept, maximize=True)
    total = float(kept[rows, columns].sum())
    smaller: int = min(kept.shape)
    return total / smaller


def soft_wer(
    hypothesis: Words, reference: Words, vectors: Vectors, *, strict: bool = False, clamp: bool = True
) -> float:
    """Edits over reference length; without `clamp` a negative cosine makes a substitution dearer than 1."""
    alike = similarities(hypothesis, reference, vectors, strict=strict)
    table = np.zeros((len(hypothesis) + 1, len(reference) + 1))
    table[:, 0], table[0, :] = np.arange(len(hypothesis) + 1), np.arange(len(reference) + 1)
    for i in range(len(hypothesis)):
        for j in range(len(reference)):
            replaced = 1 - (max(0.0, alike[i, j]) if clamp else alike[i, j])
            table[i + 1, j + 1] = min(table[i, j] + replaced, table[i, j + 1] + 1, table[i + 1, j] + 1)
    return float(table[-1, -1]) / len(reference)


def soft_precision(
    hypothesis: Words,
    references: Sequence[Words],
    vectors: Vectors,
    order: int,
    *,
    threshold: float,
    strict: bool = False,
) -> tuple[float, int]:
    """The sum of the n-grams' similarities to their nearest, and how many n-grams there are."""
    compare = _ngram_comparison(vectors, strict=strict)
    theirs = [ngram for reference in references for ngram in _ngrams(reference, order)]
    ours = _ngrams(hypothesis, order)
    nearest = [max((compare(ngram, other) for other in theirs), default=0.0) for ngram in ours]
    return sum(value for value in nearest if value >= threshold), len(ours)


def _ngrams(words: Words, order: int) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def _ngram_comparison(
    vectors: Vectors, *, strict: bool
) -> Callable[[tuple[str, ...], tuple[str, ...]], float]:
    @cache
    def mean(ngram: tuple[str, ...]) -> npt.NDArray[np.float32] | None:
        known = [vectors[word].astype(np.float64) for word in ngram if word in vectors]
        return np.mean(known, axis=0) if known else None

    def compare(one: tuple[str, ...], other: tuple[str, ...]) -> float:
        a, b = mean(one), mean(other)
        value = None if a is None or b is None else cosine(a, b)
        return float(one == other and not strict) if value is None else value

    return compare
