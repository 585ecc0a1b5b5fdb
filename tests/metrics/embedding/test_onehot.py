"""One-hot vectors against the paper, and by hand."""

import pytest

from reference.golden import golden_pairs
from tertium.metrics.embedding.onehot import OneHot


@pytest.mark.parametrize(("key", "printed"), [("mas1", 0.90), ("mas2", 0.55), ("mas3", 0.64)])
def test_one_hot_gives_the_papers_first_three_numbers(key: str, printed: float) -> None:
    hypothesis, reference, *_ = golden_pairs()[key]
    score = OneHot().sentence_score(hypothesis, [reference]).score
    assert int(score + 1e-7) / 100 == printed  # the paper truncates


@pytest.mark.parametrize(
    ("hypothesis", "reference", "wanted"),
    [
        ("a b", "b a", 1.0),
        ("a a b", "a b b", 4 / 5),
        ("a", "b", 0.0),
        ("", "", 1.0),
        ("", "a", 0.0),
        ("a", "", 0.0),
    ],
)
def test_small_cases_by_hand(hypothesis: str, reference: str, wanted: float) -> None:
    score = OneHot().sentence_score(hypothesis, [reference]).score
    assert score == pytest.approx(100 * wanted, abs=1e-4)
