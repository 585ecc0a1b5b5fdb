"""The history of a system: planted changes are found, and runs of other test sets are refused."""

from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import InputError, OptionError, UnknownNameError

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs", "run", "over", "green", "hills"]
RATES = [
    0.30,
    0.30,
    0.30,
    0.15,
    0.15,
    0.15,
    0.15,
    0.35,
    0.35,
    0.35,
]  # better in release 4, worse in release 8


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, rng = tmp_path_factory.mktemp("releases"), np.random.default_rng(7)
    references = [list(rng.choice(WORDS, 14)) for _ in range(200)]
    noise = rng.random((200, 14))
    for number, rate in enumerate(RATES, start=1):
        # Releases of the same quality differ in a few words only.
        errors = np.where(rng.random((200, 14)) < 0.05, rng.random((200, 14)), noise) < rate
        texts = [
            " ".join("wrong" if wrong else word for word, wrong in zip(text, row, strict=True))
            for text, row in zip(references, errors, strict=True)
        ]
        result = tertium.score({"ours": texts}, [" ".join(text) for text in references], "bleu,wer")
        result.save(folder / f"v{number:02}.run")
    return folder


def test_both_planted_changes_are_found(releases: Path) -> None:
    result = tertium.history(releases)
    for label in ("bleu", "wer"):
        found = [
            (row.release, row.gain > 0)
            for row in result.releases
            if row.metric == label and row.is_significant and row.gain is not None
        ]
        assert found == [("v04", True), ("v08", False)]


def test_every_format_has_a_row_per_release(releases: Path) -> None:
    result = tertium.history(releases, metrics="bleu")
    assert len(result.render("csv").splitlines()) == 11
    assert len(result.to_dict()["releases"]) == 10
    text = result.render("text")
    assert "better" in text
    assert "worse" in text
    assert result.plot() is not None


def test_runs_can_be_named_one_by_one(releases: Path) -> None:
    result = tertium.history([releases / "v03.run", releases / "v04.run"], system="ours")
    assert result.labels == ("v03", "v04")
    assert [row.is_significant for row in result.releases] == [False, True, False, True]


def test_another_test_set_is_refused(releases: Path, tmp_path: Path) -> None:
    tertium.score({"ours": ["a b"] * 3}, ["a c"] * 3, "bleu").save(tmp_path / "other.run")
    with pytest.raises(InputError, match="different"):
        tertium.history([releases / "v01.run", tmp_path / "other.run"])


def test_bad_input_is_named(releases: Path, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="at least two runs"):
        tertium.history(releases / "v01.run")
    with pytest.raises(InputError, match=r"has no \.run files"):
        tertium.history(tmp_path)
    tertium.score({"a": ["x y"] * 3, "b": ["x"] * 3}, ["x y"] * 3, "bleu").save(tmp_path / "two.run")
    with pytest.raises(UnknownNameError, match="has the systems"):
        tertium.history([tmp_path / "two.run", tmp_path / "two.run"])
