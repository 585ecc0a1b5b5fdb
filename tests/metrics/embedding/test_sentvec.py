"""Sentence vectors, by hand."""

import pytest

from reference.vectors import BY_HAND
from tertium.metrics.embedding.sentvec import SentVec


@pytest.mark.parametrize(
    ("hypothesis", "reference", "wanted"),
    [
        ("a b", "b a", 1.0),
        ("a", "b", 0.6),
        ("a", "c", 0.0),
        ("new", "new", 1.0),
        ("new", "newer", 0.0),
        ("new newer", "newer new", 1.0),
        ("new new", "new newer", 0.0),
        ("a c", "a c", 1.0),
        ("", "", 1.0),
        ("", "a", 0.0),
    ],
)
def test_small_cases_by_hand(hypothesis: str, reference: str, wanted: float) -> None:
    score = SentVec(vectors=BY_HAND).sentence_score(hypothesis, [reference]).score
    assert score == pytest.approx(100 * wanted, abs=1e-4)
