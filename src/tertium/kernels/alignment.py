"""Batch kernels that align words and phrases, and the phrase tables they search."""

from collections.abc import Collection, Sequence

import numpy as np

import tertium._core as _core
from tertium._core import PhraseReader, PhraseTable
from tertium.kernels.threads import n_threads
from tertium.types import Alignments, IdArray, OffsetArray, PhrasePairs, TokenColumn

__all__ = ["PhraseReader", "align_texts", "make_phrase_table", "read_phrases"]

_NOTHING = np.zeros(0, dtype=np.int32)
_NO_ROWS = np.zeros(1, dtype=np.int64)


def align_texts(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    *,
    kinds: Collection[str],
    codes: IdArray | None = None,
    stems: IdArray | None = None,
    synsets: tuple[IdArray, OffsetArray] | None = None,
    phrases: PhrasePairs | None = None,
    beam: int = 40,
) -> Alignments:
    """Align every segment with each of its references.

    Parameters
    ----------
    kinds
        Which kinds of matches are sought: names of `Alignments.KINDS`.
    codes, stems, synsets
        For each word of the vocabulary a number that equal words share (without, a word is equal to itself
        only), its stem's number, and its synsets' rising numbers (flat, with
        offsets).
    beam
        How many partial alignments are kept at each word of the reference.
    """
    bits = sum(1 << Alignments.KINDS.index(kind) for kind in set(kinds))
    names = _NOTHING if phrases is None else phrases.translate(references.vocabulary)
    found = _core.align_texts(
        hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, groups,
        _NOTHING if codes is None else codes, _NOTHING if stems is None else stems, *((_NOTHING, _NO_ROWS) if synsets is None else synsets),
        phrases, names, bits, beam, n_threads(),
    )  # fmt: skip
    return Alignments(*found)


def make_phrase_table(pairs: Sequence[tuple[str, str]]) -> PhrasePairs:
    """Build a table of phrases, whose words are separated by spaces."""
    table = PhraseTable()
    for first, second in pairs:
        table.add(first, second)
    made: PhrasePairs = table
    return made


def read_phrases(texts: TokenColumn) -> PhraseReader:
    """Make a reader that keeps the pairs of which one side is a phrase of these texts."""
    return PhraseReader(texts.ids, texts.offsets, texts.vocabulary)
