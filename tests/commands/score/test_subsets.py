"""`--columns`, `--by`, `--where` and `--resample` from argv to exit code."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium as library

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821
ROOT = Path(__file__).parents[3] / "examples" / "data"
SCORE = (
    "score",
    "-r",
    ROOT / "reference.en.txt",
    "-i",
    ROOT / "systems/aurora.txt",
    ROOT / "systems/boreas.txt",
)


@pytest.fixture
def columns(tmp_path: Path) -> Path:
    lines = [f"{'news' if i < 120 else 'law'}\td{i // 10}\n" for i in range(200)]
    path = tmp_path / "columns.tsv"
    path.write_text("domain\tdocument\n" + "".join(lines))
    return path


def read(text: str) -> dict[tuple[str, str], float]:
    return {(row["domain"], row["system"]): float(row["score"]) for row in csv.DictReader(io.StringIO(text))}


def test_by_gives_parts_their_mean_and_all_segments(tertium: Tertium, columns: Path) -> None:
    run = tertium(*SCORE, "--columns", columns, "--by", "domain", "-f", "csv")
    found = read(run.out)
    whole = tertium(*SCORE, "-f", "csv").out.splitlines()[1].split(",")[2]
    news = tertium(*SCORE, "--columns", columns, "--where", "domain=news", "-f", "csv").out
    assert found["micro", "aurora"] == float(whole)
    assert found["news", "aurora"] == float(news.splitlines()[1].split(",")[2])
    assert found["macro", "aurora"] == pytest.approx((found["news", "aurora"] + found["law", "aurora"]) / 2)


def test_a_run_shows_the_same_parts(tertium: Tertium, columns: Path, tmp_path: Path) -> None:
    saved = tmp_path / "x.run"
    options = ("--by", "domain", "--ci", "--samples", "50", "--paired", "bootstrap")
    first = tertium(*SCORE, "--columns", columns, *options, "--save", saved)
    assert first.code == 0
    assert "±" in first.out
    assert tertium("show", saved, "--by", "domain").out == first.out
    where = tertium(*SCORE, "--columns", columns, "--where", "domain=law", "-f", "json")
    assert tertium("show", saved, "--where", "domain=law", "-f", "csv", "--samples", "50").code == 0
    tertium(*SCORE, "--columns", columns, "--save", saved)
    assert tertium("show", saved, "--where", "domain=law", "-f", "json").out == where.out


def test_documents_are_drawn_whole_where_they_are_known(
    tertium: Tertium, columns: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "x.run"
    options = ("--ci", "--samples", "100")
    grouped = tertium(*SCORE, "--columns", columns, *options, "--save", saved)
    assert "; 20 documents resampled;" in grouped.out
    assert tertium("show", saved).out == grouped.out
    assert tertium(*SCORE, "--columns", columns, *options, "--resample", "document").out == grouped.out
    plain = tertium(*SCORE, *options)
    assert "; segments taken as independent;" in plain.out
    assert grouped.out.splitlines()[1] != plain.out.splitlines()[1]
    assert tertium(*SCORE, "--columns", columns, *options, "--resample", "segment").out == plain.out
    assert tertium("show", saved, "--resample", "segment").out == plain.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--by", "domian"), "no column 'domian'; did you mean domain?"),
        (("--where", "domain=nwes"), "no segment has domain 'nwes'; did you mean news?"),
        (("--where", "domain=law,document=d1"), "no segment fulfils"),
        (("--resample", "documents"), "no column 'documents'; did you mean document?"),
        (("--by", "domain", "--segments"), "give either --segments or --by"),
    ],
    ids=["by", "value", "empty", "resample", "both"],
)
def test_mistakes_are_one_line(
    tertium: Tertium, columns: Path, options: tuple[str, ...], message: str
) -> None:
    run = tertium(*SCORE, "--columns", columns, *options)
    assert run.code in (1, 2)
    assert run.out == ""
    assert message in run.err
    assert run.err.count("\n") == 1


def test_columns_that_do_not_fit_the_segments_are_refused(tertium: Tertium, columns: Path) -> None:
    columns.write_text("domain\nnews\n")
    run = tertium(*SCORE, "--columns", columns, "--by", "domain")
    assert "has 1 row but there are 200 segments" in run.err


def test_intervals_of_one_segment_are_refused(tertium: Tertium, tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text("n\n" + "".join(f"{i}\n" for i in range(200)))
    assert "only 1 segment was selected" in tertium(*SCORE, "--columns", path, "--where", "n=7", "--ci").err
    assert tertium(*SCORE, "--columns", path, "--where", "n=7").code == 0


def test_a_segment_without_a_group_is_refused() -> None:
    corpus = library.Corpus([["a"], ["b"]], {"s": ["a", "b"]}, columns={"document": ["x", ""]})
    from tertium.commands.base.scoring import ScoreRequest  # noqa: PLC0415

    with pytest.raises(library.TertiumError, match="segment 2 has no document"):
        ScoreRequest(corpus, ci=True, resample="document").run()


def test_python_shows_parts_too() -> None:
    corpus = library.Corpus([["a b"], ["b"]], {"s": ["a b", "x"]}, columns={"domain": ["n", "l"]})
    rows = library.score(corpus, metrics="wer").by("domain").to_dict()["scores"]
    assert [(row["domain"], row["score"]) for row in rows] == [
        ("n", 0.0), ("l", 100.0), ("micro", pytest.approx(100 / 3)), ("macro", 50.0)
    ]  # fmt: skip
