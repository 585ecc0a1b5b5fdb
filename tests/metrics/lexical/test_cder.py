"""CDER against Moses and a textbook version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.edits import cover_distance, levenshtein
from reference.golden import golden_pairs, golden_table
from tertium.metrics import CDER
from tertium.metrics.lexical.cder import trace_cover

GOLDEN = golden_table("lexical/error_rates")
WORDS = st.lists(st.sampled_from("abcd"), max_size=90)


def test_cder_equals_moses() -> None:
    for key, (hypothesis, reference, _) in golden_pairs(tokenized=True).items():
        score = CDER(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(1 - float(GOLDEN[key]["moses_tok:CDER"]), abs=1e-6), key


@given(a=WORDS, b=WORDS)
def test_cder_equals_the_textbook_and_its_steps_cost_as_much(a: list[str], b: list[str]) -> None:
    edits = CDER(tokenizer="none").sentence_score(" ".join(a), [" ".join(b)]).details["edits"]
    assert edits == cover_distance(a, b)
    assert sum(step.kind != "match" for step in trace_cover(a, b)) == edits


@given(a=WORDS, b=WORDS)
def test_cder_never_exceeds_the_edit_distance(a: list[str], b: list[str]) -> None:
    edits = CDER(tokenizer="none").sentence_score(" ".join(a), [" ".join(b)]).details["edits"]
    assert isinstance(edits, float)
    assert edits <= levenshtein(a, b)


def test_an_explanation_shows_the_jumps() -> None:
    explained = CDER(tokenizer="none").explain("e f g h a b c d", ["a b c d e f g h"])
    assert explained.facts["jumps"] == 3
    kept = [f"keep     {word}" for word in "abcdefgh"]
    assert explained.steps == ["jump     to a", *kept[:4], "jump     to e", *kept[4:], "jump     to the end"]
