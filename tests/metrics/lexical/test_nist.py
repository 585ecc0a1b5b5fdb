"""NIST: mteval-v13a's scores and nltk's."""

import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.nist_score import corpus_nist

from reference.golden_columns import Pairs, read_columns, read_pairs
from reference.nist import nist_score
from tertium.catalog import build_metric
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.metrics.lexical.nist import NIST
from tertium.text import References, Texts
from tertium.values import FloatArray

FOLD_ASCII = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
WORDS = st.lists(st.sampled_from(["0", "0", "a", "b", "00"]), min_size=1, max_size=9)
SENTENCES = st.lists(st.sampled_from("abcdefgh"), min_size=5, max_size=14)


def fit_and_count(metric: NIST, pairs: Pairs) -> tuple[NIST, FloatArray]:
    references = References(pairs.references)
    fitted = metric.fit(references)
    return fitted, fitted.statistics(Texts(pairs.hypotheses, references.vocabulary), references)


def change(pairs: Pairs, edit: Any) -> Pairs:
    return Pairs(
        pairs.ids,
        [edit(text) for text in pairs.hypotheses],
        [[*map(edit, group)] for group in pairs.references],
    )


@pytest.mark.parametrize("kind", ["raw", "multi_raw"])
@pytest.mark.parametrize(
    ("column", "options", "edit"),
    [
        pytest.param("cased", {}, lambda text: text, id="cased"),
        # mteval folds A–Z only, and resolves entities before its international tokenisation.
        pytest.param("lc", {}, lambda text: text.translate(FOLD_ASCII), id="lc"),
        pytest.param(
            "intl",
            {"tokenizer": "intl", "lowercase": True},
            lambda text: text.replace("&amp;", "&"),
            id="intl",
        ),
    ],
)
def test_scores_equal_mteval(kind: str, column: str, options: dict[str, Any], edit: Any) -> None:
    pairs, golden = change(read_pairs(kind), edit), read_columns(f"nist_{kind}")[column]
    metric, rows = fit_and_count(NIST(**options), pairs)
    # mteval prints 15 digits and sums in the order of a Perl hash.
    expected = [golden.segments[name] for name in pairs.ids]
    assert metric.segment_scores(rows) == pytest.approx(expected, rel=1e-12, abs=1e-17)
    assert metric.combine(rows.sum(axis=0)) == pytest.approx(golden.corpus, rel=1e-12)


def test_lowercase_folds_every_script() -> None:
    score = NIST(lowercase=True).sentence_score("ОН ВЧЕРА", ["он вчера"]).score
    assert score == NIST().sentence_score("он вчера", ["он вчера"]).score
    assert NIST().sentence_score("ОН ВЧЕРА", ["он вчера"]).score == 0


@given(st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=5), st.integers(1, 5))
@settings(deadline=None)
def test_single_reference_scores_equal_nltk(pairs: list[tuple[list[str], list[str]]], order: int) -> None:
    hypotheses, references = [pair[0] for pair in pairs], [[pair[1]] for pair in pairs]
    ours = NIST(tokenizer="none", max_ngram_order=order).corpus_score(
        [" ".join(words) for words in hypotheses],
        [[" ".join(words) for words in group] for group in references],
        orientation="segments",
    )
    assert ours.score == pytest.approx(corpus_nist(references, hypotheses, order), rel=1e-12)


@given(
    st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=4),
    st.integers(1, 5),
)
@settings(deadline=None)
def test_scores_equal_mtevals_textbook(pairs: list[tuple[list[str], list[list[str]]]], order: int) -> None:
    ours = NIST(tokenizer="none", max_ngram_order=order).corpus_score(
        [" ".join(hypothesis) for hypothesis, _ in pairs],
        [[" ".join(words) for words in group] for _, group in pairs],
        orientation="segments",
    )
    theirs = nist_score([hypothesis for hypothesis, _ in pairs], [group for _, group in pairs], order)
    assert ours.score == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@given(st.integers(0, 2**32), st.sampled_from([5, 63, 64, 65, 130, 300, 512, 513]), st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_scores_of_long_texts_equal_mtevals_textbook(seed: int, length: int, order: int) -> None:
    rng = random.Random(seed)
    hypothesis, reference = (rng.choices("0abcdefgh", k=length + rng.randrange(-3, 1)) for _ in range(2))
    ours = NIST(tokenizer="none", max_ngram_order=order).sentence_score(
        " ".join(hypothesis), [" ".join(reference)]
    )
    assert ours.score == pytest.approx(nist_score([hypothesis], [[reference]], order), rel=1e-12, abs=1e-12)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=4), st.integers(1, 5))
