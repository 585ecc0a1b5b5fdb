"""HWCM's formulas on chains counted by hand."""

import math

import pytest

from reference.trees import HandTrees
from tertium.metrics.syntax.hwcm import HWCM

# Without an entry, every word hangs under the one before it: "a b c" has the chains a, b, c, ab, bc, abc.
TREES = HandTrees({"flat x y": [-1, 0, 0]})


@pytest.mark.parametrize(
    ("hypothesis", "reference", "precisions"),
    [
        ("a b c d", "a b c e", [3 / 4, 2 / 3, 1 / 2, 0]),
        ("a b", "a b c d", [1, 1, 0, 0]),
        ("a a a", "a", [1 / 3, 0, 0]),
        ("flat x y", "flat x y", [1, 1]),
        ("flat y x", "flat x y", [1, 1 / 2, 0]),
        ("x", "a b", [0, 0]),
    ],
    ids=["shorter chains match more", "shallow", "clipped", "flat", "order of words", "nothing shared"],
)
def test_the_score_is_the_mean_precision(hypothesis: str, reference: str, precisions: list[float]) -> None:
    score = HWCM(trees=TREES).sentence_score(hypothesis, [reference]).value
    assert score == pytest.approx(100 * sum(precisions) / len(precisions))


def test_the_geometric_mean_has_epsilon_for_zero() -> None:
    score = HWCM(trees=TREES, mean="geometric").sentence_score("a b c d", ["a b c e"]).value
    assert score == pytest.approx(100 * math.prod([3 / 4, 2 / 3, 1 / 2, 1e-3]) ** 0.25)


def test_nothing_shared_is_worth_nothing_in_either_mean() -> None:
    assert HWCM(trees=TREES, mean="geometric").sentence_score("x y", ["a b"]).value == 0


def test_the_system_score_sums_chains_first() -> None:
    score = HWCM(trees=TREES, order=2).corpus_score(["a b", "c"], [["a x", "c"]], orientation="streams")
    assert score.value == pytest.approx(100 * (2 / 3 + 0 / 1) / 2)
    assert score.details == {"matches": [2, 0], "chains": [3, 1], "reference_chains": [3, 1]}


def test_the_best_reference_counts() -> None:
    metric = HWCM(trees=TREES)
    together = metric.sentence_score("a b c", ["x y", "a b z"]).value
    assert together == metric.sentence_score("a b c", ["a b z"]).value > 0


def test_the_explanation_shows_both_trees_and_shared_chains() -> None:
    explanation = HWCM(trees=TREES).explain("a b b", ["a b b c"])
    assert explanation.steps[:5] == [
        "hypothesis tree (+ marks words of both):",
        "  + a (dep, 1)",
        "    + b (dep, 2)",
        "      + b (dep, 3)",
        "reference tree (+ marks words of both):",
    ]
    assert "        - c (dep, 4)" in explanation.steps
    assert {"  b (2 times)", "  a > b", "  a > b > b"} <= set(explanation.steps)
    assert explanation.facts["shared chains of 2"] == 2
    assert explanation.score == pytest.approx(100 * (1 + 1 + 1 + 0) / 4)
    assert explanation.heads == [-1, 0, 1, 2]
    assert [positions for _, positions, value in explanation.ngrams if value == 0] == [(3,), (2, 3)]
