"""PER against Moses and hand counts."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics.lexical.per import PER

GOLDEN = golden_table("foundation")


def test_per_equals_moses() -> None:
    for key, (hypothesis, reference, _) in golden_pairs(tokenized=True).items():
        rate = PER(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert rate == pytest.approx(1 - float(GOLDEN[key]["moses_tok:PER"]), abs=1e-6), key


@pytest.mark.parametrize(
    ("references", "edits", "length"), [(["d c b a", "a"], 0, 2.5), (["a a a a a"], 4, 5)]
)
def test_the_nearest_reference_counts_and_the_average_length_divides(
    references: list[str], edits: int, length: float
) -> None:
    score = PER().sentence_score("a b c d", references)
    assert score.details == {"edits": edits, "reference_length": length}
    assert score.score == pytest.approx(100 * edits / length)


@pytest.mark.parametrize(("hypothesis", "expected"), [("", 0.0), ("three more words", 100.0)])
def test_an_empty_reference_costs_all_or_nothing(hypothesis: str, expected: float) -> None:
    assert PER().sentence_score(hypothesis, [""]).score == expected
