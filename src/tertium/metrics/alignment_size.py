"""How much memory an alignment would take: asked before it begins, so that no text exhausts the machine."""

import numpy as np

from tertium.errors import InputError
from tertium.types import IdArray, OffsetArray, TokenColumn

__all__ = ["Synsets", "check_alignment_size"]

Synsets = tuple[IdArray, OffsetArray]

# Some 2,500 equal words against as many, or 10,000 words of running text.
_MOST_BYTES = 4 << 30


def check_alignment_size(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    classes: IdArray,
    synsets: Synsets | None,
) -> None:
    """Raise if a pair has so many possible matches that the search would take more than 4 gigabytes.

    The search keeps, for each possible match of two words, which words of both texts are taken: one bit each.

    Parameters
    ----------
    classes
        A number for each word of the vocabulary: words with equal numbers match.
    synsets
        The synsets of each word, flat, and where each word's begin: words that share one match.
    """
    owners = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    ours, theirs = hypotheses.lengths[owners], references.lengths
    each = (ours + theirs) / 8.0
    # Only of very long pairs need the matches be counted.
    for pair in np.flatnonzero(ours * theirs * each > _MOST_BYTES):
        sides = _tokens(hypotheses, int(owners[pair])), _tokens(references, int(pair))
        n_matches = _count_pairs(classes[sides[0]], classes[sides[1]])
        if synsets is not None:
            n_matches = max(n_matches, _count_pairs(*(_spread(side, synsets) for side in sides)))
        if n_matches * each[pair] > _MOST_BYTES:
            raise InputError(
                f"a segment of {ours[pair]:,} words and a reference of {theirs[pair]:,} have {n_matches:,} "
                f"possible matches, whose alignment would take {n_matches * each[pair] / 2**30:,.0f} GB; "
                "cut them into sentences"
            )


def _tokens(column: TokenColumn, i: int) -> IdArray:
    return column.ids[column.offsets[i] : column.offsets[i + 1]]


def _count_pairs(first: IdArray, second: IdArray) -> int:
    """Count the pairs of equal numbers, one of each side."""
    ours, theirs = np.unique(first, return_counts=True), np.unique(second, return_counts=True)
    _, i, j = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    return int(ours[1][i] @ theirs[1][j])


def _spread(ids: IdArray, synsets: Synsets) -> IdArray:
    """List the synsets of every token."""
    flat, offsets = synsets
    return np.concatenate([flat[:0], *(flat[offsets[word] : offsets[word + 1]] for word in ids)])
