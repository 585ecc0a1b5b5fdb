"""Shared n-grams and chrF by the textbook: multisets and their intersections."""

from collections import Counter
from collections.abc import Hashable, Sequence

__all__ = ["chrf_score", "count_overlaps"]


def count_overlaps(
    hypothesis: Sequence[Hashable], reference: Sequence[Hashable], order: int
) -> list[tuple[int, int, int]]:
    """For each order: n-grams of the hypothesis, of the reference, and their intersection's size.

    Where the reference has no n-gram, those of the hypothesis are not counted.
    """
    rows = []
    for n in range(1, order + 1):
        ours, theirs = _ngrams(hypothesis, n), _ngrams(reference, n)
        rows.append((ours.total() if theirs else 0, theirs.total(), (ours & theirs).total()))
    return rows


def chrf_score(hypothesis: str, reference: str, *, order: int = 6, beta: float = 2.0) -> float:
    """Score one pair, 0 to 100, over the orders that both sides have."""
    rows = count_overlaps("".join(hypothesis.split()), "".join(reference.split()), order)
    used = [row for row in rows if row[0] and row[1]]
    if not any(matches for *_, matches in used):
        return 0.0
    precision = sum(matches / ours for ours, _, matches in used) / len(used)
    recall = sum(matches / theirs for _, theirs, matches in used) / len(used)
    return 100 * (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def _ngrams(sequence: Sequence[Hashable], n: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(tuple(sequence[i : i + n]) for i in range(len(sequence) - n + 1))
