"""Batch kernels over the n-grams that a hypothesis shares with each of its references."""

import tertium._core as _core
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = ["count_overlaps"]


def count_overlaps(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, *, order: int
) -> FloatArray:
    """Count for each *reference* and order 1..order: hypothesis n-grams, reference n-grams, clipped matches.

    The hypothesis n-grams of an order that the reference has none of are not counted.
    """
    rows: FloatArray = _core.count_overlaps(
        hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, groups, order, n_threads()
    )
    return rows
