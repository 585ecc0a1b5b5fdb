"""Sentence BLEU and its mean against Moses and nltk."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics.lexical.avgbleu import AvgBLEU
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


def test_avgbleu_is_the_mean_of_unsmoothed_sentences() -> None:
    # 1 for the exact sentence; (5/6 · 3/5 · 2/4 · 1/3) ** (1/4) for the other
    hypotheses = ["the cat sat on the mat", "the cat sat on a mat"]
    score = AvgBLEU().corpus_score(hypotheses, [["the cat sat on the mat"] * 2]).score
    assert score == pytest.approx(100 * (1 + (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25) / 2)


def test_weights_are_the_average_reference_lengths() -> None:
    metric = AvgBLEU(weighted=True)
    groups = [["a b c d e f", "a b"], ["x y"]]  # lengths 4 on average, and 2
    score = metric.corpus_score(["a b c d e f", "p q"], groups, orientation="segments").score
    assert score == pytest.approx(100 * 4 / 6)
