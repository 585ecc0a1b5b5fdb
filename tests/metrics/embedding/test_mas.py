"""MAS, by hand."""

import pytest

from reference.vectors import BY_HAND
from tertium.metrics.embedding.mas import MAS


@pytest.mark.parametrize(
    ("hypothesis", "reference", "wanted"),
    [
        ("a b", "a", ((1 + 0.6) / 2 + 1) / 2),
        ("new", "new", 1.0),
        ("", "a", 0.0),
    ],
)
def test_small_cases_by_hand(hypothesis: str, reference: str, wanted: float) -> None:
    score = MAS(vectors=BY_HAND).sentence_score(hypothesis, [reference]).score
    assert score == pytest.approx(100 * wanted, abs=1e-4)
