"""Snowball's stemmers as METEOR 1.5 has them: today's, with what was changed since then undone."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import Stemmer

from tertium.errors import UnknownNameError
from tertium.text.languages import LANGUAGES

__all__ = ["stem_words"]

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
