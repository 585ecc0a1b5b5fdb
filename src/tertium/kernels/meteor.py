"""Batch kernels of METEOR: the alignment of words and phrases, and the phrase tables that it searches."""

from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium._core import PhraseBuilder
from tertium._core import PhraseReader as PhraseReader
from tertium._core import PhraseTable as PhraseTable
from tertium._core import WordNet as WordNet
from tertium.errors import InputError, ResourceError
from tertium.kernels.strings import TextColumn, pair_texts, vocabulary_of
from tertium.kernels.threads import n_threads
from tertium.records import record
from tertium.values import FloatArray, IdArray, IdRows, OffsetArray, PhrasePairs, TokenColumn, WordAlignments


@record(eq=False)
class WordAligner:
    """Aligns the hypothesis of every segment with each of its references.

    Parameters
    ----------
    kinds
        The kinds of matches to search for: names of `WordAlignments.KINDS`.
    codes
        A number for each word of the vocabulary; words with equal numbers are equal. By default a word equals
        only itself.
    stems
        The number of each word's stem.
    synsets
        Rows of the ids of synsets, in ascending order.
    rows
        The row of each word in `synsets`; by default word i has row i.
    words
        The words of the vocabulary, needed for phrases. By default those that it has when texts are aligned, which
        requires that no other thread adds words meanwhile.
    beam
        The number of partial alignments kept at each word of the reference.
    """

    kinds: Collection[str]
    codes: IdArray | None = None
    stems: IdArray | None = None
    synsets: IdRows | None = None
    rows: IdArray | None = None
    phrases: PhrasePairs | None = None
    words: TextColumn | None = None
    beam: int = 40

    def align(self, hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> WordAlignments:
        """Return the alignments of all pairs."""
        pairs = pair_texts(hypotheses, references, groups)
        return WordAlignments(
            *_core.align_texts(pairs, self._tables(references), list(self.kinds), self.beam, n_threads())
        )

    def count(
        self,
        hypotheses: TokenColumn,
        references: TokenColumn,
        groups: OffsetArray,
        is_function_word: npt.NDArray[np.bool_],
    ) -> FloatArray:
        """Count METEOR's statistics for every pair of a hypothesis and a reference.

        A row has the lengths and the numbers of function words of hypothesis and reference; for each kind of match
        the content words of both that it covers, and the function words of both; chunks; matched words of both.
        A pair that is aligned word for word in one chunk has 0 chunks.

        Parameters
        ----------
        is_function_word
            One entry for each word of the vocabulary.
        """
        return _core.count_matches(
            pair_texts(hypotheses, references, groups),
            self._tables(references),
            list(self.kinds),
            self.beam,
            is_function_word.view(np.uint8),
            n_threads(),
        )

    def _tables(self, references: TokenColumn) -> _core.AlignerTables:
        words = TextColumn.from_words(vocabulary_of(references)) if self.words is None else self.words
        synsets: tuple[IdArray | None, OffsetArray | None, IdArray | None] = (None, None, None)
        if self.synsets is not None:
            rows = np.arange(len(self.synsets), dtype=np.int32) if self.rows is None else self.rows
            synsets = self.synsets.ids, self.synsets.offsets, rows
        return _core.AlignerTables(self.codes, self.stems, *synsets, _core_table(self.phrases), words.held)


def make_phrase_table(pairs: Sequence[tuple[str, str]]) -> PhraseTable:
    """Build a table of pairs of phrases; the words of a phrase are separated by spaces."""
    builder = PhraseBuilder()
    for first, second in pairs:
        builder.add(first, second)
    return open_phrases(builder.finish("").view(np.uint8))


def open_phrases(data: npt.NDArray[np.uint8]) -> PhraseTable:
    """Open a table over the bytes that `PhraseReader.finish` returned, without copying them.

    Raises
    ------
    ResourceError
        If the bytes are incomplete or damaged.
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
