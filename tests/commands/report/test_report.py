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
    assert "good scores best on WER." in page.read_text(encoding="utf-8")


def test_a_page_is_made_from_a_run(tertium: Callable[..., Any], files: Path) -> None:
    saved, page = files / "all.run", files / "page.html"
    systems = [files / "good.txt", files / "bad.txt"]
    assert (
        tertium("score", "-r", files / "ref.txt", "-i", *systems, "-m", "wer", "--save", saved, "-q").code
        == 0
    )
    assert tertium("report", saved, "-o", page, "-q").code == 0
    assert "good scores best on WER." in page.read_text(encoding="utf-8")


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


def test_human_judgments_stand_beside_the_metrics(tertium: Callable[..., Any], files: Path) -> None:
    page, human = files / "page.html", files / "human.tsv"
    human.write_text(
        "system\tsegment\tscore\ngood\t1\t90\ngood\t2\t80\nbad\t1\t20\nbad\t2\t30\n", encoding="utf-8"
    )
    run = report(tertium, files, "--human", human, "-o", page)
    assert run.code == 0
    text = page.read_text(encoding="utf-8")
    assert "By the human judgments, good and bad do not differ significantly." in text  # two segments
    assert 'id="rank-table"' in text
    assert 'id="agreement-table"' in text


def test_a_run_without_texts_takes_human_judgments_too(tertium: Callable[..., Any], files: Path) -> None:
    saved, page, human = files / "all.run", files / "page.html", files / "human.tsv"
    human.write_text("system\tscore\ngood\t1\nbad\t0\n", encoding="utf-8")
    systems = [files / "good.txt", files / "bad.txt"]
    tertium(
        "score", "-r", files / "ref.txt", "-i", *systems, "-m", "wer", "--save", saved, "--no-texts", "-q"
    )
    assert tertium("report", saved, "--human", human, "-o", page, "-q").code == 0
    assert "The human scores are not of single segments" in page.read_text(encoding="utf-8")


def test_no_metric_is_said_to_agree_best_where_intervals_overlap(
    tertium: Callable[..., Any], tmp_path: Path
) -> None:
    """Two metrics that rank all outputs alike."""
    lines = [" ".join(f"w{i}{k}" for k in range(8)) for i in range(30)]
    rows = ["system\tsegment\tscore"]
    for place, system in enumerate(("one", "two", "three")):
        texts = [
            " ".join(["x"] * (place + i % 3) + line.split()[place + i % 3 :]) for i, line in enumerate(lines)
        ]
        (tmp_path / f"{system}.txt").write_text("\n".join(texts) + "\n")
        rows += [f"{system}\t{i + 1}\t{100 - 10 * (place + i % 3)}" for i in range(30)]
    (tmp_path / "ref.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "human.tsv").write_text("\n".join(rows) + "\n")
    page = tmp_path / "page.html"
    systems = [tmp_path / f"{name}.txt" for name in ("one", "two", "three")]
    options = ("-m", "wer,ter", "--human", tmp_path / "human.tsv", "--samples", "50", "-o", page)
    assert tertium("report", "-r", tmp_path / "ref.txt", "-i", *systems, *options).code == 0
    text = page.read_text(encoding="utf-8")
    assert "At the segment level no metric clearly agrees best with human judges" in text


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ("system\tscore\nnobody\t1\n", "human.tsv: line 2 has a judgment of system 'nobody'"),
        (
            "lp\tsystem\tscore\nde-en\tgood\t1\nfr-en\tgood\t1\n",
            "several language pairs; choose one with --pairs LP",
        ),
        ("lp\tref\thyp\thuman\nde-en\ta\tb\t1\n", "contains its own texts"),
    ],
    ids=["unknown system", "two language pairs", "texts of its own"],
)
def test_judgments_that_do_not_fit_are_refused_and_nothing_is_written(
    tertium: Callable[..., Any], files: Path, table: str, complaint: str
) -> None:
    human = files / "human.tsv"
    human.write_text(table, encoding="utf-8")
    run = report(tertium, files, "--human", human, "-o", files / "page.html")
    assert run.code in (1, 2)
    assert complaint in run.err
    assert run.err.count("\n") == 1
    assert not (files / "page.html").exists()


def report(tertium: Callable[..., Any], files: Path, *options: object) -> Any:
    systems = [files / "good.txt", files / "bad.txt"]
    return tertium("report", "-r", files / "ref.txt", "-i", *systems, "-m", "wer", *options)
