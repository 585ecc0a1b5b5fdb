"""Batch kernels over word ids: n-gram matches and edit distances."""

import tertium._core as _core
from tertium.kernels.pairs import pair_texts
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = ["count_bag_errors", "count_bleu", "count_levenshtein"]


def count_bleu(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, *, order: int
) -> FloatArray:
    """Count per segment: hypothesis length, closest reference length, matches and totals of orders 1..order."""
    return _core.count_bleu(pair_texts(hypotheses, references, groups), order, n_threads())


def count_levenshtein(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count per segment: the fewest edits over its references, and their average length."""
    return _core.count_levenshtein(pair_texts(hypotheses, references, groups), n_threads())


def count_bag_errors(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count per segment: the fewest bag-of-words errors over its references, and their average length."""
    return _core.count_bag_errors(pair_texts(hypotheses, references, groups), n_threads())
