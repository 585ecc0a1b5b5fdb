"""chrF: sacreBLEU's scores to the last digit, chrF++.py's for segments with its smoothing."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from reference.golden_columns import read_columns, read_pairs
from reference.odd_corpora import Corpus, corpora, texts
from reference.overlap import chrf_score
from tertium.catalog import build_metric
from tertium.corpus import read_corpus
from tertium.errors import OptionError
from tertium.metrics.lexical.chrf import ChrF

COLUMNS: dict[str, dict[str, Any]] = {
    "chrf2": {},
    "chrf1": {"beta": 1},
    "chrf3": {"beta": 3},
    "chrf2pp": {"word_order": 2},
    "chrf2_eps": {"eps_smoothing": True},
    "chrf2pp_eps": {"word_order": 2, "eps_smoothing": True},
    "chrf1_eps": {"beta": 1, "eps_smoothing": True},
    "chrf3_eps": {"beta": 3, "eps_smoothing": True},
    "chrf2_ws": {"whitespace": True},
    "chrf2_lc": {"lowercase": True},
}
POPOVIC_COLUMNS: dict[str, dict[str, Any]] = {
    "c6w0F1": {"beta": 1},
    "c6w0F2": {"beta": 2},
    "c6w0F3": {"beta": 3},
    "c6w2F2": {"beta": 2, "word_order": 2},
    "c6w2F3": {"beta": 3, "word_order": 2},
}

OPTIONS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.integers(0, 4),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)


@pytest.mark.parametrize("kind", ["raw", "tok", "multi_raw", "multi_tok"])
@pytest.mark.parametrize("column", COLUMNS)
def test_scores_equal_sacrebleus_published_digits(kind: str, column: str) -> None:
    pairs, golden = read_pairs(kind), read_columns(f"chrf_{kind}")[column]
    metric = ChrF(**COLUMNS[column])
    for name, hypothesis, references in zip(pairs.ids, pairs.hypotheses, pairs.references, strict=True):
        score = metric.sentence_score(hypothesis, references).score
        assert f"{score:.9f}" == f"{golden.segments[name]:.9f}", name
    whole = metric.corpus_score(pairs.hypotheses, pairs.references, orientation="segments").score
    assert f"{whole:.9f}" == f"{golden.corpus:.9f}"


@pytest.mark.parametrize("kind", ["raw", "tok"])
@pytest.mark.parametrize("column", POPOVIC_COLUMNS)
def test_smoothed_segments_equal_chrfpp_py(kind: str, column: str) -> None:
    pairs, golden = read_pairs(kind), read_columns(f"chrfpp_{kind}")[column]
    metric = ChrF(eps_smoothing=True, **POPOVIC_COLUMNS[column])
    for name, hypothesis, references in zip(pairs.ids, pairs.hypotheses, pairs.references, strict=True):
        score = metric.sentence_score(hypothesis, references).score
        assert score == pytest.approx(golden.segments[name], abs=5.1e-5), name  # the tool prints four digits


@given(corpora(), OPTIONS)
@settings(deadline=None)
def test_corpus_scores_equal_sacrebleu_on_odd_text(corpus: Corpus, options: dict[str, Any]) -> None:
    hypotheses, streams = corpus
    ours = ChrF(**options).corpus_score(hypotheses, streams, orientation="streams").score
    assert ours == CHRF(**options).corpus_score(hypotheses, streams).score


@given(texts, st.lists(texts, min_size=1, max_size=3), OPTIONS)
@settings(deadline=None)
def test_segment_scores_equal_sacrebleu_on_odd_text(
    hypothesis: str, references: list[str], options: dict[str, Any]
) -> None:
    ours = ChrF(**options).sentence_score(hypothesis, references).score
    assert ours == CHRF(**options).sentence_score(hypothesis, references).score


@given(texts, texts)
@settings(deadline=None)
def test_scores_equal_the_textbook(hypothesis: str, reference: str) -> None:
    ours = ChrF().sentence_score(hypothesis, [reference]).score
    assert ours == pytest.approx(chrf_score(hypothesis, reference), abs=1e-11)  # sums in another order


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beta": -1.0}, "beta must be a number at least 0"),
        ({"beta": float("nan")}, "beta must be a number at least 0"),
        ({"char_order": -1}, "char_order must be a whole number at least 0"),
        ({"char_order": 0}, "char_order and word_order are both 0"),
        ({"word_order": 65}, "word_order must be a whole number at least 0 and at most 64"),
        ({"eps_smoothing": "perhaps"}, "eps_smoothing must be yes or no"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        build_metric("chrf", options)


def test_white_space_at_the_end_of_a_line_counts_only_in_texts_from_python(tmp_path: Path) -> None:
    """SacreBLEU's command strips lines, its classes do not."""
    (tmp_path / "hyp.txt").write_text("the cat sat \n", encoding="utf-8")
    (tmp_path / "ref.txt").write_text("the cat sat\n", encoding="utf-8")
    corpus = read_corpus([str(tmp_path / "ref.txt")], [("A", str(tmp_path / "hyp.txt"))])
    metric = ChrF(whitespace=True)
    read = metric.sentence_score(corpus.systems["A"][0], list(corpus.references[0])).score
    assert read == 100
    assert metric.sentence_score("the cat sat ", ["the cat sat"]).score == pytest.approx(97.61, abs=0.005)
