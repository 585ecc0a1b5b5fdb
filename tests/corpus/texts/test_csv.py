"""CSV files are read by columns, with quotes as RFC 4180 defines them."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertium.corpus import read_columns, read_corpus
from tertium.corpus.texts.line_formats import read_csv
from tertium.errors import InputError


def write(folder: Path, text: str, name: str = "all.csv") -> str:
    (folder / name).write_bytes(text.encode())
    return str(folder / name)


def test_columns_of_a_csv_file_are_references_and_systems(tmp_path: Path) -> None:
    path = write(
        tmp_path, '\ufeffref,mt,domain\r\n"Hello, world",Hello world,news\r\n"a ""b""","two\nlines",talks\r\n'
    )
    corpus = read_corpus([path], [(None, path), (None, f"{path}#ref")])
    assert [list(group) for group in corpus.references] == [["Hello, world"], ['a "b"']]
    assert list(corpus.systems["all"]) == ["Hello world", "two\nlines"]
    assert list(corpus.systems["ref"]) == ["Hello, world", 'a "b"']
    assert corpus.columns["domain"] == ["news", "talks"]


def test_semicolons_separate_fields_if_the_header_has_no_comma(tmp_path: Path) -> None:
    table = read_csv(write(tmp_path, "ref;mt\n1,5;2,5\n"))
    assert (table.values("ref"), table.values("mt")) == (["1,5"], ["2,5"])


def test_a_blank_line_is_an_empty_field_where_there_is_one_column(tmp_path: Path) -> None:
    assert read_csv(write(tmp_path, "mt\na\n\nb\n")).values("mt") == ["a", "", "b"]


def test_columns_of_segments_may_be_csv(tmp_path: Path) -> None:
    assert read_columns(write(tmp_path, "domain\nnews\ntalks\n"), 2) == {"domain": ["news", "talks"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; a CSV file starts with a row of column names"),
        ("a,b\n1,2\n1\n", r"line 3 has 1 fields but the header has 2; put quotes"),
        ("a,b\n1,2,3\n", r"line 2 has 3 fields"),
        ("a,b\n\n", r"line 2 has 0 fields"),
        ("a,a\n1,2\n", "2 columns named 'a'"),
        ('a,b\n1,"2\n', "line 2 is not valid CSV: unexpected end of data"),
        ('a,b\n1,"2"x\n', "line 2 is not valid CSV"),
        (f"a\n{'x' * 200_000}\n", "line 2 is not valid CSV: field larger than field limit"),
    ],
    ids=["empty", "few", "many", "blank", "twice", "open", "after-quote", "long"],
)
def test_bad_csv_is_reported_with_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError, match=message) as error:
        read_csv(path)
    assert str(error.value).startswith(path)


cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(cells, cells), max_size=5))
def test_what_a_csv_writer_wrote_is_read(tmp_path: Path, rows: list[tuple[str, str]]) -> None:
    content = io.StringIO(newline="")
    csv.writer(content, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *rows])
    table = read_csv(write(tmp_path, content.getvalue()))
    assert list(zip(table.values("a"), table.values("b"), strict=True)) == rows
