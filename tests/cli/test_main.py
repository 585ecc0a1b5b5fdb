"""The command line's frame: help, version, unknown commands, metrics."""

import io
import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from tertium.catalog import metric_names
from tertium.cli.main import _drop_output, find_commands

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821


@pytest.mark.parametrize("command", find_commands())
def test_every_command_has_help(tertium: Tertium, command: str) -> None:
    run = tertium(*command.split(), "--help")
    assert run.code == 0
    assert run.out.startswith(f"Usage: tertium {command}")


def test_help_lists_every_command(tertium: Tertium) -> None:
    out = tertium("--help").out
    assert all(f"\n  {name.partition(' ')[0]} " in out for name in find_commands())


def test_help_is_shown_without_heavy_imports() -> None:
    program = (
        "import sys; from tertium.cli.main import cli; cli.main(['--help'], standalone_mode=False);"
        "sys.exit(bool({'numpy', 'rich'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert result.returncode == 0
    assert "score" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--version"], 0), (["doctor", "absent.txt"], 1), (["--nope"], 2)]
)
def test_the_script_ends_with_the_exit_code_and_calls_what_was_registered(
    arguments: list[str], code: int
) -> None:
    program = (
        "import atexit, sys; from tertium.cli.main import run;"
        "atexit.register(print, 'registered'); print('buffered', end=' '); run()"
    )
    command = [sys.executable, "-c", program, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == code
    assert result.stdout.startswith("buffered ")
    assert result.stdout.endswith("registered\n")
    assert result.stderr.count("\n") == (code > 0)


def test_the_version_is_told(tertium: Tertium) -> None:
    assert tertium("--version").out.startswith("tertium 0.")


def test_the_version_tells_more_for_bug_reports(tertium: Tertium) -> None:
    out = tertium("--version", "--verbose").out
    assert out == tertium("--verbose", "--version").out
    assert out.startswith(tertium("--version").out)
    for name in ("python", "core", "threads", "numpy", "vl-convert-python", "METEOR's paraphrases", "cache"):
        assert f" {name}  " in out
    assert " pytest " not in out


@pytest.mark.parametrize(
    ("arguments", "said"), [(("--verbose",), "--version"), (("--verbose", "metrics"), "--version")]
)
def test_more_is_told_of_the_version_only(tertium: Tertium, arguments: tuple[str, ...], said: str) -> None:
    run = tertium(*arguments)
    assert (run.code, run.err) == (2, f"tertium: --verbose requires {said}\n")


def test_an_unknown_command_is_a_usage_error(tertium: Tertium) -> None:
    run = tertium("scor")
    assert run.code == 2
    assert "scor" in run.err
    assert run.err.count("\n") == 1


def test_all_metrics_are_listed(tertium: Tertium) -> None:
    out = tertium("metrics").out
    assert all(f"  {name} " in out for name in metric_names())


@pytest.mark.parametrize("name", metric_names())
def test_each_metric_can_be_shown(tertium: Tertium, name: str) -> None:
    assert tertium("metrics", name).out.startswith(f"{name} (")
    (described,) = json.loads(tertium("metrics", name, "-f", "json").out)["metrics"]
    assert described["name"] == name


def test_an_unknown_metric_gets_a_suggestion(tertium: Tertium) -> None:
    run = tertium("metrics", "bleuu")
    assert run.code == 2
    assert "did you mean bleu" in run.err


@pytest.mark.parametrize("arguments", [(), ("vectors",)])
def test_without_a_command_the_help_is_shown_as_help(tertium: Tertium, arguments: tuple[str, ...]) -> None:
    run = tertium(*arguments)
    assert run.code == 0
    assert run.out.startswith("Usage: tertium")
    assert run.out.count("\n") > 10
    assert run.err == ""


def test_a_mistyped_command_gets_a_suggestion(tertium: Tertium) -> None:
    assert "did you mean score?" in tertium("scroe").err


def test_output_is_dropped_without_a_traceback_if_no_file_can_be_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr("tertium.cli.main.os.open", refuse)
    monkeypatch.setattr(sys, "stdout", sys.__stdout__)
    _drop_output()
    assert isinstance(sys.stdout, io.StringIO)
