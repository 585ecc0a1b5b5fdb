"""Dependency n-grams and their matches equal the textbook twin."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.dependency_ngrams import chains, match_chain, match_structure, structures
from reference.trees import heads_strategy, tree_column
from tertium.kernels.strings import Vocabulary, tokenize_texts
from tertium.kernels.syntax import extract_dependency_ngrams, match_dependency_ngrams
from tertium.kernels.threads import use_threads
from tertium.values import TreeColumn

# Figure 1 of the RED paper.
ANT = "I saw an ant with a magnifier"
ANT_HEADS = [1, -1, 3, 1, 1, 6, 4]


def scores_of(
    hypothesis: str, reference: str, heads: list[int], order: int = 3
) -> dict[tuple[int, ...], float]:
    """The chains' scores; structures are looked up with a leading -1."""
    vocabulary = Vocabulary()
    ngrams = extract_dependency_ngrams(tree_column([heads]), order=order)
    scores = match_dependency_ngrams(
        tokenize_texts([hypothesis], "none", vocabulary),
        tokenize_texts([reference], "none", vocabulary),
        np.array([0, 1]),
        ngrams,
    )
    return {
        ((-1, *positions) if kind == "structure" else positions): score
        for (kind, positions), score in zip(ngrams.of(0), scores.tolist(), strict=True)
    }


def words_of(kind: str, order: int) -> set[tuple[str, ...]]:
    words = ANT.split()
    found = extract_dependency_ngrams(tree_column([ANT_HEADS]), order=order).of(0)
    return {tuple(words[i] for i in positions) for label, positions in found if label == kind}


def test_the_papers_headword_chain_is_found() -> None:
    assert ("saw", "with", "magnifier") in words_of("chain", 3)


def test_the_papers_fixed_structure_is_found() -> None:
    assert ("I", "saw", "an", "ant") in words_of("structure", 4)


def test_the_papers_floating_structure_is_found() -> None:
    assert ("an", "ant", "with", "a", "magnifier") in words_of("structure", 5)


def test_the_papers_matching_score_is_exp_of_minus_one_half() -> None:
    scores = scores_of("I saw an ant with magnifier", ANT, ANT_HEADS)
    assert scores[1, 4, 6] == pytest.approx(math.exp(-0.5), rel=1e-15)


def test_all_ngrams_of_the_papers_tree() -> None:
    assert words_of("chain", 3) == {
        ("saw", "I"), ("saw", "ant"), ("saw", "with"), ("ant", "an"), ("with", "magnifier"), ("magnifier", "a"),
        ("saw", "ant", "an"), ("saw", "with", "magnifier"), ("with", "magnifier", "a"),
    }  # fmt: skip
    assert words_of("structure", 3) == {
        ("I", "saw"), ("an", "ant"), ("a", "magnifier"),
        ("saw", "an", "ant"), ("with", "a", "magnifier"),
    }  # fmt: skip


def test_a_chain_whose_words_change_order_does_not_match() -> None:
    scores = scores_of("ant an saw", ANT, ANT_HEADS)
    assert scores[3, 2] == 0
    assert scores[1, 3] == 0


def test_the_best_of_several_places_counts() -> None:
    # Distances to saw: 5 and 2 instead of 2.
    assert scores_of("saw x ant x x ant", ANT, ANT_HEADS)[1, 3] == 1.0


@pytest.mark.parametrize(
    "hypothesis", ["I saw an ant", "x I saw an", "an I saw an ant"], ids=["start", "inside", "later"]
)
def test_a_structure_matches_where_its_words_stand_together(hypothesis: str) -> None:
    assert scores_of(hypothesis, ANT, ANT_HEADS)[-1, 0, 1] == 1.0


def test_a_structure_with_a_gap_does_not_match() -> None:
    assert scores_of("I never saw", ANT, ANT_HEADS)[-1, 0, 1] == 0.0


def test_a_structure_found_as_fixed_and_as_floating_counts_once() -> None:
    found = extract_dependency_ngrams(tree_column([ANT_HEADS]), order=3).of(0)
    assert found.count(("structure", (2, 3))) == 1


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(sentences=st.lists(heads_strategy(), max_size=3), order=st.integers(1, 5))
def test_extraction_equals_the_twin(sentences: list[list[int]], order: int) -> None:
    ngrams = extract_dependency_ngrams(tree_column(sentences), order=order)
    for i, heads in enumerate(sentences):
        found = ngrams.of(i)
        assert len(found) == len(set(found))
        expected = {("word", path) for path in chains(heads, 1)}
        for n in range(2, order + 1):
            expected |= {("chain", path) for path in chains(heads, n)}
            expected |= {("structure", block) for block in structures(heads, n)}
        assert set(found) == expected


WORDS = st.lists(st.sampled_from("abcd"), max_size=9)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(heads=heads_strategy(), hypothesis=WORDS, data=st.data())
def test_matching_equals_the_twin(heads: list[int], hypothesis: list[str], data: st.DataObject) -> None:
    reference = data.draw(st.lists(st.sampled_from("abcd"), min_size=len(heads), max_size=len(heads)))
    scores = scores_of(" ".join(hypothesis), " ".join(reference), heads, order=4)
    for key, score in scores.items():
        twin = match_structure(key[1:], reference, hypothesis) if key[0] == -1 else None
        expected = match_chain(key, reference, hypothesis) if twin is None else twin
        assert score == pytest.approx(expected, rel=1e-15)


def test_the_number_of_threads_does_not_matter() -> None:
    rng = np.random.default_rng(7)
    texts = [" ".join(rng.choice(list("abcdefgh"), size=rng.integers(1, 80))) for _ in range(300)]
    heads = [[int(rng.integers(-1, max(i, 1))) if i else -1 for i in range(len(t.split()))] for t in texts]
    vocabulary = Vocabulary()
    references = tokenize_texts(texts, "none", vocabulary)
    hypotheses = tokenize_texts(texts[1:] + texts[:1], "none", vocabulary)
    ngrams = extract_dependency_ngrams(tree_column(heads), order=3)
    groups = np.arange(len(texts) + 1)
    results = []
    for threads in (1, 2, 4):
        with use_threads(threads):
            results.append(match_dependency_ngrams(hypotheses, references, groups, ngrams))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@pytest.mark.parametrize("heads", [[1, 0], [0], [5, -1], [-2]], ids=["cycle", "self", "outside", "below"])
def test_heads_that_are_no_tree_are_refused(heads: list[int]) -> None:
    with pytest.raises(ValueError, match="heads must be tokens of their sentence"):
        extract_dependency_ngrams(tree_column([heads]), order=3)


def test_a_long_sentence_of_one_word_is_matched_in_bounded_time() -> None:
    size = 400
    scores = scores_of("a " * size, "a " * size, [-1, *range(size - 1)])
    assert min(scores.values()) == 1.0


def test_no_text_has_no_ngrams() -> None:
    empty = TreeColumn(np.zeros(0, np.int32), np.zeros(1, np.int64), [], [], [])
    assert len(extract_dependency_ngrams(empty, order=3)) == 0
