"""Words on charts: never wider than estimated by much, broken without loss."""

import pytest

from tertium.presentation.charts.model import Axis, heading, padded_domain, text_width, wrap_text

LONG = "bleu:tokenizer=intl,lowercase=yes,max_ngram_order=2,smooth_method=floor,smooth_value=0.1"


@pytest.mark.parametrize("text", [LONG, "one two three four", "Donaudampfschifffahrt", "", "a  b"])
def test_a_wrapped_text_loses_nothing(text: str) -> None:
    lines = wrap_text(text, 10, 60)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(text_width(line, 10) <= 60 or not set(line[:-1]) & set(" ,:") for line in lines)


@pytest.mark.parametrize(
    ("text", "thousandths"),  # of the font size, from Helvetica's metrics
    [("uedin-jhu-phrase.4102", 9955), ("MITLL-AFRL-hiero.4090", 11009), ("BLEU", 2612), ("online-B.0", 4726)],
)
def test_widths_are_estimated_within_a_seventh(text: str, thousandths: int) -> None:
    assert thousandths / 100 / 1.02 <= text_width(text, 10) <= thousandths / 100 * 1.15


def test_wide_and_combining_characters_count_as_they_look() -> None:
    assert text_width("我的", 10) == 20
    assert text_width("e\u0301", 10) == text_width("e", 10)


def test_a_heading_without_subtitle_has_none() -> None:
    assert heading("a title", "", 100) == {"text": ["a title"]}
    assert heading("a", "b", 100) == {"text": ["a"], "subtitle": ["b"]}


@pytest.mark.parametrize(
    "values", [[3.0, 3.0], [0.0], [], [float("nan")], [-1e-9, 1e-9], [1e12, 1e12 + 5], [-7.0]]
)
def test_any_values_get_room(values: list[float]) -> None:
    axis = Axis(padded_domain(values), (0, 100))
    assert axis.domain[0] < axis.domain[1]
    for value in values:
        if value == value:  # noqa: PLR0124 - not NaN
            assert 0 < axis.place(value) < 100
            assert axis.value(axis.place(value)) == pytest.approx(value, rel=1e-6)
