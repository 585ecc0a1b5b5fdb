"""The library from Python."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import InputError, OptionError


def test_one_system_and_plain_references() -> None:
    result = tertium.score(["the cat sat on"], ["the cat sat on"])
    assert result["bleu"]["system"].value == pytest.approx(100)


def test_systems_by_name_with_segments_and_clusters() -> None:
    systems = {"a": ["x y", "z"], "b": ["x", "z"]}
    references: list[list[str | None]] = [["x y", "z"], ["x q", None]]
    result = tertium.score(systems, references, "wer,per", orientation="streams")
    assert list(result["wer"]) == ["a", "b"]
    assert result.segments("wer") == {"a": [0.0, 0.0], "b": [50.0, 0.0]}
    assert set(result.compare().metrics) == {"wer", "per"}
    assert "nrefs:var" in result["wer"]["a"].signature


def test_a_system_of_another_length_is_named() -> None:
    with pytest.raises(InputError, match="system 'b' has 1 segments but the references have 2"):
        tertium.score({"a": ["x", "y"], "b": ["x"]}, ["x", "y"])


@pytest.mark.parametrize(
    ("hypotheses", "references", "metrics"),
    [({}, ["a"], "bleu"), (["a"], ["a", ["b"]], "bleu"), (["a"], ["a"], [])],
)
def test_nothing_to_do_is_an_error(hypotheses: object, references: object, metrics: object) -> None:
    with pytest.raises((InputError, OptionError)):
        tertium.score(hypotheses, references, metrics)  # type: ignore[arg-type]


def test_importing_the_package_does_not_import_numpy() -> None:
    code = "import sys, tertium, tertium.cli.main; print([m for m in ('numpy', 'scipy', 'rich') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.slow
def test_a_plain_score_does_not_wait_for_what_it_does_not_need() -> None:
    names = (
        "numpy.ma",
        "scipy",
        "pyarrow",
        "tertium.metaeval",
        "tertium.evaluation.runs",
        "concurrent.futures",
    )
    code = (
        "import sys, numpy; before = set(sys.modules)\n"  # numpy 1.26 imports numpy.ma itself
        "import tertium; tertium.score(['a b c d'], ['a b c d e'], 'bleu').render('json')\n"
        f"print([name for name in {names} if name in sys.modules.keys() - before])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("references", "message"),
    [
        (3, r"^references must be a list of strings, not 3 \(int\)"),
        ([None, "a"], r"not a mixture; references\[0\] is of type NoneType"),
        (["a", b"a"], r"not a mixture; references\[1\] is of type bytes"),
    ],
)
def test_references_that_are_no_texts_are_refused_by_their_place(references: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tertium.score(["a", "b"], references, "wer")


def test_vectors_that_are_neither_a_file_nor_vectors_are_refused() -> None:
    with pytest.raises(OptionError, match="vectors must be a file, a name or WordVectors, not object"):
        tertium.score(["a"], ["a"], "std", vectors=object())  # type: ignore[arg-type]


def test_the_name_of_a_path_is_not_searched_for_equals_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.txt").write_text("a b c d\n")
    (tmp_path / "1=ref.txt").write_text("x\n")  # what `lr=1=ref.txt` would name on the command line
    result = tertium.score({"lr=1": Path("ref.txt")}, Path("ref.txt"))
    assert result["bleu"]["lr=1"].value == pytest.approx(100)
