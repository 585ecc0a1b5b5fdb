"""Words of texts for lexical metrics, and explanations by their n-grams."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tertium.text import Texts
from tertium.types import Explanation


class CutsWords(Protocol):
    """A metric with the two options that decide what a word is."""

    @property
    def tokenizer(self) -> str: ...

    @property
    def lowercase(self) -> bool: ...


def cut_words(
    metric: CutsWords, hypothesis: str, references: Iterable[str]
) -> tuple[list[str], list[list[str]]]:
    """Cut a hypothesis and its references into words as this metric sees them."""
    column = Texts([hypothesis, *references])
    tokens = column.tokens(metric.tokenizer, lowercase=metric.lowercase)
    return tokens.words(0), [tokens.words(i) for i in range(1, len(column))]


Ngram = tuple[str, ...]

_LONGEST_LIST = 12  # more n-grams than a reader takes in at a glance


@dataclass(frozen=True)
class NgramAccount:
    """The n-grams of one order: those that match, those that only the hypothesis has, and those it lacks."""

    order: int
    matched: Counter[Ngram]
    surplus: Counter[Ngram]
    missing: Counter[Ngram]

    @property
    def n_own(self) -> int:
        """How many n-grams the hypothesis has."""
        return self.matched.total() + self.surplus.total()

    def describe(self, unit: str = "", joint: str = " ") -> Iterator[str]:
        """Tell the account in lines.

        `unit` says of what the n-grams are made, and `joint` stands between their parts.
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
    orders: Iterable[int],
    facts: Mapping[str, float | str],
) -> Explanation:
    """Explain a metric that pools the n-grams of all references.

    Parameters
    ----------
    words
        Those of the hypothesis and of each reference.
    nearest
        Which reference to show beside the hypothesis.
    """
    hypothesis, references = words
    accounts = account_ngrams(hypothesis, references, orders)
    return Explanation(
        metric=metric,
        hypothesis=hypothesis,
        reference=references[nearest],
        score=score,
        steps=[line for account in accounts for line in account.describe()],
        facts=facts,
    )


def order_facts(details: Mapping[str, float | Sequence[float]]) -> dict[str, float | str]:
    """Give each number of a metric's details a name of its own.

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


def account_ngrams(
    hypothesis: Sequence[str], references: Iterable[Sequence[str]], orders: Iterable[int]
) -> list[NgramAccount]:
    """Account for the n-grams of every order.

    An n-gram matches at most as often as the reference that has it most often.

    >>> (account,) = account_ngrams("the the cat".split(), ["the cat sat".split()], [1])
    >>> list(account.describe())[:2]
    ['1-grams: 2 of 3 match', '  matched: the, cat']
    """
    others = list(references)
    accounts = []
    for order in orders:
        ours, theirs = count_ngrams(hypothesis, order), Counter[Ngram]()
        for words in others:
            theirs |= count_ngrams(words, order)
        matched = ours & theirs
        accounts.append(NgramAccount(order, matched, ours - matched, theirs - matched))
    return accounts


def count_ngrams(items: Sequence[str], order: int) -> Counter[Ngram]:
    """Count the n-grams of one order."""
    return Counter(tuple(items[i : i + order]) for i in range(len(items) - order + 1))


def list_counts(counts: dict[str, int]) -> str:
    """List texts with how often they occur, where that is more than once; a long list is cut short.

    >>> list_counts({"the": 2, "cat": 1})
    'the ×2, cat'
    """
    shown = [text if count == 1 else f"{text} ×{count}" for text, count in counts.items()]
    more = f" … and {len(shown) - _LONGEST_LIST} more" if len(shown) > _LONGEST_LIST else ""
    return ", ".join(shown[:_LONGEST_LIST]) + more
