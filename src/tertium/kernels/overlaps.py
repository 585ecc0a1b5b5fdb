"""Batch kernels over the n-grams and skip bigrams that a hypothesis shares with each of its references."""

import numpy as np

import tertium._core as _core
from tertium.kernels.pairs import pair_texts
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = ["SKIP_GAPS", "count_overlaps", "count_skip_bigrams"]

# How many words may stand between the two of a skip bigram. The last stands for any number: no sentence
# is longer, and a text that is keeps a linear cost.
SKIP_GAPS = (1, 2, 3, 4, 500)


def count_overlaps(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, *, order: int
) -> FloatArray:
    """Count for each *reference* and order 1..order: hypothesis n-grams, reference n-grams, clipped matches.

    The hypothesis n-grams of an order that the reference has none of are not counted.
    """
    return _core.count_overlaps(pair_texts(hypotheses, references, groups), order, n_threads())


def count_skip_bigrams(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count for each *reference* and gap of `SKIP_GAPS`: hypothesis pairs, reference pairs, clipped matches."""
    gaps = np.array(SKIP_GAPS, dtype=np.int64)
    return _core.count_skip_bigrams(pair_texts(hypotheses, references, groups), gaps, n_threads())
