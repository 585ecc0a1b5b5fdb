"""`tertium meta` from argv to exit code."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metaeval.conftest import SYSTEMS, folder
from tertium.files.extras import install_hint

__all__ = ["folder"]

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821


def test_a_folder_gives_a_table_per_statistic(tertium: Tertium, folder: Path) -> None:
    run = tertium(
        "meta", folder, "-m", "bleu", "wer", "-s", "system:spearman", "segment:wmt12", "--samples", "50"
    )
    assert run.code == 0
    assert "system level, Spearman's ρ" in run.out
    assert "segment level, Kendall's τ over rankings (WMT12)" in run.out
    assert "cs-en" in run.out
    assert "average" in run.out
    assert "bleu|nrefs:1" not in run.out
    assert "--signatures shows" in run.out


def test_the_best_metric_is_marked(tertium: Tertium, folder: Path) -> None:
    run = tertium("meta", folder, "-m", "bleu", "wer", "-s", "system:spearman", "--test", "none")
    assert run.out.splitlines()[2].split() == ["bleu", "1.000*", "1.000*", "1.000*"]


def test_json_has_everything(tertium: Tertium, folder: Path) -> None:
    run = tertium(
        "meta", folder, "-m", "bleu", "wer", "-s", "system:pearson", "-f", "json", "--samples", "20"
    )
    document = json.loads(run.out)
    (table,) = document["tables"]
    assert table["statistic"] == "system:pearson"
    column = table["columns"][0]
    assert column["units"] == {"systems": 4}
    wer = column["cells"]["wer"]
    assert wer["signed"] == -wer["value"]
    assert wer["absolute"] == abs(wer["value"])
    assert len(column["p_better"]) == 2


@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_long_tables_have_full_precision(tertium: Tertium, folder: Path, form: str, separator: str) -> None:
    run = tertium("meta", folder, "-m", "bleu", "wer", "-s", "segment:wmt14", "-f", form, "--test", "none")
    rows = list(csv.DictReader(io.StringIO(run.out), delimiter=separator))
    assert [(row["metric"], row["pair"]) for row in rows][:3] == [
        ("bleu", "cs-en"),
        ("wer", "cs-en"),
        ("bleu", "de-en"),
    ]
    assert 0 < float(rows[0]["value"]) <= 1


def test_intervals_stand_behind_the_values(tertium: Tertium, folder: Path) -> None:
    arguments = ("meta", folder, "-m", "bleu", "-s", "segment:wmt14", "--ci", "--samples", "20", "-f")
    assert "[95 % bootstrap interval, 20 samples]" in tertium(*arguments, "text").out
    (first, *_) = csv.DictReader(io.StringIO(tertium(*arguments, "csv").out))
    assert float(first["ci_low"]) <= float(first["value"]) <= float(first["ci_high"])


def test_system_scores_may_be_means_of_segments(tertium: Tertium, folder: Path) -> None:
    arguments = (
        "meta",
        folder,
        "-m",
        "bleu",
        "-s",
        "system:pearson",
        "-f",
        "csv",
        "--test",
        "none",
        "--system-score",
    )
    values = [
        next(csv.DictReader(io.StringIO(tertium(*arguments, kind).out)))["value"]
        for kind in ("own", "mean", "length")
    ]
    assert len(set(values)) == 3


def test_markdown_and_latex_mark_best_and_second_best(tertium: Tertium, folder: Path) -> None:
    arguments = ("meta", folder, "-m", "bleu", "wer", "-s", "system:pearson", "--samples", "20", "-f")
    markdown, latex = tertium(*arguments, "md").out, tertium(*arguments, "latex").out
    assert "| metric | cs-en | de-en | average |" in markdown
    assert "**0.9" in markdown
    assert "_0.9" in markdown
    assert r"\textbf{0.9" in latex
    assert r"\underline{0.9" in latex


def test_scores_written_are_scores_read(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    arguments = ("-s", "system:pearson", "segment:wmt14", "-f", "csv", "--test", "none")
    computed = tertium(
        "meta",
        folder,
        "-m",
        "bleu",
        "wer",
        *arguments,
        "--write-scores",
        tmp_path / "out",
        "--layout",
        "2021",
    )
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "bleu.seg.score", "bleu.sys.score", "wer.seg.score", "wer.sys.score",
    ]  # fmt: skip
    read = tertium("meta", folder, "--scores", tmp_path / "out" / "*.score", "--lower", "wer", *arguments)
    assert read.code == 0
    assert read.out == computed.out


def test_files_instead_of_a_folder(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    human = tmp_path / "human.jsonl"
    rows = [
        {"system": name, "segment": segment, "score": 10 - 3 * i + segment % 2}
        for i, name in enumerate(SYSTEMS)
        for segment in range(1, 5)
    ]
    human.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run = tertium(
        "meta", "-r", folder / "cs-en/ref.txt", "-i", folder / "cs-en/systems/*.txt", "--human", human,
        "-m", "bleu", "-s", "segment:pearson:item", "system:kendall",
    )  # fmt: skip
    assert run.code == 0
    assert "judgments: all 16" in run.out
    assert "1.000*" in run.out


CHALLENGES = """reference	good	bad	phenomenon
The dog sleeps.	The dog is asleep.	The cat is asleep.	noun
He has 25 apples.	He has 25 apples.	He has 52 apples.	number
He has 3 apples.	He owns three fruits.	He has 8 apples.	number
It is late.	Late it is.	Late it is.	order
We go home.	We go home.	Home we go.	order
"""


def test_good_and_bad_translations_give_accuracy_by_phenomenon_and_a_tie_is_wrong(
    tertium: Tertium, write: Callable[[str, str], str]
) -> None:
    write("set.tsv", CHALLENGES)
    rows = [f"{name}\t{n}\t{score}" for n in range(1, 6) for name, score in (("good", 1), ("bad", 0))]
    write("judgments.tsv", "\n".join(["system\tsegment\tscore", *rows, ""]))
    run = tertium(
        "meta", "-r", "set.tsv#reference", "-i", "good=set.tsv#good", "bad=set.tsv#bad", "--columns", "set.tsv",
        "--human", "judgments.tsv", "--by", "phenomenon", "-s", "segment:accuracy:item", "-m", "chrf",
        "-f", "csv", "--test", "none",
    )  # fmt: skip
    found = {row["pair"]: row["value"] for row in csv.DictReader(io.StringIO(run.out))}
    assert [float(found[name]) for name in ("noun", "number", "order")] == [1, 0.5, 0.5]


def test_scores_and_judgments_are_enough(tertium: Tertium, tmp_path: Path) -> None:
    (tmp_path / "en-de.mqm.seg.score").write_text("A\t1\nA\t2\nB\t3\nB\t4\nC\tNone\nC\t9\n", encoding="utf-8")
    (tmp_path / "M.seg.score").write_text("A\t1\nA\t2\nB\t3\nB\t4\nC\t5\nC\t6\n", encoding="utf-8")
    run = tertium(
        "meta",
        "--human",
        tmp_path / "en-de.mqm.seg.score",
        "--scores",
        tmp_path / "M.seg.score",
        "-s",
        "segment:spearman",
    )
    assert run.code == 0
    assert "1.000*" in run.out


@pytest.mark.parametrize(
    ("arguments", "suffixes"),
    [((), [".svg"]), (("--chart-format", "png"), [".png"]), (("--chart-format", "both"), [".png", ".svg"])],
)
def test_charts_are_drawn(
    tertium: Tertium, folder: Path, tmp_path: Path, arguments: tuple[str, ...], suffixes: list[str]
) -> None:
    if ".png" in suffixes:
        pytest.importorskip("vl_convert")
    run = tertium("meta", folder, "-m", "bleu", "-p", "cs-en", "--charts", tmp_path / "c", *arguments)
    assert run.code == 0
    charts = sorted((tmp_path / "c").iterdir())
    names = ["ranking.cs-en", "scatter.cs-en.system.bleu"]
    assert [path.name for path in charts] == [name + suffix for name in names for suffix in suffixes]
    for path in charts:
        assert path.read_bytes().startswith(b"\x89PNG" if path.suffix == ".png" else b"<svg")


def test_charts_without_their_package_are_refused_before_the_work(
    tertium: Tertium, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    run = tertium("meta", folder, "--charts", tmp_path / "c", "--chart-format", "png")
    assert (run.code, run.out) == (1, "")
    assert install_hint("report") in run.err
    assert not (tmp_path / "c").exists()


def test_segments_are_drawn_against_people(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    human = tmp_path / "human.tsv"
    rows = [f"{name}\t{n}\t{9 - 2 * i + n}" for i, name in enumerate(SYSTEMS) for n in range(1, 5)]
    human.write_text("system\tsegment\tscore\n" + "\n".join(rows) + "\n", encoding="utf-8")
    texts = ("-r", folder / "cs-en/ref.txt", "-i", folder / "cs-en/systems/*.txt", "--human", human)
    assert tertium("meta", *texts, "-m", "wer", "--charts", tmp_path / "c").code == 0
    picture = (tmp_path / "c" / "scatter.all.segment.wer.svg").read_text(encoding="utf-8")
    assert "16 judged segments" in picture
    assert "wer (lower is better)" in picture


def test_an_undefined_correlation_is_said_and_is_no_nan(tertium: Tertium, folder: Path) -> None:
    for name in SYSTEMS:
        path = folder / "cs-en" / "systems" / f"{name}.txt"
        path.write_text("same\n" * 4, encoding="utf-8")
    run = tertium("meta", folder, "-m", "bleu", "-s", "system:pearson")
    assert run.code == 0
    assert "– bleu, cs-en: constant scores" in run.out
    assert "nan" not in run.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give a folder, or human judgments with --human FILE"),
        (("{folder}", "-s", "segment:pearson"), "no language pair has human judgments for segment:pearson"),
        (("{folder}", "-s", "system:r"), "the system level has no statistic 'r'"),
        (("{folder}", "-m", "beu"), "unknown metric 'beu'; did you mean bleu?"),
        (
            ("{folder}", "-p", "xx-yy"),
            "--pairs xx-yy: no judged outputs; there are judgments of cs-en, de-en",
        ),
        (("{folder}/nothing",), "is not a folder"),
        (
            ("-r", "{folder}/cs-en/ref.txt", "--human", "{folder}/rankings.tsv"),
            "give both --ref FILE and --hyp FILE",
        ),
        (("--human", "{folder}/rankings.tsv"), "give the outputs with --ref FILE and --hyp FILE"),
    ],
)
def test_a_mistake_is_one_line(
    tertium: Tertium, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    run = tertium("meta", *(argument.replace("{folder}", str(folder)) for argument in arguments))
    assert run.code in (1, 2)
    assert message in run.err
    assert len(run.err.strip().splitlines()) == 1


def test_a_judgment_of_an_unknown_system_stops_unless_told(tertium: Tertium, folder: Path) -> None:
    with (folder / "system-scores.tsv").open("a", encoding="utf-8") as file:
        file.write("cs-en\tghost\t0.5\n")
    run = tertium("meta", folder, "-m", "bleu")
    assert run.code == 1
    assert (
        "system-scores.tsv: line 10 has a judgment of system 'ghost', but cs-en has outputs: best, good, poor, worst"
        in run.err
    )
    assert tertium("meta", folder, "-m", "bleu", "--skip-unknown").code == 0
