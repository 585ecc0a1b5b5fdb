"""`tertium report` from the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "ref.txt").write_text("a b c\nd e f\n")
    (tmp_path / "good.txt").write_text("a b c\nd e f\n")
    (tmp_path / "bad.txt").write_text("a b\nd x f\n")
    return tmp_path


def test_a_page_is_made_from_files_and_says_where_it_lies(tertium: Callable[..., Any], files: Path) -> None:
    page = files / "page.html"
    run = tertium(
        "report",
        "-r",
        files / "ref.txt",
        "-i",
        files / "good.txt",
        files / "bad.txt",
        "-m",
        "wer",
        "-o",
        page,
    )
    assert run.code == 0
    assert str(page) in run.err
    assert "good scores best." in page.read_text(encoding="utf-8")


def test_a_page_is_made_from_a_run(tertium: Callable[..., Any], files: Path) -> None:
    pytest.importorskip("pyarrow")
    saved, page = files / "all.run", files / "page.html"
    systems = [files / "good.txt", files / "bad.txt"]
    assert (
        tertium("score", "-r", files / "ref.txt", "-i", *systems, "-m", "wer", "--save", saved, "-q").code
        == 0
    )
    assert tertium("report", saved, "-o", page, "-q").code == 0
    assert "good scores best." in page.read_text(encoding="utf-8")


def test_nothing_to_report_on_is_one_line(tertium: Callable[..., Any], files: Path) -> None:
    run = tertium("report", "-o", files / "page.html")
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert "give a run, or outputs" in run.err


def test_a_folder_that_is_not_there_is_told_before_the_work_begins(
    tertium: Callable[..., Any], files: Path
) -> None:
    run = tertium(
        "report", "-r", files / "ref.txt", "-i", files / "good.txt", "-o", files / "no" / "page.html"
    )
    assert run.code == 1
    assert "there is no folder" in run.err
