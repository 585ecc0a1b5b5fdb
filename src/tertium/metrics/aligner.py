"""METEOR's aligner, which REDp uses too: words that are equal or share a stem, synonyms, paraphrases."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.files.extras import install_hint
from tertium.interfaces import Paraphrases, Synonyms, WordLists
from tertium.kernels import align_texts
from tertium.metrics.base import CountingMetric
from tertium.metrics.options import option
from tertium.metrics.word_classes import CodeTable, StemTable, SynsetTable
from tertium.text.columns import References
from tertium.text.languages import MatchKind
from tertium.types import Alignments, IdArray, OffsetArray, PhrasePairs, TokenColumn

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


# So begins the identity of the word lists in this package, which stand in for METEOR's.
_OWN_LISTS = "tertium["


@dataclass(frozen=True)
class AligningMetric(CountingMetric):
    """A metric over aligned words, in a language that its synonyms and paraphrases may or may not speak.

    A resource of another language is left unused, and the signature says none for it.
    """

    word_lists: WordLists = option(None, "function words: --function-words FILE", key="words")
    synonyms: Synonyms | None = option(None, "synonyms", key="synonyms")
    paraphrases: Paraphrases | None = option(None, "paraphrases: --paraphrases FILE", key="paraphrases")
    language: str = option("en", "language of stems and function words", key="lang")

    def in_force(self, option: str) -> Any:
        spoken = {"synonyms": self.spoken_synonyms, "paraphrases": self.spoken_paraphrases}
        return spoken[option] if option in spoken else super().in_force(option)

    @property
    def wants_paraphrases(self) -> bool:
        """Whether paraphrases would count if there were a table."""
        return True

    def missing(self) -> str | None:
        """Say what of METEOR's distribution is not here; the package that brings it has English paraphrases only."""
        remedies = {}
        if self.wants_paraphrases and self.spoken_paraphrases is None:
            remedies["paraphrases"] = (
                install_hint("meteor") if self.language == "en" else "--paraphrases FILE"
            )
        if self.word_lists is not None and self.word_lists.identity.startswith(_OWN_LISTS):
            remedies["function words"] = install_hint("meteor")
        lacking, remedy = " and ".join(remedies), " and ".join(dict.fromkeys(remedies.values()))
        return f"computed without METEOR's {lacking}; what gives them: {remedy}" if lacking else None

    @property
    def spoken_synonyms(self) -> Synonyms | None:
        """The synonyms, unless they are of another language."""
        known = self.synonyms
        return known if known is not None and known.language == self.language else None

    @property
    def spoken_paraphrases(self) -> Paraphrases | None:
        """The paraphrases, unless they are of another language; a table without one fits every text."""
        known = self.paraphrases
        return known if known is not None and known.language in (None, self.language) else None


@dataclass(frozen=True)
class Aligner:
    """METEOR's aligner with a choice of match kinds.

    Among the possible matches it looks for the subset that covers most words, in the fewest chunks, by
    the beam search that METEOR 1.5 was observed to do. Like it, it compares words and stems by their hash.
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
            The references to which `references` belongs; it remembers what is known of their words.
        """
        stems = synsets = None
        if "stem" in self.kinds:
            stems = self._stems(column).stems()
        if "synonym" in self.kinds and self.synonyms is not None:
            synsets = self._synsets(column, self.synonyms).synsets()
        codes = self._codes(column).codes()
        # Equal words have equal stems.
        classes = codes if stems is None else stems
        check_alignment_size(hypotheses, references, column.offsets, classes, synsets)
        return align_texts(
            hypotheses,
            references,
            column.offsets,
            kinds=[kind for kind in self.kinds if kind != "synonym" or synsets is not None],
            codes=codes,
            stems=stems,
            synsets=synsets,
            phrases=self._phrases(),
            beam=self.beam,
        )

    def _codes(self, column: References) -> CodeTable:
        return column.texts.remember("word codes", lambda: CodeTable(column.vocabulary))

    def _stems(self, column: References) -> StemTable:
        key = ("stems", self.language)
        return column.texts.remember(key, lambda: StemTable(column.vocabulary, self.language))

    def _synsets(self, column: References, synonyms: Synonyms) -> SynsetTable:
        key = ("synsets", synonyms.identity)
        return column.texts.remember(key, lambda: SynsetTable(column.vocabulary, synonyms))

    def _phrases(self) -> PhrasePairs | None:
        if "paraphrase" not in self.kinds or self.paraphrases is None:
            return None
        return self.paraphrases.phrases()


def describe_matches(hypothesis: Sequence[str], reference: Sequence[str], found: Alignments) -> Iterator[str]:
    """Say of each match of the first pair which words it joins, where they stand, and why."""
    for r, r_length, h, h_length, kind in found.of(0).tolist():
        left, right = " ".join(hypothesis[h : h + h_length]), " ".join(reference[r : r + r_length])
        pair = f"{left} ({_places(h, h_length)}) – {right} ({_places(r, r_length)})"
        is_chance = found.KINDS[kind] == "exact" and left != right
        remark = ", which METEOR takes for the same word: equal hashes" if is_chance else ""
        yield f"{found.KINDS[kind]}: {pair}{remark}"


def _places(first: int, length: int) -> str:
    return str(first + 1) if length == 1 else f"{first + 1}–{first + length}"
