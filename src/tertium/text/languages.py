"""Target languages: read from the names of language pairs, and the options that they choose."""

import re
from typing import Any

from tertium.text.tokenizers import LANGUAGE_TOKENIZERS

__all__ = ["language_of_pair", "language_options", "target_language"]

# A region or a script may stand behind a language, as in `en-zh_CN`.
_LANGUAGE = "[a-z]{2,3}"
_REGION = "(?:[-_](?:[A-Z]{2}|[A-Z][a-z]{3}|[0-9]{3}))?"
_PAIR = re.compile(f"{_LANGUAGE}{_REGION}[-_]({_LANGUAGE}){_REGION}")


def language_of_pair(pair: str) -> str | None:
    """The target language of a pair; None if the name is not that of a pair.

    >>> language_of_pair("de-en"), language_of_pair("en_zh"), language_of_pair("en-zh_CN")
    ('en', 'zh', 'zh')
    >>> language_of_pair("newstest2014")
    """
    found = _PAIR.fullmatch(pair) or _PAIR.fullmatch(pair.lower())
    return found[1] if found else None


def target_language(text: str) -> str:
    """The language that a user means by a language or a pair.

    >>> target_language("zh"), target_language("de-EN")
    ('zh', 'en')
    """
    return language_of_pair(text) or text.replace("_", "-").rpartition("-")[2].lower()


def language_options(language: str | None) -> dict[str, Any]:
    """The option values that a target language chooses, for every metric that has such options.

    >>> language_options("zh")
    {'language': 'zh', 'tokenizer': 'zh'}
    """
    if language is None:
        return {}
    tokenizer = LANGUAGE_TOKENIZERS.get(language)
    return {"language": language} | ({"tokenizer": tokenizer} if tokenizer else {})
