"""The project file gives defaults of options, which the command line overrides."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

SCORE = ("score", "-r", "ref.txt", "-i", "out.txt")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "ref.txt").write_text("the cat sat\na dog\n")
    (tmp_path / "out.txt").write_text("the cat\na dog\n")
    return tmp_path


def write(folder: Path, text: str, name: str = "tertium.toml") -> None:
    (folder / name).write_text(text)


def metrics(text: str) -> list[str]:
    return [each["label"] for each in json.loads(text)["metrics"]]


def test_options_at_the_top_hold_for_every_command_that_has_them(tertium: Tertium, folder: Path) -> None:
    write(folder, 'metrics = ["wer", "per"]\nseed = 7\n')
    found = tertium(*SCORE, "-f", "json")
    assert metrics(found.out) == ["wer", "per"]
    assert "tertium.toml sets --metrics, --seed" in found.err
    assert "WER" in tertium("compare", "out.txt", "ref.txt", "-r", "ref.txt").out
    assert tertium("metrics", "wer").code == 0


def test_a_table_holds_for_its_command_and_wins(tertium: Tertium, folder: Path) -> None:
    write(folder, 'metrics = "wer"\n[score]\nmetrics = "ter,per"\nlowercase = true\n')
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["ter", "per"]
    write(folder, '[compare]\nmetrics = "per"\n')
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["bleu"]


def test_the_command_line_wins(tertium: Tertium, folder: Path) -> None:
    write(folder, 'metrics = "wer"\n')
    found = tertium(*SCORE, "-m", "per", "-f", "json")
    assert metrics(found.out) == ["per"]
    assert "sets" not in found.err
    assert metrics(tertium(*SCORE, "--config", "none", "-f", "json").out) == ["bleu"]


def test_the_file_is_found_in_folders_above_and_paths_are_relative_to_it(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, '[score]\nreferences = "ref.txt"\nmetrics = "wer"\n')
    (folder / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(folder / "deep" / "er")
    found = tertium("score", "-i", "../../out.txt", "-f", "json", "-q")
    assert found.code == 0, found.err
    assert found.err == ""
    assert metrics(found.out) == ["wer"]


def test_paths_may_contain_equals_signs(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, '[score]\nhypotheses = ["lr=1.txt", "x=lr=2.txt"]\n')
    for name in ("lr=1.txt", "lr=2.txt"):
        (folder / name).write_text("the cat\na dog\n")
    (folder / "below").mkdir()
    monkeypatch.chdir(folder / "below")
    found = tertium("score", "-r", "../ref.txt", "-f", "csv")
    assert [line.partition(",")[0] for line in found.out.splitlines()] == ["system", "lr=1", "x"], found.err


def test_pyproject_is_read_if_it_has_the_table(tertium: Tertium, folder: Path) -> None:
    write(folder, '[tool.tertium]\nmetrics = "wer"\n[tool.tertium.score]\nseed = 3\n', "pyproject.toml")
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["wer"]
    write(folder, '[tool.other]\nmetrics = "wer"\n', "pyproject.toml")
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["bleu"]
    found = tertium(*SCORE, "--config", "pyproject.toml")
    assert (found.code, "has no table [tool.tertium]" in found.err) == (1, True)


@pytest.mark.parametrize(
    "text",
    [
        "# [tool.tertium] is not used",
        "[tool.tertium-plugin]\nx = 1",
        '[tool.other]\ntext = "[tool.tertium]"',
        "\xff\xfe",
    ],
)
def test_a_pyproject_of_other_tools_is_left_alone(tertium: Tertium, folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_bytes(text.encode("latin-1"))
    found = tertium(*SCORE, "-f", "json")
    assert (found.code, metrics(found.out)) == (0, ["bleu"]), found.err


@pytest.mark.parametrize(
    "text", ["[ tool . tertium ]\nmetrics", "[tool]\ntertium.metrics", '[tool."tertium"]\nmetrics']
)
def test_the_table_may_be_written_in_any_way(tertium: Tertium, folder: Path, text: str) -> None:
    write(folder, f'{text} = "wer"\n', "pyproject.toml")
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["wer"]


def test_tertium_toml_comes_before_pyproject(tertium: Tertium, folder: Path) -> None:
    write(folder, '[tool.tertium]\nmetrics = "wer"\n', "pyproject.toml")
    write(folder, 'metrics = "per"\n')
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["per"]


def test_the_version_shows_the_project_file(tertium: Tertium, folder: Path) -> None:
    write(folder, 'metrics = "wer"\n')
    found = tertium("--version", "--verbose").out
    assert str(folder / "tertium.toml") in found
    assert '{"metrics": "wer"}' in found
    write(folder, "metrics = \n")
    assert "is not valid TOML" in tertium("--version", "--verbose").out


@pytest.mark.parametrize(
    ("text", "message", "code"),
    [
        ('metrixs = "bleu"', "there is no option 'metrixs'; did you mean metrics?", 2),
        ("[scoer]\nci = true", "there is no command 'scoer'; did you mean score?", 2),
        ("[score]\ncii = true", "score has no option 'cii'; did you mean ci?", 2),
        ('[score]\nci = "yes"', "--ci must be true or false, not 'yes'", 2),
        ("samples = 0", "--samples must be a whole number, at least 1", 2),
        ("alpha = 2", "--alpha must be a number", 2),
        ("metrics = [1]", "metrics must be a string", 2),
        ('[score]\nsave = "a.run"', "'save' can only be given on the command line", 2),
        ('[score]\noutput = "ref.txt"', "'output' can only be given on the command line", 2),
        ('[score]\nconfig = "x.toml"', "'config' can only be given on the command line", 2),
        ("metrics = ", "is not valid TOML", 1),
        ("\xff", "is not valid TOML", 1),
    ],
    ids=lambda value: str(value)[:30],
)
def test_mistakes_name_the_file(tertium: Tertium, folder: Path, text: str, message: str, code: int) -> None:
    write(folder, text)
    found = tertium(*SCORE)
    assert found.code == code
    assert found.err.startswith("tertium: tertium.toml")
    assert message in found.err
    assert found.err.count("\n") == 1


def test_a_missing_file_is_an_error(tertium: Tertium, folder: Path) -> None:
    found = tertium(*SCORE, "--config=none.toml")
    assert (found.code, "no such file" in found.err) == (1, True)


def test_the_search_stops_at_the_root_of_the_repository(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, 'metrics = "wer"\n')
    (folder / "inner" / "deep").mkdir(parents=True)
    monkeypatch.chdir(folder / "inner" / "deep")
    files = ("-r", "../../ref.txt", "-i", "../../out.txt")
    assert metrics(tertium("score", *files, "-f", "json").out) == ["wer"]
    (folder / "inner" / ".git").write_text("gitdir: elsewhere\n")  # a worktree
    assert metrics(tertium("score", *files, "-f", "json").out) == ["bleu"]


def test_the_search_stops_at_the_home_folder(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git").rmdir()
    (folder / "home" / "deep").mkdir(parents=True)
    monkeypatch.chdir(folder / "home" / "deep")
    files = ("-r", "../../ref.txt", "-i", "../../out.txt")
    for home, expected in (("home", "per"), ("elsewhere", "bleu")):
        monkeypatch.setenv("HOME", str(folder / home))
        write(folder, 'metrics = "wer"\n')
        write(folder / "home", 'metrics = "per"\n')
        assert metrics(tertium("score", *files, "-f", "json").out) == [expected]
    (folder / "home" / "tertium.toml").unlink()
    monkeypatch.setenv("HOME", str(folder / "home"))
    assert metrics(tertium("score", *files, "-f", "json").out) == ["bleu"]


@pytest.mark.parametrize("home", ["", "/"])
def test_the_root_of_the_file_system_is_no_home(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    (folder / ".git").rmdir()
    monkeypatch.setenv("HOME", home)
    write(folder, 'metrics = "wer"\n')
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")
    assert metrics(tertium("score", "-r", "../ref.txt", "-i", "../out.txt", "-f", "json").out) == ["bleu"]


def test_outside_of_both_only_the_working_folder_counts(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / ".git").rmdir()
    monkeypatch.setenv("HOME", str(folder / "elsewhere"))
    write(folder, 'metrics = "wer"\n')
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["wer"]
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")
    assert metrics(tertium("score", "-r", "../ref.txt", "-i", "../out.txt", "-f", "json").out) == ["bleu"]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners")
def test_the_file_of_another_user_is_ignored_with_a_note(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = folder.stat().st_uid
    write(folder, 'metrics = "wer"\n')
    write(folder, "[tool.other]\n", "pyproject.toml")
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    monkeypatch.setattr("tertium.files.project._ROOT", owner + 2)
    found = tertium(*SCORE, "-f", "json")
    assert metrics(found.out) == ["bleu"]
    assert found.err.startswith(
        "tertium: note: tertium.toml is ignored, because it belongs to another user; --config tertium.toml uses it\n"
    )
    assert "pyproject" not in found.err
    assert metrics(tertium(*SCORE, "-f", "json", "--config", "tertium.toml").out) == ["wer"]
    assert "tertium.toml is ignored: it belongs to another user" in tertium("--version", "--verbose").out
    monkeypatch.setattr("tertium.files.project._ROOT", owner)
    assert metrics(tertium(*SCORE, "-f", "json").out) == ["wer"]


def test_help_does_not_need_a_valid_project_file(tertium: Tertium, folder: Path) -> None:
    write(folder, "metrics = ")
    assert tertium("score", "--help").code == 0
