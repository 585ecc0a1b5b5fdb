"""HAS, by hand."""

import pytest

from reference.vectors import BY_HAND, MadeUpVectors
from tertium.metrics.embedding.has import HAS

MADE_UP = MadeUpVectors()


@pytest.mark.parametrize(
    ("hypothesis", "reference", "wanted"),
    [
        ("a b", "a", 1.0),
        ("b b", "a b", (1 + 0.6) / 2),
        ("nil", "nil", 1.0),
        ("a", "", 0.0),
    ],
)
def test_small_cases_by_hand(hypothesis: str, reference: str, wanted: float) -> None:
    score = HAS(vectors=BY_HAND).sentence_score(hypothesis, [reference]).score
    assert score == pytest.approx(100 * wanted, abs=1e-4)


def test_a_threshold_of_one_counts_equal_words_only() -> None:
    metric = HAS(vectors=MADE_UP, tokenizer="none", threshold=1.0)
    assert metric.sentence_score("a b c d", ["a x c y"]).score == 50


def test_case_counts_only_when_asked_to() -> None:
    assert HAS(vectors=MADE_UP).sentence_score("A", ["a"]).score == 100
    assert HAS(vectors=MADE_UP, lowercase=False).sentence_score("A", ["a"]).score < 100
