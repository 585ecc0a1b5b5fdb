"""EED against the authors' script, their C++ program and textbook versions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.edits import extended_distance, extended_distance_of_program
from reference.golden import golden_pairs, golden_table
from tertium.catalog import parse_metrics
from tertium.metrics import EED
from tertium.metrics.lexical.eed import prepare

GOLDEN = golden_table("lexical/error_rates")
TEXTS = st.text("ab .é1", max_size=90)
PROGRAM = EED(variant="program")
# It prints six digits of single precision.
SINGLE = 6e-7


def test_eed_equals_the_authors_script() -> None:
    for key, (hypothesis, reference, _) in golden_pairs().items():
        score = EED().sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(float(GOLDEN[key]["eed_raw:eed"]), abs=1e-9), key


@given(a=TEXTS, b=TEXTS)
def test_eed_equals_the_textbook(a: str, b: str) -> None:
    expected = extended_distance(prepare(a), prepare(b))
    assert EED().sentence_score(a, [b]).score == pytest.approx(100 * expected, abs=1e-9)


@pytest.mark.parametrize(
    ("tokenized", "corpus"), [(False, 0.400799), (True, 0.398030)], ids=["raw", "tokens"]
)
def test_the_variant_program_equals_the_authors_program(tokenized: bool, corpus: float) -> None:
    column = f"program_{'tok' if tokenized else 'raw'}:eed"
    pairs = golden_pairs(tokenized=tokenized)
    for key, (hypothesis, reference, _) in pairs.items():
        score = PROGRAM.sentence_score(hypothesis, [reference]).score / 100
        assert score == pytest.approx(float(GOLDEN[key][column]), abs=SINGLE), key
    texts = [[pair[side] for pair in pairs.values()] for side in (0, 1)]
    total = PROGRAM.corpus_score(texts[0], texts[1:], orientation="streams").score / 100
    assert total == pytest.approx(corpus, abs=SINGLE)


@given(a=TEXTS, b=TEXTS)
def test_the_variant_program_equals_its_textbook(a: str, b: str) -> None:
    expected = extended_distance_of_program(prepare(a), prepare(b))
    assert PROGRAM.sentence_score(a, [b]).score == pytest.approx(100 * expected, abs=1e-4)  # single precision


@given(text=TEXTS)
def test_a_text_scores_0_against_itself_by_the_program_and_more_by_the_formula(text: str) -> None:
    assert PROGRAM.sentence_score(text, [text]).score == 0
    assert EED().sentence_score(text, [text]).score > 0


def test_the_preset_program_is_the_variant_program() -> None:
    (made,) = parse_metrics(["eed@program"])
    assert made.metric == PROGRAM


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
