"""Vectors of any size give the same scores, and vectors that are not finite are refused."""

import numpy as np
import pytest

from reference.vectors import MadeUpVectors, Vector
from tertium.catalog import build_metric
from tertium.errors import ResourceError
from tertium.interfaces import WordVectors

NAMES = ["std", "was", "mas", "has", "sentvec", "bleu_modif", "wer_modif"]
HYPOTHESES = ["a b c d", "the cat sat on the mat", "one two", "c"]
REFERENCES = [
    ["c a x d", "b d a", "x"],
    ["a cat was on a mat", "the dog", "y"],
    ["two one", "3", "z"],
    ["d", "c", "e"],
]


class ScaledVectors(MadeUpVectors):
    """Made-up vectors times a factor."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def vector(self, word: str) -> Vector:
        return np.asarray(super().vector(word) * np.float64(self.factor), dtype=np.float32)


def score(name: str, factor: float) -> list[float]:
    metric = build_metric(name, {}, {WordVectors: lambda: ScaledVectors(factor)})
    whole = metric.corpus_score(HYPOTHESES, REFERENCES, orientation="segments").score
    return [whole, *(metric.sentence_score(h, r).score for h, r in zip(HYPOTHESES, REFERENCES, strict=True))]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("exponent", [-110, -100, -60, 60, 100, 120])
def test_a_power_of_two_changes_no_digit(name: str, exponent: int) -> None:
    assert score(name, 2.0**exponent) == score(name, 1.0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("factor", [1e30, 1e-30])
def test_very_large_and_very_small_vectors_change_no_score(name: str, factor: float) -> None:
    # The factor rounds each number to single precision anew.
    assert score(name, factor) == pytest.approx(score(name, 1.0), abs=1e-4)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_vector_that_is_not_finite_is_refused_with_its_word(name: str, value: float) -> None:
    class Broken(MadeUpVectors):
        def vector(self, word: str) -> Vector:
            vector = super().vector(word)
            if word == "cat":
                vector[2] = value
            return vector

    metric = build_metric(name, {}, {WordVectors: Broken})
    assert metric.sentence_score("a dog", ["a dog sat"]).score >= 0
    with pytest.raises(ResourceError, match=r"made-up: the vector of 'cat' is not finite"):
        metric.sentence_score("a cat", ["a dog sat"])
