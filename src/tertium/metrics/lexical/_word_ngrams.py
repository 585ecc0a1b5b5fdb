"""Tokenised words for lexical metrics, and explanations by their n-grams."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from tertium.metrics.base import Metric
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray


class CutsWords(Protocol):
    """A metric with the two options that determine its words."""

    @property
    def tokenizer(self) -> str: ...

    @property
    def lowercase(self) -> bool: ...


def cut_words(
    metric: CutsWords, hypothesis: str, references: Iterable[str]
) -> tuple[list[str], list[list[str]]]:
    """Split a hypothesis and its references into the words that this metric compares."""
    column = Texts([hypothesis, *references])
    tokens = column.tokens(metric.tokenizer, lowercase=metric.lowercase)
    return tokens.words(0), [tokens.words(i) for i in range(1, len(column))]


Ngram = tuple[str, ...]

_MAX_LISTED = 12  # longer lists are cut
_MAX_PAIRS = 2_500  # a larger matrix is not readable


@record
class NgramComparison:
    """The n-grams of one order that match, that only the hypothesis has, and that only the references have."""

    order: int
    matched: Counter[Ngram]
    surplus: Counter[Ngram]
    missing: Counter[Ngram]

    @property
    def n_own(self) -> int:
        """The number of n-grams of the hypothesis."""
        return self.matched.total() + self.surplus.total()

    def describe(self, unit: str = "", joint: str = " ") -> Iterator[str]:
        """Describe the comparison in lines.

        `unit` names the items of the n-grams, such as "word"; `joint` separates them.
        """
        yield f"{unit} {self.order}-grams: {self.matched.total()} of {self.n_own} match".lstrip()
        titles = ("matched", "only in the hypothesis", "only in the reference")
        for title, counts in zip(titles, (self.matched, self.surplus, self.missing), strict=True):
            if counts:
                yield f"  {title}: {list_counts({joint.join(ngram): n for ngram, n in counts.items()})}"


def explain_ngrams(
    metric: str,
    score: float,
    words: tuple[Sequence[str], Sequence[Sequence[str]]],
    *,
    nearest: int,
    orders: Sequence[int],
    facts: Mapping[str, float | str],
) -> Explanation:
    """Explain a metric that pools the n-grams of all references.

    Parameters
    ----------
    words
        The words of the hypothesis and of each reference.
    nearest
        The index of the reference to show next to the hypothesis.
    """
    hypothesis, references = words
    return Explanation(
        metric=metric,
        hypothesis=hypothesis,
        reference=references[nearest],
        score=score,
        links=link_ngrams(hypothesis, references[nearest], max(orders, default=0)),
        steps=[line for ngram in compare_ngrams(hypothesis, references, orders) for line in ngram.describe()],
        facts=facts,
    )


def link_ngrams(
    hypothesis: Sequence[str], reference: Sequence[str], longest: int
) -> list[tuple[int, int, str]]:
    """Link the words of common n-grams, the longest n-grams first and each word at most once.

    >>> link_ngrams("at noon we meet".split(), "we meet at noon".split(), 2)
    [(0, 2, '2-gram'), (1, 3, '2-gram'), (2, 0, '2-gram'), (3, 1, '2-gram')]
    """
    links: dict[int, tuple[int, str]] = {}
    taken: set[int] = set()
    for order in range(min(longest, len(hypothesis), len(reference)), 0, -1):
        places: dict[Ngram, list[int]] = {}
        for j in range(len(reference) - order + 1):
            if taken.isdisjoint(range(j, j + order)):
                places.setdefault(tuple(reference[j : j + order]), []).append(j)
        for i in range(len(hypothesis) - order + 1):
            free = places.get(tuple(hypothesis[i : i + order]), [])
            while free and not taken.isdisjoint(range(free[0], free[0] + order)):
                free.pop(0)
            if free and links.keys().isdisjoint(range(i, i + order)):
                links |= {i + k: (free[0] + k, f"{order}-gram") for k in range(order)}
                taken.update(range(free[0], free[0] + order))
    return [(i, *links[i]) for i in sorted(links)]


def compare_word_pairs(metric: Metric, ours: Sequence[str], theirs: Sequence[str]) -> dict[str, FloatArray]:
    """Score each word of a text against each word of the other, as a matrix; none if it is too large to show."""
    if not 0 < len(ours) * len(theirs) <= _MAX_PAIRS:
        return {}
    references = References([[other] for _ in ours for other in theirs])
    texts = Texts([word for word in ours for _ in theirs], references.vocabulary)
    scores = metric.segment_scores(metric.checked_statistics(texts, references))
    return {"similarity of words": np.reshape(scores, (len(ours), len(theirs))) / 100}


def order_facts(details: Mapping[str, float | Sequence[float]]) -> dict[str, float | str]:
    """Flatten a metric's details, so that each number has a name.

    >>> order_facts({"precisions": [100.0, 50.0], "length": 3.0})
    {'precision of order 1': 100.0, 'precision of order 2': 50.0, 'length': 3.0}
    """
    facts: dict[str, float | str] = {}
    for name, value in details.items():
        if isinstance(value, Sequence):
            facts |= {f"{name.removesuffix('s')} of order {n}": v for n, v in enumerate(value, start=1)}
        else:
            facts[name] = value
    return facts


def compare_ngrams(
    hypothesis: Sequence[str], references: Iterable[Sequence[str]], orders: Iterable[int]
) -> list[NgramComparison]:
    """Compare the n-grams of each order with the n-grams of the references.

    An n-gram matches at most as often as it occurs in the reference that has it most often.

    >>> (comparison,) = compare_ngrams("the the cat".split(), ["the cat sat".split()], [1])
    >>> list(comparison.describe())[:2]
    ['1-grams: 2 of 3 match', '  matched: the, cat']
    """
    others = list(references)
    comparisons = []
    for order in orders:
        ours, theirs = count_ngrams(hypothesis, order), Counter[Ngram]()
        for words in others:
            theirs |= count_ngrams(words, order)
        matched = ours & theirs
        comparisons.append(NgramComparison(order, matched, ours - matched, theirs - matched))
    return comparisons


def count_ngrams(items: Sequence[str], order: int) -> Counter[Ngram]:
    """Count the n-grams of one order."""
    return Counter(tuple(items[i : i + order]) for i in range(len(items) - order + 1))


def list_counts(counts: dict[str, int]) -> str:
    """List texts, with their counts if they occur more than once; a long list is cut.

    >>> list_counts({"the": 2, "cat": 1})
    'the ×2, cat'
    """
    shown = [text if count == 1 else f"{text} ×{count}" for text, count in counts.items()]
    more = f" … and {len(shown) - _MAX_LISTED} more" if len(shown) > _MAX_LISTED else ""
    return ", ".join(shown[:_MAX_LISTED]) + more
