"""WERmodif against a careful reading of its paper and its twin."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.golden import golden_pairs, golden_table
from reference.vectors import HandVectors, MadeUpVectors, golden_vectors
from reference.word_similarity import soft_wer
from tertium.metrics.embedding.wer_modif import WERModif
from tertium.metrics.lexical.wer import WER

PAIRS = golden_pairs(tokenized=True)
READING = golden_table("veceval")
VECTORS = golden_vectors(as_written=True)  # as the reading looks words up
MADE_UP = MadeUpVectors()


@pytest.mark.parametrize(("column", "strict"), [("wer_ident1", False), ("wer_ident0", True)])
def test_edits_are_those_of_the_careful_reading_but_for_unlike_words(column: str, strict: bool) -> None:
    """It lets a negative cosine make a substitution dearer than 1; METRICS stops at 1, and so does our twin."""
    metric = WERModif(vectors=VECTORS, tokenizer="none", oov="zero" if strict else "identity")
    for key, (hypothesis, reference, _) in PAIRS.items():
        texts = hypothesis.split(), reference.split()
        theirs = soft_wer(*texts, VECTORS.vectors, strict=strict, clamp=False)
        assert theirs == pytest.approx(float(READING[key][column]), abs=1e-6), key
        ours = metric.sentence_score(hypothesis, [reference]).score / 100
        assert ours == pytest.approx(soft_wer(*texts, VECTORS.vectors, strict=strict), abs=1e-6), key


GERMAN = "Die Geschichte ist ein großartiger Lehrmeister"


def test_the_papers_plain_wer_of_its_example() -> None:
    """Table 3: 0.333 for the sentences without their full stops."""
    for hypothesis in ("Die Geschichte ist ein guter Lehrer", "Die Geschichte ist ein großer Meister"):
        assert WER().sentence_score(hypothesis, [GERMAN]).score == pytest.approx(33.3, abs=0.05)


def test_the_papers_example_has_the_scores_of_its_table_three_when_its_similarities_are_given() -> None:
    """WERmodif 0.178, 0.199, 0.219: two substitutions out of six words."""
    words = {"guter": 0.53, "großer": 0.45, "großartiger": 1.0}
    teachers = {"Lehrer": 0.402, "Meister": 0.282, "Lehrmeister": 1.0}
    vectors: dict[str, list[float]] = {
        **{word: [c, math.sqrt(1 - c * c), 0, 0] for word, c in words.items()},
        **{word: [0, 0, c, math.sqrt(1 - c * c)] for word, c in teachers.items()},
    }
    metric = WERModif(vectors=HandVectors(vectors))
    hypotheses = [
        f"Die Geschichte ist ein {word}" for word in ("guter Lehrer", "großer Lehrer", "großer Meister")
    ]
    scores = [metric.sentence_score(hypothesis, [GERMAN]).score / 100 for hypothesis in hypotheses]
    wanted = [(2 - 0.53 - 0.402) / 6, (2 - 0.45 - 0.402) / 6, (2 - 0.45 - 0.282) / 6]
    assert scores == pytest.approx(wanted, abs=1e-6)


words = st.lists(st.sampled_from([*"abcdefgh", "unk1", "unk2"]), max_size=12)
long_words = st.lists(st.integers(0, 150).map(lambda n: f"w{n}"), min_size=60, max_size=90)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    pair=st.one_of(st.tuples(words, words.filter(bool)), st.tuples(long_words, long_words)),
    strict=st.booleans(),
)
def test_soft_edits_are_their_textbook_twin(pair: tuple[list[str], list[str]], strict: bool) -> None:
    known = {w: MADE_UP.vector(w) for side in pair for w in side if not w.startswith("unk")}
    metric = WERModif(vectors=MADE_UP, tokenizer="none", oov="zero" if strict else "identity")
    score = metric.sentence_score(" ".join(pair[0]), [" ".join(pair[1])]).score / 100
    assert score == pytest.approx(soft_wer(*pair, known, strict=strict), abs=1e-5)


def test_the_cheapest_edits_count_and_the_average_length_divides() -> None:
    metric = WERModif(vectors=MADE_UP, tokenizer="none")
    assert metric.sentence_score("a b", ["a b", "c d e f"]).score == 0
    score = metric.sentence_score("a", ["b", "a a a"])
    assert score.details["reference_length"] == 2
    assert score.value <= 50


@pytest.mark.parametrize("text", ["", "unk1", "a", "unk1 a unk2", "a b c d e"])
def test_a_text_matches_itself(text: str) -> None:
    assert WERModif(vectors=MADE_UP).sentence_score(text, [text]).score == 0
