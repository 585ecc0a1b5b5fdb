"""Outputs of all commands: `-` is never the name of a file, and a place that cannot be written is found before the work."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import tertium
from hostile.commands import BASES, LOADED, write_inputs
from tertium.cli.main import main
from tertium.declarations import CommandOption
from tertium.errors import OptionError

WRITERS = [
    pytest.param(name, option, id=f"{name} {option.name}")
    for name, command in LOADED.items()
    for option in command.options.values()
    if option.access in ("write", "update")
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    systems = {name: Path(f"{name}.txt") for name in ("a", "b")}
    tertium.score(systems, Path("ref.txt"), metrics="bleu").save("ab.run")
    tertium.score({"b": Path("b.txt")}, Path("ref.txt"), metrics="bleu").save("b.run")
    return tmp_path


def run(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["tertium", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def write_command(name: str, option: CommandOption, value: str) -> list[str]:
    """Write a valid command with another value of an option."""
    words = [*name.split(), *BASES[name][0]]
    if not option.flags:  # the last argument
        return [*words[:-1], value]
    if "-o" in words and "-o" in option.flags:
        words[words.index("-o") + 1] = value
        return words
    return [*words, max(option.flags, key=len), value]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option"), WRITERS)
def test_no_file_of_this_name_is_written(
    name: str,
    option: CommandOption,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = run(write_command(name, option, "-"), monkeypatch)
    printed = capsys.readouterr()
    assert not (folder / "-").exists()
    assert "Traceback" not in printed.err
    if option.opt.is_stream:
        assert (code, bool(printed.out)) in [(0, True), (1, True), (3, True)]  # a gate may fail
    else:
        assert code == 2
        assert "cannot write to standard output: give the path of a file" in printed.err
        assert not printed.out


SUFFIXES = {"chart": ".svg", "picture": ".svg", "heatmap": ".svg", "items": ".tsv"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "option"), WRITERS)
def test_nothing_is_printed_if_an_output_cannot_be_written(
    name: str, option: CommandOption, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    is_folder = "FOLDER" in (option.opt.metavar or "")
    place = "a.txt" if is_folder else f"a.txt/out{SUFFIXES.get(option.name, '.x')}"
    before = Path("a.txt").read_bytes()
    assert run(write_command(name, option, place), monkeypatch) in (1, 2)
    printed = capsys.readouterr()
    assert not printed.out
    assert len(printed.err.splitlines()) == 1, printed.err
    assert "a.txt" in printed.err
    assert Path("a.txt").read_bytes() == before


def test_a_page_can_be_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "ab.run", "--samples", "20", "-o", "-"], monkeypatch) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("<!doctype html>")
    assert printed.out.rstrip().endswith("</html>")
    assert "wrote" not in printed.err


def test_a_python_user_gets_the_same_error() -> None:
    with pytest.raises(OptionError, match="resume= cannot write to standard output: give the path of a file"):
        tertium.score(["a"], ["a"], metrics="wer", resume="-")
