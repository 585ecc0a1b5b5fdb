"""What the aligner knows of each word of a vocabulary: its hash, its stem and its synsets."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Protocol

import numpy as np
import Stemmer

from tertium.errors import UnknownNameError
from tertium.interfaces import Synonyms
from tertium.kernels import Vocabulary, hash_vocabulary, hash_words
from tertium.text.languages import LANGUAGES
from tertium.types import IdArray, IdRows, OffsetArray

# Letters that no stemmer knows and no text has: they stand for those that METEOR's stemmer does not know.
_STRANGER, _OTHER = "\ue000", "\ue001"


def stem_words(language: str, words: Sequence[str]) -> list[str]:
    """Stem lower-case words."""
    row = LANGUAGES.get(language)
    if row is None or row.stemmer is None:
        known = ", ".join(code for code, each in LANGUAGES.items() if each.stemmer)
        raise UnknownNameError(f"no stemmer for {language!r}; there are {known}")
    stem: Callable[[list[str]], list[str]] = Stemmer.Stemmer(row.stemmer, 0).stemWords
    if (change := _CHANGES.get(language)) is None:
        return stem(list(words))
    stems = stem([change.hide(word) for word in words])
    return [change.restore(word, found) for word, found in zip(words, stems, strict=True)]


class _Change(Protocol):
    """Disguises a word, so that a rule does not see it, and takes the disguise off its stem."""

    def hide(self, word: str) -> str: ...

    def restore(self, word: str, stem: str) -> str: ...


@dataclass(frozen=True)
class _Letters:
    """Letters that METEOR's stemmer takes for others, one for one."""

    there: dict[int, int]
    back: dict[int, int]

    def hide(self, word: str) -> str:
        return word.translate(self.there)

    def restore(self, word: str, stem: str) -> str:  # noqa: ARG002 - the stem tells all
        return stem.translate(self.back)


class _German:
    """Keeps both letters of -nisse, -nissen and -nisses: Ergebnisse is not Ergebnis."""

    _ENDING: ClassVar = re.compile("ni(ss|ß)(e|en|es)$")

    def hide(self, word: str) -> str:
        return word

    def restore(self, word: str, stem: str) -> str:
        return stem + "s" if stem.endswith("nis") and self._ENDING.search(word) else stem


class _French:
    """Takes ë and ï for vowels that no ending has, but knows -guë: égoïste is not égo."""

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
    """Does not know the ending -ução, -uções: resolução is not resolver."""

    _ENDING: ClassVar = re.compile("(?<=u)ç(?=(ão|ões)$)")

    def hide(self, word: str) -> str:
        return self._ENDING.sub(_STRANGER, word)

    def restore(self, word: str, stem: str) -> str:  # noqa: ARG002 - the stem tells all
        return stem.replace(_STRANGER, "ç")


class _Finnish:
    """Does not know -den, -tten, -siin and -seen; undoubles signs that are no letters, too: 2000 is 200."""

    _ENDING: ClassVar = re.compile(
        "(d|tt)(?=en@)|s(?=iin@)|s(?=een@)".replace("@", "(k[io]n?|kaan|kään|kö|h[aä]n|p[aä])?$")
    )
    _DOUBLE: ClassVar = re.compile(r"([^aeiouyäö])\1(?=[aeiouyäö]*$)")
    _DOUBLE_SIGN: ClassVar = re.compile(r"([^a-zäö])\1(?=[aeiouyäö]*$)")

    def hide(self, word: str) -> str:
        return self._ENDING.sub(lambda found: self._spare(word) * len(found[0]), word)

    def restore(self, word: str, stem: str) -> str:
        if found := self._ENDING.search(word):
            return self._DOUBLE.sub(r"\1", stem.replace(self._spare(word), found[0][0]))
        return self._DOUBLE_SIGN.sub(r"\1", stem)

    def _spare(self, word: str) -> str:
        """A consonant that the word does not have and no ending begins with."""
        return next((letter for letter in "cqwxzb" if letter not in word), "c")


