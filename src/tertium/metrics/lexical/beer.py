"""BEER: overlap of words, characters and pairs of words, weighed by what human rankings taught.

Stanojević & Sima'an (2014), BEER: BEtter Evaluation as Ranking; BEER 2.0's features.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.errors import OptionError
from tertium.interfaces import FeatureWeights
from tertium.metrics.base import Metric
from tertium.metrics.best_reference import best_reference, keep_best
from tertium.metrics.lexical._overlap_features import (
    BORDERS,
    FEATURES,
    PENALTIES,
    count_families,
    make_features,
)
from tertium.metrics.lexical._words import cut_words
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.types import Explanation, FloatArray, TokenColumn

__all__ = ["BEER"]

_Both = tuple[TokenColumn, TokenColumn]


@dataclass(frozen=True)
class BEER(Metric):
    """A weighted sum of overlaps, minus penalties for unequal lengths, between 0 and 100.

    The overlaps are those of word n-grams of one to four words (with the sentence's borders, from two
    words on), of character n-grams of one to six characters (without spaces), and of pairs of words with
    at most 1, 2, 3, 4 or any number of words between them; each gives the smaller and the larger of
    precision and recall, their F1 and their geometric mean. The penalties are max/min − 1 of the lengths
    in words and in characters.

    The weights are our own, learned from the rankings of WMT10, WMT12 and WMT14 (see the file that
    holds them); the original tool's scores differ. Overlaps have weights of at least 0 that sum to 1, and
    penalties are subtracted, so that equal texts score 100 and nothing below 0 is shown. The system score is
    the mean of the segment scores.
    """

    paper: ClassVar[str] = "Stanojević & Sima'an 2014"
    takes_best_reference: ClassVar[bool] = True

    weights: FeatureWeights = option(None, "weights of its features", key="weights")
    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.weights.weights
        if foreign := sorted(known.keys() - {*FEATURES, *PENALTIES}):
            raise OptionError(
                f"{self.name}: its weights name {foreign[0]!r}, which is not one of its features"
            )
        if min(known.values(), default=0.0) < 0 or not any(known.get(name, 0.0) > 0 for name in FEATURES):
            raise OptionError(
                f"{self.name}: no weight may be below 0, and at least one overlap's must be above 0"
            )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute for each segment its score with the best reference, and 1."""
        scores = self._score(self.features(hypotheses, references), self._lengths(hypotheses, references))
        return keep_best(np.stack([scores, np.ones_like(scores)], axis=-1), references.offsets)

    def combine(self, totals: FloatArray) -> FloatArray:
        return np.asarray(totals[..., 0] / np.maximum(totals[..., 1], 1.0))

    def features(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the features of each reference and its hypothesis: first `FEATURES`, then `PENALTIES`."""
        words, characters = self._columns(hypotheses, references)
        begin, end = (hypotheses.vocabulary.intern(border) for border in BORDERS)
        counts = count_families(words, characters, (begin, end), references.offsets)
        return make_features(counts, self._lengths(hypotheses, references))

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show each feature with its weight and what it contributes to the score."""
        score = self.sentence_score(hypothesis, references).value
        nearest = best_reference(self, hypothesis, references)
        words, (others,) = cut_words(self, hypothesis, [references[nearest]])
        column = References([[references[nearest]]])
        values, shares = self.features(Texts([hypothesis], column.vocabulary), column)[0], self._shares()
        parts = 100.0 * values * shares
        facts = {"overlaps": float(parts[parts > 0].sum()), "penalties": float(parts[parts < 0].sum())}
        return Explanation(
            metric=self.name,
            hypothesis=words,
            reference=others,
            score=score,
            steps=_describe_features(values, shares),
            facts={**facts, "nearest_reference": nearest + 1},
        )

    def _columns(self, hypotheses: Texts, references: References) -> tuple[_Both, _Both]:
        """Cut both sides into words and into characters."""
        sides = (hypotheses, references.texts)
        words = [side.tokens(self.tokenizer, lowercase=self.lowercase) for side in sides]
        characters = [side.characters(lowercase=self.lowercase, keep_space=False) for side in sides]
        return (words[0], words[1]), (characters[0], characters[1])

    def _lengths(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count for each reference the words of both sides and the characters of both sides."""
        counts = np.diff(references.offsets)
        lengths = [
            column
            for ours, theirs in self._columns(hypotheses, references)
            for column in (np.repeat(ours.lengths, counts), theirs.lengths)
        ]
        return np.stack(lengths, axis=-1).astype(np.float64)

    def _score(self, features: FloatArray, lengths: FloatArray) -> FloatArray:
        # Not a matrix product: its rounding may depend on how many segments are scored together.
        sums = (features * self._shares()).sum(axis=-1)
        one_is_empty = (lengths[:, 0] == 0) != (lengths[:, 1] == 0)
        return np.where(one_is_empty, 0.0, 100.0 * np.clip(sums, 0.0, 1.0))

    def _shares(self) -> FloatArray:
        """Scale the weights: those of overlaps sum to 1, and those of penalties are negative."""
        known = self.weights.weights
        gains = np.array([known.get(name, 0.0) for name in FEATURES])
        losses = np.array([known.get(name, 0.0) for name in PENALTIES])
        return np.concatenate([gains / gains.sum(), -losses])


def _describe_features(values: FloatArray, shares: FloatArray) -> list[str]:
    """Tell of each feature with a weight what it contributes, those that cost most points first."""
    lost = np.where(shares > 0, shares * (1.0 - values), -shares * values)
    return [
        f"{name}: {value:.3f} × {100 * share:.3f} = {100 * value * share:.3f} (costs {100 * cost:.3f})"
        for cost, name, value, share in sorted(
            zip(lost.tolist(), (*FEATURES, *PENALTIES), values.tolist(), shares.tolist(), strict=True),
            key=lambda feature: -feature[0],
        )
        if share != 0
    ]
