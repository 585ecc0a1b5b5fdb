"""Batch kernels that align words and phrases, and the phrase tables they search."""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium._core import PhraseBuilder, PhraseTable
from tertium.errors import InputError, ResourceError
from tertium.kernels.strings import pair_texts, vocabulary_of
from tertium.kernels.threads import n_threads
from tertium.types import Alignments, FloatArray, IdArray, OffsetArray, PhrasePairs, TokenColumn


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
    synset_ids, synset_offsets = synsets or (None, None)
    tables = _core.AlignerTables(
        codes, stems, synset_ids, synset_offsets, _core_table(phrases), vocabulary_of(references), n_threads()
    )
    return Alignments(
        *_core.align_texts(pair_texts(hypotheses, references, groups), tables, list(kinds), beam, n_threads())
    )


def count_matches(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    alignments: Alignments,
    is_function_word: npt.NDArray[np.bool_],
) -> FloatArray:
    """Count what METEOR's formula needs for every pair of a segment and a reference.

    A row has the lengths and the function words of hypothesis and reference; for each kind of match the
    content words of both that it covers, and the function words of both; chunks; matched words of both.
    A pair that is aligned word for word in one chunk counts no chunk.

    Parameters
    ----------
    is_function_word
        An entry for each word of the vocabulary.
    """
    return _core.count_matches(
        pair_texts(hypotheses, references, groups),
        alignments.matches,
        alignments.offsets,
        alignments.chunks,
        is_function_word.view(np.uint8),
        n_threads(),
    )


def make_phrase_table(pairs: Sequence[tuple[str, str]]) -> PhraseTable:
    """Build a table of phrases, whose words are separated by spaces."""
    builder = PhraseBuilder()
    for first, second in pairs:
        builder.add(first, second)
    return open_phrases(builder.finish("").view(np.uint8))


def open_phrases(data: npt.NDArray[np.uint8]) -> PhraseTable:
    """Use a table where its bytes lie, as `PhraseReader.finish` gave them.

    Raises
    ------
    ResourceError
        If they are not whole and sound.
    """
    try:
        return PhraseTable(data)
    except ValueError as error:
        raise ResourceError(f"the table of phrases is damaged: {error}") from None


def _core_table(phrases: PhrasePairs | None) -> PhraseTable | None:
    if phrases is None or isinstance(phrases, PhraseTable):
        return phrases
    raise InputError(
        f"phrases must come from make_phrase_table or open_phrases, not {type(phrases).__name__}"
    )