_CHANGES: dict[str, _Change] = {
    "de": _German(),
    "fi": _Finnish(),
    "fr": _French(),
    "hu": _Letters(
        str.maketrans("őűõû", f"{_STRANGER}{_OTHER}őű"), str.maketrans(f"{_STRANGER}{_OTHER}őű", "őűõû")
    ),
    "pt": _Portuguese(),
    "ru": _Letters(str.maketrans("ё", _STRANGER), str.maketrans(_STRANGER, "ё")),
}


class Stems:
    """The stems of one language's words, as numbers; a word is stemmed once."""

    MOST = 1_000_000  # so many words are remembered; then all are forgotten, lest memory grow for ever

    def __init__(self, language: str) -> None:
        self._language = language
        self._lock = threading.Lock()
        self._words = Vocabulary()
        self._stems: IdArray = np.zeros(0, dtype=np.int32)

    def of(self, vocabulary: Vocabulary, first: int) -> IdArray:
        """Number the stems of a vocabulary's words, from `first` on, by their hash: METEOR compares hashes."""
        with self._lock:
            if len(self._words) > self.MOST:
                self._words, self._stems = Vocabulary(), self._stems[:0]
            known = len(self._words)
            ids = self._words.intern_words(vocabulary, first)
            if new := _new_words(self._words, known):
                hashes = hash_words(stem_words(self._language, new))
                self._stems = np.concatenate([self._stems, hashes])
            return self._stems[ids]


@cache
def stems_of(language: str) -> Stems:
    """Return the stems of a language, which all vocabularies share."""
    return Stems(language)


class StemTable:
    """The stems of a growing vocabulary, as numbers: words with equal numbers share a stem."""

    def __init__(self, vocabulary: Vocabulary, language: str) -> None:
        self._vocabulary = vocabulary
        self._all = stems_of(language)
        self._stems: IdArray = np.zeros(0, dtype=np.int32)

    def stems(self) -> IdArray:
        """Return every word's stem, as a number."""
        if len(self._vocabulary) > len(self._stems):
            new = self._all.of(self._vocabulary, len(self._stems))
            self._stems = np.concatenate([self._stems, new])
        return self._stems


class CodeTable:
    """The hashes of a growing vocabulary, by which METEOR 1.5 compares words.

    They are 32 bits wide, and so a few different words count as equal: French n' and le, English f1 and do.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._codes: IdArray = np.zeros(0, dtype=np.int32)

    def codes(self) -> IdArray:
        """Return every word's hash."""
        if len(self._vocabulary) > len(self._codes):
            new = hash_vocabulary(self._vocabulary, len(self._codes))
            self._codes = np.concatenate([self._codes, new])
        return self._codes


class SynsetTable:
    """The synsets of a growing vocabulary."""

    def __init__(self, vocabulary: Vocabulary, synonyms: Synonyms) -> None:
        self._vocabulary = vocabulary
        self._synonyms = synonyms
        self._ids: IdArray = np.zeros(0, dtype=np.int32)
        self._offsets: OffsetArray = np.zeros(1, dtype=np.int64)

    def synsets(self) -> tuple[IdArray, OffsetArray]:
        """Return every word's synsets as rising numbers, flat, and where each word's begin."""
        new = _new_words(self._vocabulary, len(self._offsets) - 1)
        if new:
            rows = IdRows.of(self._synonyms.synsets(new))
            self._ids = np.concatenate([self._ids, rows.ids])
            self._offsets = np.concatenate([self._offsets, self._offsets[-1] + rows.offsets[1:]])
        return self._ids, self._offsets


def _new_words(vocabulary: Vocabulary, known: int) -> list[str]:
    words: list[str] = vocabulary.words(np.arange(known, len(vocabulary), dtype=np.int32))
    return words
