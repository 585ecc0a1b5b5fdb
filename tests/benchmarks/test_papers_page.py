"""The papers' page: its sections are made by code that runs, on a tiny copy of the judged data."""

import re
from pathlib import Path

import numpy as np
import pytest

from papers import keeping, pairs_2017, why_was
from papers.keeping import keep_in, kept
from papers.markdown import Pictures
from papers.rated import Rated, assessed, generated, ranked, ranked_alike, score_sentences, system_means
from papers.run import sections

# What the others need is heavy: METEOR's paraphrases, contextual vectors, and whole test sets.
LIGHT = (
    "invwer-correlations",
    "invwer-factors",
    "invwer-rankings",
    "invwer-references",
    "invwer-figures",
    "invwer-claims",
    "modif-examples",
    "was-curves",
    "was-sentences",
    "was-systems",
    "was-transfer",
    "was-why",
    "was-claims",
    "std-heatmaps",
    "std-ablations",
)


@pytest.fixture
def without_meteor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pairs_2017.BASELINES, "METEOR", "ribes")


@pytest.mark.slow
@pytest.mark.usefixtures("without_meteor")
@pytest.mark.parametrize("name", LIGHT)
def test_every_table_of_a_section_is_whole(name: str, judged_data: Path, tmp_path: Path) -> None:
    text = sections(judged_data, None, Pictures(tmp_path))[name]()
    tables = [block.strip().split("\n") for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    assert tables or "![" in text
    for rows in tables:
        assert len(rows) > 2
        assert len({row.count("|") for row in rows}) == 1
    for picture in re.findall(r"!\[[^]]*\]\(images/papers/([^)]*)\)", text):
        assert (tmp_path / picture).read_text(encoding="utf-8").startswith("<svg")


def test_a_system_counts_once_in_a_ranking(judged_data: Path) -> None:
    """A ranking of four systems stands in the file as six pairs."""
    rated = ranked(judged_data / "wmt12", "de-en")
    assert len(rated) == 4 * 12
    assert sorted(set(rated.systems)) == ["best", "fair", "good", "poor"]
    assert rated.names[0] == "best"
    assert rated.human.max() == -1.0


def test_normalised_judges_have_the_same_mean_and_the_same_sentences(judged_data: Path) -> None:
    plain, normal = ranked_alike(judged_data / "wmt12", "de-en")
    assert plain.hypotheses == normal.hypotheses
    assert float(normal.human.mean()) == pytest.approx(0, abs=1e-12)
    assert not np.allclose(plain.human, normal.human)


def test_references_are_different_and_at_most_as_many_as_asked(judged_data: Path) -> None:
    rated = generated(judged_data / "d2t-sfres.jsonl.xz", "quality", 2)
    assert {len(group) for group in rated.references} == {1, 2}
    assert all(len(set(group)) == len(group) for group in rated.references)


def test_was_of_equal_words_over_its_norms_is_the_one_hot_cosine(judged_data: Path) -> None:
    rated = assessed(judged_data / "wmt15", "de-en")
    normed = why_was.over_norms("was:threshold=1")(rated)
    assert 100 * normed == pytest.approx(score_sentences("onehot", rated))


def test_a_longer_sentence_weighs_more_in_a_systems_weighted_mean() -> None:
    rated = Rated("x", ["a", "b"], [["a"], ["b c d"]], ["s", "s"], np.array([0.0, 1.0]))
    assert system_means(rated.human, rated) == pytest.approx([0.5])
    assert system_means(rated.human, rated, by_length=True) == pytest.approx([0.75])


def test_kept_numbers_are_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_FOLDERS", [])
    keep_in(tmp_path / "scores")
    calls = [kept(["a"], lambda: np.array([1.0])), kept(["a"], lambda: np.array([2.0])), kept(["b"], lambda: np.array([3.0]))]  # fmt: skip
    assert [float(call[0]) for call in calls] == [1.0, 1.0, 3.0]
