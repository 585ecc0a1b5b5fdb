"""EED against the authors' script and a textbook version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.edits import extended_distance
from reference.golden import golden_pairs, golden_table
from tertium.metrics import EED
from tertium.metrics.lexical.eed import prepare

GOLDEN = golden_table("lexical/error_rates")
TEXTS = st.text("ab .é1", max_size=90)


def test_eed_equals_the_authors_script() -> None:
    for key, (hypothesis, reference, _) in golden_pairs().items():
        score = EED().sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(float(GOLDEN[key]["eed_raw:eed"]), abs=1e-9), key


@given(a=TEXTS, b=TEXTS)
def test_eed_equals_the_textbook(a: str, b: str) -> None:
    expected = extended_distance(prepare(a), prepare(b))
    assert EED().sentence_score(a, [b]).score == pytest.approx(100 * expected, abs=1e-9)


def test_the_system_score_is_the_mean() -> None:
    hypotheses, references = ["the cat", "a dog sat"], [["the cat sat", "a dog"]]
    scores = [EED().sentence_score(h, [r]).score for h, r in zip(hypotheses, references[0], strict=True)]
    score = EED().corpus_score(hypotheses, references, orientation="streams")
    assert score.score == pytest.approx(sum(scores) / 2)


def test_an_explanation_shows_the_parts_of_the_formula() -> None:
    explained = EED().explain("the cat sat", ["nothing in common", "the cat sat down"])
    assert explained.facts["nearest_reference"] == 2
    assert explained.steps == [
        "the cheapest path costs 5.0 for 18 characters of the reference",
        "positions of the hypothesis that are not visited exactly once cost 1.8",
    ]
