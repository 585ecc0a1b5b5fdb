"""RED in plain Python, the peer of the kernel."""

import math
from collections import defaultdict
from collections.abc import Sequence

__all__ = ["plain_red"]

Ngrams = Sequence[tuple[str, tuple[int, ...]]]


def plain_red(hypothesis: Sequence[str], reference: Sequence[str], ngrams: Ngrams) -> float:
    """Compute RED of one pair from the n-grams of the reference's tree."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(hypothesis):
        places[word].append(at)
    blocks = {tuple(hypothesis[i : i + n]) for n in (2, 3) for i in range(len(hypothesis) - n + 1)}
    matches, counts = [0.0, 0.0, 0.0], [0, 0, 0]
    for kind, positions in ngrams:
        counts[len(positions) - 1] += 1
        words = [reference[at] for at in positions]
        if kind == "structure":
            matches[len(positions) - 1] += tuple(words) in blocks
        elif all(word in places for word in words):
            matches[len(positions) - 1] += _match_path(positions, [places[word] for word in words])
    scores = [m / (0.5 * len(hypothesis) + 0.5 * c) for m, c in zip(matches, counts, strict=True) if c]
    return sum(scores) / len(scores)


def _match_path(positions: tuple[int, ...], places: list[list[int]]) -> float:
    if len(positions) == 1:
        return 1.0
    best = _best_gap(positions, places, ())
    return math.exp(-best / (len(positions) - 1)) if best < math.inf else 0.0


def _best_gap(positions: tuple[int, ...], places: list[list[int]], chosen: tuple[int, ...]) -> float:
    if len(chosen) == len(positions):
        return 0.0
    best, now = math.inf, len(chosen)
    for place in places[now]:
        in_order = all(
            (chosen[i] < place) == (positions[i] < positions[now]) and chosen[i] != place for i in range(now)
        )
        if in_order:
            gap = abs(place - chosen[-1] - positions[now] + positions[now - 1]) if now else 0
            best = min(best, gap + _best_gap(positions, places, (*chosen, place)))
    return best
