"""`tertium tune` from argv to exit code."""

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from metaeval.conftest import folder
from reference.pictures import shapes
from tertium.tuning.trials import Trials

__all__ = ["folder"]

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

SEARCH = ("--option", "max_ngram_order=1:4:1", "--option", "lowercase", "--objective", "system:pearson")


def test_tuning_writes_a_preset_that_score_reads(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    preset = tmp_path / "best.toml"
    run = tertium("tune", folder, "-m", "bleu:tokenizer=intl", *SEARCH, "-o", preset, "-f", "json", "-q")
    assert run.code == 0
    found = json.loads(run.out)
    assert found["trials"] == 8
    assert found["train"] >= found["train_before"]
    assert found["options"]["tokenizer"] == "intl"
    scored = tertium(
        "score",
        "--signatures",
        "-r",
        folder / "cs-en/ref.txt",
        "-i",
        folder / "cs-en/systems/good.txt",
        "-m",
        f"bleu@{preset}",
        "-q",
    )
    assert scored.code == 0
    assert f"preset:{found['preset']}" in scored.out


def test_training_and_held_out_scores_stand_side_by_side(tertium: Tertium, folder: Path) -> None:
    run = tertium("tune", folder, "-m", "bleu", *SEARCH)
    assert "training" in run.out
    assert "on language pairs left out" in run.out
    assert "tertium: trial 1:" in run.err
    single = tertium("tune", folder, "-m", "bleu", *SEARCH, "-p", "cs-en", "-q")
    assert "on held-out data" in single.out
    other = tertium("tune", folder, "-m", "bleu", *SEARCH, "--held-out", folder, "-q")
    assert "on held-out data" in other.out


@pytest.mark.parametrize("search", ["grid", "alternating", "random", "coordinate"])
def test_every_search_runs(tertium: Tertium, folder: Path, search: str) -> None:
    of_random = ("--trials", "5") if search == "random" else ()
    run = tertium("tune", folder, "-m", "bleu", *SEARCH, "--search", search, *of_random, "-f", "json", "-q")
    assert run.code == 0
    assert json.loads(run.out)["search"] == search


def test_a_search_goes_on_where_it_stopped(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    arguments = ("tune", folder, "-m", "bleu", *SEARCH, "--journal", journal, "-f", "json")
    whole = tertium(*arguments)
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + 8
    journal.write_text("".join(lines[:4]) + lines[4][:15], encoding="utf-8")
    resumed = tertium(*arguments)
    assert resumed.out == whole.out
    assert "has 3 trials already" in resumed.err
    assert trial_lines(resumed.err) == trial_lines(whole.err) != []
    assert journal.read_text(encoding="utf-8").count("\n") == 1 + 8
    other = tertium("tune", folder, "-m", "wer", "--option", "lowercase", "--journal", journal)
    assert other.code == 1
    assert "is the journal of another search" in other.err


def trial_lines(err: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith("tertium: trial ")]


@pytest.mark.parametrize("option", ["-o", "--journal"])
def test_a_file_that_cannot_be_written_is_refused_before_the_search(
    tertium: Tertium, folder: Path, tmp_path: Path, option: str
) -> None:
    run = tertium("tune", folder, "-m", "bleu", *SEARCH, option, tmp_path / "nowhere" / "x")
    assert (run.code, run.out) == (1, "")
    assert run.err.startswith("tertium: ")
    assert "there is no folder" in run.err
    assert run.err.count("\n") == 1


def test_there_is_no_best_point_where_none_has_a_value(
    tertium: Tertium, folder: Path, tmp_path: Path
) -> None:
    for system in (folder / "cs-en" / "systems").iterdir():
        system.write_text("x\n" * 4, encoding="utf-8")
    for name in ("poor", "worst"):
        (folder / "de-en" / "systems" / f"{name}.txt").unlink()
    preset = tmp_path / "best.toml"
    run = tertium("tune", folder, "-m", "bleu", *SEARCH, "--skip-unknown", "-o", preset, "-q")
    assert (run.code, run.out) == (1, "")
    assert run.err == (
        "tertium: no trial has a value of the objective: system:pearson of cs-en: constant scores; "
        "system:pearson of de-en: fewer than 3 judged systems\n"
    )
    assert not preset.exists()


def test_a_held_out_score_that_does_not_exist_is_null(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(folder, tmp_path / "other")
    for system in other.glob("*/systems/*"):
        system.write_text("x\n" * 4, encoding="utf-8")
    run = tertium("tune", folder, "-m", "bleu", *SEARCH, "--held-out", other, "-f", "json", "-q")
    assert run.code == 0
    assert "Infinity" not in run.out
    assert json.loads(run.out)["held_out"] is None


def test_an_interrupted_search_says_how_to_go_on(
    tertium: Tertium, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, calls = Trials.run, []

    def run_three(self: Trials, point: dict[str, object]) -> object:
        calls.append(point)
        if len(calls) > 3:
            raise KeyboardInterrupt
        return original(self, point)

    monkeypatch.setattr(Trials, "run", run_three)
    run = tertium("tune", folder, "-m", "bleu", *SEARCH, "--journal", tmp_path / "j.jsonl", "-q")
    assert run.code == 130
    assert "stopped after 3 trials; the same command with --journal" in run.err


def test_one_option_gives_a_table_and_a_curve(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    chart = tmp_path / "curve.svg"
    run = tertium(
        "tune", folder, "-m", "bleu", "--over", "max_ngram_order=1:3:1", "-f", "csv", "--chart", chart
    )
    rows = list(csv.DictReader(io.StringIO(run.out)))
    assert run.code == 0
    assert {row["max_ngram_order"] for row in rows} == {"1", "2", "3"}
    assert {row["statistic"] for row in rows} == {"system:spearman", "segment:wmt12"}
    assert len(shapes(chart.read_text(encoding="utf-8"), "path", group="mark-line")) > 4
    text = tertium("tune", folder, "-m", "bleu", "--over", "smooth_method", "-s", "system:spearman", "-q")
    assert text.out.splitlines()[1].split() == ["smooth_method", "cs-en", "de-en", "average"]


@pytest.mark.slow
@pytest.mark.parametrize("search", ["grid", "alternating"])
def test_an_endless_grid_is_refused_before_anything_is_read(
    tertium: Tertium, tmp_path: Path, search: str
) -> None:
    space = ("smooth_value=0.0001:1:0.0001", "max_ngram_order=1:32:1", "smooth_method", "lowercase")
    more = () if search == "grid" else ("lowercase", "tokenizer=13a,intl", "system")
    run = tertium(
        "tune", tmp_path / "absent", "-m", "bleu", "--option", *space[:3], *more, "--search", search
    )
    assert (run.code, run.out) == (2, "")
    assert "the full grid has 1,280,000 points" in run.err
    assert run.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tune", "{folder}", "-m", "bleu", "--over", "smooth_value=0:1:1e-9"), "more than 10,000 values"),
        (("tune", "{folder}", "-m", "bleu", "--over", "beta=1"), "bleu has no option 'beta'"),
        (("tune", "{folder}", "-m", "bleu", "--over", "smooth_value=0:1"), "has no step"),
        (("tune", "{folder}", "-m", "bleu"), "bleu declares no grid"),
        (
            ("tune", "{folder}", "-m", "bleu", "--option", "lowercase", "--search", "alternating"),
            "needs at least one option in both subsets",
        ),
        (
            ("tune", "{folder}", "-m", "bleu", "--option", "lowercase", "--objective", "system:x"),
            "the system level has no statistic 'x'",
        ),
    ],
)
def test_a_mistake_is_one_line(
    tertium: Tertium, folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    run = tertium(*(argument.replace("{folder}", str(folder)) for argument in arguments), "-q")
    assert run.code in (1, 2)
    assert message in run.err
    assert len(run.err.strip().splitlines()) == 1


@pytest.mark.slow
def test_a_chart_is_drawn_as_its_files_ending_says(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    arguments = ("tune", folder, "-m", "bleu", "--over", "max_ngram_order=1:3:1", "-q", "--chart")
    assert tertium(*arguments, tmp_path / "c.png").code == 0
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("option", "chart", "message", "code"),
    [
        ("lowercase", "c.svg", "lowercase is not a number, so there is no curve to draw", 2),
        ("max_ngram_order=1,2", "c.gif", "c.gif: a picture is written as .svg or .png", 2),
        ("max_ngram_order=3:1:1", "c.svg", "is not a range; write LOW:HIGH:STEP", 2),
        ("max_ngram_order=1:3:0", "c.svg", "is not a range; write LOW:HIGH:STEP", 2),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_refused_before_the_work(
    tertium: Tertium, folder: Path, tmp_path: Path, option: str, chart: str, message: str, code: int
) -> None:
    run = tertium("tune", folder, "-m", "bleu", "--over", option, "--chart", tmp_path / chart, "-q")
    assert (run.code, run.out) == (code, "")
    assert message in run.err
    assert run.err.count("\n") == 1


def test_the_weights_of_a_mix_are_learnt_and_shown_beside_its_parts(
    tertium: Tertium, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "mix.toml"
    asked = ("tune", folder, "--mix", "chrf,bleu,ter", "--objective", "system:pearson", "-q")
    run = tertium(*asked, "-o", path, "-f", "json")
    assert run.code == 0
    found = json.loads(run.out)
    assert [part["label"] for part in found["parts"]] == ["chrf", "bleu", "ter"]
    assert all(part["weight"] >= 0 and part["held_out"] is not None for part in found["parts"])
    assert found["train"] >= max(part["train"] for part in found["parts"])
    assert found["train_before"] == max(round(part["train"], 6) for part in found["parts"])
    text = tertium(*asked)
    assert "chrf alone: training" in text.out
    assert "best metric alone" in text.out
    files = ("-r", folder / "cs-en/ref.txt", "-i", folder / "cs-en/systems/good.txt", "-q", "--signatures")
    scored = tertium("score", *files, "-m", f"mix@{path}")
    assert scored.code == 0
    assert f"preset:{found['preset']}" in scored.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--mix", "chrf"), "a mix has 2 to 10 metrics, not 1"),
        (("--mix", "chrf,nosuch"), "unknown metric 'nosuch'"),
        (("--mix", "chrf,bleu", "-m", "bleu"), "leave out --metrics"),
        (("--mix", "chrf,bleu", "--option", "beta"), "leave out --option"),
        (("--mix", "chrf,bleu", "--search", "random"), "leave out --search random"),
        ((), "--metrics is missing"),
    ],
)
def test_a_wrong_request_for_a_mix_is_one_line(
    tertium: Tertium, folder: Path, options: tuple[str, ...], message: str
) -> None:
    run = tertium("tune", folder, *options, "-q")
    assert run.code in (1, 2)
    assert message in run.err
    assert len(run.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("-m", "bleu", "--option", "lowercase"),
            "--over tries every value of one option; leave out --option",
        ),
        (
            ("-m", "bleu", "--search", "random"),
            "--over tries every value of one option; leave out --search random",
        ),
        (("--mix", "bleu,chrf"), "--over tries every value of one option; leave out --mix"),
    ],
)
def test_a_curve_is_about_one_option_of_one_metric(
    tertium: Tertium, folder: Path, options: tuple[str, ...], message: str
) -> None:
    run = tertium("tune", folder, *options, "--over", "max_ngram_order=1,2", "-q")
    assert (run.code, run.err) == (2, f"tertium: {message}\n")


def test_a_chart_requires_one_option(tertium: Tertium, folder: Path) -> None:
    run = tertium("tune", folder, "-m", "bleu", *SEARCH, "--chart", "c.svg", "-q")
    assert (run.code, run.err) == (2, "tertium: --chart requires --over OPTION\n")


def test_the_best_value_of_one_option_can_be_saved(tertium: Tertium, folder: Path, tmp_path: Path) -> None:
    asked = ("tune", folder, "-m", "bleu", "-s", "system:pearson", "-q", "-f", "json")
    curve = json.loads(tertium(*asked, "--over", "max_ngram_order=1:4:1", "-o", tmp_path / "best.toml").out)
    sums = {
        trial["point"]["max_ngram_order"]: sum(trial["values"]["system:pearson"].values())
        for trial in curve["trials"]
    }
    assert (
        f"max_ngram_order = {max(sums, key=lambda order: sums[order])}"
        in (tmp_path / "best.toml").read_text()
    )
