"""XLSX workbooks are read by columns and written as records."""

import gzip
import zipfile
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.corpus import read_corpus
from tertium.corpus.texts.binary_tables import read_xlsx
from tertium.errors import InputError
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.xlsx import render_xlsx

openpyxl = pytest.importorskip("openpyxl")


def write(path: Path, rows: list[list[Any]], more: dict[str, list[list[Any]]] | None = None) -> str:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name, others in (more or {}).items():
        sheet = book.create_sheet(name)
        for row in others:
            sheet.append(row)
    book.save(path)
    return str(path)


def test_columns_of_a_workbook_are_references_and_systems(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["ref", "mt", "year"], ["a b", "a c", 2020], ["d", None, 2021]]
    path = write(tmp_path / "all.xlsx", rows, {"empty": []})
    corpus = read_corpus([path], [(None, path)])
    assert [list(group) for group in corpus.references] == [["a b"], ["d"]]
    assert list(corpus.systems["all"]) == ["a c", ""]
    assert corpus.columns["year"] == ["2020", "2021"]


def test_empty_rows_and_columns_at_the_end_are_no_segments(tmp_path: Path) -> None:
    table = read_xlsx(write(tmp_path / "a.xlsx", [["mt", None], ["x", None], [None, None], ["y"], [None]]))
    assert table.names == ["mt"]
    assert table.values("mt") == ["x", "", "y"]


def test_a_compressed_workbook_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", [["mt"], ["x"]])
    (tmp_path / "b.xlsx.gz").write_bytes(gzip.compress(Path(path).read_bytes()))
    assert read_xlsx(str(tmp_path / "b.xlsx.gz")).values("mt") == ["x"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "is empty; a worksheet starts with a row of column names"),
        ([["mt"], [3]], "row 2 holds a number, not a string"),
        ([["mt"], ["a"], ["=LEN(A1)"]], "row 3 holds a Formula, not a string"),
        ([["mt", "mt"], ["a", "b"]], "row 1 has 2 columns named 'mt'"),
        ([["text"], ["a"]], "has no column 'mt'; it has: text"),
    ],
    ids=["empty", "number", "formula", "twice", "other"],
)
def test_bad_worksheets_are_reported(tmp_path: Path, rows: list[list[Any]], message: str) -> None:
    path = write(tmp_path / "a.xlsx", rows)
    with pytest.raises(InputError, match=message):
        read_corpus([path + "#mt"], [(None, path)])


def test_several_worksheets_are_rejected_by_name(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xlsx", [["mt"], ["x"]], {"old": [["mt"], ["y"]]})
    with pytest.raises(InputError, match=r"2 worksheets with cells \(Sheet, old\)"):
        read_xlsx(path)


@pytest.mark.parametrize(
    "content", [b"", b"text\n", b"PK\x03\x04", "zip"], ids=["empty", "text", "cut", "zip"]
)
def test_other_files_are_rejected_in_one_line(tmp_path: Path, content: bytes | str) -> None:
    path = tmp_path / "a.xlsx"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("a", "b")
    with pytest.raises(InputError, match="is not an XLSX workbook, or is damaged") as error:
        read_xlsx(str(path))
    assert "\n" not in str(error.value)


def test_records_come_back_from_a_written_workbook(tmp_path: Path) -> None:
    result = tertium.score({"=1+1": ["a b"], "#N/A": ["a c"]}, ["a b"], "wer,bleu")
    result.write(tmp_path / "out.xlsx")
    table = read_xlsx(str(tmp_path / "out.xlsx"))
    assert table.names == ["system", "metric", "score"]
    assert sorted(map(str, table.values("system"))) == ["#N/A", "#N/A", "=1+1", "=1+1"]
    found = dict(
        zip(
            zip(table.values("system"), table.values("metric"), strict=True),
            table.values("score"),
            strict=True,
        )
    )
    assert found["#N/A", "wer"] == 50.0


def test_numbers_that_are_not_finite_become_empty_cells(tmp_path: Path) -> None:
    document = describe_listing("x", [{"name": "a", "p": float("nan"), "ok": True, "n": 3}])
    (tmp_path / "a.xlsx").write_bytes(render_xlsx(document, "a.xlsx"))
    table = read_xlsx(str(tmp_path / "a.xlsx"))
    assert [table.values(name) for name in table.names] == [["a"], [""], [True], [3]]


def test_texts_that_no_cell_holds_are_rejected() -> None:
    document = describe_listing("x", [{"name": "y" * 40_000}])
    with pytest.raises(InputError, match=r"a.xlsx: row 2 would have a text of 40,000 characters.*write .csv"):
        render_xlsx(document, "a.xlsx")
