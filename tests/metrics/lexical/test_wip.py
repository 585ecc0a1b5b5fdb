"""WIP against jiwer."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics import WIP

GOLDEN = golden_table("lexical/error_rates")


def test_wip_equals_jiwer() -> None:
    for key, (hypothesis, reference, _) in golden_pairs(tokenized=True).items():
        score = WIP(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(float(GOLDEN[key]["jiwer_tok:wip"]), abs=1e-12), key


def test_counts_are_summed_before_the_formula() -> None:
    score = WIP(tokenizer="none").corpus_score(["b a", ""], [["a b", "b"]], orientation="streams")
    assert score.score == pytest.approx(100 / 6)  # jiwer 4.0: process_words(["a b", "b"], ["b a", ""]).wip


@pytest.mark.parametrize(("hypothesis", "reference", "kept"), [("", "", 1), ("a", "", 0), ("", "a", 0)])
def test_an_empty_text_preserves_all_or_nothing(hypothesis: str, reference: str, kept: float) -> None:
    assert WIP().sentence_score(hypothesis, [reference]).score == 100 * kept
