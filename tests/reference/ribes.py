"""RIBES by the textbook: n-grams are counted by looking for them."""

import math
from collections.abc import Sequence

__all__ = ["align_ranks", "ribes_score"]


def align_ranks(hypothesis: Sequence[str], reference: Sequence[str]) -> list[int]:
    """The reference positions of the hypothesis words that can be told, in the hypothesis' order."""
    ranks = (_rank(hypothesis, reference, i) for i in range(len(hypothesis)))
    return [rank for rank in ranks if rank is not None]


def ribes_score(
    hypothesis: Sequence[str], reference: Sequence[str], *, alpha: float = 0.25, beta: float = 0.10
) -> float:
    """The score of a hypothesis that is not empty, 0 to 100."""
    ranks = align_ranks(hypothesis, reference)
    pairs = [(a, b) for i, a in enumerate(ranks) for b in ranks[i + 1 :]]
    if len(ranks) == len(reference) == 1:
        correlation = 1.0
    else:
        correlation = sum(a < b for a, b in pairs) / len(pairs) if pairs else 0.0
    penalty = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
    precision = len(ranks) / len(hypothesis)
    return 100 * correlation * math.pow(precision, alpha) * math.pow(penalty, beta)


def _rank(hypothesis: Sequence[str], reference: Sequence[str], i: int) -> int | None:
    for window in range(len(hypothesis)):
        before = hypothesis[max(0, i - window) : i + 1]
        if window <= i and _stands_once(before, hypothesis, reference):
            return _places(before, reference)[0] + window
        behind = hypothesis[i : i + window + 1]
        if i + window < len(hypothesis) and _stands_once(behind, hypothesis, reference):
            return _places(behind, reference)[0]
    return None


def _stands_once(ngram: Sequence[str], hypothesis: Sequence[str], reference: Sequence[str]) -> bool:
    return len(_places(ngram, hypothesis)) == len(_places(ngram, reference)) == 1


def _places(ngram: Sequence[str], text: Sequence[str]) -> list[int]:
    return [i for i in range(len(text) - len(ngram) + 1) if text[i : i + len(ngram)] == ngram]
