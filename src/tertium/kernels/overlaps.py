"""Batch kernel over words and characters together: what two texts share, unit by unit."""

import tertium._core as _core
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray, TokenColumn

__all__ = ["OVERLAP_FAMILIES", "count_overlaps"]

# In the order of the kernel's columns: words (borders count from two words on), characters, and pairs
# of words with at most so many between them.
OVERLAP_FAMILIES = (
    *(f"word{n}" for n in range(1, 5)),
    *(f"character{n}" for n in range(1, 7)),
    *(f"skip{gap}" for gap in (1, 2, 3, 4, "any")),
)


def count_overlaps(
    words: TokenColumn,
    characters: TokenColumn,
    reference_words: TokenColumn,
    reference_characters: TokenColumn,
    groups: OffsetArray,
) -> FloatArray:
    """Count per reference and family: what both share, what the hypothesis has, what the reference has."""
    rows: FloatArray = _core.count_overlaps(
        words.ids, words.offsets, characters.ids, characters.offsets,
        reference_words.ids, reference_words.offsets, reference_characters.ids, reference_characters.offsets,
        groups, n_threads(),
    )  # fmt: skip
    return rows.reshape(-1, len(OVERLAP_FAMILIES), 3)
