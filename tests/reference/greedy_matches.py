"""Textbook greedy matching: precision and recall of weighted n-grams, and the weights of words."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from reference.vectors import MadeUpVectors

__all__ = ["VECTORS", "WORDS", "common_substring", "cosine", "count_ratios", "greedy_matches", "harmonic"]

WORDS = ("a", "b", "c", "d", "unk1", "unk2")
VECTORS = MadeUpVectors()


def cosine(first: str, second: str) -> float:
    """The cosine of two made-up vectors; words without one are alike if they are equal."""
    if "unk" in first + second:
        return float(first == second)
    a, b = (VECTORS.vector(word).astype(np.float64) for word in (first, second))
    return float(a @ b / math.sqrt((a @ a) * (b @ b)))


def greedy_matches(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    *,
    order: int,
    weight: Callable[[str], float],
    alike: Callable[[str, str], float],
) -> tuple[float, float]:
    """Precision and recall; `alike` compares two words."""
    if not hypothesis or not reference:
        same = float(len(hypothesis) == len(reference))
        return same, same
    n = min(order, len(hypothesis), len(reference))

    def share(own: Sequence[str], other: Sequence[str]) -> float:
        weights = [weight(word) for word in own]
        if not any(weights):
            weights = [1.0] * len(own)
        matched = whole = 0.0
        for i in range(len(own) - n + 1):
            total = sum(weights[i : i + n])
            sums = [
                sum(weights[i + k] * alike(own[i + k], other[j + k]) for k in range(n))
                for j in range(len(other) - n + 1)
            ]
            matched += max(sums)
            whole += total
        return matched / whole

    return share(hypothesis, reference), share(reference, hypothesis)


def count_ratios(references: Sequence[Sequence[str]]) -> Callable[[str], float]:
    """(N + 1) / (n + 1) of a word that n of the N references contain."""
    return lambda word: (len(references) + 1) / (sum(word in text for text in references) + 1)


def common_substring(first: bytes, second: bytes) -> float:
    """Twice the length of the longest common substring over both lengths."""
    longest = max(
        (n for n in range(len(first) + 1) for i in range(len(first) - n + 1) if first[i : i + n] in second),
        default=0,
    )
    return 2 * longest / (len(first) + len(second))


def harmonic(precision: float, recall: float, alpha: float) -> float:
    """P · R / (α · P + (1 − α) · R)."""
    below = alpha * precision + (1 - alpha) * recall
    return precision * recall / below if precision > 0 and recall > 0 and not math.isclose(below, 0) else 0.0
