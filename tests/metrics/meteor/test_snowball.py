"""Stems against those that METEOR 1.5's stemmers give."""

import pytest

from tertium.errors import UnknownNameError
from tertium.metrics.word_alignment import stem_words
from tertium.text.languages import LANGUAGES

# What the stemmers inside METEOR 1.5's jar made of these words; today's Snowball differs on every one.
STEMS = {
    "de": "ergebnisse ergebniss, zeugnissen zeugniss, verhältnisses verhaltniss",
    "fi": """arvioiden arvioid, sateeseen satees, sellaisiin sellais, marssiin mars, 2000 200, 33 3,
        joukkueeseen joukkuees, maitten mait""",
    "fr": """égoïste égoïst, canoës canoë, aiguë aiguë, haïssions haïssion, laïcité laïcit""",
    "hu": """zsűri zsűri, nőtlen nőtlen, ezelőttről ezelőttről""",
    "pt": """alocução alocuçã, circunvoluções circunvoluçõ""",
    "ru": """звёзды звёзды, договорённость договорён""",
}
# Words that both stem alike, close to those that they do not.
LIKEWISE = {
    "de": "ergebnis ergebnis, nißen niss, bisse biss, häuser haus, gewisse gewiss",
    "fi": "talossa talo, www ww, 2015 2015",
    "fr": "ambiguë ambigu, où où, françaises français, maïs maï",
    "hu": "házak ház",
    "pt": "canções cançõ, nação naçã",
    "ru": "звезды звезд",
    "en": "running run, generously generous",
    "tr": "evler ev",
}


def cases(table: dict[str, str]) -> list[list[str]]:
    return [[code, *pair.split()] for code, text in table.items() for pair in text.split(",")]


@pytest.mark.parametrize(("language", "word", "stem"), cases(STEMS) + cases(LIKEWISE))
def test_a_stem_is_that_of_meteor(language: str, word: str, stem: str) -> None:
    assert stem_words(language, [word]) == [stem]


@pytest.mark.parametrize("language", [code for code, row in LANGUAGES.items() if row.stemmer])
def test_every_language_stems_whatever_it_is_given(language: str) -> None:
    words = ["", "a", "ß", "ë", "ï", "ù", "den", "seen", "cqwxzbden", "--", "\ue000", "日本", "😀😀"]
    stems = stem_words(language, words)
    assert len(stems) == len(words)
    assert stem_words(language, []) == []


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no stemmer for 'cs'; choose from ar, ca, da, de"):
        stem_words("cs", ["slovo"])
