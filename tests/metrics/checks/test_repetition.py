"""Loops are found, ordinary repetition is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.metrics import Repetition
from tertium.metrics.checks.repetition import find_loop


@pytest.mark.parametrize(
    ("text", "loop"),
    [
        ("no no no no", "no"),
        ("and so on and so on and so on and so on", "on and so"),
        ("好的好的好的好的", "好的"),
        ("We met here, here, here, here.", "here"),
        ("no no no", None),
        ("- - - - -", None),
        ("1 1 1 1 1", None),
        ("that is that is so", None),
        ("", None),
    ],
)
def test_loops_are_found(text: str, loop: str | None) -> None:
    found = find_loop(text, 4)
    assert (found is None) == (loop is None)
    assert found is None or sorted(found.split()) == sorted((loop or "").split())


@given(
    phrase=st.lists(st.sampled_from(["cat", "dog", "sat"]), min_size=1, max_size=12),
    before=st.lists(st.sampled_from("xyz")),
)
def test_every_planted_loop_is_found(phrase: list[str], before: list[str]) -> None:
    assert find_loop(" ".join([*before, *phrase * 4]), 4) is not None


def test_the_number_of_times_is_an_option() -> None:
    assert Repetition(times=3).sentence_score("no no no").value == 0
    assert Repetition().corpus_score(["no no no no", "fine"]).value == 50


@pytest.mark.parametrize(("text", "score", "step"), [("no no no no", 0, "no"), ("fine", 100, "no loop")])
def test_an_explanation_shows_the_loop(text: str, score: float, step: str) -> None:
    explained = Repetition().explain_segment(text, [], None)
    assert explained.score == score
    assert step in explained.steps[0]
