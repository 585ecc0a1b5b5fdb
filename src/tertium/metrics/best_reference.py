"""What metrics share that take the best of several references."""

import numpy as np

from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = ["repeat_texts", "take_best"]


def take_best(rows: FloatArray, scores: FloatArray, groups: OffsetArray) -> FloatArray:
    """Keep each segment's row of the reference with the highest score, the first on a tie.

    Parameters
    ----------
    rows, scores
        One per reference.
    groups
        Segment i has the references `groups[i]` to `groups[i + 1]`.
    """
    segments = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    ranked = np.lexsort((-scores, segments))  # stable, so ties keep the references' order
    return np.asarray(rows[ranked[groups[:-1]]])


def repeat_texts(column: TokenColumn, groups: OffsetArray) -> TokenColumn:
    """Give every reference its own copy of its segment's text."""
    counts = np.diff(groups)
    if (counts == 1).all():
        return column
    lengths = np.repeat(column.lengths, counts)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    shift = np.repeat(np.repeat(column.offsets[:-1], counts) - offsets[:-1], lengths)
    return TokenColumn(column.ids[np.arange(offsets[-1]) + shift], offsets, column.vocabulary)
