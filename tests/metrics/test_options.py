"""Options of metrics: values from text, and what is said of wrong ones."""

from typing import Any, Literal

import pytest

from tertium.errors import OptionError
from tertium.metrics.options import Option


def make(kind: Any, **facts: Any) -> Option:
    return Option(name="size", type=kind, default=None, help="", **facts)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (bool, "yes", True),
        (bool, "False", False),
        (int, "12", 12),
        (float, "1e-1", 0.1),
        (str, "13a", "13a"),
        (float | None, "none", None),
        (float | None, "2", 2.0),
        (Literal["a", "b"], "b", "b"),
        (bool | Literal["nfc"], "nfc", "nfc"),
        (tuple[float, ...], "0.5/1", (0.5, 1.0)),
    ],
)
def test_values_are_parsed_by_their_type(kind: Any, text: str, value: object) -> None:
    found = make(kind).parse(text, "mine")
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        (make(bool), "maybe", "mine: size must be yes or no, not 'maybe'"),
        (make(int), "1.5", "mine: size must be a whole number, not '1.5'"),
        (
            make(int, at_least=1, at_most=9),
            "0",
            "mine: size must be a whole number at least 1 and at most 9, not 0",
        ),
        (make(float, above=0), "0", "mine: size must be a number above 0, not 0.0"),
        (make(int, at_most=2_000_000), "3000000", "at most 2,000,000, not 3000000"),
        (make(Literal["a"]), "c", "mine: size must be a, not 'c'"),
        (make(Literal["a", "b"]), "c", "mine: size must be a or b, not 'c'"),
        (make(float | None), "x", "mine: size must be a number or none, not 'x'"),
        (make(tuple[int, ...]), "1/x", "size must be a whole number, or several separated by /, not '1/x'"),
    ],
)
def test_wrong_values_are_described(option: Option, text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        option.parse(text, "mine")
    assert message in str(error.value)


def test_the_choices_of_a_closed_option_are_listed() -> None:
    assert make(Literal["a", "b"] | None).choices == ("a", "b")
    assert make(str).choices == ()


def test_a_default_may_depend_on_the_vectors() -> None:
    option = Option(name="size", type=int, default=1, help="", by_vectors={"contextual": 2})
    assert (option.default_for("contextual"), option.default_for("static")) == (2, 1)
