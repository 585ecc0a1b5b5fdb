"""Presets of the package in runs: saved, computed again, and gone on with."""

from pathlib import Path

import tertium
from tertium.evaluation.runs import open_run

REFERENCE = ["the cat sat on the mat", "it rained all day", "we met at noon"]
OUTPUT = ["a cat was on the mat", "it was raining all day", "at noon we met"]


def test_a_run_of_a_preset_is_computed_again_with_the_same_vectors(tmp_path: Path) -> None:
    result = tertium.score(
        {"one": OUTPUT, "two": REFERENCE[::-1]}, REFERENCE, ["mas@english", "wer_modif@paper"]
    )
    path = str(tmp_path / "a.run")
    result.save(path)
    assert tertium.rerun(path).is_identical
    (record, _) = open_run(path).manifest.records
    assert (record["label"], record["preset"]) == ("mas@english", "english-2")
    assert "|preset:english-2|vectors:tertium-english[" in record["signature"]
