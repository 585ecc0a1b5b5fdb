"""WMD against gensim's numbers, a version with numpy and POT, and the laws of a distance."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.golden import golden_table
from reference.transport import word_movers_distance
from reference.vectors import ContextVectors, HandVectors, MadeUpVectors, golden_vectors
from tertium.metrics import WMD

MADE_UP = MadeUpVectors()
TEXTS = st.lists(st.sampled_from([*"abcdefgh", "unk1"]), max_size=14)
LONG_TEXTS = st.lists(st.integers(0, 150).map(lambda n: f"w{n}"), min_size=1, max_size=90)


def distance(metric: WMD, hypothesis: str, *references: str) -> float:
    return metric.sentence_score(hypothesis, references).score / 100


def test_distances_are_gensims() -> None:
    texts = golden_table("std")
    metric = WMD(vectors=golden_vectors(), tokenizer="none")
    for key, row in golden_table("wmd").items():
        wanted = min(float(row["distance"]), 2.0)  # infinite if a text has no known word, here the largest
        found = distance(metric, texts[key]["hypothesis"], texts[key]["reference"])
        assert found == pytest.approx(wanted, abs=1e-6), key


@settings(max_examples=60, deadline=None)
@given(pair=st.one_of(st.tuples(TEXTS, TEXTS), st.tuples(LONG_TEXTS, LONG_TEXTS)))
def test_distances_are_those_of_numpy_and_pot(pair: tuple[list[str], list[str]]) -> None:
    known = {word: MADE_UP.vector(word) for side in pair for word in side if not word.startswith("unk")}
    found = distance(WMD(vectors=MADE_UP, tokenizer="none"), *(" ".join(side) for side in pair))
    if all(any(word in known for word in side) for side in pair):
        assert found == pytest.approx(word_movers_distance(*pair, known), abs=1e-5)  # single precision
    else:
        assert found == (2.0 if sorted(pair[0]) != sorted(pair[1]) else 0.0)


@given(words=st.lists(st.sampled_from(["a", "b", "unk1", "unk2", "unk3"]), max_size=9), order=st.randoms())
def test_the_order_of_words_changes_nothing_known_or_not(words: list[str], order: random.Random) -> None:
    others = order.sample(words, len(words))
    assert distance(WMD(vectors=MADE_UP, tokenizer="none"), " ".join(words), " ".join(others)) == 0


def test_opposite_words_are_farthest_and_unrelated_ones_are_at_a_right_angle() -> None:
    metric = WMD(vectors=HandVectors({"up": [0, 3], "down": [0, -1], "left": [-2, 0]}))
    assert distance(metric, "up", "down") == pytest.approx(2)
    assert distance(metric, "up", "left") == pytest.approx(math.sqrt(2))
    assert distance(metric, "up left", "left up") == 0


def test_contextual_vectors_tell_equal_words_apart() -> None:
    assert distance(WMD(vectors=MADE_UP), "c b a", "a b c") == pytest.approx(0, abs=1e-9)
    metric = WMD(vectors=ContextVectors(), tokenizer="none")
    assert distance(metric, "a b c", "a b c") == pytest.approx(0, abs=1e-3)  # the root of a rounding error
