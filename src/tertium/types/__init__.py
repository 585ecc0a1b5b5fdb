"""Frozen values that travel between the rooms: token columns, corpora, scores, explanations."""

from tertium.types.columns import (
    Alignments,
    DependencyNgrams,
    Embedding,
    FloatArray,
    IdArray,
    IdRows,
    OffsetArray,
    PhrasePairs,
    TokenColumn,
    TreeColumn,
    Words,
)
from tertium.types.corpora import Corpus, ReferenceStreams, count_references
from tertium.types.scores import Explanation, Score

__all__ = [
    "Alignments",
    "Corpus",
    "DependencyNgrams",
    "Embedding",
    "Explanation",
    "FloatArray",
    "IdArray",
    "IdRows",
    "OffsetArray",
    "PhrasePairs",
    "ReferenceStreams",
    "Score",
    "TokenColumn",
    "TreeColumn",
    "Words",
    "count_references",
]
