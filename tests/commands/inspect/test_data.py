"""`tertium data`, and what takes test sets by name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpus.test_test_sets import home

__all__ = ["home"]

Tertium = Callable[..., Any]


def test_sets_and_their_pairs_are_listed(tertium: Tertium, home: Path) -> None:
    out = tertium("data").out
    assert all(f"\n{name}  " in out for name in ("wmt15", "wmt20/dev", "wmt22"))
    assert "tertium score -t SET -l PAIR -i out.txt" in out
    assert "de-en  " in tertium("data", "wmt22").out
    assert " mqm wmt-z " in tertium("data", "wmt22").out


def test_without_any_set_it_says_what_to_do(
    tertium: Tertium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("SACREBLEU", raising=False)
    run = tertium("data")
    assert run.code == 0
    assert "no test set was found; Tertium downloads nothing" in run.out
    assert tertium("data", "wmt15").code == 2


def test_a_system_is_scored_against_a_set(tertium: Tertium, home: Path) -> None:
    mine = home / "mine.txt"
    mine.write_text("the cat\n", encoding="utf-8")
    run = tertium("score", "-t", "wmt15", "-l", "de-en", "-i", mine, "-m", "wer")
    assert "mine     0.00" in run.out
    assert run.code == 0
    two = tertium("score", "-t", "wmt20/dev", "-l", "zh-en", "-i", mine, "-m", "wer", "-f", "json").out
    assert '"min": 2' in two


def test_the_systems_of_a_set_are_scored_if_none_are_named(tertium: Tertium, home: Path) -> None:
    run = tertium("score", "-t", "wmt22", "-l", "de-en", "-m", "wer", "--score-only")
    assert [float(line) for line in run.out.split()] == pytest.approx([100 / 7, 200 / 7])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-i", "x.txt"), "bleu reads references: give them with --ref FILE"),
        (("-r", "x.txt"), "--hyp FILE is missing"),
        (("-t", "wmt15", "-l", "de-en"), "--hyp FILE is missing"),
        (
            ("-t", "wmt15", "-r", "x.txt", "-i", "x.txt"),
            "give either --ref or --test-set, not both",
        ),
    ],
)
def test_what_is_not_named_is_asked_for(
    tertium: Tertium, home: Path, arguments: tuple[str, ...], message: str
) -> None:
    run = tertium("score", *arguments)
    assert (run.code, run.err) == (2, f"tertium: {message}\n")


def test_agreement_is_computed_on_mt_metrics_evals_folder(tertium: Tertium, home: Path) -> None:
    run = tertium("meta", "wmt22", "-m", "wer", "--scores", "BLEU", "-s", "segment:pearson", "--test", "none")
    assert run.code == 0
    assert "BLEU  " in run.out
    assert "the human scores are mqm" in run.err
