"""Paraphrases and function words on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Tertium = Callable[..., Any]


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "hyp.txt").write_text("he gave up\n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("he stopped trying\n", encoding="utf-8")
    return ("score", "-q", "-f", "json", "-r", str(tmp_path / "ref.txt"), "-i", str(tmp_path / "hyp.txt"))


def test_a_table_gives_paraphrases(tertium: Tertium, texts: tuple[str, ...], tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0.5\ngave up\nstopped trying\n", encoding="utf-8")
    words = tmp_path / "words.txt"
    words.write_text("he", encoding="utf-8")
    run = tertium(*texts, "-m", "meteor", "--paraphrases", table, "--function-words", words)
    assert run.code == 0
    assert "paraphrases:table.txt[" in run.out
    assert "words:words.txt[" in run.out


def test_a_broken_table_is_one_line(tertium: Tertium, texts: tuple[str, ...], tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("gave up\nstopped trying\n0.5\n", encoding="utf-8")
    run = tertium(*texts, "-m", "meteor", "--paraphrases", table)
    assert run.code == 1
    assert run.err.count("\n") == 1
    assert "table.txt, line 1: a probability was expected" in run.err


def test_an_unknown_language_is_one_line(tertium: Tertium, texts: tuple[str, ...]) -> None:
    run = tertium(*texts, "-m", "meteor", "-l", "xx")
    assert run.code == 2
    assert "meteor: unknown language 'xx'" in run.err


def test_a_table_that_no_metric_reads_is_refused(
    tertium: Tertium, texts: tuple[str, ...], tmp_path: Path
) -> None:
    run = tertium(*texts, "-m", "bleu", "--paraphrases", tmp_path / "table.txt")
    assert run.code == 2
    assert "--paraphrases was given, but none of these metrics uses paraphrases" in run.err
