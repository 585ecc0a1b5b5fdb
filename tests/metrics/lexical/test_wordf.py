"""wordF: chrF++.py's word scores, and sacreBLEU's formula without characters."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from reference.golden_columns import read_columns, read_pairs
from reference.odd_corpora import Corpus, corpora
from tertium.catalog import build_metric
from tertium.errors import OptionError, UnknownNameError
from tertium.metrics.lexical.wordf import WordF
from tertium.text import References, Texts

OPTIONS = st.fixed_dictionaries(
    {"beta": st.integers(0, 4), "lowercase": st.booleans(), "eps_smoothing": st.booleans()}
)


@pytest.mark.parametrize("kind", ["raw", "tok"])
@pytest.mark.parametrize("beta", [1, 2, 3])
def test_segment_scores_equal_chrfpp_py(kind: str, beta: int) -> None:
    pairs, golden = read_pairs(kind), read_columns(f"chrfpp_{kind}")[f"c0w4F{beta}"]
    metric = WordF(beta=beta)
    for name, hypothesis, references in zip(pairs.ids, pairs.hypotheses, pairs.references, strict=True):
        score = metric.sentence_score(hypothesis, references).score
        assert score == pytest.approx(golden.segments[name], abs=5.1e-5), name  # the tool prints four digits


@pytest.mark.parametrize("kind", ["raw", "tok"])
@pytest.mark.parametrize("beta", [1, 2, 3])
def test_system_score_is_chrfpp_pys_but_for_its_repeated_counts(kind: str, beta: int) -> None:
    pairs, golden = read_pairs(kind), read_columns(f"chrfpp_{kind}")[f"c0w4F{beta}"]
    metric, references = WordF(beta=beta), References(pairs.references)
    rows = metric.statistics(Texts(pairs.hypotheses, references.vocabulary), references)
    for i in np.flatnonzero(metric.segment_scores(rows) < 1e-9):
        rows[i] = rows[i - 1]
    assert metric.combine(rows.sum(axis=0)) == pytest.approx(golden.corpus, abs=5.1e-5)


@given(corpora(), st.integers(1, 5), OPTIONS)
@settings(deadline=None)
def test_scores_equal_sacrebleu_without_characters(
    corpus: Corpus, order: int, options: dict[str, Any]
) -> None:
    hypotheses, streams = corpus
    ours = WordF(order=order, **options).corpus_score(hypotheses, streams, orientation="streams").score
    theirs = CHRF(char_order=0, word_order=order, **options).corpus_score(hypotheses, streams).score
    assert ours == theirs


@pytest.mark.parametrize(
    ("hypothesis", "reference", "score"),
    [
        pytest.param("a b c d", "a b d c", 100 * (1 + 1 / 3) / 4, id="one-of-three-bigrams"),
        pytest.param("Hello", "Hello", 25.0, id="three-orders-are-missing"),
        pytest.param("(a)", "(a )", 100 * (2 / 5) / 4, id="one-mark-is-split-off"),
        pytest.param("", "a", 0.0, id="empty-hypothesis"),
        pytest.param("a", "", 0.0, id="empty-reference"),
    ],
)
def test_hand_computed_scores(hypothesis: str, reference: str, score: float) -> None:
    assert WordF(beta=1).sentence_score(hypothesis, [reference]).score == pytest.approx(score, abs=1e-9)


def test_effective_order_gives_short_texts_the_full_scale() -> None:
    assert WordF(eps_smoothing=False).sentence_score("Hello", ["Hello"]).score == 100.0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"order": 0}, OptionError, "order must be a whole number at least 1"),
        ({"beta": -2}, OptionError, "beta must be a number at least 0"),
        ({"tokenizer": "crf"}, UnknownNameError, "unknown tokenizer 'crf'; did you mean chrf"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        build_metric("wordf", options)
