"""The tokens that METEOR matches: its own normalisation, or words at spaces, in lower case."""

from tertium.interfaces import WordLists
from tertium.kernels import Vocabulary, tokenize_meteor
from tertium.text.casing import lower_column
from tertium.text.columns import Texts
from tertium.text.languages import find_language
from tertium.types import TokenColumn

__all__ = ["meteor_tokens"]


def meteor_tokens(texts: Texts, language: str, words: WordLists, *, normalize: bool = True) -> TokenColumn:
    """Cut texts as METEOR 1.5 does with `-norm`; without `normalize`, as with `-lower`."""
    if not normalize:
        return texts.tokens("none", lowercase=True)
    key = ("meteor tokens", language, words.identity)
    return texts.remember(key, lambda: _normalize(texts, language, words))


def _normalize(texts: Texts, language: str, words: WordLists) -> TokenColumn:
    # Words in their own case stay out of the shared vocabulary, where they would never match anything.
    row = find_language(language)
    cut = tokenize_meteor(
        texts.column(),
        Vocabulary(),
        abbreviations=words.abbreviations(language),
        apostrophes="alone" if row is None else row.apostrophes,
    )
    return lower_column(cut, texts.vocabulary)
