"""Values of options are checked by their declarations, and messages name options as their reader writes them."""

import sys
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.cli.main import main
from tertium.errors import TertiumError, argument

DATA = Path(__file__).parents[2] / "examples" / "data"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lowercase": "no"}, "lowercase= must be true or false, not 'no'"),
        ({"scale": 7}, "scale= must be 100 or 1, not 7"),
        ({"threads": 1.5}, "threads= must be a whole number, at least 1, not 1.5"),
        ({"threads": 0}, "threads= must be a whole number, at least 1, not 0"),
        ({"samples": True}, "samples= must be a whole number, at least 1 and at most 1,000,000, not True"),
        (
            {"seed": 1.5},
            "seed= must be a whole number, at least 0 and at most 18,446,744,073,709,551,615, not 1.5",
        ),
        ({"alpha": "0.05"}, "alpha= must be a number, at least 1e-09 and below 1, not '0.05'"),
        ({"alpha": 1.0}, "alpha= must be a number, at least 1e-09 and below 1, not 1.0"),
        ({"alpha": float("nan")}, "alpha= must be a number, at least 1e-09 and below 1, not nan"),
        ({"paired": "x"}, "paired= must be bootstrap, randomization or sacrebleu-bootstrap, not 'x'"),
        ({"engine": "ray"}, "engine= must be local or dask, not 'ray'"),
        ({"columns": 3}, "columns= must be a file, a mapping of lists or a data frame, not 3"),
        ({"baseline": "x"}, "baseline= requires paired=bootstrap"),
        ({"where": [3]}, "where[0] is 3 (int), not a string"),
        ({"metrics": {"bleu": 1}}, "metrics must be a string or a list of strings"),
    ],
)
def test_a_wrong_value_is_named_before_anything_is_scored(options: dict[str, Any], message: str) -> None:
    with pytest.raises(TertiumError) as raised:
        tertium.score(["a b"], ["a b"], **options)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "keywords", "flags", "keyword"),
    [
        (
            ["--baseline", "x"],
            {"baseline": "x"},
            "--baseline requires --paired",
            "baseline= requires paired=",
        ),
        (["--sort", "ter"], {"sort": "ter"}, "--sort ter: no such metric", "sort=ter: no such metric"),
        (["--lower", "x"], {"lower": "x"}, "with --scores NAME=FILE", "with scores=NAME=FILE"),
    ],
)
def test_the_same_mistake_names_the_flag_or_the_keyword(
    arguments: list[str],
    keywords: dict[str, Any],
    flags: str,
    keyword: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = ["-r", str(DATA / "reference.en.txt"), "-i", str(DATA / "systems/aurora.txt")]
    monkeypatch.setattr(sys, "argv", ["tertium", "score", *files, *arguments])
    with pytest.raises(SystemExit):
        main()
    assert flags in capsys.readouterr().err
    with pytest.raises(TertiumError) as raised:
        tertium.score(DATA / "systems/aurora.txt", DATA / "reference.en.txt", **keywords)
    assert keyword in str(raised.value)
    assert argument("sort") == "sort="  # the style of the command line ended with the command


def test_paths_are_scored_as_files_are() -> None:
    result = tertium.score(DATA / "systems/aurora.txt", DATA / "reference.en.txt", "bleu")
    assert round(result["bleu"]["aurora"].value, 2) == 44.80
    both = tertium.score(
        {"a": DATA / "systems/aurora.txt", "b": DATA / "systems/boreas.txt"},
        [DATA / "reference.en.txt"],
        "bleu",
    )
    assert list(both["bleu"]) == ["a", "b"]


def test_every_option_of_the_command_works_in_python(tmp_path: Path) -> None:
    result = tertium.score(
        [DATA / "systems/aurora.txt", DATA / "systems/boreas.txt"],
        DATA / "references.jsonl",
        "chrf",
        by="document",
        ci=True,
        samples=20,
        batch_size=None,
    )
    assert "macro" in result.render()
    parts = tertium.score(
        DATA / "systems/aurora.txt", DATA / "reference.en.txt", batch_size=50, resume=tmp_path / "parts"
    )
    assert round(parts["bleu"]["aurora"].value, 2) == 44.80
    assert list((tmp_path / "parts").iterdir())


def test_a_result_is_shown_compared_and_reported_like_a_run() -> None:
    one = tertium.score({"one": ["a b c", "d e f"]}, ["a b c", "d e f"], "wer")
    two = tertium.score({"two": ["a b x", "d e f"]}, ["a b c", "d e f"], "wer")
    assert tertium.compare(one, two).differences[0].difference == pytest.approx(100 / 6)


def test_a_missing_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'scor'"):
        _ = tertium.scor  # type: ignore[attr-defined]
