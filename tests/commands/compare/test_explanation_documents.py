"""Explanations as documents: every format has all that a metric filled in."""

import csv
import io
import json

import numpy as np
import pytest

from tertium.commands.compare.explain import describe_explanations
from tertium.errors import InputError
from tertium.presentation.tables import FORMATS, render_document
from tertium.values import Explanation

STD = Explanation(
    "std",
    ["a", "b"],
    ["c"],
    12.5,
    rows=["a b", "b"],
    columns=["c"],
    matrices={"flow": np.array([[0.25], [np.nan]])},
    row_weights=[0.75, 0.5],
    column_weights=[1.0],
    links=[(0, 0, "0.25")],
    steps=["a b → c: 0.25"],
    facts={"order_1": 2.5, "parse": "[x]"},
)
WER = Explanation("wer", ["a"], ["a"], 0.0)


def read_records(form: str = "csv") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render_document(describe_explanations([STD, WER]), form))))


def test_json_carries_weights_and_null_for_what_is_not_a_number() -> None:
    first, second = json.loads(render_document(describe_explanations([STD, WER]), "json"))["explanations"]
    assert first["row_weights"] == [0.75, 0.5]
    assert first["column_weights"] == [1.0]
    assert first["matrices"] == {"flow": [[0.25], [None]]}
    assert second["row_weights"] == []
    assert "system" not in first


def test_text_is_one_explanation_below_the_other() -> None:
    text = render_document(describe_explanations([STD, WER]), "text")
    assert "row weights: a b 0.75, b 0.5\ncolumn weights: c 1\n" in text
    assert text.endswith("parse    [x]\n\nwer = 0.00\n  hypothesis  a\n  reference   a\n")


@pytest.mark.parametrize("form", ["md", "latex", "html"])
def test_tables_show_matrix_weights_links_and_facts(form: str) -> None:
    page = render_document(describe_explanations([STD]), form)
    for part in (
        "12.50",
        "flow",
        "0.25",
        "nan",
        "row weights",
        "0.75",
        "column weights",
        "links",
        "2.5",
        "a b → c",
    ):
        assert part in page


def test_records_hold_every_number_under_its_place() -> None:
    rows = read_records()
    found = {(row["metric"], row["part"], row["name"], row["row"], row["column"]): row for row in rows}
    assert len(found) == len(rows)
    assert found["std", "score", "", "", ""]["value"] == "12.5"
    assert found["std", "matrix", "flow", "1", "1"]["value"] == "0.25"
    assert found["std", "matrix", "flow", "2", "1"]["value"] == "nan"
    assert found["std", "weight", "row", "1", ""]["value"] == "0.75"
    assert found["std", "weight", "column", "", "1"]["text"] == "c"
    assert found["std", "fact", "parse", "", ""]["text"] == "[x]"
    assert found["std", "hypothesis", "", "2", ""]["text"] == "b"
    assert found["std", "link", "", "1", "1"]["text"] == "0.25"
    assert found["wer", "score", "", "", ""]["explanation"] == "2"


@pytest.mark.parametrize("form", FORMATS)
def test_systems_are_named_in_every_format(form: str) -> None:
    page = render_document(describe_explanations([STD, WER], systems=["aurora", "boreas"]), form)
    assert "aurora" in page
    assert "boreas" in page


def test_each_explanation_needs_a_system_if_any_has_one() -> None:
    with pytest.raises(InputError, match="1 names of systems for 2 explanations"):
        describe_explanations([STD, WER], systems=["x"])


def test_a_large_matrix_is_named_instead_of_shown() -> None:
    large = Explanation("std", ["a"], ["b"], 1.0, matrices={"D": np.zeros((61, 2))})
    page = render_document(describe_explanations([large]), "md")
    assert "D: too large to show here" in page
    assert page.count("|\n") < 10


def test_control_characters_of_a_text_do_not_reach_the_terminal() -> None:
    nasty = Explanation("wer", ["\x1b[31m"], ["b"], 1.0, steps=["keep \x1b[31m"])
    assert "\x1b" not in render_document(describe_explanations([nasty]), "text")
