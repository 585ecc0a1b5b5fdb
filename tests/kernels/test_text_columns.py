"""Columns of texts behave like lists of strings, wherever their bytes lie."""

import pickle
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.files.reading import split_lines
from tertium.kernels.strings import (
    TextColumn,
    count_line_ends,
    find_line_starts,
    find_lines,
    interleave_texts,
    lower_texts,
)

ODD = st.text(
    st.sampled_from("aBcÅΣσς'İıǅß \t\r\n\x0b\x1c\x85\u00a0\u2028\u3000\ufeff\x00中𝔸🙂"), max_size=12
)


@given(st.lists(ODD))
def test_a_column_equals_the_list_it_was_made_from(strings: list[str]) -> None:
    column = TextColumn.of(strings)
    assert column == strings
    assert list(column) == strings
    assert [column[i] for i in range(-len(strings), len(strings))] == strings * 2
    assert pickle.loads(pickle.dumps(column)) == strings


@given(st.lists(ODD), st.slices(8))
def test_slices_are_those_of_a_list(strings: list[str], part: slice) -> None:
    assert TextColumn.of(strings)[part] == strings[part]


@pytest.mark.parametrize("index", [2, -3])
def test_a_text_that_is_not_there_is_an_index_error(index: int) -> None:
    with pytest.raises(IndexError, match="there are 2"):
        TextColumn.of(["a", "b"])[index]


@given(ODD)
def test_lines_of_bytes_are_the_lines_of_the_text_without_white_space_at_their_ends(text: str) -> None:
    assert TextColumn.from_lines(text.encode()) == [line.rstrip() for line in split_lines(text)]


@given(
    st.lists(st.sampled_from([0, 1, 5, 127, 128, 300, 32_700]), max_size=9),
    st.integers(0, 12),
    st.binary(max_size=3),
)
@example([0] * 70_000, 66_000, b"")  # every byte is a line end, in more than one block of the kernel
def test_the_first_lines_are_those_of_python(lengths: list[int], n_lines: int, end: bytes) -> None:
    data = b"".join(b"\x8a" * length + b"\n" for length in lengths) + end
    lines = data.split(b"\n")
    n_ends = len(lines) - 1
    size = sum(len(line) + 1 for line in lines[:n_lines]) if n_lines <= n_ends else len(data)
    assert find_lines(np.frombuffer(data, np.uint8), n_lines) == (size, min(n_lines, n_ends))
    assert count_line_ends(np.frombuffer(data, np.uint8)) == n_ends


@given(st.lists(st.integers(0, 9)), st.integers(1, 20))
def test_a_line_start_is_found_in_every_range_that_has_one(lengths: list[int], spacing: int) -> None:
    data = b"".join(b"x" * length + b"\n" for length in lengths)
    n_ends, starts = find_line_starts(np.frombuffer(data, np.uint8), spacing)
    assert n_ends == len(lengths)
    begins = [0, *accumulate(length + 1 for length in lengths)]
    by_range: dict[int, tuple[int, int]] = {}
    for line, byte in list(enumerate(begins))[1:]:
        by_range.setdefault((byte - 1) // spacing, (line, byte))  # the range of the line end before it
    assert starts == list(by_range.values())


@given(st.binary(max_size=12))
def test_bytes_are_refused_where_python_refuses_them(data: bytes) -> None:
    try:
        data.decode()
    except UnicodeDecodeError:
        assert TextColumn.from_lines(data) is None
    else:
        assert TextColumn.from_lines(data) is not None


@pytest.mark.parametrize("bad", [b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80"])
@pytest.mark.parametrize("before", [b"", b"1234567", b"12345678", b"123456789"])
def test_what_is_not_utf8_is_found_behind_any_number_of_ascii_bytes(before: bytes, bad: bytes) -> None:
    assert TextColumn.from_lines(before + bad) is None


@given(st.lists(ODD))
def test_lower_case_is_pythons(strings: list[str]) -> None:
    assert lower_texts(TextColumn.of(strings)) == [text.lower() for text in strings]


@given(st.lists(st.tuples(ODD, ODD, ODD)))
def test_interleaved_columns_are_the_rows_one_after_the_other(rows: list[tuple[str, str, str]]) -> None:
    columns = [TextColumn.of([row[k] for row in rows]) for k in range(3)]
    assert interleave_texts(columns) == [text for row in rows for text in row]


def test_a_column_keeps_the_bytes_of_those_it_was_made_from() -> None:
    def make() -> TextColumn:
        first = TextColumn.from_lines(b"one\ntwo\n")
        assert first is not None
        return interleave_texts([lower_texts(first[1:]), TextColumn.of([f"é{chr(33)}"])])

    kept = [make() for _ in range(50)]
    assert all(texts == ["two", "é!"] for texts in kept)


def test_half_a_surrogate_pair_is_named_with_its_place() -> None:
    with pytest.raises(InputError, match="2"):
        TextColumn.of(["a", "b\ud800"])


def test_a_column_shows_its_size_and_not_its_texts() -> None:
    assert repr(TextColumn.of(["secret"] * 2000)) == "<TextColumn: 2,000 texts>"
