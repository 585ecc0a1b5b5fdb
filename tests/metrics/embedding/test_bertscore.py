"""BERTScore against a textbook version."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.greedy_matches import VECTORS, WORDS, cosine, count_ratios, greedy_matches, harmonic
from reference.vectors import BY_HAND
from tertium.metrics import BERTScore
from tertium.text import References, Texts

TEXTS = st.lists(st.sampled_from(WORDS), max_size=9)


@given(hypothesis=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=3))
def test_scores_equal_the_textbook(hypothesis: list[str], references: list[list[str]]) -> None:
    ratios = count_ratios(references)
    metric = BERTScore(vectors=VECTORS, idf=True).fit(References([[" ".join(text)] for text in references]))
    for reference in references:
        precision, recall = greedy_matches(
            hypothesis, reference, order=1, weight=lambda word: math.log(ratios(word)),
            alike=cosine,
        )  # fmt: skip
        one = References([[" ".join(reference)]])
        rows = metric.statistics(Texts([" ".join(hypothesis)], one.vocabulary), one)
        wanted = 100 * harmonic(precision, recall, 0.5)
        assert metric.segment_scores(rows)[0] == pytest.approx(
            wanted, abs=1e-4
        )  # vectors are single precision


def test_small_cases_by_hand() -> None:
    metric = BERTScore(vectors=BY_HAND)
    # recall: a finds a (1); precision: a finds a (1), b finds a (0.6)
    assert metric.sentence_score("a b", ["a"]).details == {
        "precision": pytest.approx(80), "recall": pytest.approx(100),
    }  # fmt: skip
    assert metric.sentence_score("a b", ["a"]).score == pytest.approx(100 * 2 * 0.8 / 1.8)


@pytest.mark.parametrize(("part", "wanted"), [("precision", 0.8), ("recall", 1.0)])
def test_a_part_can_be_the_score(part: str, wanted: float) -> None:
    score = BERTScore(vectors=BY_HAND, part=part).sentence_score("a b", ["a"]).score  # type: ignore[arg-type]
    assert score == pytest.approx(100 * wanted)


def test_the_baseline_is_mapped_to_zero() -> None:
    metric = BERTScore(vectors=BY_HAND, part="recall", baseline=0.6)
    assert metric.sentence_score("b", ["a"]).score == pytest.approx(0, abs=1e-4)
    assert metric.sentence_score("a", ["a"]).score == pytest.approx(100)


def test_an_explanation_links_each_word_with_its_match() -> None:
    explained = BERTScore(vectors=BY_HAND).explain("a b", ["a"])
    assert explained.links == [(0, 0, "1.000"), (1, 0, "0.600")]
    assert explained.steps == ["a – a: 1.000", "b – a: 0.600"]


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a"), ("a", "")])
def test_an_empty_text_has_no_links(hypothesis: str, reference: str) -> None:
    assert list(BERTScore(vectors=BY_HAND).explain(hypothesis, [reference]).links) == []
