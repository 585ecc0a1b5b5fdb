"""BEER's features: how two texts overlap in words, characters and pairs of words.

Stanojević & Sima'an (2014), BEER: BEtter Evaluation as Ranking.
"""

import numpy as np

from tertium.kernels import OVERLAP_FAMILIES
from tertium.types import FloatArray

__all__ = ["FEATURES", "PENALTIES", "make_features"]

_VIEWS = ("smaller", "larger", "f1", "geometric")

# Between 0 and 1, and 1 for equal texts.
FEATURES = tuple(f"{family}.{view}" for family in OVERLAP_FAMILIES for view in _VIEWS)

# How much longer one text is than the other: 0 for equal lengths, without upper bound.
PENALTIES = ("imbalance.words", "imbalance.characters")


def make_features(overlaps: FloatArray, lengths: FloatArray) -> FloatArray:
    """Turn counts into features, one row per pair: first `FEATURES`, then `PENALTIES`.

    Parameters
    ----------
    overlaps
        (n, families, 3): common, the hypothesis's and the reference's, as the kernel counts them.
    lengths
        (n, 4): the words of both, the characters of both.

    A family that neither text has (no pair of words in a single word) cannot differ: it counts as 1.
    """
    common, own, wanted = np.moveaxis(overlaps, -1, 0)
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
    return np.concatenate([similarities.reshape(len(overlaps), -1), np.maximum(imbalances, 0.0)], axis=-1)
