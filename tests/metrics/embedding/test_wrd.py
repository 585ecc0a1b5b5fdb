"""WRD against a version with numpy and POT, as an option set of STD, and by hand."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.transport import word_rotators_distance
from reference.vectors import HandVectors, MadeUpVectors
from tertium.metrics import STD, WRD

MADE_UP = MadeUpVectors()
TEXTS = st.lists(st.sampled_from([*"abcdefgh", "unk1"]), max_size=14)
LONG_TEXTS = st.lists(st.integers(0, 150).map(lambda n: f"w{n}"), min_size=1, max_size=90)
METRIC = WRD(vectors=MADE_UP, tokenizer="none")
AS_STD = STD(
    vectors=MADE_UP,
    tokenizer="none",
    mass="norm",
    cost="cosine",
    shared_mass="travel",
    units="types",
    order_weight=0,
    orders=(1,),
)


@settings(max_examples=60, deadline=None)
@given(pair=st.one_of(st.tuples(TEXTS, TEXTS), st.tuples(LONG_TEXTS, LONG_TEXTS)))
def test_distances_are_those_of_numpy_and_pot_and_of_std(pair: tuple[list[str], list[str]]) -> None:
    known = {word: MADE_UP.vector(word) for side in pair for word in side if not word.startswith("unk")}
    texts = [" ".join(side) for side in pair]
    found = METRIC.sentence_score(texts[0], texts[1:]).score / 100
    if all(any(word in known for word in side) for side in pair):
        assert found == pytest.approx(word_rotators_distance(*pair, known), abs=1e-5)  # single precision
    else:
        assert found == (2.0 if sorted(pair[0]) != sorted(pair[1]) else 0.0)
    assert AS_STD.sentence_score(texts[0], texts[1:]).score / 100 == found


@given(words=st.lists(st.sampled_from(["a", "b", "unk1", "unk2", "unk3"]), max_size=9), order=st.randoms())
def test_the_order_of_words_changes_nothing_known_or_not(words: list[str], order: random.Random) -> None:
    others = order.sample(words, len(words))
    found = METRIC.sentence_score(" ".join(words), [" ".join(others)]).score
    assert found == pytest.approx(0, abs=1e-5)  # single precision


def test_long_vectors_weigh_more() -> None:
    vectors = HandVectors({"heavy": [3, 0], "light": [0, 1], "other": [0, -4]})
    metric = WRD(vectors=vectors)
    # heavy has three quarters of the mass and turns by a right angle, light is turned round
    assert metric.sentence_score("heavy light", ["other"]).score == pytest.approx(75 + 2 * 25)


def test_the_explanation_shows_the_masses() -> None:
    vectors = HandVectors({"heavy": [3, 0], "light": [0, 1]})
    told = WRD(vectors=vectors).explain("heavy light", ["light light"])
    assert told.row_weights == pytest.approx([0.75, 0.25])
    assert told.steps == [
        "heavy → light: 0.7500 over 1.000 costs 75.000", "light → light: 0.2500 over 0.000 costs 0.000",
    ]  # fmt: skip
