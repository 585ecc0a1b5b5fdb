"""YiSi1 against a textbook version."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.greedy_matches import VECTORS, WORDS, cosine, count_ratios, greedy_matches, harmonic
from reference.vectors import BY_HAND
from tertium.metrics import YiSi1
from tertium.text import References, Texts

TEXTS = st.lists(st.sampled_from(WORDS), max_size=9)


@given(hypothesis=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=3))
def test_scores_equal_the_textbook(hypothesis: list[str], references: list[list[str]]) -> None:
    ratios = count_ratios(references)
    metric = YiSi1(vectors=VECTORS).fit(References([[" ".join(text)] for text in references]))
    for reference in references:
        precision, recall = greedy_matches(
            hypothesis, reference, order=3, weight=lambda word: math.log(1 + ratios(word)),
            alike=cosine,
        )  # fmt: skip
        one = References([[" ".join(reference)]])
        rows = metric.statistics(Texts([" ".join(hypothesis)], one.vocabulary), one)
        wanted = 100 * harmonic(precision, recall, 0.8)
        assert metric.segment_scores(rows)[0] == pytest.approx(
            wanted, abs=1e-4
        )  # vectors are single precision


def test_the_order_of_words_counts_and_can_be_ignored() -> None:
    aligned, shuffled = "a b c d", "d c b a"
    assert YiSi1(vectors=VECTORS).sentence_score(shuffled, [aligned]).score < 99
    assert YiSi1(vectors=VECTORS, order=1).sentence_score(shuffled, [aligned]).score == pytest.approx(100)


def test_an_explanation_has_precision_and_recall() -> None:
    explained = YiSi1(vectors=BY_HAND).explain("a b", ["b a", "a b"])
    assert explained.facts == {"precision": pytest.approx(100), "recall": pytest.approx(100)}
    assert explained.matrices["similarity"].shape == (2, 2)
