"""Error spans: positions, checks against a text, overlaps."""

import pytest

from tertium.corpus.judgments.spans import NOWHERE, ErrorSpan, check_spans, find_overlaps, parse_spans
from tertium.errors import InputError


def test_a_span_marks_code_points_with_an_exclusive_end() -> None:
    """An emoji is one code point, although it has four bytes."""
    assert ErrorSpan(2, 4, "major").text_in("a 🙂b") == "🙂b"


def test_a_span_without_position_marks_no_text() -> None:
    """Missing content has no characters in the translation."""
    assert ErrorSpan(NOWHERE, NOWHERE, "major").text_in("text") == ""


@pytest.mark.parametrize(
    ("start", "end"), [(0, 5), (2, 2), (3, 2), (-2, 1)], ids=["end", "empty", "reversed", "before"]
)
def test_a_span_outside_its_text_is_an_error_with_its_place(start: int, end: int) -> None:
    """The message begins with file and line."""
    with pytest.raises(
        InputError, match=rf"^file: line 3 has an error span at {start}:{end}, but the text has 4"
    ):
        check_spans([ErrorSpan(start, end, "minor")], "text", "file: line 3")


def test_spans_at_the_limits_of_the_text_are_accepted() -> None:
    """The whole text, missing content, and positions in the source, whose length is not known, are fine."""
    check_spans(
        [ErrorSpan(0, 4, "minor"), ErrorSpan(-1, -1, "minor"), ErrorSpan(7, 9, "minor", in_source=True)],
        "text",
        "",
    )


def test_adjacent_spans_and_spans_of_different_sides_do_not_overlap() -> None:
    """The end is exclusive; positions in the source are not comparable with those in the translation."""
    spans = [ErrorSpan(0, 3, "minor"), ErrorSpan(3, 5, "minor"), ErrorSpan(1, 2, "minor", in_source=True)]
    assert find_overlaps(spans) == []


def test_all_pairs_of_overlapping_spans_are_listed() -> None:
    """A long span overlaps two short ones inside it."""
    long, first, second = ErrorSpan(0, 9, "minor"), ErrorSpan(1, 2, "minor"), ErrorSpan(4, 8, "major")
    assert find_overlaps([second, first, long]) == [(long, first), (long, second)]


@pytest.mark.parametrize("value", [None, "", " ", "null", []])
def test_a_field_without_spans_has_none(value: object) -> None:
    assert parse_spans(value, "file: line 3") == ()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (7, "holds 7, not a list of error spans"),
        ('"text"', "holds .*text.*, not a list of error spans"),
        ("[", "not a list of error spans in JSON"),
        ([{"start": "x", "end": 3, "severity": "minor"}], "start and end must be whole numbers"),
        ([{"severity": "minor"}], "which has no start and end"),
    ],
)
def test_a_field_that_holds_no_list_of_spans_is_an_error_with_its_place(value: object, message: str) -> None:
    with pytest.raises(InputError, match=f"^file: line 3 .*{message}"):
        parse_spans(value, "file: line 3", "a text")
