"""The core's tokenisers go by name, and so do METEOR's apostrophes."""

import pytest

from tertium.errors import OptionError
from tertium.kernels import Vocabulary, tokenize_meteor, tokenize_texts
from tertium.kernels.strings import APOSTROPHE_STYLES, CORE_TOKENIZERS


def _meteor(text: str, language: str, apostrophes: str | None = None) -> list[str]:
    column = tokenize_meteor(
        [text], Vocabulary(), language=language, abbreviations=((), ()), apostrophes=apostrophes
    )
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
    for language in ("en", "fr", "de"):
        assert _meteor("it's", language, style) == tokens


def test_without_a_style_the_language_decides() -> None:
    assert _meteor("it's", "en") == _meteor("it's", "de", "with_right")
    assert _meteor("l'eau", "fr") == _meteor("l'eau", "de", "with_left")
    assert _meteor("it's", "de") == _meteor("it's", "en", "alone")


def test_an_unknown_style_of_apostrophes_is_refused() -> None:
    with pytest.raises(OptionError, match="with_right, with_left, alone, not 'left'"):
        _meteor("it's", "en", "left")
