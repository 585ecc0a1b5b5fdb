"""Outputs that are too short or too long for their source."""

import pytest

from tertium.metrics import Length

SOURCE = "The quick brown fox jumps over the lazy dog in the garden."


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        ("Der flinke braune Fuchs springt im Garten über den faulen Hund.", None),
        ("Der Fuchs.", "too short: 10 characters for 58 of the source"),
        ("Der Fuchs " * 20, "too long: 200 characters for 58 of the source"),
        ("", "too short: 0 characters for 58 of the source"),
    ],
)
def test_lengths_are_compared_with_the_source(output: str, fault: str | None) -> None:
    assert Length().check(output, SOURCE).faults == (() if fault is None else (fault,))


def test_short_segments_may_differ_more() -> None:
    assert Length().sentence_score("Ja.", source="Yes, sir.").value == 100


def test_the_usual_ratio_is_an_option() -> None:
    chinese = "敏捷的棕色狐狸跳过花园里的懒狗。"
    assert Length().sentence_score(chinese, source=SOURCE).value == 0
    assert Length(ratio=0.35).sentence_score(chinese, source=SOURCE).value == 100
