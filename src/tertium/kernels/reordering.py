"""Batch kernels over the order of words: block shifts and ranks."""

import tertium._core as _core
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = ["count_character_edits", "count_ranks", "count_translation_edits"]


def count_translation_edits(
    hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray
) -> FloatArray:
    """Count per segment: the fewest edits and block shifts over its references, and their average length."""
    rows: FloatArray = _core.count_translation_edits(
        hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, groups, n_threads()
    )
    return rows


def count_ranks(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Count for each *reference*: rank correlation, share of aligned hypothesis words, brevity penalty."""
    rows: FloatArray = _core.count_ranks(
        hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, groups, n_threads()
    )
    return rows


def count_character_edits(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    letters: TokenColumn,
    *,
    threshold: int,
) -> FloatArray:
    """Count for each *reference*: character edits, shift costs, characters of the hypothesis.

    Text i of `letters` spells word i. Words match if at most `threshold` characters differ.
    """
    columns = hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, groups
    rows: FloatArray = _core.count_character_edits(
        *columns, letters.ids, letters.offsets, threshold, n_threads()
    )
    return rows
