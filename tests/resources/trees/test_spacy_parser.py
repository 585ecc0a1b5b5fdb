"""Trees from spaCy: over our tokens, cached by content, with clear errors if something is missing."""

import importlib.util
import json
import os
import re
from pathlib import Path

import pytest

from tertium.errors import MissingExtraError, ResourceError
from tertium.progress import use_progress
from tertium.resources.trees import SpacyTrees, installed_parsers, load_parser, parses
from tertium.resources.trees.installed_parsers import find_model
from tertium.text import Texts
from tertium.values import TokenColumn

pytest.importorskip("spacy")

SENTENCES = ["The cat sat on the mat.", "", "It rained. We stayed at home all day."]


def tokens(*texts: str) -> TokenColumn:
    return Texts(list(texts)).tokens("13a")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture(scope="module")
def parser() -> SpacyTrees:
    return SpacyTrees(find_model())


def refuse(*arguments: object) -> None:
    pytest.fail("the model was run although every sentence is in the cache")


@pytest.mark.slow
def test_every_text_is_one_tree_over_our_tokens(parser: SpacyTrees) -> None:
    column = tokens(*SENTENCES)
    trees = parser.parse(column)
    assert trees.offsets.tolist() == column.offsets.tolist()
    for i in (0, 2):
        heads = trees.heads[trees.offsets[i] : trees.offsets[i + 1]].tolist()
        assert heads.count(-1) == 1
    assert trees.tags[:3] == ["DET", "NOUN", "VERB"]
    assert trees.lemmas[2] == "sit"


@pytest.mark.parametrize("text", ["\x00", "\u2028 a", "🙂🙂", "a\u0301", "<skipped>", "." * 300, "ab " * 200])
def test_odd_text_has_a_tree(parser: SpacyTrees, text: str) -> None:
    column = tokens(text)
    heads = parser.parse(column).heads.tolist()
    assert len(heads) == len(column.ids)
    assert heads.count(-1) == min(1, len(heads))


def test_a_sentence_is_parsed_once_for_ever(
    cache: Path, parser: SpacyTrees, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = parser.parse(tokens(*SENTENCES))
    assert len(list(cache.glob("trees-*.sqlite"))) == 1
    monkeypatch.setattr(SpacyTrees, "_run", refuse)
    again = parser.parse(tokens(*reversed(SENTENCES)))
    assert sorted(again.lemmas) == sorted(first.lemmas)
    assert parser.parse(tokens(*SENTENCES)).heads.tolist() == first.heads.tolist()


def test_without_a_cache_the_trees_are_the_same(parser: SpacyTrees, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = parser.parse(tokens(*SENTENCES))
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", "off")
    assert parser.parse(tokens(*SENTENCES)).heads.tolist() == cached.heads.tolist()


def test_what_was_parsed_before_a_failure_is_kept(
    cache: Path, parser: SpacyTrees, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parses, "BLOCK", 1)
    run, calls = SpacyTrees._run, []

    def fail_later(trees: SpacyTrees, sentences: object) -> object:
        calls.append(sentences)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return run(trees, sentences)  # type: ignore[arg-type]

    monkeypatch.setattr(SpacyTrees, "_run", fail_later)
    with pytest.raises(KeyboardInterrupt):
        parser.parse(tokens("One is parsed.", "Two is not."))
    monkeypatch.setattr(SpacyTrees, "_run", refuse)
    assert len(parser.parse(tokens("One is parsed.")).heads) == 4


def test_progress_is_reported(cache: Path, parser: SpacyTrees, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parses, "BLOCK", 2)
    seen: list[tuple[str, int, int]] = []
    with use_progress(lambda *event: seen.append(event)):
        parser.parse(tokens("a b", "c d", "e f", "a b"))
    assert seen == [("parsing", 0, 3), ("parsing", 2, 3), ("parsing", 3, 3)]


def test_a_sentence_longer_than_the_parser_accepts_is_reported(
    cache: Path, parser: SpacyTrees, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed_parsers._load_pipeline(parser.model.name), "max_length", 10)
    with pytest.raises(
        ResourceError,
        match=r"of 17 characters is longer than the parser .* accepts \(10\); it begins 'The cat",
    ):
        parser.parse(tokens("The cat sat on the mat"))


def test_the_signature_names_model_version_and_checksum(parser: SpacyTrees) -> None:
    name, _, checksum = parser.identity.partition("[")
    assert name == f"{parser.model.name}-{parser.model.version}"
    assert len(checksum.removesuffix("]")) == 8


def test_a_model_may_be_a_folder(parser: SpacyTrees) -> None:
    spec = importlib.util.find_spec(parser.model.name)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    folder = next(Path(spec.submodule_search_locations[0]).glob("*-*/meta.json")).parent
    assert find_model(str(folder)).checksum == parser.model.checksum


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("de_core_news_sm", r"'de_core_news_sm' is not installed: python -m spacy download de_core_news_sm"),
        ("./nowhere", r"no spaCy model in './nowhere': the folder must contain the meta\.json"),
        ("json", r"'json' is not installed: python -m spacy download json"),
    ],
)
def test_a_missing_model_names_the_command_that_installs_it(name: str, message: str) -> None:
    with pytest.raises(MissingExtraError, match=message):
        load_parser(name)


