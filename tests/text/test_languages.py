"""Target languages as language pairs name them."""

import pytest

from tertium.text.languages import language_of_pair, language_options, target_language


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


@pytest.mark.parametrize(("text", "language"), [("zh", "zh"), ("en-zh", "zh"), ("en_JA", "ja"), ("DE", "de")])
def test_a_user_names_a_language_or_a_pair(text: str, language: str) -> None:
    assert target_language(text) == language


def test_a_language_chooses_its_tokenizer_if_it_needs_one() -> None:
    assert language_options("ja") == {"language": "ja", "tokenizer": "ja-mecab"}
    assert language_options("de") == {"language": "de"}
    assert language_options(None) == {}
