"""BEER's features: how two texts overlap in words, characters and pairs of words.

Stanojević & Sima'an (2014), BEER: BEtter Evaluation as Ranking.
"""

import numpy as np

from tertium.kernels import SKIP_GAPS, count_overlaps, count_skip_bigrams
from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = ["BORDERS", "FAMILIES", "FEATURES", "PENALTIES", "count_families", "make_features"]

_WORD_ORDER = 4
_CHARACTER_ORDER = 6

# Words (with the sentence's borders from two words on), characters, and pairs of words by the number of
# words that may stand between them.
FAMILIES = (
    *(f"word{n}" for n in range(1, _WORD_ORDER + 1)),
    *(f"character{n}" for n in range(1, _CHARACTER_ORDER + 1)),
    *(f"skip{gap}" for gap in SKIP_GAPS[:-1]),
    "skipany",
)

_VIEWS = ("smaller", "larger", "f1", "geometric")

# Between 0 and 1, and 1 for equal texts.
FEATURES = tuple(f"{family}.{view}" for family in FAMILIES for view in _VIEWS)

# How much longer one text is than the other: 0 for equal lengths, without upper bound.
PENALTIES = ("imbalance.words", "imbalance.characters")

# Tokens that no tokeniser makes, since they hold a space.
BORDERS = (" begin", " end")


def count_families(
    words: tuple[TokenColumn, TokenColumn],
    characters: tuple[TokenColumn, TokenColumn],
    borders: tuple[int, int],
    groups: OffsetArray,
) -> FloatArray:
    """Count what each family of `FAMILIES` has in the hypothesis, in the reference and in both (n, families, 3).

    Parameters
    ----------
    words, characters
        Of the hypotheses and of the references.
    borders
        The ids of two tokens that stand at a text's beginning and end and nowhere else.
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

    Parameters
    ----------
    counts
        (n, families, 3), as `count_families` gives them.
    lengths
        (n, 4): the words of both, the characters of both.

    A family that neither text has (no pair of words in a single word) cannot differ: it counts as 1.
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
    """Count as the kernel does, but count all n-grams of the hypothesis even where the reference has none."""
    counts = count_overlaps(hypotheses, references, groups, order=order).reshape(-1, order, 3)
    lengths = np.repeat(hypotheses.lengths, np.diff(groups))
    counts[..., 0] = np.maximum(lengths[:, None] - np.arange(order), 0)
    return counts


def _add_borders(column: TokenColumn, borders: tuple[int, int]) -> TokenColumn:
    places = np.stack([column.offsets[:-1], column.offsets[1:]], axis=1).ravel()
    ids = np.tile(np.array(borders, dtype=np.int32), len(column))
    offsets = column.offsets + 2 * np.arange(len(column) + 1, dtype=np.int64)
    return TokenColumn(np.insert(column.ids, places, ids), offsets, column.vocabulary)