def test_without_spacy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'spacy>=.*, or give trees with trees=FILE"):
        load_parser("spacy")


def test_without_the_english_model_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: find(name) if name == "spacy" else None)
    with pytest.raises(MissingExtraError, match=r"the English parser model is not installed: pip install"):
        load_parser("spacy")


def test_a_broken_model_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text('{"version": "1"}', encoding="utf-8")
    parser = load_parser(str(tmp_path))
    with pytest.raises(
        ResourceError, match=r"the spaCy model '.+' cannot be loaded \(.+\); install or save it"
    ):
        parser.parse(Texts(["a b"]).tokens("none"))


def load_spacy(name: str | None = None, *, language: str | None = None) -> SpacyTrees:
    loaded = load_parser(name, language)
    assert isinstance(loaded, SpacyTrees)
    return loaded


def install(folder: Path, name: str, language: str) -> None:
    """Create a package in the layout of an installed spaCy model."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("", encoding="utf-8")
    meta = {"version": "3.8.0", "lang": language}
    (folder / name / "meta.json").write_text(json.dumps(meta), encoding="utf-8")


def test_a_language_takes_its_preferred_installed_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "it_core_news_sm", "it")
    assert load_spacy(language="it").model.name == "it_core_news_sm"
    install(tmp_path, "it_core_news_md", "it")
    importlib.invalidate_caches()
    assert load_spacy(language="it").model.name == "it_core_news_md"
    assert load_spacy(language="it").languages == frozenset({"it"})
    assert load_spacy("it_core_news_sm", language="de").model.name == "it_core_news_sm"


def test_any_installed_model_of_the_language_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "nb_my_own", "nb")
    monkeypatch.setattr(
        installed_parsers, "_advertised_models", lambda: frozenset({"nb_my_own", "nb_is_gone"})
    )
    parser = load_spacy(language="no")
    assert (parser.model.name, parser.languages) == ("nb_my_own", frozenset({"no"}))


def test_a_model_of_many_languages_claims_none(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text('{"version": "1", "lang": "xx"}', encoding="utf-8")
    assert load_spacy(str(tmp_path)).languages is None


@pytest.mark.parametrize(
    ("language", "hint"), [("uk", ", or python -m spacy download uk_core_news_md"), ("xx", "")]
)
def test_a_language_without_a_model_is_refused(language: str, hint: str) -> None:
    message = (
        f"no parser is installed for the language {language!r}: give a spaCy model with parser=MODEL, "
        f"or trees with trees=FILE (CoNLL-U){hint}"
    )
    with pytest.raises(ResourceError, match=f"^{re.escape(message)}$"):
        load_spacy(language=language)
