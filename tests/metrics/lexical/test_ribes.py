"""RIBES: NTT's scores, and the textbook's on repeated words."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.ribes_score import sentence_ribes

from reference.golden_columns import read_columns, read_pairs
from reference.ribes import ribes_score
from tertium.catalog import build_metric
from tertium.errors import OptionError, UnknownNameError
from tertium.kernels.threads import use_threads
from tertium.metrics.lexical.ribes import RIBES

FEW_WORDS = st.lists(st.sampled_from("ab"), min_size=1, max_size=70)
SOME_WORDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=70)
SEQUENCES = st.one_of(FEW_WORDS, SOME_WORDS)


@pytest.mark.parametrize("kind", ["tok", "multi_tok"])
@pytest.mark.parametrize(("column", "lowercase"), [("ribes", True), ("ribes_cased", False)])
def test_scores_equal_ntts_tool(kind: str, column: str, lowercase: bool) -> None:
    pairs, golden = read_pairs(kind), read_columns(f"ribes_{kind}")[column]
    metric = RIBES(tokenizer="none", lowercase=lowercase)
    for name, hypothesis, references in zip(pairs.ids, pairs.hypotheses, pairs.references, strict=True):
        score = metric.sentence_score(hypothesis, references).score
        assert f"{score / 100:.6f}" == f"{golden.segments[name]:.6f}", name
    whole = metric.corpus_score(pairs.hypotheses, pairs.references, orientation="segments").score
    assert f"{whole / 100:.6f}" == f"{golden.corpus:.6f}"


@given(SEQUENCES, SEQUENCES)
@settings(max_examples=200, deadline=None)
def test_scores_equal_the_textbook(hypothesis: list[str], reference: list[str]) -> None:
    ours = RIBES(tokenizer="none").sentence_score(" ".join(hypothesis), [" ".join(reference)]).score
    assert ours == pytest.approx(ribes_score(hypothesis, reference), abs=1e-11)


@given(st.permutations("abcdefghij"), st.permutations("abcdefghijxyz"), st.integers(2, 10))
@settings(deadline=None)
def test_scores_of_distinct_words_equal_nltk(
    reference: list[str], hypothesis: list[str], length: int
) -> None:
    # With repeated words nltk looks at smaller windows than NTT's tool.
    ours = RIBES(tokenizer="none").sentence_score(" ".join(hypothesis), [" ".join(reference[:length])]).score
    assert ours == pytest.approx(100 * sentence_ribes([reference[:length]], hypothesis), abs=1e-11)


@pytest.mark.parametrize(
    ("hypothesis", "references", "score"),
    [
        pytest.param("c d a b", ["a b c d"], 100 * 2 / 6, id="two-of-six-pairs"),
        pytest.param("a b x x", ["a b"], 100 * 0.5**0.25, id="half-aligned"),
        pytest.param("a b", ["a b c d"], 100 * np.exp(-1) ** 0.1, id="too-short"),
        pytest.param("x x x x", ["a", "x"], 0.0, id="a-repeated-word-is-not-told"),
        # By `b a` and `a a`, the words before them, the two `a` stand at places 3 and 1: places 2 3 1 2, of whose
        # six pairs two rise. By the words behind them, as nltk does it, they would be 2 0 1 2.
        pytest.param("b a a b", ["a a b a"], 100 / 3, id="words-before-a-position-are-tried-first"),
        pytest.param("b a", ["a b", "b a"], 100.0, id="best-of-two-references"),
        pytest.param("", ["a b"], 0.0, id="empty-hypothesis"),
        pytest.param("a b", [""], 0.0, id="empty-reference"),
        pytest.param("", [""], 100.0, id="both-empty"),
    ],
)
def test_hand_computed_scores(hypothesis: str, references: list[str], score: float) -> None:
    assert RIBES().sentence_score(hypothesis, references).score == pytest.approx(score, abs=1e-12)


def test_exponents_are_options() -> None:
    metric = RIBES(alpha=1.0, beta=0.0)
    assert metric.sentence_score("a b x x", ["a b c d e f g h"]).score == pytest.approx(50.0)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_scores_do_not_depend_on_threads(threads: int) -> None:
    rng = np.random.default_rng(3)
    lines = [" ".join(map(str, rng.integers(0, 12, 1 + n % 30))) for n in range(600)]
    with use_threads(threads):
        score = RIBES().corpus_score(lines[:300], [lines[300:]], orientation="streams").score
    textbook = [ribes_score(a.split(), b.split()) for a, b in zip(lines[:300], lines[300:], strict=True)]
    assert score == pytest.approx(np.mean(textbook))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"alpha": -0.1}, OptionError, "alpha must be a number at least 0"),
        ({"beta": float("inf")}, OptionError, "beta must be a number at least 0 and at most 100"),
        ({"tokenizer": "space"}, UnknownNameError, "unknown tokenizer 'space'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        build_metric("ribes", options)
