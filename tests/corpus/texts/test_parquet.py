"""Parquet files follow the column rules of JSONL."""

import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tertium.corpus import read_corpus, read_table
from tertium.errors import InputError, MissingExtraError

Write = Callable[[str, str | bytes], str]


@pytest.fixture
def write_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def write_file(**columns: object) -> str:
        pq.write_table(pa.table(columns), "a.parquet")
        return "a.parquet"

    return write_file


def test_cells_are_strings_lists_or_null(write_parquet: Callable[..., str]) -> None:
    path = write_parquet(ref=[["a", None], None, []], hyp=["x", "", None])
    assert read_table(path, ["ref", "hyp"]) == {"ref": [("a",), None, ()], "hyp": ["x", "", None]}


def test_dictionary_encoded_strings_are_strings(write_parquet: Callable[..., str]) -> None:
    path = write_parquet(ref=pa.array(["a", "a"]).dictionary_encode())
    assert read_table(path, ["ref"]) == {"ref": ["a", "a"]}


def test_a_dotted_path_goes_into_structs(write_parquet: Callable[..., str]) -> None:
    path = write_parquet(
        **{"meta": [{"ref": "deep"}, None], "flat.ref": ["x", "y"], "flat": [{"ref": "z"}] * 2}
    )
    expected = {"meta.ref": ["deep", None], "flat.ref": ["x", "y"]}
    assert read_table(path, ["meta.ref", "flat.ref"]) == expected


def test_one_file_may_hold_the_whole_corpus(write_parquet: Callable[..., str]) -> None:
    path = write_parquet(src=["s", "t"], refs=[["a", "b"], ["c"]], mt=["x", "y"])
    corpus = read_corpus([path], [(None, path)], path)
    assert corpus.references == [("a", "b"), ("c",)]
    assert (corpus.systems, corpus.sources) == ({"a": ["x", "y"]}, ["s", "t"])


@pytest.mark.parametrize(
    "column, values, message",
    [
        ("ref", ["a", "b"], r"a\.parquet has no column 'hyp'; it has: ref"),
        ("hyp", [1, 2], r"a\.parquet#hyp: row 1 holds a number, not a string"),
        ("hyp", ["a", None], r"a\.parquet#hyp: row 2 holds null, not a string"),
        ("hyp", [b"a", b"b"], r"a\.parquet#hyp: row 1 holds bytes, not a string"),
    ],
)
def test_a_bad_column_is_refused_with_its_row(
    write_parquet: Callable[..., str], write: Write, column: str, values: list[object], message: str
) -> None:
    path = write_parquet(**{column: values})
    with pytest.raises(InputError, match=f"^{message}"):
        read_corpus([write("ref.txt", "a\nb\n")], [(None, f"{path}#hyp")])


def test_a_missing_field_of_a_struct_is_refused(write_parquet: Callable[..., str]) -> None:
    with pytest.raises(InputError, match=r"has no column 'meta\.x'; it has: meta"):
        read_table(write_parquet(meta=[{"ref": "a"}]), ["meta.x"])


def test_repeated_column_names_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table([["a"], ["b"]], names=["ref", "ref"]), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="has 2 columns named 'ref'"):
        read_table(str(tmp_path / "a.parquet"), ["ref"])


@pytest.mark.parametrize("content", [b"", b"PAR1", b"ref\na\n"])
def test_other_bytes_are_not_parquet(write: Write, content: bytes) -> None:
    with pytest.raises(InputError, match=r"^a\.parquet is not a Parquet file, or is damaged"):
        read_table(write("a.parquet", content), ["ref"])


def test_a_cut_file_is_refused(write_parquet: Callable[..., str], write: Write) -> None:
    whole = Path(write_parquet(ref=["a", "b"])).read_bytes()
    with pytest.raises(InputError, match="is not a Parquet file, or is damaged"):
        read_table(write("b.parquet", whole[:-20]), ["ref"])


def test_strings_that_are_not_utf8_are_refused(write_parquet: Callable[..., str]) -> None:
    offsets = pa.py_buffer(b"\0\0\0\0\1\0\0\0")
    broken = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(b"\xff")])
    with pytest.raises(InputError, match=r"^a\.parquet#ref is damaged \('utf-8' codec"):
        read_table(write_parquet(ref=broken), ["ref"])


def test_a_missing_extra_says_how_to_install_it(
    write_parquet: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_parquet(ref=["a"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyarrow>="):
        read_table(path, ["ref"])
