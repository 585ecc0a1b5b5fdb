"""METEOR's normalisation, as it was seen to treat odd texts."""

import pytest

from reference.meteor_words import HandWords
from tertium.metrics.meteor.meteor import meteor_tokens
from tertium.text import Texts

OBSERVED = {
    "a-b": "a b", "a - b": "a - b", "-a": "-a", "a-": "a-", "a--b": "a b", "x---y": "x--y", "x-y-z": "x y-z",
    "xx-yy-zz": "xx yy zz", "a – b": "a - b", "a–b": "a - b", "a—b": "a — b", "…": "…", "a...": "a ...",
    "a..b": "a .. b", "a.b": "a.b", "a.b.": "ab", "U.S. is": "us is", "u.s.-led": "us led", "Mr. X": "mr. x",
    "mr. x": "mr. x", "etc.": "etc .", "No. 5": "no. 5", "No. X": "no . x", "No. éx": "no . éx",
    "p. 5": "p . 5", "idnes.cz.": "idnescz", "a,b": "a , b", "1,000": "1,000", "1,b": "1 , b", "1,,2": "1 , , 2",
    "1.5": "1.5", "5.": "5 .", "it's": "it 's", "dogs' x": "dogs ' x", "'s": "' s", "o'neil": "o 'neil",
    "'tis": "' tis", "rock'n'roll": "rock 'n'roll", "1990's": "1990 's", "1'x": "1'x", "``x''": '" x "',
    "`x'": "' x '", "x''y": 'x " y', "’'": '"', "“x”": '" x "', "a’s": "a 's", "«x»": "« x »", "a_b": "a _ b",
    "http://a.b/c": "http : / / a.b / c", "&quot;": "& quot ;", "a\u00a0b": "a b", "日本": "日 本", "ΑΣ": "α σ",
    "Привет": "привет", "ÄÖÜ": "äöü", "  a  b ": "a b", "": "", ",--,b": ", - , b", "...--Ж": "... -ж",
}  # fmt: skip


def tokens(text: str, language: str = "en") -> str:
    return " ".join(meteor_tokens(Texts([text]), language, HandWords()).words(0))


@pytest.mark.parametrize(("text", "expected"), OBSERVED.items())
def test_texts_are_cut_as_meteor_cuts_them(text: str, expected: str) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "l 'eau"), ("fr", "l' eau"), ("de", "l ' eau"), ("fi", "l ' eau")]
)
def test_languages_differ_in_their_apostrophes(language: str, expected: str) -> None:
    assert tokens("l'eau", language) == expected


def test_without_normalisation_words_stand_at_spaces_in_lower_case() -> None:
    column = meteor_tokens(Texts(["It's  a-b."]), "en", HandWords(), normalize=False)
    assert column.words(0) == ["it's", "a-b."]


def test_a_column_is_cut_once() -> None:
    texts = Texts(["a b"])
    assert meteor_tokens(texts, "en", HandWords()) is meteor_tokens(texts, "en", HandWords())
