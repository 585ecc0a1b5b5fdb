"""`tertium rerun` from argv to exit code."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tertium as library
from tertium.files.archive import write_archive

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821
Write = Callable[[str, str | bytes], str]
SCORE = ("score", "-r", "ref.txt", "-i", "a.txt", "mine=b.txt", "-m", "wer,chrf", "-q")


@pytest.fixture
def files(write: Write) -> None:
    write("ref.txt", "the cat sat\nit rains\nwe meet\n")
    write("a.txt", "the cat sat\nit rains\nwe meet\n")
    write("b.txt", "a cat sat\nit snows\nwe meet\n")


def change(path: str, edit: Callable[[dict[str, Any]], None]) -> None:
    """Rewrite the manifest of a run, as if another version had made it."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    edit(manifest)
    write_archive(path, manifest, members)


@pytest.mark.parametrize("options", [(), ("--no-texts",)], ids=["texts", "no texts"])
def test_a_run_of_the_same_files_is_identical(
    tertium: Tertium, files: None, options: tuple[str, ...]
) -> None:
    assert tertium(*SCORE, "--save", "x.run", *options).code == 0
    run = tertium("rerun", "x.run", "-q")
    assert (run.code, run.out) == (0, "identical: all 4 scores and their statistics\n")


@pytest.mark.parametrize("options", [(), ("--no-texts",)], ids=["texts", "no texts"])
def test_a_changed_text_is_named_with_its_first_line(
    tertium: Tertium, files: None, write: Write, options: tuple[str, ...]
) -> None:
    tertium(*SCORE, "--save", "x.run", *options)
    write("b.txt", "a cat sat\nit pours down\nwe part\n")
    run = tertium("rerun", "x.run", "-q", "-f", "json")
    found = json.loads(run.out)
    assert run.code == 3
    assert [(each["metric"], each["system"]) for each in found["moved"]] == [
        ("wer", "mine"),
        ("chrf", "mine"),
    ]
    assert found["moved"][0]["why"] == "text changed: b.txt, first at segment 2"
    assert found["moved"][0]["segments"] == 2
    assert found["changed_files"] == ["b.txt"]


def test_changed_references_move_every_system(tertium: Tertium, files: None, write: Write) -> None:
    tertium(*SCORE, "--save", "x.run")
    write("ref.txt", "the cat sat\nit rains\nwe meet now\n")
    run = tertium("rerun", "x.run", "-q")
    assert run.out.count("text changed: ref.txt, first at segment 3") == 4


def test_bytes_that_do_not_matter_are_a_note(tertium: Tertium, files: None, write: Write) -> None:
    tertium(*SCORE, "--save", "x.run")
    write("b.txt", "a cat sat\r\nit snows\r\nwe meet\r\n")
    run = tertium("rerun", "x.run", "-q")
    assert run.code == 0
    assert "the bytes of b.txt have changed" in run.out


def test_files_that_moved_are_found_by_their_names(tertium: Tertium, files: None) -> None:
    tertium(*SCORE, "--save", "x.run")
    Path("new").mkdir()
    Path("b.txt").rename("new/b.txt")
    assert tertium("rerun", "x.run", "-q").code == 1
    assert tertium("rerun", "x.run", "new/b.txt", "-q").code == 0
    assert "replaces no file of" in tertium("rerun", "x.run", "c.txt", "-q").err


def test_versions_resources_and_defaults_are_named(tertium: Tertium, files: None, write: Write) -> None:
    write("words.txt", "the a\n")
    tertium(*SCORE[:-3], "-m", "meteor", "--function-words", "words.txt", "-q", "--save", "x.run")

    def edit(manifest: dict[str, Any]) -> None:
        manifest["tertium"] = "0.0.1"
        manifest["metrics"][0]["options"]["beam"] = "7"
        manifest["metrics"][0]["resources"]["word_lists"]["identity"] = "other[1]"

    change("x.run", edit)
    assert tertium("rerun", "x.run", "-q").code == 0
    write("ref.txt", "the cat sat\nit rains\nwe met\n")
    out = tertium("rerun", "x.run", "-q").out
    assert "version changed: tertium 0.0.1, now" in out
    assert "option default changed: beam was 7, now 40" in out
    assert "resource changed: word_lists was other[1], now" in out


def test_subsets_and_given_scores_are_computed_again(tertium: Tertium, files: None, write: Write) -> None:
    write("comet.tsv", "a\tmine\n1\t2\n3\t4\n5\t6\n")
    write("c.tsv", "domain\nx\ny\nx\n")
    extra = ("--scores", "comet.tsv", "--columns", "c.tsv", "--where", "domain=x", "--save", "x.run")
    assert tertium(*SCORE, *extra).code == 0
    assert tertium("rerun", "x.run", "-q").code == 0
    write("comet.tsv", "a\tmine\n1\t2\n3\t4\n5\t7\n")
    run = tertium("rerun", "x.run", "-q")
    assert run.code == 3
    assert "comet of mine: 4.000000 → 4.500000" in run.out
    assert "scores changed: comet.tsv" in run.out


def test_a_run_made_in_python_is_computed_from_its_texts(tertium: Tertium, tmp_path: Path) -> None:
    result = library.score({"s": ["a b"]}, ["a c"], "wer")
    result.save(tmp_path / "with.run")
    result.save(tmp_path / "without.run", texts=False)
    assert tertium("rerun", tmp_path / "with.run", "-q").code == 0
    run = tertium("rerun", tmp_path / "without.run", "-q")
    assert run.code == 1
    assert "names no files and has no texts" in run.err
