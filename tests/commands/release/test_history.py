"""The history of a system: planted changes are found, and runs of other test sets are refused."""

from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.catalog import parse_metrics
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.history import measure_history
from tertium.stats.analysis import Analysis

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
    (tmp_path / "out.txt").write_text("a\n")
    with pytest.raises(InputError, match=r"out\.txt is not a run; 'tertium score"):
        tertium.history([releases / "v01.run", tmp_path / "out.txt"])
    with pytest.raises(InputError, match=r"v01\.run is given twice"):
        tertium.history([releases / "v01.run", releases / "v02.run", releases / "v01.run"])
    for name in ("two", "three"):
        tertium.score({"a": ["x y"] * 3, "b": ["x"] * 3}, ["x y"] * 3, "bleu").save(tmp_path / f"{name}.run")
    with pytest.raises(UnknownNameError, match="has the systems"):
        tertium.history([tmp_path / "two.run", tmp_path / "three.run"])


def save_release(folder: Path, name: str, rates: dict[str, float], *, version: str = "") -> str:
    """Save a release whose systems replace this share of the words, by test set."""
    results = {}
    for number, (test_set, rate) in enumerate(rates.items()):
        rng = np.random.default_rng(number)
        references = [" ".join(rng.choice(WORDS, 14)) for _ in range(150)]
        noise = np.random.default_rng(number + 10).random((150, 14))
        texts = [
            " ".join("wrong" if each < rate else word for word, each in zip(text.split(), row, strict=True))
            for text, row in zip(references, noise, strict=True)
        ]
        references[7] += version
        suite = folder / name / test_set / "systems"
        suite.mkdir(parents=True)
        (suite.parent / "ref.txt").write_text("\n".join(references) + "\n")
        (suite / "ours.txt").write_text("\n".join(texts) + "\n")
        results[test_set] = suite
    path = folder / f"{name}.run"
    tertium.score_sets(folder / name, "chrf").save(path)
    return str(path)


def test_the_history_of_many_test_sets_has_their_average(tmp_path: Path) -> None:
    rates = [{"de-en": 0.3, "fr-en": 0.3}, {"de-en": 0.3, "fr-en": 0.3}, {"de-en": 0.1, "fr-en": 0.3}]
    runs = [save_release(tmp_path, f"v{k}", each) for k, each in enumerate(rates)]
    result = tertium.history(runs)
    rows = {(row.test_set, row.release): row for row in result.releases}
    for release in ("v0", "v1", "v2"):
        parts = [rows[name, release].score for name in ("de-en", "fr-en")]
        assert rows[None, release].score == pytest.approx(sum(parts) / 2)
    found = {key for key, row in rows.items() if row.is_significant}
    assert found == {(None, "v2"), ("de-en", "v2")}
    text = result.render()
    assert "de-en" in text
    assert text.count("▲") == 2  # the mark, and its explanation
    assert [row["test_set"] for row in result.to_dict()["releases"][:4]] == ["average"] * 3 + ["de-en"]
    assert result.plot().to_dict()["vconcat"]


def test_another_version_of_one_test_set_is_refused(tmp_path: Path) -> None:
    first = save_release(tmp_path, "v1", {"de-en": 0.2, "fr-en": 0.3})
    other = save_release(tmp_path, "v2", {"de-en": 0.2, "fr-en": 0.3}, version=" !")
    with pytest.raises(InputError, match=r"de-en: v1 and v2 were scored on different test sets.* segment 8 "):
        tertium.history([first, other])


def test_test_sets_that_a_release_lacks_are_named(tmp_path: Path) -> None:
    first = save_release(tmp_path, "v1", {"de-en": 0.2, "fr-en": 0.3})
    other = save_release(tmp_path, "v2", {"de-en": 0.2})
    result = tertium.history([first, other])
    assert list(result.sets) == ["de-en"]
    assert result.notes == ("left out, because not all runs have them: fr-en",)


@pytest.mark.slow
def test_equal_releases_raise_few_alarms() -> None:
    """Ten releases whose outputs differ at random; the tests of all changes are one family at 5 %."""
    rng, n_alarms, n_trials = np.random.default_rng(11), 0, 40
    for _ in range(n_trials):
        quality = rng.normal(50, 15, 120)
        scores = np.clip(quality + rng.normal(0, 6, (10, 120)), 0, 100)
        table = np.stack([scores, np.ones_like(scores)], axis=2)
        releases = Evaluation(
            tuple(f"v{k}" for k in range(10)), tuple(parse_metrics(["sentbleu"])), {"sentbleu": table}, (1, 1)
        )
        rows = measure_history({"": releases}, Analysis(n_samples=500, seed=int(rng.integers(1 << 30))))
        n_alarms += any(row.is_significant for row in rows)
    assert n_alarms <= 6  # with a rate of 5 %, more than 6 of 40 come up once in 300 times
