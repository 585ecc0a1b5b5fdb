"""The hash, the stem and the synsets of each word of a vocabulary, for the aligner."""

import re
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar, Protocol

import numpy as np
import Stemmer

from tertium.errors import UnknownNameError
from tertium.interfaces import Synonyms
from tertium.kernels.strings import TextColumn, Vocabulary, hash_vocabulary, hash_words
from tertium.records import record
from tertium.text.languages import LANGUAGES
from tertium.types import IdArray, IdRows, OffsetArray

# Private-use characters that replace letters which METEOR's stemmer does not know.
_PLACEHOLDER, _OTHER = "\ue000", "\ue001"


def stem_words(language: str, words: Sequence[str]) -> list[str]:
    """Stem lower-case words."""
    row = LANGUAGES.get(language)
    if row is None or row.stemmer is None:
        known = ", ".join(code for code, each in LANGUAGES.items() if each.stemmer)
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


class Stems:
    """The stems of one language's words, as numbers; each word is stemmed once."""

    MAX_WORDS = 1_000_000  # the cache is cleared when it holds more words, to limit memory

    def __init__(self, language: str) -> None:
        self._language = language
        self._lock = threading.Lock()
        self._words = Vocabulary()
        self._stems: IdArray = np.zeros(0, dtype=np.int32)

    def of(self, vocabulary: Vocabulary, first: int) -> IdArray:
        """Return the hashes of the stems of a vocabulary's words from `first` on; METEOR compares hashes."""
        with self._lock:
            if len(self._words) > self.MAX_WORDS:
                self._words, self._stems = Vocabulary(), self._stems[:0]
            known = len(self._words)
            ids = self._words.intern_words(vocabulary, np.arange(first, len(vocabulary), dtype=np.int32))
            if len(self._words) > known:
                new = list(TextColumn.from_words(self._words, known))
                hashes = hash_words(stem_words(self._language, new))
                self._stems = np.concatenate([self._stems, hashes])
            return self._stems[ids]


@cache
def stems_of(language: str) -> Stems:
    """Return the stems of a language, shared by all vocabularies."""
    return Stems(language)


class StemTable:
    """The stems of a growing vocabulary, as numbers; words with equal numbers share a stem."""

    def __init__(self, vocabulary: Vocabulary, language: str) -> None:
        self._vocabulary = vocabulary
        self._all = stems_of(language)
        self._stems: IdArray = np.zeros(0, dtype=np.int32)

    def stems(self) -> IdArray:
        """Return the stem of every word as a number."""
        if len(self._vocabulary) > len(self._stems):
            new = self._all.of(self._vocabulary, len(self._stems))
            self._stems = np.concatenate([self._stems, new])
        return self._stems


class CodeTable:
    """The hashes of a growing vocabulary, by which METEOR 1.5 compares words.

    They have 32 bits, so a few different words count as equal: French n' and le, English f1 and do.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._codes: IdArray = np.zeros(0, dtype=np.int32)

    def codes(self) -> IdArray:
        """Return the hash of every word."""
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
        """Return all synset ids, sorted per word, with the offset of each word."""
        known = len(self._offsets) - 1
        if len(self._vocabulary) > known:
            new = TextColumn.from_words(self._vocabulary, known)
            rows = IdRows.of(self._synonyms.synsets(new))
            self._ids = np.concatenate([self._ids, rows.ids])
            self._offsets = np.concatenate([self._offsets, self._offsets[-1] + rows.offsets[1:]])
        return self._ids, self._offsets
