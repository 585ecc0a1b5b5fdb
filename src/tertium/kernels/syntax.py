"""Batch kernels over dependency trees: n-grams along and across them, shared headword chains."""

import tertium._core as _core
from tertium.kernels.pairs import pair_texts
from tertium.kernels.threads import n_threads
from tertium.types import DependencyNgrams, FloatArray, OffsetArray, TokenColumn, TreeColumn

__all__ = ["count_headword_chains", "extract_dependency_ngrams", "match_dependency_ngrams"]


def extract_dependency_ngrams(trees: TreeColumn, *, order: int) -> DependencyNgrams:
    """Find the words, headword chains and fixed or floating structures of 1..order words."""
    return DependencyNgrams(*_core.extract_dependency_ngrams(trees.heads, trees.offsets, order))


def match_dependency_ngrams(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray, ngrams: DependencyNgrams
) -> FloatArray:
    """Match every n-gram of a reference with the hypothesis of its segment: scores between 0 and 1.

    A word or a structure scores 1 where it occurs; a chain scores exp(-d), with d the mean change of
    the distances between its neighbouring words, at the best place where the order of its words is kept.
    """
    pairs = pair_texts(hypotheses, references, groups)
    return _core.match_dependency_ngrams(
        pairs, ngrams.positions, ngrams.starts, ngrams.kinds, ngrams.offsets, n_threads()
    )


def count_headword_chains(
    hypotheses: TokenColumn,
    hypothesis_trees: TreeColumn,
    references: TokenColumn,
    reference_trees: TreeColumn,
    groups: OffsetArray,
    *,
    order: int,
) -> FloatArray:
    """Count per reference: clipped matches, hypothesis chains and reference chains of orders 1..order."""
    pairs = pair_texts(hypotheses, references, groups)
    return _core.count_headword_chains(
        pairs, hypothesis_trees.heads, reference_trees.heads, order, n_threads()
    )
