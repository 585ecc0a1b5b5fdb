"""NIST: n-gram matches weighted by their information, as mteval-v13a computes it.

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
from tertium.kernels import InformationWeights, count_information, weigh_ngrams
from tertium.kernels.elementary import exp, log
from tertium.kernels.ngrams import NgramCounts, count_all_ngrams
from tertium.metrics.base import Metric, best_reference
from tertium.metrics.inputs import read_references
from tertium.metrics.lexical._word_ngrams import Ngram, account_ngrams, cut_words, order_facts
from tertium.metrics.options import fitted_field, lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray, TokenColumn


def describe_information(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    known: InformationWeights | None,
    order: int,
) -> list[str]:
    """Tell of each order what its matches weigh, the most telling n-gram first."""
    weights = _list_weights(known)
    lines: list[str] = []
    for account in account_ngrams(hypothesis, references, range(1, order + 1)):
        if account.n_own == 0:
            break
        told = sorted(((weights.of(ngram), ngram, n) for ngram, n in account.matched.items()), reverse=True)
        total = sum(weight * count for weight, _, count in told)
        lines.append(
            f"{account.order}-grams: {total:.4f} bits in {account.matched.total()} of {account.n_own}"
        )
        lines += [f"  {' '.join(ngram)}: {_spell(weight, count)}" for weight, ngram, count in told]
    return lines


@lru_cache(maxsize=1)
def _list_weights(known: InformationWeights | None) -> "_Weights":
    """List the weights once for all segments of a test set, which share them."""
    return _Weights(known)


class _Weights:
    """The weights of n-grams, found word by word."""

    def __init__(self, known: InformationWeights | None) -> None:
        self._weights = [] if known is None else known.weights.tolist()
        self._names: dict[tuple[int, str], int] = {}
        if known is not None:
            words = [known.words[token] for token in known.tokens.tolist()]
            self._names = {pair: k for k, pair in enumerate(zip(known.parents.tolist(), words, strict=True))}

    def of(self, ngram: Ngram) -> float:
        """Return what an n-gram weighs; those that are not in the table weigh nothing."""
        name = -1
        for word in ngram:
            found = self._names.get((name, word))
            if found is None:
                return 0.0
            name = found
        return float(self._weights[name])


def _spell(weight: float, count: int) -> str:
    return f"{weight:.4f} bits" if count == 1 else f"{count} × {weight:.4f} bits"


# The penalty is 1/2 for a hypothesis of 2/3 of the reference length.
_PENALTY_SLOPE = math.log(0.5) / math.log(1.5) ** 2


@dataclass(frozen=True)
class NIST(Metric):
    """The information of matched n-grams per hypothesis n-gram, summed over orders 1 to 5, times a penalty.

    An n-gram carries log₂(count of its first n - 1 words / its count), counted over all references of the
    whole test set, for which `fit` makes a pass over them. Matches of several references are pooled as in
    BLEU. The penalty is exp(β·ln²(min(h/r, 1))), h the hypothesis length and r the **average** reference
    length, β such that 2/3 of the length gives 1/2. The system score is computed from information, n-grams and
    lengths summed over all segments; a segment score uses the weights of the whole test set.

    The scale has no upper end. An empty text scores 0. As in mteval-v13a, a bigram that begins with the word 0
    is weighed as if nothing stood before its second word (Perl takes "0" for false), so `0 a` scores 2 against
    itself. Deviations from mteval-v13a: the default minds case, as
    its option -c does; `lowercase` folds letters of every script, while mteval folds A–Z only unless it
    tokenises internationally; `tokenizer=intl` is sacreBLEU's, which leaves XML entities as they are.

    >>> round(NIST().sentence_score("the cat sat on a mat", ["the cat sat on the mat"]).score, 4)
    2.1875
    """

    paper: ClassVar[str] = "Doddington 2002"
    bounded: ClassVar[bool] = False
    best: ClassVar[float] = math.inf

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=False)
    max_ngram_order: int = option(5, "the longest n-gram", at_least=1, at_most=32)
    information: InformationWeights | None = fitted_field()

    def fit(self, references: References) -> Self:
        tokens = references.tokens(self.tokenizer, lowercase=self.lowercase)
        learnt = weigh_ngrams(tokens, order=self.max_ngram_order)
        if self.max_ngram_order > 1:
            learnt = _read_zero_as_nothing(learnt, lambda: _word_after_zero(tokens))
        return replace(self, information=learnt)

    def learn(self, references: References) -> NgramCounts:
        tokens = references.tokens(self.tokenizer, lowercase=self.lowercase)
        return count_all_ngrams(tokens, order=self.max_ngram_order)

    def fit_learnt(self, learnt: NgramCounts) -> Self:
        weights = learnt.weigh()
        if self.max_ngram_order > 1:
            weights = _read_zero_as_nothing(weights, lambda: learnt.word_after("0"))
        return replace(self, information=weights)

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        if self.information is None:
            raise InputError(
                "nist weighs n-grams by all references of the test set: call fit(references) first"
            )
        return count_information(
            hypotheses.tokens(self.tokenizer, lowercase=self.lowercase),
            references.tokens(self.tokenizer, lowercase=self.lowercase),
            references.offsets,
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
        """Show the information of every n-gram that matches, the most telling first.

        The weights are those of the references that `fit` was given, by default of this segment's alone.
        """
        column = References([read_references(references)])
        fitted = self if self.information is not None else self.fit(column)
        row = fitted.checked_statistics(Texts([hypothesis], column.vocabulary), column)[0]
        words, others = cut_words(self, hypothesis, references)
        return Explanation(
            metric=self.name,
            hypothesis=words,
            reference=others[best_reference(fitted, hypothesis, references)],
            score=float(fitted.segment_scores(row)),
            steps=describe_information(words, others, fitted.information, self.max_ngram_order),
            facts=order_facts(fitted.details(row)),
        )

    def _split(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        return totals[..., 2 : 2 + self.max_ngram_order], totals[..., 2 + self.max_ngram_order :]


def _length_penalty(length: FloatArray, reference_length: FloatArray) -> FloatArray:
    short = (length > 0) & (length < reference_length)
    ratio = np.where(short, length, 1.0) / np.where(short, reference_length, 1.0)
    with np.errstate(under="ignore"):  # a one-word output of a whole book: the penalty is 0
        penalty = exp(_PENALTY_SLOPE * log(ratio) ** 2)
    return np.where(length > 0, penalty, 0.0)


def _read_zero_as_nothing(
    known: InformationWeights, word_after_zero: Callable[[], str | None]
) -> InformationWeights:
    """Weigh bigrams that begin with the word 0 by the number of all words, not by how often 0 occurs."""
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
    """Add the bigram of a 0 that occurs once: it was left out, since by its own count it tells nothing."""
    return InformationWeights(
        known.words,
        np.append(known.parents, np.int32(zero)),
        np.append(known.tokens, np.int32(known.words.index(word))),
        np.append(known.weights, known.weights[zero]),
    )
