"""BEER: overlap of words, characters and pairs of words, with weights trained on human rankings.

Stanojević & Sima'an (2014), BEER: BEtter Evaluation as Ranking; BEER 2.0's features.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.errors import OptionError
from tertium.interfaces import FeatureWeights
from tertium.kernels.ngrams import SKIP_GAPS, count_overlaps, count_skip_bigrams
from tertium.metrics.base import Metric, best_reference, keep_best
from tertium.metrics.lexical._word_ngrams import cut_words
from tertium.metrics.options import lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, OffsetArray, TokenColumn

_WORD_ORDER = 4
_CHARACTER_ORDER = 6

# The families of features: word n-grams (with sentence boundaries from two words on), character n-grams, and
# pairs of words by the number of words between them.
FAMILIES = (
    *(f"word{n}" for n in range(1, _WORD_ORDER + 1)),
    *(f"character{n}" for n in range(1, _CHARACTER_ORDER + 1)),
    *(f"skip{gap}" for gap in SKIP_GAPS[:-1]),
    "skipany",
)

_VIEWS = ("smaller", "larger", "f1", "geometric")

# Between 0 and 1, and 1 for equal texts.
FEATURES = tuple(f"{family}.{view}" for family in FAMILIES for view in _VIEWS)

# How much longer one text is than the other: 0 for equal lengths, unbounded above.
PENALTIES = ("imbalance.words", "imbalance.characters")

# Tokens that no tokenizer produces, because they contain a space.
BORDERS = (" begin", " end")


def count_families(
    words: tuple[TokenColumn, TokenColumn],
    characters: tuple[TokenColumn, TokenColumn],
    borders: tuple[int, int],
    groups: OffsetArray,
) -> FloatArray:
    """Count the n-grams of each family in the hypothesis, in the reference and in both: (n, families, 3).

    Parameters
    ----------
    words, characters
        The tokens of the hypotheses and of the references.
    borders
        The ids of two tokens that mark the beginning and the end of a text.
    """
    bordered = (_add_borders(words[0], borders), _add_borders(words[1], borders))
    parts = [
        _count_ngrams(*words, groups, order=1),
        _count_ngrams(*bordered, groups, order=_WORD_ORDER)[:, 1:],
        _count_ngrams(*characters, groups, order=_CHARACTER_ORDER),
        count_skip_bigrams(*words, groups).reshape(-1, len(SKIP_GAPS), 3),
    ]
    return np.concatenate(parts, axis=1)


def make_features(counts: FloatArray, lengths: FloatArray) -> FloatArray:
    """Turn counts into features, one row per pair: first `FEATURES`, then `PENALTIES`.

    A feature is 1 if neither text has n-grams of its family, such as pairs of words in texts of one word.

    Parameters
    ----------
    counts
        (n, families, 3), the result of `count_families`.
    lengths
        (n, 4): the numbers of words of both texts, then of characters.
    """
    own, wanted, common = np.moveaxis(counts, -1, 0)
    precision = common / np.maximum(own, 1.0)
    recall = common / np.maximum(wanted, 1.0)
    views = [
        np.minimum(precision, recall),
        np.maximum(precision, recall),
        2.0 * common / np.maximum(own + wanted, 1.0),
        np.sqrt(precision * recall),
    ]
    similarities = np.where((own + wanted > 0)[..., None], np.stack(views, axis=-1), 1.0)
    pairs = lengths.reshape(-1, 2, 2)
    imbalances = pairs.max(axis=-1) / np.maximum(pairs.min(axis=-1), 1.0) - 1.0
    return np.concatenate([similarities.reshape(len(counts), -1), np.maximum(imbalances, 0.0)], axis=-1)


def _count_ngrams(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, *, order: int
) -> FloatArray:
    """Count as the kernel does, but count all n-grams of the hypothesis even if the reference has none."""
    counts = count_overlaps(hypotheses, references, groups, order=order).reshape(-1, order, 3)
    lengths = np.repeat(hypotheses.lengths, np.diff(groups))
    counts[..., 0] = np.maximum(lengths[:, None] - np.arange(order), 0)
    return counts


def _add_borders(column: TokenColumn, borders: tuple[int, int]) -> TokenColumn:
    places = np.stack([column.offsets[:-1], column.offsets[1:]], axis=1).ravel()
    ids = np.tile(np.array(borders, dtype=np.int32), len(column))
    offsets = column.offsets + 2 * np.arange(len(column) + 1, dtype=np.int64)
    return TokenColumn(np.insert(column.ids, places, ids), offsets, column.vocabulary)


_Both = tuple[TokenColumn, TokenColumn]


@dataclass(frozen=True)
class BEER(Metric):
    """A weighted sum of overlaps, minus penalties for unequal lengths, between 0 and 100.

    The overlaps are those of word n-grams of one to four words (with sentence boundaries, from two words on), of
    character n-grams of one to six characters (without spaces), and of pairs of words with at most 1, 2, 3, 4 or
    any number of words between them. Each overlap gives four features: the smaller and the larger of precision
    and recall, their F1 and their geometric mean. The penalties are max/min − 1 of the lengths in words and in
    characters.

    The weights are our own, trained on the rankings of WMT10, WMT12 and WMT14 (the file of weights has the
    details), so scores differ from those of the original tool. Weights of overlaps are at least 0 and sum to 1.
    Penalties are subtracted, and negative results become 0. Equal texts score 100. With several references the
    best one counts. The system score is the mean of the segment scores.
    """

    paper: ClassVar[str] = "Stanojević & Sima'an 2014"
    takes_best_reference: ClassVar[bool] = True

    weights: FeatureWeights = option(None, "weights of the features", key="weights")
    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        known = self.weights.weights
        if foreign := sorted(known.keys() - {*FEATURES, *PENALTIES}):
            raise OptionError(
                f"{self.name}: the weights contain {foreign[0]!r}, which is not one of its features"
            )
        if min(known.values(), default=0.0) < 0 or not any(known.get(name, 0.0) > 0 for name in FEATURES):
            raise OptionError(
                f"{self.name}: weights must not be negative, and that of at least one overlap must be above 0"
            )

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the score of each segment with its best reference, and 1."""
        scores = self._score(self.features(hypotheses, references), self._lengths(hypotheses, references))
        return keep_best(np.stack([scores, np.ones_like(scores)], axis=-1), references.offsets)

    def combine(self, totals: FloatArray) -> FloatArray:
        return np.asarray(totals[..., 0] / np.maximum(totals[..., 1], 1.0))

    def features(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the features of each reference with its hypothesis: first `FEATURES`, then `PENALTIES`."""
        words, characters = self._columns(hypotheses, references)
        begin, end = (hypotheses.vocabulary.intern(border) for border in BORDERS)
        counts = count_families(words, characters, (begin, end), references.offsets)
        return make_features(counts, self._lengths(hypotheses, references))

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show each feature with its weight and its contribution to the score."""
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
        """Split both sides into words and into characters."""
        sides = (hypotheses, references.texts)
        words = [side.tokens(self.tokenizer, lowercase=self.lowercase) for side in sides]
        characters = [side.characters(lowercase=self.lowercase, keep_space=False) for side in sides]
        return (words[0], words[1]), (characters[0], characters[1])

    def _lengths(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count, for each reference, the words of both sides and the characters of both sides."""
        counts = np.diff(references.offsets)
        lengths = [
            column
            for ours, theirs in self._columns(hypotheses, references)
            for column in (np.repeat(ours.lengths, counts), theirs.lengths)
        ]
        return np.stack(lengths, axis=-1).astype(np.float64)

    def _score(self, features: FloatArray, lengths: FloatArray) -> FloatArray:
        # Not a matrix product, whose rounding may depend on the number of segments.
        sums = (features * self._shares()).sum(axis=-1)
        one_is_empty = (lengths[:, 0] == 0) != (lengths[:, 1] == 0)
        return np.where(one_is_empty, 0.0, 100.0 * np.clip(sums, 0.0, 1.0))

    def _shares(self) -> FloatArray:
        """Scale the weights: the weights of overlaps sum to 1, and the weights of penalties are negative."""
        known = self.weights.weights
        gains = np.array([known.get(name, 0.0) for name in FEATURES])
        losses = np.array([known.get(name, 0.0) for name in PENALTIES])
        return np.concatenate([gains / gains.sum(), -losses])


def _describe_features(values: FloatArray, shares: FloatArray) -> list[str]:
    """Describe the contribution of each feature with a weight, the largest loss first."""
    lost = np.where(shares > 0, shares * (1.0 - values), -shares * values)
    return [
        f"{name}: {value:.3f} × {100 * share:.3f} = {100 * value * share:.3f} (costs {100 * cost:.3f})"
        for cost, name, value, share in sorted(
            zip(lost.tolist(), (*FEATURES, *PENALTIES), values.tolist(), shares.tolist(), strict=True),
            key=lambda feature: -feature[0],
        )
        if share != 0
    ]
