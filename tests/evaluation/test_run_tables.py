"""The columns of a run's segments are parsed by the core, and equal those of Python's json module."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.evaluation.runs import tables
from tertium.kernels.strings import TextColumn
from tertium.values import ReferenceStreams

TEXTS = st.text(
    st.sampled_from('ab"\\/,:[]{} \n\r\t\b\f\x00\x1f\x7f\x85\u2028é中𝔸🙂')
    | st.characters(exclude_categories=["Cs"]),
    max_size=8,
)
NAMES = st.lists(TEXTS, min_size=1, max_size=3, unique=True)


def write_rows(columns: dict[str, list[object]]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode()


def parse(data: bytes, *, by_json: bool) -> object:
    """Return plain lists, or the error."""
    with pytest.MonkeyPatch.context() as patch:
        if by_json:
            patch.setattr(tables, "parse_rows", lambda *_: None)
        try:
            found = tables._parse_segments(data)
        except (ValueError, TypeError) as error:
            return type(error), str(error)
    return {
        name: [value if isinstance(value, str) else list(value) for value in column]
        for name, column in found.items()
    }


@st.composite
def columns(draw: st.DrawFn) -> dict[str, list[object]]:
    n_rows = draw(st.integers(0, 4))
    cells = st.one_of(TEXTS, st.lists(TEXTS, max_size=3))
    kinds = [st.one_of(TEXTS), st.lists(TEXTS, min_size=2, max_size=2), st.lists(TEXTS, max_size=3), cells]
    return {
        name: draw(st.lists(draw(st.sampled_from(kinds)), min_size=n_rows, max_size=n_rows))
        for name in draw(NAMES)
    }


@given(columns())
def test_columns_that_were_written_are_read(written: dict[str, list[object]]) -> None:
    data = write_rows(written)
    expected = written if any(written.values()) else {}
    assert parse(data, by_json=False) == parse(data, by_json=True) == expected


@given(columns(), st.integers(0, 300), st.sampled_from([b"", b'"', b"\\", b"\n", b" ", b"[", b"]", b"}", b"1", b"\xff", b"\\ud800", b"\\u0041"]), st.integers(0, 2))  # fmt: skip
@example({"a": ["b", "c"]}, 12, b"", 3)
def test_damaged_columns_are_read_as_python_reads_them(
    written: dict[str, list[object]], at: int, inserted: bytes, n_removed: int
) -> None:
    data = write_rows(written)
    damaged = data[:at] + inserted + data[at + n_removed :]
    assert parse(damaged, by_json=False) == parse(damaged, by_json=True)


def test_lists_of_one_length_stay_columns() -> None:
    found = tables._parse_segments(write_rows({"id": ["1", "2"], "references": [["a", "b"], ["c", 'd"']]}))
    assert isinstance(found["id"], TextColumn)
    assert isinstance(found["references"], ReferenceStreams)
    assert found["references"] == [("a", "b"), ("c", 'd"')]
    (ragged,) = tables._parse_segments(write_rows({"references": [["a"], ["c", "d"]]})).values()
    assert ragged == [["a"], ["c", "d"]]
