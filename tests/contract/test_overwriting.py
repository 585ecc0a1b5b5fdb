"""No command overwrites its inputs: every option that writes is tried with every option that reads."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.cli.click_builder import DeclaredCommand
from tertium.cli.main import build_command, find_commands, main
from tertium.declarations import CommandOption
from tertium.errors import TertiumError

DATA = Path(__file__).parents[2] / "examples" / "data"
LOADED = {name: build_command(name) for name in find_commands()}
OPTIONS: dict[str, list[CommandOption]] = {
    name: list(command.options.values())
    for name, command in LOADED.items()
    if isinstance(command, DeclaredCommand)
}

PAIRS = [
    pytest.param(name, writer, reader, id=f"{name} {writer.name} {reader.name}")
    for name, options in OPTIONS.items()
    for writer in options
    if writer.access in ("write", "update") and "FOLDER" not in (writer.opt.metavar or "")
    for reader in options
    if reader is not writer and reader.access is not None and "FOLDER" not in (reader.opt.metavar or "")
]

CONTENT = b"an input that must survive\n"


def run(arguments: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["tertium", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def value_for(option: CommandOption) -> str:
    """Return a value that click accepts for a required option."""
    if option.choices:
        return str(option.choices[0])
    return "1" if {int, float} & set(option.alternatives) else "value"


def command_line(name: str, values: dict[str, str]) -> list[str]:
    """Write a command with these options and every required one."""
    needed = {each.name: value_for(each) for each in OPTIONS[name] if each.is_required}
    words, arguments = name.split(), list[str]()
    for option in OPTIONS[name]:
        value = {**needed, **values}.get(option.name)
        if value is not None and option.flags:
            words += [option.flags[0], value]
        elif value is not None:
            arguments.append(value)
    return [*words, *(["--", *arguments] if arguments else [])]


@pytest.mark.parametrize(("name", "writer", "reader"), PAIRS)
def test_a_file_is_not_both_read_and_written(
    name: str,
    writer: CommandOption,
    reader: CommandOption,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    suffix = ".run" if "run" in (writer.opt.metavar or "") else ".svg"
    file = tmp_path / f"both{suffix}"
    content = b"" if reader.name == "config" else CONTENT  # a project file is read before all others
    file.write_bytes(content)
    (tmp_path / "folder").mkdir()
    (tmp_path / f"link{suffix}").symlink_to(file)
    os.link(file, tmp_path / f"hard{suffix}")
    for other in (str(file), f"./folder/../both{suffix}", f"link{suffix}", f"hard{suffix}"):
        assert run(command_line(name, {writer.name: other, reader.name: str(file)}), monkeypatch) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "would be overwritten" in said or "name the same file" in said
        assert file.read_bytes() == content
        assert sorted(each.name for each in tmp_path.iterdir()) == sorted(
            [f"both{suffix}", "folder", f"hard{suffix}", f"link{suffix}"]
        )


def test_every_command_with_an_output_file_is_tried() -> None:
    tried = {str(each.values[0]) for each in PAIRS}
    assert tried >= {
        "score",
        "show",
        "rerun",
        "compare",
        "report",
        "gate",
        "explain",
        "parse",
        "doctor",
        "meta",
    }
    assert tried >= {"tune", "vectors convert", "vectors train", "paraphrases convert"}
    for name, options in OPTIONS.items():
        for option in options:
            is_output = option.opt.group == "Output" and "FILE" in (option.opt.metavar or "")
            assert not is_output or option.access == "write", (name, option.name)


Prepare = Callable[[Path], list[str]]


def in_folder(folder: Path) -> list[str]:
    parts = folder / "parts"
    parts.mkdir()
    (parts / "1.txt").write_text("a b\n")
    (folder / "ref.txt").write_text("a b\n")
    return ["score", "-r", "ref.txt", "-i", "parts", "-o", "parts/1.txt"]


def preset(folder: Path) -> list[str]:
    (folder / "mine.json").write_text('{"metric": "bleu", "options": {"tokenizer": "intl"}}')
    (folder / "text.txt").write_text("a b\n")
    return ["score", "-r", "text.txt", "-i", "text.txt", "-m", "bleu@mine.json", "-o", "mine.json"]


def recorded(folder: Path) -> list[str]:
    pytest.importorskip("pyarrow")
    (folder / "hyp.txt").write_text("a b\n")
    (folder / "ref.txt").write_text("a b\n")
    tertium.score(folder / "hyp.txt", folder / "ref.txt").save(folder / "made.run")
    return ["rerun", "made.run", "-o", "hyp.txt"]


def score_file(folder: Path) -> list[str]:
    (folder / "ref.txt").write_text("a b\nc d\n")
    (folder / "x.txt").write_text("a b\nc e\n")
    (folder / "y.txt").write_text("a b\nc d\n")
    rows = ["system\tsegment\tscore", "x\t1\t1", "x\t2\t0", "y\t1\t1", "y\t2\t1"]
    (folder / "human.tsv").write_text("\n".join(rows) + "\n")
    (folder / "wer.seg.score").write_text("x\t1\nx\t0\ny\t1\ny\t1\n")
    files = ["-r", "ref.txt", "-i", "x.txt", "y.txt", "--scores", "wer.seg.score", "--human", "human.tsv"]
    return ["meta", *files, "--write-scores", "."]


@pytest.mark.parametrize("prepare", [in_folder, preset, recorded, score_file])
def test_files_that_no_option_names_are_not_overwritten_either(
    prepare: Prepare,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = prepare(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run(arguments, monkeypatch) == 1
    assert "would be overwritten" in capsys.readouterr().err.splitlines()[-1]
    assert {path: path.read_bytes() for path in before} == before


def test_standard_input_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "hyp.txt"
    file.write_bytes(CONTENT)
    (tmp_path / "ref.txt").write_bytes(CONTENT)
    with file.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run(["score", "-r", str(tmp_path / "ref.txt"), "-i", "-", "-o", str(file)], monkeypatch) == 1
    assert file.read_bytes() == CONTENT


def test_two_outputs_are_not_the_same_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = ["-r", str(DATA / "reference.en.txt"), "-i", str(DATA / "systems/aurora.txt")]
    target = str(tmp_path / "new.run")
    assert run(["score", *files, "-o", target, "--save", f"{tmp_path}/./new.run"], monkeypatch) == 2
    assert "--output and --save name the same file" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("target", ["/dev/null", "-"])
def test_devices_and_standard_output_are_written_as_often_as_one_likes(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = str(DATA / "reference.en.txt")
    assert run(["score", "-r", reference, "-i", reference, "-o", target], monkeypatch) == 0


def test_python_does_not_overwrite_inputs_either(tmp_path: Path) -> None:
    for name in ("hyp.txt", "ref.txt"):
        (tmp_path / name).write_bytes(CONTENT)
    result: Any = tertium.score(tmp_path / "hyp.txt", tmp_path / "ref.txt")
    with pytest.raises(TertiumError, match="would be overwritten"):
        result.save(tmp_path / "hyp.txt")
    with pytest.raises(TertiumError, match="would be overwritten"):
        result.write(tmp_path / "ref.txt")
    with pytest.raises(TertiumError, match="would be overwritten"):
        tertium.paraphrases.convert(tmp_path / "ref.txt", tmp_path / "ref.txt")
    assert (tmp_path / "hyp.txt").read_bytes() == (tmp_path / "ref.txt").read_bytes() == CONTENT
    result.save(tmp_path / "new.run")
    result.save(tmp_path / "new.run")
    page = tertium.report(tmp_path / "new.run")
    with pytest.raises(TertiumError, match="would be overwritten"):
        page.write(tmp_path / "new.run")
