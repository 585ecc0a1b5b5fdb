"""WAS, by hand."""

import pytest

from reference.vectors import BY_HAND
from tertium.metrics.embedding.was import WAS


@pytest.mark.parametrize(
    ("hypothesis", "reference", "wanted"),
    [
        ("a b", "a", (1 + 0.6) / 2),
        ("a", "c", 0.0),
        ("", "", 1.0),
    ],
)
def test_small_cases_by_hand(hypothesis: str, reference: str, wanted: float) -> None:
    score = WAS(vectors=BY_HAND).sentence_score(hypothesis, [reference]).score
    assert score == pytest.approx(100 * wanted, abs=1e-4)
