"""sacreBLEU's habits at the command line of `tertium score`, and warnings about the wrong files."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from tertium.commands.score.sacrebleu import find_piped_system, translate_arguments
from tertium.errors import InputError
from tertium.metrics import BLEU, CHRF, TER

Tertium = Callable[..., Any]
ROOT = Path(__file__).parents[3] / "examples" / "data"
REFERENCE, SYSTEM = ROOT / "reference.en.txt", ROOT / "systems" / "aurora.txt"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (["ref.txt", "-i", "a.txt"], ["ref.txt", "-i", "a.txt"]),
        (["ref.txt", "ref2.txt", "--input", "a.txt"], ["ref.txt", "ref2.txt", "--hyp", "a.txt"]),
        (["-r", "ref.txt", "--tokenize=zh"], ["-r", "ref.txt", "--tokenizer=zh"]),
        (["-r", "x", "--paired-ar-n", "99"], ["-r", "x", "--samples", "99"]),
        (["-r", "x", "--paired-ar"], ["-r", "x", "--paired", "randomization", "--resample", "segment"]),
        (["-r", "x", "-lc", "--confidence", "--force"], ["-r", "x", "--lowercase", "--ci", "--resample", "segment"]),
        (["-r", "x", "--paired-bs", "--resample", "document"], ["-r", "x", "--paired", "bootstrap", "--resample", "document"]),
        (["-r", "x", "-i", "y", "-m", "bleu", "-l", "de-en"], ["-r", "x", "-i", "y", "-m", "bleu", "-l", "de-en"]),
        (["ref", "-i", "x", "-b", "--confidence"], ["ref", "-i", "x", "--score-only", "--resample", "segment"]),
        (["ref", "-i", "x", "-b", "--paired-bs"], ["ref", "-i", "x", "--paired", "bootstrap", "--resample", "segment"]),
        ([], []),
    ],
)  # fmt: skip
def test_arguments_are_translated(theirs: list[str], ours: list[str]) -> None:
    assert translate_arguments(theirs).arguments == ours


@pytest.mark.parametrize("flag", ["--chrf-word-order", "--ter-no-punct", "--cite", "--download", "-w"])
def test_an_option_without_a_counterpart_is_explained(flag: str) -> None:
    with pytest.raises(click.UsageError, match=r"write -m|tertium|--score-only"):
        translate_arguments(["ref.txt", flag, "x"])


def test_a_command_of_sacrebleu_gives_its_score(tertium: Tertium) -> None:
    run = tertium("score", REFERENCE, "-i", SYSTEM, "--tok", "intl", "-m", "bleu", "chrF2++", "-f", "tsv")
    assert run.code == 0
    assert run.err == "tertium: note: --tok is --tokenizer here\n"
    ours = tertium(
        "score", "-r", REFERENCE, "-i", SYSTEM, "-m", "bleu:tok=intl,chrf:beta=2,nw=2", "-f", "tsv"
    )
    assert [row.split("\t")[2] for row in run.out.splitlines()] == [
        row.split("\t")[2] for row in ours.out.splitlines()
    ]


def test_a_folder_or_reference_that_does_not_exist_is_named(tertium: Tertium) -> None:
    run = tertium("score", "absent/folder")
    assert run.code == 1
    assert run.err == "tertium: no such file or folder: 'absent/folder'; check the path\n"


def test_the_system_may_come_from_standard_input() -> None:
    with SYSTEM.open("rb") as piped:
        run = subprocess.run(
            [sys.executable, "-c", "from tertium.cli.main import main; main()", "score", REFERENCE, "--score-only"],
            stdin=piped, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
    assert run.stderr == ""
    assert float(run.stdout) == pytest.approx(44.798, abs=1e-3)


def test_comet_is_explained(tertium: Tertium) -> None:
    run = tertium("score", "-r", REFERENCE, "-i", SYSTEM, "-m", "comet")
    assert run.code == 1
    assert "comet needs a checkpoint of COMET" in run.err


def test_sacrebleus_names_work_in_python() -> None:
    assert CHRF(word_order=2).name == "chrf"
    with pytest.raises(TypeError, match="BLEU has no option tokenize=; use tokenizer="):
        BLEU(tokenize="zh")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="TER has no option normalised=; did you mean normalized"):
        TER(normalised=True)  # type: ignore[call-arg]
    assert str(BLEU().get_signature()).startswith("bleu|nrefs:1|case:mixed|eff:no|tok:13a|")


def test_a_system_that_equals_the_reference_or_another_system_is_reported(
    tertium: Tertium, tmp_path: Path
) -> None:
    (tmp_path / "copy.txt").write_bytes(SYSTEM.read_bytes())
    run = tertium("score", "-r", REFERENCE, "-i", REFERENCE, SYSTEM, tmp_path / "copy.txt", "-f", "tsv")
    assert "warning: the output of reference.en equals the reference: check the files" in run.err
    assert "warning: the output of copy equals that of aurora: check the files" in run.err


def test_equal_scores_of_different_outputs_are_reported(tertium: Tertium, tmp_path: Path) -> None:
    for name in "rab":
        (tmp_path / f"{name}.txt").write_text(f"{name}\n", encoding="utf-8")
    run = tertium(
        "score", "-r", tmp_path / "r.txt", "-i", tmp_path / "a.txt", tmp_path / "b.txt", "-f", "tsv"
    )
    assert "warning: all systems have the same BLEU, 0.00" in run.err
    checked = tertium(
        "score", "-s", tmp_path / "r.txt", "-i", tmp_path / "a.txt", tmp_path / "b.txt", "-m", "markup"
    )
    assert "the same" not in checked.err  # nothing is wrong with outputs that keep all markup


def test_the_short_help_is_short_and_has_four_examples(tertium: Tertium) -> None:
    short, whole = tertium("score", "-h"), tertium("score", "--help")
    assert short.code == whole.code == 0
    assert short.out.count("\n  tertium score ") == 4
    assert short.out.endswith("'tertium score --help' shows all options.\n")
    assert len(short.out.splitlines()) < 50 < len(whole.out.splitlines())
    assert "--resume" not in short.out
    assert "\nAnalysis:\n" in whole.out


def test_one_argument_without_piped_text_must_be_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    (tmp_path / "ref.txt").write_text("the cat\n")
    assert find_piped_system(str(tmp_path / "ref.txt")) == ()
    with pytest.raises(InputError, match="no such file or folder"):
        find_piped_system(str(tmp_path / "missing.txt"))
