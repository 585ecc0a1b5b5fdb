"""Several training runs of one system, from argv to exit code."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tertium as library
from tertium.commands.base.scoring import ScoreRequest
from tertium.declarations import CommandOption, options_of

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

REFERENCES = [f"the cat number {i} sat on the mat" for i in range(60)]


def output(seed: int, quality: float) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(word for word in line.split() if rng.random() < quality) or "x" for line in REFERENCES]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {"ref": REFERENCES, "base": output(9, 0.7)}
    texts |= {f"s{seed}": output(seed, 0.85) for seed in (1, 2, 3)}
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


GIVEN = ("score", "-r", "ref.txt", "-i", "ours=s1.txt,s2.txt,s3.txt", "base.txt", "-m", "wer,chrf")


def test_the_request_is_made_once_and_from_the_files_of_every_run(
    tertium: Tertium, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked, check = Counter[str](), CommandOption.check

    def count(option: CommandOption, value: object) -> object:
        checked[option.name] += 1
        return check(option, value)

    monkeypatch.setattr(CommandOption, "check", count)
    assert tertium(*GIVEN).code == 0
    assert set(checked) == {option.name for option in options_of(ScoreRequest)}
    assert set(checked.values()) == {1}


def test_the_table_has_mean_and_deviation_over_runs(tertium: Tertium, folder: Path) -> None:
    found = json.loads(tertium(*GIVEN, "-f", "json").out)
    singles = library.score({str(i): output(i, 0.85) for i in (1, 2, 3)}, REFERENCES, "wer")["wer"]
    values = [score.value for score in singles.values()]
    (ours,) = (row for row in found["scores"] if (row["system"], row["metric"]) == ("ours", "wer"))
    assert ours["scores"] == values
    assert ours["mean"] == pytest.approx(np.mean(values))
    assert ours["sd"] == pytest.approx(np.std(values, ddof=1))
    (base,) = (row for row in found["scores"] if (row["system"], row["metric"]) == ("base", "wer"))
    assert (base["runs"], base["sd"]) == (1, None)
    assert {(pair["metric"], pair["first"], pair["second"]) for pair in found["pairs"]} == {
        ("wer", "ours", "base"),
        ("chrf", "ours", "base"),
    }


def test_the_text_names_the_model(tertium: Tertium, folder: Path) -> None:
    found = tertium(*GIVEN).out
    assert "Welch–Satterthwaite t test" in found
    assert "base has one run" in found
    assert "WER ↓" in found


def test_a_saved_run_keeps_its_groups(tertium: Tertium, folder: Path) -> None:
    shown = tertium(*GIVEN, "--save", "a.run", "-f", "csv").out
    assert tertium("show", "a.run", "-f", "csv").out == shown
    assert shown.startswith("system,metric,runs,mean,sd\nours,wer,3,")
    assert tertium("rerun", "a.run").code == 0


def test_systems_are_grouped_by_name(tertium: Tertium, folder: Path) -> None:
    given = (
        "score",
        "-r",
        "ref.txt",
        "-i",
        "s1.txt",
        "s2.txt",
        "s3.txt",
        "base.txt",
        "-m",
        "wer,chrf",
        "-f",
        "csv",
    )
    assert tertium(*given, "--group", "ours=s1,s2,s3").out == tertium(*GIVEN, "-f", "csv").out
    texts = {"a": output(1, 0.8), "b": output(2, 0.8), "c": output(3, 0.8)}
    runs = library.score(texts, REFERENCES, "wer", group="x=a,b").training_runs().comparison
    assert runs.groups == {"x": ("a", "b"), "c": ("c",)}


def test_the_scale_applies(tertium: Tertium, folder: Path) -> None:
    found = json.loads(tertium(*GIVEN, "-f", "json", "--scale", "1").out)
    whole = json.loads(tertium(*GIVEN, "-f", "json").out)
    assert found["scores"][2]["mean"] == pytest.approx(whole["scores"][2]["mean"] / 100)
    assert found["pairs"][1]["p_value"] == pytest.approx(whole["pairs"][1]["p_value"])


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (("-i", "ours=s1.txt,,s3.txt"), "one of them is missing", 2),
        (("-i", "ours=s1.txt,"), "one of them is missing", 2),
        (("-i", "ours=s1.txt,none.txt"), "no such file: 'none.txt'", 1),
        (("-i", "s1.txt", "s2.txt", "--group", "ours"), "'ours' is not a group; write NAME=SYSTEM,SYSTEM", 2),
        (("-i", "s1.txt", "s2.txt", "--group", "ours=s1"), "has one run", 2),
        (("-i", "s1.txt", "s2.txt", "--group", "ours=s1,s1"), "has one run", 2),
        (("-i", "s1.txt", "s2.txt", "--group", "ours=s1,s4"), "no system 's4'", 2),
        (("-i", "s1.txt", "s2.txt", "--group", "a=s1,s2", "b=s2,s1"), "is in two groups", 2),
        (("-i", "s1.txt", "s2.txt", "base.txt", "--group", "base=s1,s2"), "two systems are called 'base'", 2),
        (("-i", "s1.txt", "s2.txt", "--group", "a=s1,s2", "--ci"), "--group cannot be combined with --ci", 2),
    ],
    ids=str,
)
def test_mistakes_are_named(
    tertium: Tertium, folder: Path, options: tuple[str, ...], message: str, code: int
) -> None:
    found = tertium("score", "-r", "ref.txt", *options)
    assert (found.code, found.err.count("\n")) == (code, 1), found.err
    assert message in found.err
