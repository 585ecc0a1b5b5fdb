"""Available and missing resources of each language."""

import importlib.util
import json
import subprocess
import sys
from dataclasses import asdict

import pytest

from tertium.commands.inspect import lists
from tertium.commands.inspect.lists import LanguageReport, describe_languages
from tertium.files.extras import install_hint
from tertium.text.languages import LANGUAGES
from tertium.text.tokenizers import TOKENIZERS


def report(code: str) -> LanguageReport:
    return next(language for language in describe_languages() if language.code == code)


def test_every_language_has_a_plain_record() -> None:
    reports = describe_languages()
    assert [each.code for each in reports] == list(LANGUAGES)
    assert json.loads(json.dumps([asdict(each) for each in reports]))[0]["name"] == "Afrikaans"


def test_english_has_all_that_the_package_brings() -> None:
    english = report("en")
    assert english.vectors.value == "english"
    assert english.synonyms.value == "wordnet 3.0"
    assert english.stems.value == "snowball english"
    assert english.function_words.works
    assert english.meteor.value == "exact/stem/synonym/paraphrase"


def test_chinese_has_words_and_vectors_but_nothing_else() -> None:
    chinese = report("zh")
    assert {family: part.works for family, part in chinese.families.items()} == {
        "lexical": True,
        "embedding": True,
        "meteor": False,
        "syntax": False,
    }
    assert chinese.vectors.value == "multilingual"
    assert "zh_core_web_md" in chinese.parser.remedy


@pytest.mark.parametrize("code", ["km", "lo", "my", "th"])
def test_text_without_spaces_is_cut_into_characters(code: str) -> None:
    assert report(code).tokenizer.value == "char"


def test_every_languages_tokenizer_can_cut_its_scripts() -> None:
    for row in LANGUAGES.values():
        assert all(TOKENIZERS[row.tokenizer].fits(script) for script in row.scripts), row.code


@pytest.mark.parametrize(("code", "other"), [("ja", "char"), ("ko", "13a")])
def test_vectors_serve_a_language_only_where_its_words_can_be_cut(
    monkeypatch: pytest.MonkeyPatch, code: str, other: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    needed = report(code).families["embedding"]
    assert not needed.works
    assert f"or use the tokenizer {other} for this language, which needs no package" in needed.remedy
    monkeypatch.undo()
    monkeypatch.setattr(type(TOKENIZERS["13a"]), "is_installed", True)
    assert report(code).families["embedding"].value == "multilingual"


def test_an_installed_parser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "installed_models", lambda code: iter([f"{code}_some_model"]))
    assert report("pl").parser.value == "pl_some_model"


def test_without_any_package_the_remedies_name_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert report("en").parser.value == "english"
    assert report("de").parser.remedy.startswith(
        "pip install spacy; python -m spacy download de_core_news_md"
    )
    assert report("ja").tokenizer.remedy.startswith(install_hint("ja"))
    assert report("en").paraphrases.remedy.startswith(install_hint("meteor"))
    assert report("en").function_words.value == "bundled"


def test_nothing_heavy_is_imported() -> None:
    script = (
        "import sys; from tertium.commands.inspect.lists import describe_languages; describe_languages();"
        "print([m for m in ('spacy', 'sacrebleu', 'onnxruntime', 'scipy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
