"""BEER's features and what its weights make of them."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.beer import family_counts
from tertium.catalog import build_metric
from tertium.errors import OptionError, ResourceError
from tertium.metrics.lexical.beer import (
    BEER,
    BORDERS,
    FAMILIES,
    FEATURES,
    PENALTIES,
    count_families,
    make_features,
)
from tertium.resources.presets import LearnedWeights, load_weights
from tertium.text import References, Texts
from tertium.values import FloatArray

WORDS = st.lists(st.sampled_from(["a", "b", "ab", "ba"]), max_size=90)


def only(**weights: float) -> LearnedWeights:
    return LearnedWeights("test", {name.replace("_", "."): weight for name, weight in weights.items()})


def features_of(hypothesis: str, reference: str) -> dict[str, float]:
    references = References([[reference]])
    row = BEER(weights=only(word1_f1=1)).features(Texts([hypothesis], references.vocabulary), references)[0]
    return dict(zip((*FEATURES, *PENALTIES), row.tolist(), strict=True))


def count(hypotheses: list[str], groups: list[list[str]]) -> FloatArray:
    references = References(groups)
    sides = (Texts(hypotheses, references.vocabulary), references.texts)
    begin, end = (references.vocabulary.intern(border) for border in BORDERS)
    words = [side.tokens("none") for side in sides]
    characters = [side.characters(keep_space=False) for side in sides]
    return count_families(
        (words[0], words[1]), (characters[0], characters[1]), (begin, end), references.offsets
    )


@settings(max_examples=100, deadline=None)
@given(pairs=st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=3))
def test_counts_equal_the_twin(pairs: list[tuple[list[str], list[list[str]]]]) -> None:
    rows = count(
        [" ".join(words) for words, _ in pairs],
        [[" ".join(reference) for reference in group] for _, group in pairs],
    )
    expected = [family_counts(words, reference) for words, group in pairs for reference in group]
    assert rows.tolist() == expected


def test_families_by_hand() -> None:
    row = dict(zip(FAMILIES, count(["a b c"], [["a c b"]])[0].tolist(), strict=True))
    assert row["word1"] == [3, 3, 3]
    assert row["word2"] == [4, 4, 1]  # the beginning and a
    assert row["character2"] == [2, 2, 0]
    assert row["skip1"] == row["skipany"] == [3, 3, 2]  # a b, a c


def test_a_skip_bigram_has_at_most_so_many_words_between() -> None:
    row = dict(zip(FAMILIES, count(["a x x x b"], [["a y y y b"]])[0].tolist(), strict=True))
    assert [row[f"skip{gap}"][2] for gap in (1, 2, 3, 4, "any")] == [0, 0, 1, 1, 1]


def test_features_by_hand() -> None:
    found = features_of("a b b c", "a b")
    assert found["word1.smaller"] == pytest.approx(2 / 4)
    assert found["word1.larger"] == pytest.approx(2 / 2)
    assert found["word1.f1"] == pytest.approx(2 * 2 / 6)
    assert found["word1.geometric"] == pytest.approx((1 / 2) ** 0.5)
    assert found["word2.smaller"] == pytest.approx(2 / 5)  # with both borders
    assert found["imbalance.words"] == pytest.approx(4 / 2 - 1)
    assert found["imbalance.characters"] == pytest.approx(4 / 2 - 1)


def test_equal_texts_have_overlaps_of_one_and_no_penalty() -> None:
    for text in ("cat", "the cat sat", ""):
        found = features_of(text, text)
        assert {found[name] for name in FEATURES} == {1.0}
        assert {found[name] for name in PENALTIES} == {0.0}


def test_the_score_is_the_weighted_mean_minus_penalties() -> None:
    weights = only(word1_f1=3, word1_smaller=1, imbalance_words=0.1)
    score = BEER(weights=weights).sentence_score("a b b c", ["a b"]).value
    assert score == pytest.approx(100 * ((3 * 4 / 6 + 1 / 2) / 4 - 0.1 * 1))


def test_a_large_penalty_stops_at_zero() -> None:
    assert BEER(weights=only(word1_f1=1, imbalance_words=9)).sentence_score("a b c", ["a"]).value == 0


def test_an_empty_side_is_worth_nothing() -> None:
    metric = build_metric("beer", {})
    assert metric.sentence_score("", ["cat"]).value == 0
    assert metric.sentence_score("cat", [""]).value == 0


def test_the_packages_weights_prefer_the_better_translation() -> None:
    metric = build_metric("beer", {})
    reference = ["The guests arrived late because of the snow."]
    better = metric.sentence_score("The guests came late because of snow.", reference).value
    worse = metric.sentence_score("Snow guests because late of the came.", reference).value
    assert better > worse + 10


def test_the_packages_weights_are_shares_of_known_features() -> None:
    weights = load_weights().weights
    assert weights.keys() <= {*FEATURES, *PENALTIES}
    assert sum(weight for name, weight in weights.items() if name in FEATURES) == pytest.approx(1, abs=1e-4)
    assert min(weights.values()) > 0


def test_features_do_not_depend_on_their_neighbours() -> None:
    rng = np.random.default_rng(5)
    counts = rng.integers(0, 9, size=(50, len(FEATURES) // 4, 3)).astype(float)
    lengths = rng.integers(0, 9, size=(50, 4)).astype(float)
    together = make_features(counts, lengths)
    np.testing.assert_array_equal(together[7:8], make_features(counts[7:8], lengths[7:8]))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (only(word9_f1=1), "the weights contain 'word9.f1', which is not one of its features"),
        (only(word1_f1=-1), "weights must not be negative"),
        (only(imbalance_words=1), "that of at least one overlap must be above 0"),
    ],
    ids=["unknown", "negative", "only penalties"],
)
def test_weights_that_do_not_fit_are_refused(weights: LearnedWeights, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        BEER(weights=weights)


@pytest.mark.parametrize("text", ["", "[weights]\nx = 'y'", "[weights", "weights = 3"])
def test_a_broken_file_of_weights_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ResourceError, match=r"mine\.toml has no table \[weights\] of numbers"):
        load_weights(str(tmp_path / "mine.toml"))


def test_a_missing_file_of_weights_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"no such file: .*none\.toml"):
        load_weights(str(tmp_path / "none.toml"))