@settings(deadline=None)
def test_a_reference_given_twice_counts_as_once(
    hypothesis: list[str], texts: list[list[str]], n: int
) -> None:
    references = [" ".join(words) for words in texts]
    metric = NIST(tokenizer="none", max_ngram_order=n).fit(References([references]))
    once, twice = (References([references[:1] * times]) for times in (1, 2))
    rows = [
        metric.statistics(Texts([" ".join(hypothesis)], group.vocabulary), group).tolist()
        for group in (once, twice)
    ]
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("text", "score"),
    [
        pytest.param("0 a", 2.0, id="mteval-reads-0-as-no-first-word"),
        pytest.param("00 a", 1.0, id="only-the-word-0"),
        pytest.param("a 0", 1.0, id="only-as-the-first-word"),
        pytest.param("0 a 0 a", 1.0 + 2 * 1 / 3 + (1 / 3) * 1.0, id="twice"),
    ],
)
def test_a_bigram_after_the_word_0_is_weighed_as_a_single_word(text: str, score: float) -> None:
    assert NIST(tokenizer="none", max_ngram_order=2).sentence_score(text, [text]).score == pytest.approx(
        score
    )


def test_weights_count_all_references_of_the_test_set() -> None:
    # Among the five words of all references 'a' stands four times and 'b' once, once behind an 'a'.
    metric = NIST(max_ngram_order=2)
    score = metric.corpus_score(["a b", "c"], [["a b", "a"], ["a", "a"]], orientation="segments").score
    information = np.log2([5 / 4, 5, 4])
    assert score == pytest.approx(information[:2].sum() / 3 + information[2])


def test_fitted_weights_survive_another_vocabulary_and_a_pickle() -> None:
    pairs = read_pairs("raw")
    metric, rows = fit_and_count(NIST(), pairs)
    copied = pickle.loads(pickle.dumps(metric))
    half = References(pairs.references[20:40])
    again = copied.statistics(Texts(pairs.hypotheses[20:40], half.vocabulary), half)
    assert again.tolist() == rows[20:40].tolist()


def test_an_unfitted_metric_says_what_it_lacks() -> None:
    references = References([["a b"]])
    with pytest.raises(InputError, match="call fit"):
        NIST().statistics(Texts(["a"], references.vocabulary), references)


def test_references_it_was_not_fitted_on_are_refused() -> None:
    references = References([["a b"]])
    fitted = NIST().fit(References([["a c"]]))
    with pytest.raises(InputError, match="computed from other references"):
        fitted.statistics(Texts(["a"], references.vocabulary), references)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"max_ngram_order": 0}, OptionError, "max_ngram_order must be a whole number at least 1"),
        ({"tokenizer": "13b"}, UnknownNameError, "unknown tokenizer '13b'; did you mean 13a"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        build_metric("nist", options)


@pytest.mark.parametrize(("hypothesis", "reference"), [("", "a b"), ("a b", ""), ("", "")])
def test_empty_texts_score_zero(hypothesis: str, reference: str) -> None:
    assert NIST().sentence_score(hypothesis, [reference]).score == 0.0


@pytest.mark.parametrize("order", [1, 2])
def test_weights_learnt_from_counts_are_those_of_all_references(order: int) -> None:
    references = References([["a 0 b"], ["0 c"], ["a"]])
    metric = NIST(max_ngram_order=order)
    texts = Texts(["a 0", "0 c d", "a"], references.vocabulary)
    fitted, learnt = metric.fit(references), metric.fit_learnt(metric.learn(references))
    np.testing.assert_array_equal(fitted.statistics(texts, references), learnt.statistics(texts, references))
