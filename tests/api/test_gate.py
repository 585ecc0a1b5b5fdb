"""`tertium.gate` with results, paths and runs."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.errors import InputError, OptionError

DATA = Path(__file__).parents[2] / "examples" / "data"
REFERENCE, AURORA, EMBER = (
    DATA / name for name in ("reference.en.txt", "systems/aurora.txt", "systems/ember.txt")
)


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {path.stem: tertium.score({path.stem: path}, REFERENCE, "bleu,chrf") for path in (AURORA, EMBER)}


def test_results_are_gated(results: dict[str, Any], tmp_path: Path) -> None:
    found = tertium.gate(results["ember"], results["aurora"], metrics="bleu", not_worse=0.5)
    assert not found.passes
    assert (found.new, found.base) == ("ember", "aurora")
    assert "see:" not in str(found)  # a result has no file that a command could read
    results["aurora"].save(tmp_path / "a.run")
    same = tertium.gate(EMBER, tmp_path / "a.run", metrics="bleu", not_worse=0.5)
    assert same.findings == found.findings
    mixed = tertium.gate(results["ember"], against=tmp_path / "a.run", metrics="bleu", not_worse=0.5)
    assert mixed.findings == found.findings


def test_a_result_alone_reaches_a_score(results: dict[str, Any]) -> None:
    found = tertium.gate(results["aurora"], metrics="bleu", at_least=40)
    assert found.passes
    assert found.base is None
    assert str(found).startswith("PASS: aurora\n")


def test_results_of_several_test_sets_are_gated(tmp_path: Path) -> None:
    for pair in ("de-en", "fr-en"):
        (tmp_path / pair / "systems").mkdir(parents=True)
        (tmp_path / pair / "ref.txt").write_text(REFERENCE.read_text(encoding="utf-8"), encoding="utf-8")
        (tmp_path / pair / "systems" / "aurora.txt").write_text(
            AURORA.read_text(encoding="utf-8"), encoding="utf-8"
        )
    sets = tertium.score_sets(tmp_path, "bleu")
    found = tertium.gate(sets, metrics="bleu", at_least=40)
    assert [finding.subset for finding in found.findings] == ["de-en", "fr-en"]
    assert found.new == "the result"
    assert tertium.gate(sets["de-en"], metrics="bleu", at_least=40).passes


def test_mistakes_about_results_are_named(results: dict[str, Any]) -> None:
    two = tertium.score({"a": AURORA, "b": EMBER}, REFERENCE, "bleu")
    with pytest.raises(OptionError, match="the result holds 2 systems: a, b; score one alone"):
        tertium.gate(two, metrics="bleu", at_least=40)
    with pytest.raises(InputError, match="the result and the result do not both have the metric ter"):
        tertium.gate(results["aurora"], results["ember"], metrics="ter")
    with pytest.raises(OptionError, match="give against=BASE, or a score to reach with at_least=40"):
        tertium.gate(results["aurora"], metrics="bleu")
    gate: Any = tertium.gate
    with pytest.raises(InputError, match="an input must be a path or a result, not int"):
        gate(3, metrics="bleu", at_least=40)
