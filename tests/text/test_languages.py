"""The table of languages, and the parsing of languages and language pairs."""

import pytest
import Stemmer

from tertium.kernels.strings import CORE_TOKENIZERS
from tertium.text.detection import SCRIPTS
from tertium.text.languages import (
    LANGUAGES,
    METEOR_LANGUAGES,
    LanguageRow,
    find_language,
    language_of_pair,
    language_options,
    target_language,
)
from tertium.text.tokenizers import TOKENIZERS

ROWS = pytest.mark.parametrize("row", LANGUAGES.values(), ids=LANGUAGES)


@pytest.mark.parametrize(
    ("pair", "language"),
    [
        ("de-en", "en"),
        ("en-de", "de"),
        ("en_zh", "zh"),
        ("EN-DE", "de"),
        ("de-hsb", "hsb"),
        ("en-zh_CN", "zh"),
        ("zh-CN_en", "en"),
        ("en-sr_Cyrl", "sr"),
        ("", None),
        ("all", None),
        ("en", None),
        ("newstest2014", None),
        ("test-set", None),
        ("de-en-fr", None),
    ],
)
def test_the_target_language_is_read_from_the_pair(pair: str, language: str | None) -> None:
    assert language_of_pair(pair) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("zh", "zh"),
        ("en-zh", "zh"),
        ("en_JA", "ja"),
        ("DE", "de"),
        ("pt_BR", "pt"),
        ("zh-CN", "zh"),
        ("zh-Hant", "zh"),
        ("en-GB", "en"),
        ("fr-CA", "fr"),
        ("es-419", "es"),
        ("de-FR", "fr"),
        ("en-hsb", "hsb"),
        ("nb", "no"),
        ("en-deu", "de"),
        ("tlh", "tlh"),
    ],
)
def test_a_user_names_a_language_its_region_or_a_pair(text: str, language: str) -> None:
    assert target_language(text) == language


def test_a_language_chooses_its_tokenizer_if_it_needs_one() -> None:
    assert language_options("ko") == {"language": "ko", "tokenizer": "ko-mecab"}
    assert language_options("ja")["tokenizer"] == "ja-mecab"
    assert language_options("de") == {"language": "de"}
    assert language_options("xx") == {"language": "xx"}
    assert language_options(None) == {}


@ROWS
def test_a_row_names_only_what_there_is(row: LanguageRow) -> None:
    assert row.tokenizer in TOKENIZERS
    assert row.stemmer is None or row.stemmer in Stemmer.algorithms()
    assert set(row.scripts) <= set(SCRIPTS)


@ROWS
def test_meteors_weights_cover_its_modules(row: LanguageRow) -> None:
    for settings in filter(None, [row.meteor]):
        assert ("stem" in settings.modules) == (row.stemmer is not None)
        tuned = filter(None, (settings.rank, settings.adq, settings.hter))
        assert all(len(parameters.weights) == len(settings.modules) for parameters in tuned)


def test_a_code_or_an_alias_belongs_to_one_language() -> None:
    names = [name for row in LANGUAGES.values() for name in (row.code, *row.aliases)]
    assert len(names) == len(set(names))
    assert all(find_language(name.upper()) is not None for name in names)


def test_meteor_has_the_sixteen_languages_of_version_1_5() -> None:
    assert " ".join(METEOR_LANGUAGES) == "cs da de en es fi fr hu it nl no pt ro ru sv tr"


def test_the_core_and_the_table_know_the_same_tokenizers() -> None:
    own = {name for name, row in TOKENIZERS.items() if row.foreign is None}
    assert set(CORE_TOKENIZERS) == own - {"meteor"}, "METEOR's tokenizer has an entrance of its own"
