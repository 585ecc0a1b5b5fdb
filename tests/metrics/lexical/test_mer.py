"""MER against jiwer and a textbook version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.edits import count_sequence
from reference.golden import golden_pairs, golden_table
from tertium.metrics import MER

GOLDEN = golden_table("lexical/error_rates")


def test_mer_equals_jiwer() -> None:
    for key, (hypothesis, reference, _) in golden_pairs(tokenized=True).items():
        score = MER(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(float(GOLDEN[key]["jiwer_tok:mer"]), abs=1e-12), key


WORDS = st.lists(st.sampled_from("abcd"), max_size=90)


@given(a=WORDS, b=WORDS)
def test_matches_and_edits_equal_the_textbook(a: list[str], b: list[str]) -> None:
    details = MER(tokenizer="none").sentence_score(" ".join(a), [" ".join(b)]).details
    assert (details["matches"], details["edits"]) == count_sequence(a, b)


def test_long_texts_equal_the_textbook() -> None:
    a, b = ["abcdefg"[k * k % 7] for k in range(700)], ["abcdefg"[k * 3 % 7] for k in range(600)]
    details = MER(tokenizer="none").sentence_score(" ".join(a), [" ".join(b)]).details
    assert (details["matches"], details["edits"]) == count_sequence(a, b)


def test_an_explanation_shows_the_nearest_reference() -> None:
    explained = MER().explain("the cat sat", ["nothing in common", "the cat sat down"])
    assert explained.facts["nearest_reference"] == 2
    assert explained.steps == ["keep     the cat sat", "insert   down"]
