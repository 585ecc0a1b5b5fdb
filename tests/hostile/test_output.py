"""Outputs that cannot be written and messages with control codes give one line each, never a traceback."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tertium
from hostile.processes import command
from tertium.commands.base.output import print_message
from tertium.errors import OptionError
from tertium.presentation.tables.data_formats import render_json
from tertium.presentation.tables.model import Document, Records

LINES = "the cat sat\non the mat\n"
SCORE = ("score", "-r", "r.txt", "-i", "h.txt", "-m", "wer")


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text(LINES, encoding="utf-8")
    Path("h.txt").write_text(LINES.replace("sat", "lay"), encoding="utf-8")
    return tmp_path


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize(
    "arguments", [SCORE, (*SCORE, "-f", "json"), ("--help",)], ids=["text", "json", "help"]
)
def test_a_full_standard_output_is_one_line(texts: Path, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = command(*arguments, stdout=full)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("tertium: the output cannot be written: No space left on device; ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="files are closed by the shell")
def test_a_closed_standard_output_is_one_line_before_the_work(texts: Path) -> None:
    done = command(*SCORE, preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"standard output is closed; write to a file with -o FILE" in done.stderr
    done = command(*SCORE, "-o", "out.txt", preexec_fn=lambda: os.close(1))
    assert (done.returncode, Path("out.txt").exists()) == (0, True)


@pytest.mark.skipif(os.name != "posix", reason="files are closed by the shell")
def test_a_closed_standard_error_hides_messages_and_nothing_else(texts: Path) -> None:
    done = command(*SCORE, preexec_fn=lambda: os.close(2), stdout=subprocess.PIPE, stderr=None)
    assert done.returncode == 0
    assert done.stdout.startswith(b"system")


@pytest.mark.parametrize(
    ("encoding", "code"), [("ascii", 0), ("latin-1", 1), ("utf-16", 0)], ids=["ASCII", "Latin-1", "UTF-16"]
)
def test_a_standard_output_of_another_encoding_is_used_or_refused(
    texts: Path, encoding: str, code: int
) -> None:
    """Click writes UTF-8 if the system reports ASCII, which usually means that the encoding is unknown."""
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    done = command(*SCORE, env=environment, stdout=subprocess.PIPE)
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr
    if code:
        assert (
            b"standard output is latin-1 and cannot show '\\u2193'; set PYTHONIOENCODING=utf-8" in done.stderr
        )


def test_no_message_brings_commands_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_message("note: \x1b]0;title\x07 of \x9b31m\u202ename\n tertium: fake line")
    assert (
        capsys.readouterr().err
        == "tertium: note: \ufffd]0;title\ufffd of \ufffd31m\ufffdname tertium: fake line\n"
    )


@pytest.mark.parametrize(
    "number", [2**63, 2**64, 10**400, -(10**400)], ids=["2^63", "2^64", "400 digits", "less"]
)
@pytest.mark.parametrize(
    "label",
    ["invwer:max_memory", "chrf:word_order", "bleu:smooth_value", "nist:max_ngram_order", "std:orders"],
)
def test_an_option_beyond_any_number_of_the_core_is_refused(label: str, number: int) -> None:
    with pytest.raises(OptionError, match="must be"):
        tertium.score(["a"], ["a"], f"{label}={number}")


@pytest.mark.parametrize("threads", [0, 65_537, 2**64, 10**400])
def test_threads_that_no_machine_has_are_refused(threads: int) -> None:
    with pytest.raises(OptionError, match=r"threads=? must be (1 to 65,536|a whole number, at least 1)"):
        tertium.score(["a"], ["a"], "bleu", threads=threads)


def test_infinity_is_no_option() -> None:
    with pytest.raises(OptionError, match="smooth_value must be a number"):
        tertium.score(["a"], ["a"], "bleu:smooth_value=inf")


def test_infinity_is_null_in_json() -> None:
    text = render_json(
        Document(
            "",
            list,
            lambda: Records({}, []),
            lambda: {"score": float("inf"), "other": np.array([np.nan, 1.0])},
        )
    )
    assert json.loads(text, parse_constant=pytest.fail) == {"score": None, "other": [None, 1.0]}
