"""NIST: n-gram matches weighted by their information, identical to mteval-v13a.

Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar, Self

import numpy as np

from tertium.errors import InputError
from tertium.kernels.elementary import exp, log
from tertium.kernels.ngrams import (
    InformationWeights,
    NgramCounts,
    count_all_ngrams,
    count_information,
    weigh_ngrams,
)
from tertium.metrics.base import Metric, best_reference
from tertium.metrics.inputs import list_references
from tertium.metrics.lexical._word_ngrams import Ngram, compare_ngrams, cut_words, link_ngrams, order_facts
from tertium.metrics.options import fitted_field, lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TokenColumn


def describe_information(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    known: InformationWeights,
    order: int,
) -> list[str]:
    """Describe the information of the matches of each order, the most informative n-gram first."""
    weights = _list_weights(known)
    lines: list[str] = []
    for overlap in compare_ngrams(hypothesis, references, range(1, order + 1)):
        if overlap.n_own == 0:
            break
        ranked = sorted(((weights.of(ngram), ngram, n) for ngram, n in overlap.matched.items()), reverse=True)
        total = sum(weight * count for weight, _, count in ranked)
        lines.append(
            f"{overlap.order}-grams: {total:.4f} bits in {overlap.matched.total()} of {overlap.n_own}"
        )
        lines += [f"  {' '.join(ngram)}: {_format_bits(weight, count)}" for weight, ngram, count in ranked]
    return lines


@lru_cache(maxsize=1)
def _list_weights(known: InformationWeights) -> "_Weights":
    """List the weights once for all segments of a test set."""
    return _Weights(known)


class _Weights:
    """The weights of n-grams, looked up word by word."""

    def __init__(self, known: InformationWeights) -> None:
        self._weights = known.weights.tolist()
        words = [known.words[token] for token in known.tokens.tolist()]
        self._names = {pair: k for k, pair in enumerate(zip(known.parents.tolist(), words, strict=True))}

    def of(self, ngram: Ngram) -> float:
        """Return the weight of an n-gram; 0 if it is not in the table."""
        name = -1
        for word in ngram:
            found = self._names.get((name, word))
            if found is None:
                return 0.0
            name = found
        return float(self._weights[name])


def _format_bits(weight: float, count: int) -> str:
    return f"{weight:.4f} bits" if count == 1 else f"{count} × {weight:.4f} bits"


# The penalty is 1/2 for a hypothesis of 2/3 of the reference length.
_PENALTY_SLOPE = float(log(0.5) / log(1.5) ** 2)


@dataclass(frozen=True)
class NIST(Metric):
    """The information of matched n-grams per hypothesis n-gram, summed over orders 1 to 5, times a length penalty.

    The information of an n-gram is log₂(count of its first n - 1 words / its count), with counts over all
    references of the test set, which `fit` makes. Matches of several references are pooled as in BLEU. The penalty
    is exp(β·ln²(min(h/r, 1))), where h is the hypothesis length, r the **average** reference length, and β such
    that 2/3 of the length gives 1/2. The system score is computed from information, n-grams and lengths summed
    over all segments. A segment score uses the weights of the whole test set.

    The score has no upper bound. An empty text scores 0. As in mteval-v13a, a bigram that begins with the word 0
    is weighted as if its second word were a unigram (Perl treats "0" as false), so `0 a` scores 2 against itself.

    Deviations from mteval-v13a: the default is case-sensitive, as its option -c; `lowercase` lower-cases all
    scripts, while mteval lower-cases only A–Z unless it uses international tokenisation; `tokenizer=intl` is
    sacreBLEU's, which keeps XML entities unchanged.

    >>> round(NIST().sentence_score("the cat sat on a mat", ["the cat sat on the mat"]).score, 4)
    2.1875
    """

    paper: ClassVar[str] = "Doddington 2002"
    bounded: ClassVar[bool] = False
    best: ClassVar[float] = math.inf

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=False)
    max_ngram_order: int = option(5, "length of the longest n-gram", at_least=1, at_most=32)
    information: InformationWeights | None = fitted_field()

    def fit(self, references: References) -> Self:
        return replace(self, information=self._weigh_ngrams(references))

    def _weigh_ngrams(self, references: References) -> InformationWeights:
        tokens = references.tokens(self.tokenizer, lowercase=self.lowercase)
        learnt = weigh_ngrams(tokens, order=self.max_ngram_order)
        if self.max_ngram_order > 1:
            learnt = _correct_zero_bigrams(learnt, lambda: _word_after_zero(tokens))
        return learnt

    def learn(self, references: References) -> NgramCounts:
        tokens = references.tokens(self.tokenizer, lowercase=self.lowercase)
        return count_all_ngrams(tokens, order=self.max_ngram_order)

    def fit_learnt(self, learnt: NgramCounts) -> Self:
        weights = learnt.weigh()
        if self.max_ngram_order > 1:
            weights = _correct_zero_bigrams(weights, lambda: learnt.word_after("0"))
        return replace(self, information=weights)

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        if self.information is None:
            raise InputError(
                "nist weights n-grams by all references of the test set: call fit(references) first"
            )
        return count_information(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase),
            self.information,
            vocabulary=references.vocabulary,
            order=self.max_ngram_order,
        )

    def combine(self, totals: FloatArray) -> FloatArray:
        information, n_grams = self._split(totals)
        ratios = np.where(n_grams > 0, information / np.where(n_grams > 0, n_grams, 1.0), 0.0)
        score: FloatArray = ratios.sum(axis=-1) * _length_penalty(totals[..., 0], totals[..., 1])
        return score

    def details(self, totals: FloatArray) -> dict[str, float | list[float]]:
        information, _ = self._split(totals)
        return {
            "information": [float(bits) for bits in information],
            "length_penalty": float(_length_penalty(totals[..., 0], totals[..., 1])),
            "hypothesis_length": float(totals[0]),
            "reference_length": float(totals[1]),
        }

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the information of every n-gram that matches, the most informative first.

        The weights are those of the references passed to `fit`, by default those of this segment.
        """
        column = References([list_references(references)])
        known = self._weigh_ngrams(column) if self.information is None else self.information
        fitted = replace(self, information=known)
        row = fitted.checked_statistics(Texts([hypothesis], column.vocabulary), column)[0]
        words, others = cut_words(self, hypothesis, references)
        nearest = others[best_reference(fitted, hypothesis, references)]
        return Explanation(
            metric=self.name,
            hypothesis=words,
            reference=nearest,
            score=float(fitted.segment_scores(row)),
            links=link_ngrams(words, nearest, self.max_ngram_order),
            steps=describe_information(words, others, known, self.max_ngram_order),
            facts=order_facts(fitted.details(row)),
        )

    def _split(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        return totals[..., 2 : 2 + self.max_ngram_order], totals[..., 2 + self.max_ngram_order :]


def _length_penalty(length: FloatArray, reference_length: FloatArray) -> FloatArray:
    short = (length > 0) & (length < reference_length)
    ratio = np.where(short, length, 1.0) / np.where(short, reference_length, 1.0)
    with np.errstate(under="ignore"):  # one word for a whole book: the penalty is 0
        penalty = exp(_PENALTY_SLOPE * log(ratio) ** 2)
    return np.where(length > 0, penalty, 0.0)


def _correct_zero_bigrams(
    known: InformationWeights, word_after_zero: Callable[[], str | None]
) -> InformationWeights:
    """Weight bigrams that begin with the word 0 by the number of all words instead of the count of 0."""
    if "0" not in known.words:
        return known
    zero = int(np.argmax((known.parents == -1) & (known.tokens == known.words.index("0"))))
    after_zero = known.parents == zero
    if after_zero.any():
        # log₂(occurrences of 0 / of the bigram) + log₂(words / occurrences of 0)
        return replace(known, weights=known.weights + np.where(after_zero, known.weights[zero], 0.0))
    word = word_after_zero()
    return known if word is None else _add_single_bigram(known, zero, word)


def _word_after_zero(tokens: TokenColumn) -> str | None:
    texts = (tokens.words(i) for i in range(len(tokens)))
    return next((after for text in texts for first, after in pairwise(text) if first == "0"), None)


def _add_single_bigram(known: InformationWeights, zero: int, word: str) -> InformationWeights:
    """Add the bigram of a 0 that occurs once, which is not in the table because its own information is 0."""
    return InformationWeights(
        known.words,
        np.append(known.parents, np.int32(zero)),
        np.append(known.tokens, np.int32(known.words.index(word))),
        np.append(known.weights, known.weights[zero]),
    )
