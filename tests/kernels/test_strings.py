"""The core's tokenisers go by name, and so do METEOR's apostrophes."""

import pytest

from tertium.errors import OptionError
from tertium.kernels.strings import (
    APOSTROPHE_STYLES,
    CORE_TOKENIZERS,
    Vocabulary,
    tokenize_meteor,
    tokenize_texts,
)
from tertium.text.languages import LANGUAGES


def _meteor(text: str, apostrophes: str) -> list[str]:
    column = tokenize_meteor([text], Vocabulary(), abbreviations=((), ()), apostrophes=apostrophes)
    return column.words(0)


def test_the_core_reports_its_tokenisers() -> None:
    assert CORE_TOKENIZERS == ("13a", "none", "char", "intl", "zh", "chrf")


@pytest.mark.parametrize("name", CORE_TOKENIZERS)
def test_every_tokeniser_cuts_at_spaces(name: str) -> None:
    assert tokenize_texts(["a b"], name, Vocabulary()).words(0) == ["a", "b"]


def test_an_unknown_tokeniser_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no tokeniser called '14a'; choose from 13a none char intl zh chrf"):
        tokenize_texts(["a"], "14a", Vocabulary())


@pytest.mark.parametrize(
    ("style", "tokens"),
    [
        ("with_right", ["it", "'s"]),
        ("with_left", ["it'", "s"]),
        ("alone", ["it", "'", "s"]),
    ],
)
def test_an_apostrophe_stays_where_it_is_told(style: str, tokens: list[str]) -> None:
    assert style in APOSTROPHE_STYLES
    assert _meteor("it's", style) == tokens


def test_each_language_has_its_own_style() -> None:
    styles = {code: LANGUAGES[code].apostrophes for code in ("en", "fr", "de")}
    assert styles == {"en": "with_right", "fr": "with_left", "de": "alone"}


def test_an_unknown_style_of_apostrophes_is_refused() -> None:
    with pytest.raises(OptionError, match="with_right, with_left, alone, not 'left'"):
        _meteor("it's", "left")


def test_a_vocabulary_of_any_size_keeps_the_ids_of_its_words() -> None:
    """Its table grows in larger steps while it is small: 512, 2,048, 8,192, 32,768 and 65,536 words."""
    words = [f"word{i}" for i in range(140_000)]
    vocabulary = Vocabulary()
    assert vocabulary.intern_all(words).tolist() == list(range(len(words)))
    assert vocabulary.intern_all(words[::-1]).tolist() == list(range(len(words)))[::-1]
