"""Function words and abbreviations: from the package, from an installed METEOR, and from a file."""

import zipfile
from pathlib import Path

import pytest

from tertium.errors import ResourceError
from tertium.interfaces import WordLists
from tertium.resources import word_lists
from tertium.resources.word_lists import find_word_lists, load_function_words


@pytest.fixture
def no_meteor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_lists, "find_in_package", lambda _: None)


@pytest.fixture
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "meteor-1.5.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("function/english.words", "the\nof\n")
        archive.writestr("nonbreaking/english.prefixes", "# notes\nMr\n\nNo #NUMERIC_ONLY#\n")
    monkeypatch.setattr(word_lists, "find_in_package", lambda _: path)
    return path


@pytest.mark.usefixtures("no_meteor")
def test_our_own_lists_are_english() -> None:
    lists = find_word_lists()
    assert isinstance(lists, WordLists)
    assert {"the", ".", "'s", "which"} <= lists.function_words("en")
    assert "#" not in lists.function_words("en")
    assert not lists.function_words("de")
    always, before_number = lists.abbreviations("en")
    assert {"Mr", "A"} <= always
    assert "No" in before_number
    assert lists.identity.startswith("tertium[")


@pytest.mark.usefixtures("jar")
def test_the_lists_of_an_installed_meteor_go_first() -> None:
    lists = find_word_lists()
    assert lists.function_words("en") == {"the", "of"}
    assert lists.abbreviations("en") == (frozenset({"Mr"}), frozenset({"No"}))
    assert lists.abbreviations("fi") == (frozenset(), frozenset())
    assert lists.identity.startswith("meteor-1.5[")


def test_a_broken_jar_is_refused(jar: Path) -> None:
    jar.write_bytes(b"no archive")
    with pytest.raises(ResourceError, match=r"METEOR's lists in .*meteor-1.5.jar cannot be read"):
        find_word_lists()


@pytest.mark.usefixtures("no_meteor")
def test_a_file_gives_function_words_and_leaves_the_abbreviations(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# a note\nDer die\ndas", encoding="utf-8")
    lists = load_function_words(path)
    assert lists.function_words("de") == {"der", "die", "das"}
    assert lists.abbreviations("en") == find_word_lists().abbreviations("en")
    assert lists.identity.startswith("words.txt[")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# nothing\n", "has no words"),
        (
            b"the\nof \xe9\n",
            r"words.txt: line 2 is not UTF-8 at byte offset 7 of the file \(0xE9\); convert it",
        ),
        (None, "no such file: .*words.txt"),
    ],
    ids=["no word", "not UTF-8", "missing"],
)
def test_a_useless_file_is_refused(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ResourceError, match=message):
        load_function_words(path)
