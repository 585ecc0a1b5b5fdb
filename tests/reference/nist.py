"""NIST by the textbook, with mteval-v13a's way of counting: n-grams are strings, and "0" is nothing."""

import math
from collections import Counter
from collections.abc import Sequence

__all__ = ["nist_score"]

Words = Sequence[str]


def nist_score(hypotheses: Sequence[Words], references: Sequence[Sequence[Words]], order: int = 5) -> float:
    """The score of a test set."""
    information = _information([words for group in references for words in group], order)
    matched, counted = [0.0] * order, [0] * order
    for hypothesis, group in zip(hypotheses, references, strict=True):
        for ngram, count in _ngrams(hypothesis, order).items():
            most = max(_ngrams(words, order)[ngram] for words in group)
            matched[ngram.count(" ")] += min(count, most) * information.get(ngram, 0.0)
            counted[ngram.count(" ")] += count
    length = sum(len(words) for words in hypotheses)
    wanted = sum(sum(map(len, group)) / len(group) for group in references)
    total = sum(bits / count for bits, count in zip(matched, counted, strict=True) if count)
    return total * _penalty(length, wanted)


def _information(texts: Sequence[Words], order: int) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for words in texts:
        counts += _ngrams(words, order)
    n_words = sum(map(len, texts))
    found = {}
    for ngram, count in counts.items():
        before = ngram.rpartition(" ")[0]
        is_something = before not in ("", "0")  # Perl takes both for false
        found[ngram] = -math.log2(count / (counts[before] if is_something else n_words))
    return found


def _ngrams(words: Words, order: int) -> Counter[str]:
    return Counter(" ".join(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1))


def _penalty(length: float, wanted: float) -> float:
    if length == 0:
        return 0.0
    return math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(min(length / wanted, 1.0)) ** 2)
