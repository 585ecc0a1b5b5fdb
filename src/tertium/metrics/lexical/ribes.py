"""RIBES: rank correlation of the words that hypothesis and reference share, identical to NTT's RIBES 1.03.1.

Isozaki, Hirao, Duh, Sudoh & Tsukada (2010), Automatic Evaluation of Translation Quality for Distant
Language Pairs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from tertium.kernels.edits import count_ranks
from tertium.kernels.elementary import power
from tertium.metrics.base import CountingMetric, best_reference, keep_best
from tertium.metrics.lexical._word_ngrams import cut_words, order_facts
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, OffsetArray


@record
class PlacedWord:
    """Word `i` of the hypothesis is aligned with word `j` of the reference, because `ngram` is unique in both."""

    i: int
    j: int
    ngram: tuple[str, ...]


def place_words(hypothesis: Sequence[str], reference: Sequence[str]) -> Iterator[PlacedWord]:
    """Align every word that has a unique context, in the order of the hypothesis.

    >>> [word.j for word in place_words("b a a b".split(), "a a b a".split())]
    [2, 3, 1, 2]
    """
    known = _Places(hypothesis, reference)
    for i in range(len(hypothesis)):
        placed = _place(known, i, len(hypothesis))
        if placed is not None:
            yield placed


class _Places:
    """The positions of n-grams that are unique in both texts; one table per order, built on first use."""

    def __init__(self, hypothesis: Sequence[str], reference: Sequence[str]) -> None:
        self._texts = (hypothesis, reference)
        self._tables: dict[int, dict[tuple[str, ...], int]] = {}

    def find(self, begin: int, end: int) -> int | None:
        """Find the position in the reference of the hypothesis's n-gram; None unless it is unique in both texts."""
        order = end - begin
        if order not in self._tables:
            ours, theirs = (_single_ngrams(text, order) for text in self._texts)
            self._tables[order] = {ngram: at for ngram, at in theirs.items() if ngram in ours}
        return self._tables[order].get(self.ngram(begin, end))

    def ngram(self, begin: int, end: int) -> tuple[str, ...]:
        return tuple(self._texts[0][begin:end])


def _place(known: _Places, i: int, length: int) -> PlacedWord | None:
    """Extend the n-gram of a word until it is unique, at each length first to the left, then to the right."""
    for width in range(max(i + 1, length - i)):
        if width <= i and (at := known.find(i - width, i + 1)) is not None:
            return PlacedWord(i, at + width, known.ngram(i - width, i + 1))
        if i + width < length and (at := known.find(i, i + width + 1)) is not None:
            return PlacedWord(i, at, known.ngram(i, i + width + 1))
    return None


def _single_ngrams(words: Sequence[str], order: int) -> dict[tuple[str, ...], int]:
    places: dict[tuple[str, ...], list[int]] = {}
    for i in range(len(words) - order + 1):
        places.setdefault(tuple(words[i : i + order]), []).append(i)
    return {ngram: at[0] for ngram, at in places.items() if len(at) == 1}


@dataclass(frozen=True)
class RIBES(CountingMetric):
    """NKT · P^α · BP^β: normalised Kendall's τ, unigram precision and BLEU's brevity penalty.

    A hypothesis word is aligned if it occurs exactly once in the hypothesis and in the reference. The n-gram of a
    repeated word is extended by neighbouring words until it occurs exactly once in both texts; at each length the
    words to the left are tried first, then those to the right. NKT is the proportion of pairs of aligned words
    whose order is the same as in the reference; P is the proportion of hypothesis words that are aligned. With
    fewer than two aligned words NKT is 0, except for a reference of one word, where it is 1. With several
    references the best one counts. The system score is the mean of the segment scores.

    Like NTT's tool, this metric ignores case by default. The tool expects tokenised text (use `tokenizer=none`),
    while the default here tokenises raw text. The tool rejects an empty reference; here the score is 0, or 100 if
    the hypothesis is empty, too. As in the tool, a text of repeated words can score below 100 against itself.

    >>> round(RIBES().sentence_score("Bob hit John yesterday", ["John hit Bob yesterday"]).score, 2)
    50.0
    """

    paper: ClassVar[str] = "Isozaki, Hirao, Duh, Sudoh & Tsukada 2010"
    takes_best_reference: ClassVar[bool] = True
    formula_options: ClassVar[frozenset[str]] = frozenset({"alpha", "beta"})

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)
    alpha: float = option(0.25, "exponent of the unigram precision", at_least=0, at_most=100)
    beta: float = option(0.10, "exponent of the brevity penalty", at_least=0, at_most=100)

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute, for each reference, rank correlation, precision, penalty, and whether both texts are empty."""
        ours = hypotheses.tokens(self.tokenizer, lowercase=self.lowercase)
        theirs = references.tokens(self.tokenizer, lowercase=self.lowercase)
        parts = count_ranks(ours, theirs, references.offsets)
        lengths = np.repeat(ours.lengths, np.diff(references.offsets))
        return np.column_stack([parts, (lengths == 0) & (theirs.lengths == 0)])

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        correlation, precision, penalty, both_empty = counts.T
        scores = correlation * power(precision, self.alpha) * power(penalty, self.beta)
        scores[both_empty > 0] = 1.0  # two empty texts are equal
        return keep_best(np.column_stack([100.0 * scores, counts[:, :3], np.ones_like(scores)]), groups)

    def combine(self, totals: FloatArray) -> FloatArray:
        return totals[..., 0] / np.maximum(totals[..., -1], 1.0)

    def details(self, totals: FloatArray) -> dict[str, float]:
        names = ("rank_correlation", "precision", "brevity_penalty")
        return {name: float(total / totals[-1]) for name, total in zip(names, totals[1:4], strict=True)}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the position of each word in the best reference, its unique n-gram, and the three factors."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words, (others,) = cut_words(self, hypothesis, [references[nearest]])
        placed = list(place_words(words, others))
        rising = sum(a.j < b.j for a, b in combinations(placed, 2))
        return Explanation(
            metric=self.name,
            hypothesis=words,
            reference=others,
            score=score.value,
            links=[(match.i, match.j, " ".join(match.ngram)) for match in placed],
            steps=list(_describe_places(words, placed)),
            facts={
                "placed words": len(placed),
                "pairs": len(placed) * (len(placed) - 1) // 2,
                "pairs in order": rising,
                **order_facts(score.details),
                "nearest_reference": nearest + 1,
            },
        )


def _describe_places(words: Sequence[str], placed: Sequence[PlacedWord]) -> Iterator[str]:
    for match in placed:
        by = f", by: {' '.join(match.ngram)}" if len(match.ngram) > 1 else ""
        yield f"word {match.i + 1} is word {match.j + 1} of the reference: {words[match.i]}{by}"
    known = {match.i for match in placed}
    if rest := [f"{word} ({i + 1})" for i, word in enumerate(words) if i not in known]:
        yield f"not placed: {', '.join(rest)}"
