"""Words of a text in any script, for checks: characters of scripts without spaces count one by one."""

import re
import unicodedata
from functools import cache

from tertium.metrics.word_classes import stem_words
from tertium.text.languages import find_language

# Thai and Lao, Burmese, Khmer, Han and kana; in Hangul, endings follow a noun without a space.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003fffd"
)

# Everything between white space and punctuation; \w would break words of Indic scripts at their vowel signs.
_WORD = re.compile(
    rf"[{UNSPACED}]|[^\s!-/:-@\[-`{{-~\u00a1-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u0964\u0965\u060c\u061b\u061f"
    rf"\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40{UNSPACED}]+"
)


def split_words(text: str) -> list[str]:
    """Split a text into words, without punctuation.

    >>> split_words("L'Union européenne (EU), e-mail: 我买书 2.5")
    ['L', 'Union', 'européenne', 'EU', 'e', 'mail', '我', '买', '书', '2', '5']
    """
    return _WORD.findall(text if text.isascii() else unicodedata.normalize("NFC", text))


class WordKeys:
    """Keys of words that are equal for inflected forms: stems if the language has a stemmer, otherwise lower case."""

    def __init__(self, language: str) -> None:
        row = find_language(language)
        self._language = row.code if row is not None and row.stemmer else None
        self._known: dict[str, str] = {}

    def of(self, words: list[str]) -> list[str]:
        """Return the key of each word."""
        known = self._known
        try:
            return [known[word] for word in words]
        except KeyError:
            self._learn(words)
            return [known[word] for word in words]

    def _learn(self, words: list[str]) -> None:
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        lowered = [word.lower() for word in new]
        stems = lowered if self._language is None else stem_words(self._language, lowered)
        known = {word: stem or low for word, stem, low in zip(new, stems, lowered, strict=True)}
        self._known.update(known)


@cache
def word_keys(language: str) -> WordKeys:
    """Return the keys for a language, whose stems are computed once."""
    return WordKeys(language)
