"""Synonyms from thesauri in MyThes format: words read, words left out, and errors in files."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tertium.errors import ResourceError
from tertium.interfaces import Synonyms
from tertium.metrics.meteor.meteor import METEOR
from tertium.resources.synonyms import Thesaurus, load_thesaurus
from tertium.resources.word_lists import find_word_lists

Write = Callable[[str, str | bytes], str]

GERMAN = """UTF-8
haus|2
-|Haus (Hauptform)|Heim|Bude (ugs.)|Gebäude (Oberbegriff)|ein festes Dach
-|Familie|Haus|Sippe...
heim|1
-|Haus (Hauptform)|Heim|Bude (ugs.)|Gebäude (Oberbegriff)|ein festes Dach
groß|1
(Adj.)|riesig|klein (Antonym)
ein festes dach|1
-|Dach

allein|1
-|mutterseelen allein
"""


@pytest.fixture
def german(write: Write) -> Thesaurus:
    return load_thesaurus(write("th_de_DE_v2.dat", GERMAN))


def are_synonyms(thesaurus: Thesaurus, first: str, second: str) -> bool:
    here, there = thesaurus.synsets([first, second])
    return not set(here).isdisjoint(there)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("haus", "heim", True),
        ("bude", "heim", True),  # a remark on style is not part of the word
        ("haus", "familie", True),
        ("heim", "familie", False),  # two meanings of haus
        ("haus", "gebäude", False),  # a broader term
        ("groß", "riesig", True),
        ("groß", "klein", False),  # an antonym
        ("haus", "sippe...", False),
        ("allein", "mutterseelen", False),
        ("häuser", "heime", True),  # by their stems
        ("nichts", "heim", False),
    ],
)
def test_words_of_one_meaning_are_synonyms(german: Thesaurus, first: str, second: str, same: bool) -> None:
    assert are_synonyms(german, first, second) == same


def test_sets_are_rising_numbers_and_equal_sets_are_one(german: Thesaurus) -> None:
    assert german.synsets(["haus", "heim", "bude", "nichts"]) == [[0, 1], [0], [0], []]


def test_a_thesaurus_is_what_a_metric_asks_for(german: Thesaurus) -> None:
    assert isinstance(german, Synonyms)
    assert german.language == "de"
    assert german.identity.startswith("th_de_DE_v2[")
    assert pickle.loads(pickle.dumps(german)).synsets(["häuser"]) == german.synsets(["häuser"])


@pytest.mark.parametrize(
    ("encoding", "codec", "word", "synonym"),
    [
        ("ISO8859-1", "latin-1", "altísimo", "señor"),
        ("ISO8859-15", "iso8859-15", "œuvre", "travail"),
        ("microsoft-cp1251", "cp1251", "америка", "штаты"),
        ("\ufeffUTF-8", "utf-8", "америка", "штаты"),
        ("UTF-8\r", "utf-8", "америка", "штаты"),
    ],
)
def test_the_first_line_names_the_encoding(
    write: Write, encoding: str, codec: str, word: str, synonym: str
) -> None:
    end = "\r\n" if encoding.endswith("\r") else "\n"
    text = f"{encoding.strip()}\n{word}|1\n-|{synonym}{end}"
    thesaurus = load_thesaurus(write("th_xx.dat", text.encode(codec)), "fr")
    assert are_synonyms(thesaurus, word, synonym)


@pytest.mark.parametrize(
    ("name", "given", "language"),
    [("th_fr_FR_v2.dat", None, "fr"), ("thes_fr.dat", None, "fr"), ("mine.dat", "nb", "no"), ("th_de.dat", "en-fr", "fr")],
)  # fmt: skip
def test_the_language_is_given_or_named(write: Write, name: str, given: str | None, language: str) -> None:
    assert load_thesaurus(write(name, "UTF-8\na|1\n-|b\n"), given).language == language


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "",
            "line 1: '' is not an encoding; a thesaurus in MyThes format begins with an encoding, such as UTF-8",
        ),
        ("haus|1\n-|heim\n", r"line 1: 'haus\|1' is not an encoding"),
        ("base64\nhaus|1\n", "line 1: 'base64' is not an encoding"),
        (b"UTF-8\nhaus|1\n-|h\xfctte\n", "line 3: byte 0xfc is not UTF-8"),
        ("UTF-8\nhaus\n-|heim\n", r"line 2: word\|number of meanings was expected, not 'haus'"),
        ("UTF-8\nhaus|2\n-|heim\n", "line 2: 'haus' has fewer than 2 meanings"),
        ("UTF-8\nhaus|99999999999999999999\n-|heim\n", "line 2: word"),
        ("UTF-8\nhaus|999999999\n-|heim\n", "line 2: 'haus' has fewer than 999,999,999 meanings"),
        ("UTF-8\nhaus|1\n-|heim\nbude|x\n", "line 4: word"),
        ("UTF-8\n", r"has no synonyms; give a thesaurus in MyThes format \(th_\*\.dat\)"),
    ],
)
def test_a_bad_file_is_one_clear_line(write: Write, content: str | bytes, message: str) -> None:
    with pytest.raises(ResourceError, match=f"th_de.dat,? {message}") as caught:
        load_thesaurus(write("th_de.dat", content))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_or_has_no_language_is_refused(write: Write, tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"no such file: .*nowhere\.dat"):
        load_thesaurus("nowhere.dat", "de")
    with pytest.raises(ResourceError, match="is a directory"):
        load_thesaurus(tmp_path, "de")
    with pytest.raises(ResourceError, match=r"the name does not contain the language, as in th_de_DE\.dat"):
        load_thesaurus(write("mine.dat", "UTF-8\na|1\n-|b\n"))


def test_meteor_matches_synonyms_of_another_language(german: Thesaurus) -> None:
    without = METEOR(word_lists=find_word_lists(), language="de")
    metric = replace(without, synonyms=german)
    assert metric.kinds == ("exact", "stem", "synonym")
    assert metric.parameters.weights == (
        1.0,
        0.8,
        0.5,
        0.2,
    )  # METEOR's German ones, and its 0.5 for any language
    assert without.parameters.weights == (1.0, 0.8, 0.2)
    explanation = metric.explain("Das Heim ist groß .", ["Das Haus ist riesig ."])
    assert explanation.facts["synonym matches"] == 2
    assert explanation.score > without.explain("Das Heim ist groß .", ["Das Haus ist riesig ."]).score
    assert "|synonyms:th_de_DE_v2[" in metric.signature((1, 1))


def test_synonyms_of_another_language_are_not_used(german: Thesaurus) -> None:
    assert METEOR(word_lists=find_word_lists(), language="fr", synonyms=german).usable_synonyms is None
