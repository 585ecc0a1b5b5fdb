"""WIL against jiwer."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics import WIL

GOLDEN = golden_table("lexical/error_rates")


def test_wil_equals_jiwer() -> None:
    for key, (hypothesis, reference, _) in golden_pairs(tokenized=True).items():
        score = WIL(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(float(GOLDEN[key]["jiwer_tok:wil"]), abs=1e-12), key


@pytest.mark.parametrize(("hypothesis", "reference", "lost"), [("", "", 0), ("a", "", 1), ("", "a", 1)])
def test_an_empty_text_loses_all_or_nothing(hypothesis: str, reference: str, lost: float) -> None:
    assert WIL().sentence_score(hypothesis, [reference]).score == 100 * lost
