"""`tertium score --save` and `tertium show` from argv to exit code."""

import csv
import io
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
METRICS = ("-m", "bleu,ter:normalized=yes")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return tmp_path / "today.run"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "csv", "tsv", "md", "latex", "html"])
@pytest.mark.parametrize(
    "options", [(), ("--ci", "--paired", "bootstrap", "--samples", "100")], ids=["plain", "ci"]
)
def test_show_prints_what_score_printed(
    tertium: Tertium, saved: Path, form: str, options: tuple[str, ...]
) -> None:
    first = tertium(*SCORE, *METRICS, *options, "-f", form, "--save", saved)
    assert first.code == 0
    assert tertium("show", saved, "-f", form).out == first.out
    if options:
        tertium(*SCORE, *METRICS, "--save", saved, "-o", saved.with_suffix(".txt"))
        assert tertium("show", saved, "-f", form, *options).out == first.out


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_show_prints_the_segments_that_score_printed(tertium: Tertium, saved: Path, form: str) -> None:
    first = tertium(*SCORE, *METRICS, "--segments", "--scale", "1", "-f", form, "--save", saved, "--no-texts")
    assert tertium("show", saved, "-t", "segments", "-f", form).out == first.out


def test_show_lists_what_else_a_run_holds(tertium: Tertium, saved: Path) -> None:
    tertium(*SCORE, *METRICS, "--save", saved)

    def rows(table: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(tertium("show", saved, "-t", table, "-f", "csv").out)))

    assert [row["role"] for row in rows("inputs")] == ["reference", "system", "system"]
    assert rows("signatures")[0]["signature"].startswith("bleu|nrefs:1|")
    assert "normalized=yes" in rows("metrics")[1]["options"]
    assert [row["system"] for row in rows("systems")] == ["aurora", "boreas"]
    assert rows("run")[1]["value"].startswith("tertium score -r")
    assert tertium("show", saved, "-t", "columns").code == 0


def test_a_run_that_cannot_be_written_is_refused_before_scoring(tertium: Tertium, tmp_path: Path) -> None:
    run = tertium(*SCORE, "--save", tmp_path / "none" / "x.run")
    assert run.code == 1
    assert run.out == ""
    assert "there is no folder" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*SCORE, "--no-texts"), "--no-texts requires --save"),
        (("show", "none.run"), "no such file: 'none.run'"),
        (("show", ROOT / "reference.en.txt"), "damaged or truncated"),
        (("show", "x.run", "-t", "scored"), "is not one of"),
    ],
    ids=["no-texts", "missing", "text", "table"],
)
def test_mistakes_are_one_line(tertium: Tertium, arguments: tuple[str, ...], message: str) -> None:
    run = tertium(*arguments)
    assert run.code in (1, 2)
    assert message in run.err
    assert run.err.count("\n") == 1


def test_a_baseline_that_a_run_lacks_is_refused(tertium: Tertium, saved: Path) -> None:
    tertium(*SCORE, "--save", saved)
    run = tertium("show", saved, "--paired", "bootstrap", "--baseline", "zephyr")
    assert run.code == 2
    assert "not among the systems: aurora, boreas" in run.err


def test_the_manifest_is_plain_json(tertium: Tertium, saved: Path) -> None:
    import zipfile  # noqa: PLC0415

    tertium(*SCORE, *METRICS, "--save", saved)
    with zipfile.ZipFile(saved) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert (manifest["kind"], manifest["format"]) == ("tertium run", 2)
    assert manifest["metrics"][0]["options"]["tokenizer"] == "13a"
    assert len(manifest["metrics"][0]["totals"]) == 2
