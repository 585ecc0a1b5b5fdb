"""BLEUmodif against a careful reading of its paper and its twin."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.golden import golden_pairs, golden_table
from reference.vectors import HandVectors, MadeUpVectors, golden_vectors
from reference.word_similarity import soft_precision
from tertium.metrics.embedding.bleu_modif import BLEUModif
from tertium.metrics.lexical.bleu import BLEU
from tertium.text import References, Texts

PAIRS = golden_pairs(tokenized=True)
READING = golden_table("veceval")
VECTORS = golden_vectors(as_written=True)  # as the reading looks words up
MADE_UP = MadeUpVectors()
BLEU_MODIF = BLEUModif(vectors=VECTORS, tokenizer="none")


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_precisions_are_those_of_the_careful_reading(order: int) -> None:
    for key, (hypothesis, reference, _) in PAIRS.items():
        references = References([[reference]])
        row = BLEU_MODIF.statistics(Texts([hypothesis], references.vocabulary), references)[0]
        if (wanted := READING[key][f"p{order}"]) == "-":
            assert row[1 + order] == 0
        else:
            assert row[1 + order] / row[5 + order] == pytest.approx(float(wanted), abs=1e-6), key


@pytest.mark.parametrize(
    ("column", "options"),
    [
        ("bleu_d0.0_ident1", {"threshold": 0.0}),
        ("bleu_d0.2_ident1", {"threshold": 0.2}),
        ("bleu_d0.5_ident1", {"threshold": 0.5}),
        ("bleu_d0.1_ident0", {"threshold": 0.1, "oov": "zero"}),
    ],
)
def test_scores_are_those_of_the_careful_reading(column: str, options: dict[str, Any]) -> None:
    metric = replace(BLEU_MODIF, **options)
    for key, (hypothesis, reference, _) in PAIRS.items():
        if (
            len(hypothesis.split()) >= 4
        ):  # the reading gives shorter ones 0; we leave their missing orders out
            score = metric.sentence_score(hypothesis, [reference]).score / 100
            assert score == pytest.approx(float(READING[key][column]), abs=1e-6), key


GERMAN = "Die Geschichte ist ein großartiger Lehrmeister"


def test_the_papers_plain_bleu_of_its_example() -> None:
    """Table 3: 0.508 for the sentences without their full stops."""
    for hypothesis in ("Die Geschichte ist ein guter Lehrer", "Die Geschichte ist ein großer Meister"):
        score = BLEU(smooth_method="none").sentence_score(hypothesis, [GERMAN]).score
        assert score == pytest.approx(50.8, abs=0.05)


def test_the_papers_example_ranks_as_its_table_three_when_its_similarities_are_given() -> None:
    words = {"guter": 0.53, "großer": 0.45, "großartiger": 1.0}
    teachers = {"Lehrer": 0.402, "Meister": 0.282, "Lehrmeister": 1.0}
    vectors: dict[str, list[float]] = {
        **{word: [c, math.sqrt(1 - c * c), 0, 0] for word, c in words.items()},
        **{word: [0, 0, c, math.sqrt(1 - c * c)] for word, c in teachers.items()},
    }
    metric = BLEUModif(vectors=HandVectors(vectors))
    hypotheses = [
        f"Die Geschichte ist ein {word}" for word in ("guter Lehrer", "großer Lehrer", "großer Meister")
    ]
    ranked = [metric.sentence_score(hypothesis, [GERMAN]).score for hypothesis in hypotheses]
    assert ranked == sorted(ranked, reverse=True)


words = st.lists(st.sampled_from([*"abcdefgh", "unk1", "unk2"]), max_size=12)
long_words = st.lists(st.integers(0, 150).map(lambda n: f"w{n}"), min_size=60, max_size=90)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    texts=st.one_of(st.tuples(words, words, words), st.tuples(long_words, long_words)),
    threshold=st.sampled_from([0.0, 0.1, 0.6]),
    strict=st.booleans(),
)
def test_soft_matches_are_their_textbook_twin(
    texts: tuple[list[str], ...], threshold: float, strict: bool
) -> None:
    hypothesis, *references = texts
    known = {w: MADE_UP.vector(w) for side in texts for w in side if not w.startswith("unk")}
    metric = BLEUModif(
        vectors=MADE_UP, tokenizer="none", threshold=threshold, oov="zero" if strict else "identity"
    )
    column = References([[" ".join(reference) for reference in references]])
    row = metric.statistics(Texts([" ".join(hypothesis)], column.vocabulary), column)[0]
    for order in (1, 2, 3, 4):
        matched, count = soft_precision(
            hypothesis, references, known, order, threshold=threshold, strict=strict
        )
        assert row[1 + order] == pytest.approx(matched, abs=1e-5)
        assert row[5 + order] == count


def test_several_references_pool_n_grams() -> None:
    metric = BLEUModif(vectors=MADE_UP, tokenizer="none", threshold=1.0, max_ngram_order=1)
    assert metric.sentence_score("a b", ["a x", "y b"]).score == pytest.approx(100)


def test_the_corpus_pools_sums_and_counts_per_order() -> None:
    metric = BLEUModif(vectors=MADE_UP, tokenizer="none", max_ngram_order=2, threshold=1.0)
    score = metric.corpus_score(["a b c", "d"], [["a b c", "e"]], orientation="streams")
    assert score.details["precisions"] == pytest.approx([75, 100])
    assert score.value == pytest.approx(100 * math.sqrt(0.75))


@pytest.mark.parametrize("text", ["unk1", "a", "unk1 a unk2", "a b c d e"])
def test_a_text_matches_itself(text: str) -> None:
    assert BLEUModif(vectors=MADE_UP).sentence_score(text, [text]).score == pytest.approx(100)


def test_an_exact_threshold_still_counts_equal_n_grams() -> None:
    text = "a b c d e f g h"
    assert BLEUModif(vectors=MADE_UP, threshold=1.0).sentence_score(text, [text]).score == pytest.approx(100)
