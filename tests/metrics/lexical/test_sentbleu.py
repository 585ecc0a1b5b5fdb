"""Sentence BLEU against Moses and nltk."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics.lexical.sentbleu import SentBLEU

PAIRS = golden_pairs(tokenized=True)
GOLDEN = golden_table("foundation")


def test_sentbleu_is_moses_sentence_bleu() -> None:
    for key, (hypothesis, reference, _) in PAIRS.items():
        expected = float(GOLDEN[key]["moses_tok:sentence-bleu"])
        score = SentBLEU().sentence_score(hypothesis, [reference]).score
        assert score / 100 == pytest.approx(expected, abs=1e-6), key  # Moses prints six digits


def test_sentbleu_pools_two_references_as_moses_does() -> None:
    # Moses sentence-bleu on the five pairs with two references
    expected = {"mr1": 0.508133, "mr2": 0.482457, "mr3": 0.124693, "mr4": 0.594604, "mr5": 0.481098}
    for key, value in expected.items():
        hypothesis, *references = PAIRS[key]
        assert SentBLEU().sentence_score(hypothesis, references).score / 100 == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("number", range(1, 8))
def test_chen_and_cherrys_methods_equal_nltks(number: int) -> None:
    metric = SentBLEU(smoothing=f"method{number}")  # type: ignore[arg-type]
    compared = 0
    for key, (hypothesis, reference, _) in PAIRS.items():
        expected = GOLDEN[key][f"nltk_tok:bleu_m{number}"]
        if expected != "ERR":  # nltk's method 6 refuses sentences without a matching trigram
            compared += 1
            score = metric.sentence_score(hypothesis, [reference]).score
            assert score / 100 == pytest.approx(float(expected), abs=1e-9), key
    assert compared > 25
