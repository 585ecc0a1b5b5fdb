"""`tertium doctor`: which files are compared, what is printed, and with which exit code it ends."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tertium.cli.main import build_command

REFERENCE = [
    "The committee met on Tuesday afternoon.",
    "Nobody expected the harvest to fail again.",
    "Her violin was sold at auction in Geneva.",
    "Trains between Lyon and Turin resume next week.",
    "The volcano erupted twice during the night.",
    "Scientists named the beetle after a singer.",
    "His grandmother baked bread every Saturday.",
    "The parliament rejected the budget by nine votes.",
]
HYPOTHESIS = [
    "The committee gathered Tuesday afternoon.",
    "No one expected the harvest would fail again.",
    "Her violin was auctioned in Geneva.",
    "Trains from Lyon to Turin resume in a week.",
    "The volcano erupted two times in the night.",
    "Scientists called the beetle after a singer.",
    "His grandmother used to bake bread on Saturday.",
    "The parliament rejected its budget with nine votes.",
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("ref.txt", REFERENCE)
    write("hyp.txt", HYPOTHESIS)
    write("upper.txt", [line.upper() for line in HYPOTHESIS])
    return tmp_path


def write(name: str, lines: list[str]) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(build_command("doctor"), arguments, catch_exceptions=False)


def codes(*arguments: str) -> list[str]:
    return [finding["code"] for finding in json.loads(run(*arguments, "-f", "json").stdout)["findings"]]


def test_clean_files_give_one_line_and_exit_code_0() -> None:
    result = run("-r", "ref.txt", "-i", "hyp.txt")
    assert result.stdout == "no problems found in 2 files (16 lines)\n"
    assert result.exit_code == 0


def test_text_is_grouped_by_file_with_lines_and_remedy() -> None:
    write("bad.txt", [*HYPOTHESIS, *(f"Tom &amp; Jerry, part {i}" for i in range(7)), ""])
    result = run("hyp.txt", "bad.txt")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "bad.txt",
        "  error    lines 9 and 7 more: 16 lines here but 8 in hyp.txt",
        "           → find the lines that were lost, split or joined; a score needs one line per segment",
        "  warning  line 16: empty: a hypothesis without words gets the worst score, an empty reference misleads",
        "           → check whether the translation failed or text was lost, and translate again",
        "  warning  lines 9, 10, 11, 12, 13 and 2 more: HTML entities such as '&amp;' replace characters",
        "           → decode them, for example with Python's html.unescape",
        "1 error, 2 warnings in 2 files (24 lines)",
    ]


def test_notes_alone_exit_with_0() -> None:
    Path("open.txt").write_text("A line without its end", encoding="utf-8")
    result = run("open.txt")
    assert "  note     line 1: the last line has no newline" in result.stdout
    assert result.exit_code == 0


def test_json_holds_every_field_of_a_finding() -> None:
    write("bad.txt", ["This is fine.", "This is bro\ufffdken."])
    document = json.loads(run("bad.txt", "--format", "json").stdout)
    assert document == {
        "schema_version": 1,
        "findings": [
            {
                "severity": "warning",
                "file": "bad.txt",
                "lines": [2],
                "n_lines": 1,
                "problem": "characters were lost in a conversion and became U+FFFD",
                "remedy": "convert the original again, with its true encoding",
                "code": "replacement-character",
            }
        ],
    }


def test_file_with_ref_in_its_name_is_the_reference() -> None:
    write("short.txt", HYPOTHESIS[1:])
    result = run("short.txt", "ref.txt")
    assert result.stdout.startswith("taking ref.txt as the reference, by its name\n")
    assert "they match ref.txt 1 line further down" in result.stdout


def test_file_with_src_in_its_name_is_the_source_and_no_hypothesis() -> None:
    write("src.txt", ["Совет собрался во вторник." for _ in REFERENCE])
    assert "wrong-script" not in codes("ref.txt", "src.txt", "hyp.txt")


def test_without_a_name_only_line_counts_are_compared() -> None:
    write("short.txt", HYPOTHESIS[1:])
    assert codes("hyp.txt", "short.txt") == ["line-count"]
    assert codes("hyp.txt", "upper.txt") == ["uppercased"]


@pytest.mark.parametrize(
    "arguments",
    [("-r", "ref.txt", "-i", "ref.txt"), ("ref.txt", "-r", "ref.txt"), ("ref.txt", "-i", "ref.txt")],
    ids=["both options", "only -r", "only -i"],
)
def test_bare_files_fill_the_missing_part(arguments: tuple[str, ...]) -> None:
    assert codes(*arguments) == ["identical-to-reference"]


def test_every_hypothesis_meets_every_reference() -> None:
    write("other.txt", HYPOTHESIS[:-1])
    found = codes("-r", "ref.txt", "-r", "other.txt", "-i", "hyp.txt", "-i", "upper.txt")
    assert found.count("line-count") == 2


def test_source_shows_what_is_untranslated() -> None:
    assert codes("-i", "hyp.txt", "-s", "hyp.txt") == ["untranslated"]
    assert codes("hyp.txt", "-s", "hyp.txt") == ["untranslated"]
    assert codes("-i", "hyp.txt", "-r", "ref.txt", "-s", "upper.txt") == ["uppercased"]


def test_transposed_references_are_reported_once_and_alone() -> None:
    write("two.txt", HYPOTHESIS[:2])
    for number in (1, 2):
        write(f"r{number}.txt", [REFERENCE[number - 1], HYPOTHESIS[number - 1], "A third version of it."])
    assert codes("-i", "two.txt", "-r", "r1.txt", "-r", "r2.txt") == ["transposed-references"]


def test_missing_file_is_an_input_error() -> None:
    result = run("nowhere.txt")
    assert result.exit_code == 1
    assert "no such file" in result.stderr


def test_no_file_is_an_option_error() -> None:
    result = run()
    assert result.exit_code == 2
    assert "no file to check" in result.stderr


def test_a_terminal_gets_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tertium.commands.base.command_line.TableCommand.is_terminal", property(lambda _: True)
    )
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[" in run("hyp.txt").stdout
