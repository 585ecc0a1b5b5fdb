"""`tertium plan` from argv to exit code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as library
from tertium.evaluation.planning import measure_deviation, typical_deviations

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

REFERENCES = [
    "the cat sat on the mat",
    "a dog barked loudly at it",
    "it rained all day",
    "we went home early",
] * 5
OLD = [line.rsplit(" ", 1 + i % 3)[0] for i, line in enumerate(REFERENCES)]
NEW = [line.rsplit(" ", i % 2)[0] for i, line in enumerate(REFERENCES)]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    library.score({"old": OLD, "new": NEW, "same": OLD}, REFERENCES, "sentbleu,wer").save("a.run")
    return "a.run"


def plans(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text)["plans"]
    return found


def test_typical_variances_need_a_difference(tertium: Tertium) -> None:
    found = plans(tertium("plan", "-m", "bleu,chrf", "-d", "0.5", "-f", "json").out)
    assert [row["metric"] for row in found] == ["bleu"] * 3 + ["chrf"] * 3
    similar, typical, different = (row["segments"] for row in found[:3])
    assert similar < typical < different
    wrong = tertium("plan", "-m", "bleu")
    assert (wrong.code, "give the difference to detect with --difference D" in wrong.err) == (2, True)


def test_half_the_difference_needs_four_times_the_segments(tertium: Tertium) -> None:
    one, half = (plans(tertium("plan", "-d", d, "-f", "json").out)[1]["segments"] for d in ("1", "0.5"))
    assert half == pytest.approx(4 * one, rel=0.01)


def test_a_number_of_segments_detects_a_difference(tertium: Tertium) -> None:
    found = plans(tertium("plan", "-n", "1000", "-f", "json").out)[1]
    assert found["difference"] is None
    again = plans(tertium("plan", "-d", str(found["detectable"]), "-n", "1000", "-f", "json").out)[1]
    assert again["segments"] == pytest.approx(1000, abs=1)
    assert again["power"] == pytest.approx(0.8, abs=0.001)


def test_a_run_gives_variance_and_difference(tertium: Tertium, run: str) -> None:
    found = plans(tertium("plan", run, "--systems", "old", "new", "-f", "json", "--cost", "0.5").out)
    evaluation = library.open_run(run).tables
    expected = measure_deviation(evaluation, "wer", "old", "new")
    assert found[1]["deviation"] == pytest.approx(expected.deviation)
    assert found[1]["difference"] == pytest.approx(expected.observed)
    assert found[1]["cost"] == 0.5 * found[1]["segments"]


def test_the_deviation_of_a_mean_is_that_of_its_segments(run: str) -> None:
    evaluation = library.open_run(run).tables
    rows = evaluation.segment_scores("sentbleu")
    gains = rows[1] - rows[0]
    found = measure_deviation(evaluation, "sentbleu", "old", "new")
    assert found.deviation == pytest.approx(np.std(gains, ddof=1), rel=1e-6)


def test_tables_and_power_curve_are_printed(tertium: Tertium) -> None:
    found = tertium("plan", "-d", "0.5").out
    assert "segments needed" in found
    assert "power by the number of segments" in found
    more = tertium("plan", "-d", "0.5", "--comparisons", "10", "--power", "0.9").out
    assert "level 0.005, power 90 %" in more


def test_the_chart_shows_a_curve_for_each_plan() -> None:
    chart = library.plan(metrics="bleu", difference=1.0).plot().to_dict(None)
    line = chart["layer"][0]  # type: ignore[index]
    values = line["data"]["values"]
    assert len({value["plan"] for value in values}) == 3
    assert all(0 <= value["power"] <= 1 for value in values)


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (("-d", "0"), "0 is not in the range", 2),
        (("-d", "-1"), "is not in the range", 2),
        (("-d", "x"), "is not a number", 2),
        (("-d", "1", "--power", "1"), "is not in the range", 2),
        (("-m", "nonesuch", "-d", "1"), "the typical variance of nonesuch is not known", 2),
        (("a.run", "-d", "1"), "two systems are compared, not 3", 2),
        (
            ("a.txt", "-d", "1"),
            "a.txt is not a run; 'tertium score --save' writes one",
            1,
        ),
        (("a.run", "--systems", "old", "nwe", "-d", "1"), "no system 'nwe'; did you mean new?", 2),
        (
            ("a.run", "--systems", "old", "same", "-d", "1"),
            "old and same have the same sentbleu on every segment",
            1,
        ),
    ],
    ids=str,
)
def test_mistakes_are_named(
    tertium: Tertium, run: str, options: tuple[str, ...], message: str, code: int
) -> None:
    found = tertium("plan", *options)
    assert found.code == code, found.err
    assert message in found.err


def test_typical_values_are_ordered() -> None:
    for label, found in typical_deviations().items():
        assert 0 < found["low"] <= found["median"] <= found["high"], label
