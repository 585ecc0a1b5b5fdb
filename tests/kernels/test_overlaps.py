"""Overlaps equal the textbook twin."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.overlaps import overlap_counts
from tertium.kernels import OVERLAP_FAMILIES, count_overlaps, use_threads
from tertium.text import References, Texts
from tertium.types import FloatArray

WORDS = st.lists(st.sampled_from(["a", "b", "ab", "ba"]), max_size=90)


def count(hypotheses: list[str], groups: list[list[str]]) -> FloatArray:
    references = References(groups)
    texts = Texts(hypotheses, references.vocabulary)
    return count_overlaps(
        texts.tokens("none"),
        texts.characters(keep_space=False),
        references.tokens("none"),
        references.characters(keep_space=False),
        references.offsets,
    )


@settings(max_examples=100, deadline=None)
@given(hypothesis=WORDS, references=st.lists(WORDS, min_size=1, max_size=3))
def test_counts_equal_the_twin(hypothesis: list[str], references: list[list[str]]) -> None:
    rows = count([" ".join(hypothesis)], [[" ".join(reference) for reference in references]])
    assert rows.tolist() == [overlap_counts(hypothesis, reference) for reference in references]


def test_families_by_hand() -> None:
    row = dict(zip(OVERLAP_FAMILIES, count(["a b c"], [["a c b"]])[0].tolist(), strict=True))
    assert row["word1"] == [3, 3, 3]
    assert row["word2"] == [1, 4, 4]  # the beginning and a
    assert row["character2"] == [0, 2, 2]
    assert row["skip1"] == row["skipany"] == [2, 3, 3]  # a b, a c


def test_a_skip_bigram_has_at_most_so_many_words_between() -> None:
    row = dict(zip(OVERLAP_FAMILIES, count(["a x x x b"], [["a y y y b"]])[0].tolist(), strict=True))
    assert [row[f"skip{gap}"][0] for gap in (1, 2, 3, 4, "any")] == [0, 0, 1, 1, 1]


def test_the_number_of_threads_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(list("abcdef"), size=rng.integers(0, 40))) for _ in range(300)]
    results = []
    for threads in (1, 3):
        with use_threads(threads):
            results.append(count(texts, [[text] for text in reversed(texts)]))
    np.testing.assert_array_equal(results[0], results[1])
