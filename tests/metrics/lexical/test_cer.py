"""CER against jiwer."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics import CER

GOLDEN = golden_table("lexical/error_rates")


def test_cer_equals_jiwer() -> None:
    for key, (hypothesis, reference, _) in golden_pairs(tokenized=True).items():
        score = CER().sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(float(GOLDEN[key]["jiwer_tok:cer"]), abs=1e-12), key


@pytest.mark.parametrize(
    ("hypothesis", "reference", "rate"),
    [
        ("  a b ", "a b", 0),
        ("a  b", "a b", 1 / 3),
        ("é", "e\N{COMBINING ACUTE ACCENT}", 1),  # code points, not what is drawn
        ("", "", 0),
        ("any", "", 1),
    ],
)
def test_spaces_count_only_inside_a_text(hypothesis: str, reference: str, rate: float) -> None:
    assert CER().sentence_score(hypothesis, [reference]).score == pytest.approx(100 * rate)


def test_an_explanation_shows_the_nearest_reference() -> None:
    explained = CER().explain("the cat sat", ["nothing in common", "the cat sat down"])
    assert explained.facts["nearest_reference"] == 2
    assert explained.steps == ["keep     the cat sat", "insert    down"]
