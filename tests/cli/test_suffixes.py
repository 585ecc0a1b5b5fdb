"""Input formats are chosen by suffix or by an option, and output formats by the suffix of the output file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium as library
from tertium.errors import InputError, OptionError

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("h.txt", "h.html", "h.docx", "h.json", "h.dat"):
        (tmp_path / name).write_text("the cat\nsat here\n")
    (tmp_path / "t.dat").write_text("ref\tmt\nthe cat\tthe dog\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("h.html", "is a web page, not plain text; save its text as .txt"),
        ("h.docx", "is a word processor's document, not plain text"),
        ("h.json", "write one object per line and name it .jsonl"),
    ],
)
@pytest.mark.parametrize("command", [("score", "-i"), ("compare", "h.txt")], ids=["score", "compare"])
def test_formats_that_are_not_text_are_rejected(
    tertium: Tertium, texts: Path, name: str, words: str, command: tuple[str, str]
) -> None:
    found = tertium(*command, name, "-r", "h.txt")
    assert found.code == 1
    assert f"{name}: " in found.err
    assert words in found.err
    assert "--input-format text" in found.err
    forced = tertium(*command, f"x={name}", "-r", "h.txt", "--input-format", "text", "-q")
    assert forced.code == 0, forced.err


def test_files_of_unknown_suffix_are_text_and_may_be_anything(tertium: Tertium, texts: Path) -> None:
    assert tertium("score", "-r", "h.txt", "-i", "h.dat", "-m", "wer", "--score-only").out == "0.0\n"
    found = tertium(
        "score", "-r", "t.dat", "-i", "t.dat", "--input-format", "tsv", "-m", "wer", "--score-only"
    )
    assert found.out == "50.0\n"
    assert tertium("score", "-r", "h.txt", "-i", "h.txt", "--input-format", "pdf").code == 2


def test_a_run_with_a_chosen_format_is_computed_again(tertium: Tertium, texts: Path) -> None:
    given = ("-r", "t.dat", "-i", "t.dat", "--input-format", "tsv", "-m", "wer", "-q")
    assert tertium("score", *given, "--save", "a.run").code == 0
    assert tertium("rerun", "a.run").code == 0


def test_python_takes_the_same_option(texts: Path) -> None:
    with pytest.raises(InputError, match="input_format=text"):
        library.score(Path("h.html"), Path("h.txt"))
    found = library.score(Path("h.html"), Path("h.txt"), "wer", input_format="text")
    assert found["wer"]["h.html"].value == 0.0


OUTPUTS = {
    ".csv": "system,metric,score\n",
    ".tsv": "system\tmetric\tscore\n",
    ".json": "{",
    ".md": "| system |",
    ".tex": "%",
    ".html": "<div",
    ".txt": "system  ",
    ".out": "system  ",
    "": "system  ",
}


@pytest.mark.parametrize("suffix", OUTPUTS)
def test_the_output_has_the_format_of_its_suffix(tertium: Tertium, texts: Path, suffix: str) -> None:
    assert tertium("score", "-r", "h.txt", "-i", "h.txt", "-q", "-o", f"out{suffix}").code == 0
    assert (texts / f"out{suffix}").read_text().startswith(OUTPUTS[suffix])


def test_a_given_format_wins_over_the_suffix(tertium: Tertium, texts: Path) -> None:
    tertium("score", "-r", "h.txt", "-i", "h.txt", "-q", "-o", "out.csv", "-f", "json")
    assert json.loads((texts / "out.csv").read_text())["tool"] == "tertium"


@pytest.mark.parametrize("suffix", [".pdf", ".docx", ".png", ".run", ".gz", ".xls"])
def test_formats_that_cannot_be_written_are_rejected_before_the_work(
    tertium: Tertium, texts: Path, suffix: str
) -> None:
    found = tertium("score", "-r", "none.txt", "-i", "none.txt", "-o", f"out{suffix}")
    assert found.code == 2
    assert f"cannot be written as {suffix}" in found.err
    assert not (texts / f"out{suffix}").exists()


@pytest.mark.needs("openpyxl")
def test_xlsx_needs_a_file(tertium: Tertium, texts: Path) -> None:
    assert (
        "--format xlsx requires --output FILE"
        in tertium("score", "-r", "h.txt", "-i", "h.txt", "-f", "xlsx").err
    )
    assert tertium("metrics", "-o", "metrics.xlsx").code == 0
    assert (texts / "metrics.xlsx").read_bytes().startswith(b"PK")


def test_segments_and_junit_follow_the_suffix_too(tertium: Tertium, texts: Path) -> None:
    assert tertium("score", "-r", "h.txt", "-i", "h.txt", "--segments", "-q", "-o", "out.jsonl").code == 0
    assert json.loads((texts / "out.jsonl").read_text().splitlines()[0])["segment"] == 1
    given = ("h.txt", "--against", "h.dat", "-r", "h.txt", "--not-worse", "50", "--metric", "wer")
    tertium("gate", *given, "-o", "gate.xml")
    assert (texts / "gate.xml").read_text().startswith("<?xml")


def test_python_writes_by_suffix(texts: Path) -> None:
    result = library.score(["a"], ["a"], "wer")
    result.write("out.csv")
    assert (texts / "out.csv").read_text() == "system,metric,score\nsystem,wer,0.0\n"
    with pytest.raises(OptionError, match=r"out.pdf: this table cannot be written as .pdf"):
        result.write(Path("out.pdf"))
