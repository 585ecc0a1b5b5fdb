"""`tertium score --scores` from argv to exit code."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

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
def comet(tertium: Tertium, tmp_path: Path) -> Path:
    """Segment scores of a metric of ours, as another tool might give them."""
    run = tertium(*SCORE, "-m", "chrf", "--segments", "-f", "tsv")
    path = tmp_path / "comet.tsv"
    path.write_text(run.out)
    return path


def test_given_scores_are_a_metric_with_its_mean(tertium: Tertium, comet: Path) -> None:
    run = tertium(*SCORE, "-m", "wer", "--scores", comet, "--ci", "--paired", "bootstrap", "-f", "json")
    found = json.loads(run.out)
    rows = [line.split("\t") for line in comet.read_text().splitlines()[1:]]
    scores = [float(row[3]) for row in rows if row[0] == "aurora"]
    assert found["systems"][0]["scores"]["comet"]["score"] == pytest.approx(sum(scores) / len(scores))
    assert found["systems"][0]["scores"]["comet"]["ci_low"] < sum(scores) / len(scores)
    assert found["metrics"][1]["signature"].startswith("comet|given|bs:1000|seed:12345|sha256:")
    assert "p_value" in found["systems"][1]["scores"]["comet"]


def test_lower_turns_the_order(tertium: Tertium, comet: Path) -> None:
    run = tertium(*SCORE, "-m", "wer", "--scores", f"errors={comet}", "--lower", "errors")
    assert "errors ↓" in run.out


def test_small_scores_get_four_digits(tertium: Tertium, tmp_path: Path) -> None:
    path = tmp_path / "comet.json"
    rows = [{"COMET": 0.81234}] * 200
    path.write_text(json.dumps({"x/aurora.txt": rows, "x/boreas.txt": rows}))
    assert "0.8123" in tertium(*SCORE, "--scores", path).out


def test_given_scores_follow_the_segments_that_are_chosen(tertium: Tertium, comet: Path) -> None:
    options = ("-m", "wer", "--scores", comet, "--where", "length>25", "-f", "json")
    part = json.loads(tertium(*SCORE, *options).out)
    chrf = json.loads(tertium(*SCORE, "-m", "chrf", "--where", "length>25", "--segments", "-f", "json").out)
    scores = chrf["systems"][1]["segments"]["chrf"]
    assert part["systems"][1]["scores"]["comet"]["score"] == pytest.approx(sum(scores) / len(scores))


def test_a_run_keeps_given_scores(tertium: Tertium, comet: Path, tmp_path: Path) -> None:
    saved = tmp_path / "x.run"
    options = ("-m", "wer", "--scores", comet, "--lower", "comet", "--ci", "--samples", "50")
    first = tertium(*SCORE, *options, "--save", saved)
    assert tertium("show", saved).out == first.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "wer", "--scores", "wer=x.txt"), "metric 'wer' is given twice"),
        (("--lower", "comet"), "--lower comet: no such metric among the given scores"),
        (("--scores", "c=none.tsv"), "none.tsv"),
    ],
    ids=["twice", "lower", "missing"],
)
def test_mistakes_are_one_line(tertium: Tertium, options: tuple[str, ...], message: str) -> None:
    run = tertium(*SCORE, *options)
    assert run.code in (1, 2)
    assert message in run.err
    assert run.err.count("\n") == 1


def test_gaps_in_given_scores_are_counted(tertium: Tertium, tmp_path: Path) -> None:
    for name, text in {"ref.txt": "a\nb\nc\n", "one.txt": "a\nb\nc\n", "scores.txt": "1\n\n3\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    run = tertium(
        "score",
        "-r",
        tmp_path / "ref.txt",
        "-i",
        tmp_path / "one.txt",
        "--scores",
        f"judge={tmp_path}/scores.txt",
    )
    assert run.code == 0
    assert "2.00" in run.out
    assert "judge: of 3 segments, there is no score for 1 of one" in run.err
