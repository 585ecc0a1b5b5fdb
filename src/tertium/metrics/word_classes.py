"""The hash, the stem and the synsets of each word of a vocabulary, for the aligner."""

import re
import threading
from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

import numpy as np
import Stemmer

from tertium.errors import ResourceError, UnknownNameError
from tertium.interfaces import Synonyms
from tertium.kernels.strings import TextColumn, Vocabulary, hash_vocabulary, hash_words
from tertium.records import record
from tertium.text.languages import LANGUAGES
from tertium.values import IdArray, IdRows

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
        """Return the classes of a vocabulary's words, given those of its first words, or None."""
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
