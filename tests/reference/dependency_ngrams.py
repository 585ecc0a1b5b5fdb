"""RED in plain Python, written straight from the paper's definitions; the judge of the kernels."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

__all__ = ["chains", "match_chain", "match_structure", "red", "structures"]

Ngram = tuple[int, ...]


def chains(heads: Sequence[int], order: int) -> set[Ngram]:
    """Downward paths of `order` words, each as positions from the top word down."""
    paths = set()
    for word in range(len(heads)):
        path = [word]
        while len(path) < order and heads[path[0]] >= 0:
            path.insert(0, heads[path[0]])
        if len(path) == order:
            paths.add(tuple(path))
    return paths


def structures(heads: Sequence[int], order: int) -> set[Ngram]:
    """Fixed and floating structures of `order` words that stand together, as rising positions."""
    found = set()
    for head in range(len(heads)):
        left = [child for child in range(head) if heads[child] == head]
        right = [child for child in range(head + 1, len(heads)) if heads[child] == head]
        for i, j in product(range(len(left) + 1), range(len(right) + 1)):
            found.add(_words(heads, [*left[len(left) - i :], *right[:j]]) | {head})
        for side in (left, right):
            found |= {_words(heads, run) for run in _runs(side)}
    return {
        tuple(sorted(words))
        for words in found
        if len(words) == order and max(words) - min(words) + 1 == order
    }


def match_chain(chain: Ngram, reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """Formula 2 at the best place of the hypothesis where the words stand in reference order."""
    places = [[i for i, word in enumerate(hypothesis) if word == reference[at]] for at in chain]
    best = 0.0
    for found in product(*places):
        if _rank(found) != _rank(chain) or len(set(found)) < len(found):
            continue
        gaps = [
            abs(abs(chain[i + 1] - chain[i]) - abs(found[i + 1] - found[i])) for i in range(len(chain) - 1)
        ]
        best = max(best, math.exp(-sum(gaps) / len(gaps)) if gaps else 1.0)
    return best


def match_structure(structure: Ngram, reference: Sequence[str], hypothesis: Sequence[str]) -> float:
    """Formula 4: one if the words stand together somewhere in the hypothesis."""
    words = [reference[at] for at in structure]
    return float(any(list(hypothesis[i : i + len(words)]) == words for i in range(len(hypothesis))))


def red(
    hypothesis: Sequence[str],
    reference: Sequence[str],
    heads: Sequence[int],
    *,
    order: int = 3,
    alpha: float = 0.5,
    capitals: float = 0.0,
) -> float:
    """RED of one pair, between 0 and about 1, with equal weights for all orders that the reference has."""
    views: list[tuple[float, Callable[[str], str]]] = [(1 - capitals, str.lower), (capitals, str)]
    scores = []
    for n in range(1, order + 1):
        paths, blocks = chains(heads, n), structures(heads, n) if n > 1 else set()
        if not paths | blocks:
            continue
        total = 0.0
        for weight, view in views:
            theirs, ours = [view(word) for word in reference], [view(word) for word in hypothesis]
            total += weight * sum(match_chain(path, theirs, ours) for path in sorted(paths))
            total += weight * sum(match_structure(block, theirs, ours) for block in sorted(blocks))
        scores.append(_f_score(total, len(hypothesis), len(paths) + len(blocks), alpha))
    return sum(scores) / len(scores) if scores else float(not hypothesis)


def _f_score(total: float, length: int, count: int, alpha: float) -> float:
    if total == 0:
        return 0.0
    precision, recall = total / length, total / count
    return precision * recall / (alpha * precision + (1 - alpha) * recall)


def _words(heads: Sequence[int], tops: Sequence[int]) -> frozenset[int]:
    """All words of the constituents with these top words."""
    words = set(tops)
    while True:
        more = {word for word in range(len(heads)) if heads[word] in words} - words
        if not more:
            return frozenset(words)
        words |= more


def _runs(siblings: Sequence[int]) -> Iterator[Sequence[int]]:
    for i in range(len(siblings)):
        for j in range(i + 1, len(siblings) + 1):
            yield siblings[i:j]


def _rank(positions: Ngram) -> list[int]:
    return sorted(range(len(positions)), key=positions.__getitem__)
