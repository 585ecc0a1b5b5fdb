"""What each format promises, one document at a time."""

import csv
import io
import json
import sys

import numpy as np
import pytest

from tertium.errors import MissingExtraError, UnknownNameError
from tertium.presentation.tables import (
    FORMATS,
    HUMAN_READABLE,
    print_document,
    render_document,
)
from tertium.presentation.tables.data_formats import document_to_arrow, document_to_dict, document_to_pandas
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import (
    Cell,
    Column,
    Document,
    Mark,
    MarkPlace,
    Note,
    Records,
    Table,
)


def of_data(data: object) -> Document:
    return Document("data", list, lambda: Records({}, []), lambda: data)


def of_records(columns: dict[str, type], *rows: list[str | float | int | None]) -> Document:
    return Document("records", list, lambda: Records(columns, rows), lambda: None)


def of_cells(*cells: Cell, place: MarkPlace = MarkPlace.BEHIND) -> Document:
    columns = [Column("name", "name", is_key=True), Column("value", "value", is_number=True)]
    rows = [[Cell("x"), cell] for cell in cells]
    note = Note("", (Mark.BEST, Mark.SECOND), "!")
    table = Table(columns, rows, notes=[note], mark_place=place)
    return Document("cells", lambda: [table], lambda: Records({}, []), lambda: None)


MARKED = (
    Cell("1.5", marks=[Mark.BEST]),
    Cell("-2.5", marks=[Mark.SECOND, Mark.OUTPERFORMED]),
    Cell("3.5"),
)


@pytest.mark.parametrize(
    ("form", "cells", "legend"),
    [
        ("text", ["1.5*", "-2.5+†", "3.5"], "* best, + second best!"),
        ("md", ["**1.5**", "_-2.5_†", "3.5"], "bold best, italic second best!"),
        ("latex", [r"\textbf{1.5}", r"\underline{$-$2.5}$^\dagger$", "3.5"], "bold best, underlined second best!"),
        ("html", [">1.5</strong>", "<em>-2.5</em><sup>†</sup>", ">3.5<"], "bold best, italic second best!"),
    ],
)  # fmt: skip
def test_each_format_has_its_own_marks(form: str, cells: list[str], legend: str) -> None:
    page = render_document(of_cells(*MARKED), form)
    for cell in cells:
        assert cell in page
    assert legend in page


def test_an_unknown_format_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown format 'xml'; choose from text, json, csv"):
        render_document(of_data({}), "xml")


def test_formats_for_people_are_formats() -> None:
    assert set(HUMAN_READABLE) < set(FORMATS)


def test_a_row_of_latex_cannot_become_an_argument_of_the_line_before() -> None:
    document = describe_listing("list", [{"name": "[1ex]"}, {"name": "*x"}, {"name": "a[b]"}])
    lines = render_document(document, "latex").splitlines()
    assert lines[4:7] == [r"{}[1ex] \\", r"{}*x \\", r"a[b] \\"]


def test_wide_characters_take_two_places_in_text() -> None:
    document = describe_listing("list", [{"name": "中文", "n": 1}, {"name": "abcd", "n": 2}])
    assert render_document(document, "text") == "name  n\n中文  1\nabcd  2\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"a": float("nan")}, '{\n "a": null\n}\n'),
        ([float("inf"), -float("inf"), 1.5], "[\n null,\n null,\n 1.5\n]\n"),
        ({"a": np.float64("nan"), "b": np.int64(3)}, '{\n "a": null,\n "b": 3\n}\n'),
        ({"a": np.array([1.0, np.nan])}, '{\n "a": [\n  1.0,\n  null\n ]\n}\n'),
        ({"a": (1, None, True)}, '{\n "a": [\n  1,\n  null,\n  true\n ]\n}\n'),
        ({"a": 2**80}, '{\n "a": 1208925819614629174706176\n}\n'),
        ("é\x9b\x1b\u202e\ud800", '"é\\u009b\\u001b\\u202e\\ud800"\n'),
    ],
    ids=["nan", "infinity", "numpy numbers", "arrays", "tuples", "large integers", "controls"],
)
def test_json_takes_anything(data: object, text: str) -> None:
    assert render_document(of_data(data), "json") == text


def test_a_dict_has_no_numpy_and_no_nan() -> None:
    assert document_to_dict(of_data({"a": np.float32(0.5), "b": float("nan")})) == {"a": 0.5, "b": None}
    assert document_to_dict(of_data([1])) == {"data": [1]}


def test_csv_writes_numbers_in_full_precision_and_nothing_for_none() -> None:
    document = of_records(
        {"a": float, "b": int, "c": str}, [np.float64(0.1), 3, None], [1e-300, None, 'x"y,z']
    )
    assert render_document(document, "csv") == 'a,b,c\n0.1,3,\n1e-300,,"x""y,z"\n'


def test_a_single_empty_field_is_still_a_row() -> None:
    document = of_records({"a": str}, [""], [None])
    assert list(csv.reader(io.StringIO(render_document(document, "csv")))) == [["a"], [""], [""]]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "＝1"])
def test_formulas_are_quoted_in_safe_csv_and_numbers_stay_numbers(text: str) -> None:
    document = of_records({"name": str, "value": float}, [text, -1.5])
    name, value = list(csv.reader(io.StringIO(render_document(document, "safe-csv"), newline="")))[1]
    assert (name, value) == (f"'{text}", "-1.5")
    assert list(csv.reader(io.StringIO(render_document(document, "csv"), newline="")))[1] == [text, "-1.5"]


FRAME = of_records({"name": str, "score": float, "rank": int}, ["a", 0.1, 1], ["b\ud800", None, None])


def test_pandas_gets_typed_columns() -> None:
    frame = document_to_pandas(FRAME)
    assert frame.columns.tolist() == ["name", "score", "rank"]
    assert frame["score"].dtype == "float64"
    assert frame["rank"].dtype == "Int64"
    assert frame["name"].tolist() == ["a", "b�"]


def test_arrow_gets_typed_columns_even_where_all_is_missing() -> None:
    table = document_to_arrow(of_records({"name": str, "score": float, "rank": int}, ["a", None, None]))
    assert [str(kind) for kind in table.schema.types] == ["string", "double", "int64"]
    assert document_to_arrow(FRAME)["score"].to_pylist() == [0.1, None]


@pytest.mark.parametrize(
    ("module", "convert", "remedy"),
    [
        ("pandas", document_to_pandas, r"this table needs pandas: pip install pandas"),
        ("pyarrow", document_to_arrow, r"this table needs pyarrow: pip install 'pyarrow>="),
    ],
)
def test_a_missing_library_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, module: str, convert: object, remedy: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=remedy):
        convert(FRAME)  # type: ignore[operator]


def test_a_listing_spells_values_for_people_and_keeps_them_for_programs() -> None:
    document = describe_listing(
        "languages",
        [{"code": "zh", "words": 12345, "stems": True}, {"code": "de", "words": None, "stems": False}],
        title="languages",
        notes=["two"],
    )
    assert render_document(document, "text") == (
        "languages\ncode   words  stems\nzh    12,345  yes\nde            no\n\ntwo\n"
    )
    assert render_document(document, "csv") == "code,words,stems\nzh,12345,true\nde,,false\n"
    assert json.loads(render_document(document, "json"))[1] == {"code": "de", "words": None, "stems": False}


def test_printing_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_document(describe_listing("list", [{"name": "x"}]), width=80)
    assert capsys.readouterr().out == "name\n────\nx\n"
