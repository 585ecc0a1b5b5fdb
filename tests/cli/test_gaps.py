"""Commands compare systems on the segments that all of them have a score for, and say how many there are."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821
ROOT = Path(__file__).parent.parent.parent / "examples" / "data"
MISSING = {"aurora": range(80), "boreas": range(60, 100)}
SCORES = {
    name: [None if i in missing else float((i * i + shift) % 37) for i in range(200)]
    for (name, missing), shift in zip(MISSING.items(), (0, 9), strict=True)
}
MEANS = {
    name: float(np.mean([value for value in rows[100:] if value is not None]))
    for name, rows in SCORES.items()
}
COUNT = "no score for 80 of aurora, 40 of boreas; scores and tests use the 100 segments that every system has a score for"  # fmt: skip


@pytest.fixture
def scored(tmp_path: Path) -> tuple[str, ...]:
    """The arguments of `score` for two systems with gaps in the scores of a judge."""
    path = tmp_path / "judge.json"
    path.write_text(json.dumps({name: [{"score": row} for row in rows] for name, rows in SCORES.items()}))
    systems = (ROOT / "systems/aurora.txt", ROOT / "systems/boreas.txt")
    return ("-r", str(ROOT / "reference.en.txt"), "-i", *map(str, systems), "--scores", str(path))


@pytest.fixture
def both(tertium: Tertium, scored: tuple[str, ...], tmp_path: Path) -> Path:
    """A run of both systems."""
    assert tertium("score", *scored, "-q", "--save", tmp_path / "both.run").code == 0
    return tmp_path / "both.run"


@pytest.fixture
def runs(tertium: Tertium, scored: tuple[str, ...], tmp_path: Path) -> list[Path]:
    """A run of each system."""
    paths = [tmp_path / f"{name}.run" for name in SCORES]
    for path, output in zip(paths, scored[3:5], strict=True):
        options = (*scored[:3], output, *scored[5:])
        assert tertium("score", *options, "-q", "--save", path).code == 0
    return paths


def test_scores_and_tests_use_the_common_segments(tertium: Tertium, scored: tuple[str, ...]) -> None:
    run = tertium("score", *scored, "--paired", "bootstrap", "-f", "json")
    rows = {each["name"]: each["scores"]["judge"] for each in json.loads(run.out)["systems"]}
    assert {name: row["score"] for name, row in rows.items()} == pytest.approx(MEANS)
    assert COUNT in run.err


def test_the_same_difference_is_shown_everywhere(
    tertium: Tertium, scored: tuple[str, ...], both: Path, runs: list[Path]
) -> None:
    first, second = (f"{MEANS[name]:.2f}" for name in SCORES)
    change = f"{MEANS['boreas'] - MEANS['aurora']:+.2f}"
    for arguments in (("show", both), ("compare", *runs), ("compare", both), ("history", *runs)):
        run = tertium(*arguments)
        assert run.code == 0, arguments
        assert first in run.out, arguments
        assert second in run.out, arguments
        assert COUNT in run.out + run.err, arguments
        assert arguments[0] == "show" or change in run.out, arguments
    plan = json.loads(tertium("plan", *runs, "-f", "json").out)
    assert MEANS["boreas"] - MEANS["aurora"] == pytest.approx(plan["plans"][-1]["difference"])


def test_p_values_are_those_of_the_common_segments(tertium: Tertium, runs: list[Path], both: Path) -> None:
    whole = json.loads(tertium("compare", *runs, "-f", "json").out)["metrics"]
    shown = json.loads(tertium("show", both, "--paired", "bootstrap", "-f", "json").out)
    p_value = shown["systems"][1]["scores"]["judge"]["p_value"]
    assert whole[-1]["p_value"] == pytest.approx(p_value)


def test_the_page_of_a_report_says_how_many_segments_are_compared(
    tertium: Tertium, runs: list[Path], tmp_path: Path
) -> None:
    assert tertium("report", *runs, "-o", tmp_path / "page.html").code == 0
    assert COUNT in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["score", "compare", "plan", "history", "report"])
def test_systems_without_a_common_segment_are_one_error(
    tertium: Tertium, command: str, scored: tuple[str, ...], tmp_path: Path
) -> None:
    path = Path(scored[-1])
    gaps = {"aurora": range(100), "boreas": range(100, 200)}
    rows = {name: [{"score": None if i in gaps[name] else 1.5} for i in range(200)] for name in gaps}
    path.write_text(json.dumps(rows))
    if command == "score":
        run = tertium("score", *scored)
    else:
        runs = [tmp_path / f"{name}.run" for name in gaps]
        for each, output in zip(runs, scored[3:5], strict=True):
            tertium("score", *scored[:3], output, *scored[5:], "-q", "--save", each)
        more = ("-o", tmp_path / "page.html") if command == "report" else ()
        run = tertium(command, *runs, *more)
    assert run.code == 1
    assert run.err.count("tertium: judge") == 1
    message = "there is no score for 100 of aurora, 100 of boreas: leave the metric or the system out"
    assert message in run.err
    assert "Traceback" not in run.err
