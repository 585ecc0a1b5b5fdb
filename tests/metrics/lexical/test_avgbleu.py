"""The mean of sentence BLEU against hand counts."""

import pytest

from tertium.metrics.lexical.avgbleu import AvgBLEU


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
