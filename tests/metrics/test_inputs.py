"""What Python users hand over: every ordered collection of strings is taken, everything else is named."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError, OptionError
from tertium.metrics.inputs import list_frame, make_column
from tertium.metrics.lexical.wer import WER

HYPOTHESES = ["the cat sat", "it rained", ""]
STREAMS = [["the cat sat down", "it rains", ""], ["a cat sat", "rain fell", "x"]]
EXPECTED = WER().corpus_score(HYPOTHESES, STREAMS)


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(tuple, id="tuple"),
        pytest.param(iter, id="generator"),
        pytest.param(np.array, id="numpy strings"),
        pytest.param(lambda texts: np.array(texts, dtype=object), id="numpy objects"),
        pytest.param(lambda texts: dict.fromkeys(texts, 0).keys().__iter__(), id="iterator"),
    ],
)
def test_any_ordered_collection_of_strings_is_scored(wrap: Callable[[list[str]], Iterable[str]]) -> None:
    assert WER().corpus_score(wrap(HYPOTHESES), [wrap(stream) for stream in STREAMS]) == EXPECTED
    assert WER().corpus_score(HYPOTHESES, (wrap(stream) for stream in STREAMS)) == EXPECTED
    alone = WER().sentence_score("a b", ["a c", "b"])
    assert WER().sentence_score("a b", wrap(["a c", "b"])) == alone


def test_a_pandas_series_is_scored() -> None:
    pandas = pytest.importorskip("pandas")
    streams = [pandas.Series(stream, index=[7, 8, 9]) for stream in STREAMS]
    assert WER().corpus_score(pandas.Series(HYPOTHESES, index=[3, 1, 2]), streams) == EXPECTED


def test_a_matrix_of_references_is_read_by_its_rows() -> None:
    assert WER().corpus_score(HYPOTHESES, np.array(STREAMS)) == EXPECTED


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", "b", "c", None], [["a"] * 4], "hypotheses[3] is None; every text must be a string"),
        (["a", b"b"], [["a", "b"]], "hypotheses[1] is b'b' (bytes); every text must be a string"),
        ([1, 2], [["a", "b"]], "hypotheses[0] is 1 (int); every text must be a string"),
        (["a", float("nan")], [["a", "b"]], "hypotheses[1] is nan (float); every text must be a string"),
        (["a", "b"], [["a", "b"], ["a", 7]], "references[1][1] is 7 (int); every text must be a string"),
        (["a", "b"], [None], "references[0] must be a list of strings, not None"),
        (["a", "b"], {"r": ["a", "b"]}, "references must be a list, not a dict"),
        (["a", "b"], [{"a": 1, "b": 2}], "references[0] must be a list, not a dict"),
        ({"a", "b"}, [["a", "b"]], "hypotheses must be a list, not a set"),
        (None, [["a"]], "hypotheses must be a list of strings, not None"),
        (["a"], "a", "references must be a list of strings, not a single string"),
        (["a"], b"a", "references must be a list of strings, not a single string"),
    ],
)
def test_what_is_no_text_is_named_with_its_place(hypotheses: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        WER().corpus_score(hypotheses, references)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("hypothesis", "references", "message"),
    [
        (None, ["a"], "hypothesis must be a string, not None"),
        (["a"], ["a"], "hypothesis must be a string, not ['a'] (list)"),
        ("a", [], "the segment has no reference"),
        ("a", [None], "references[0] is None"),
        ("a", {"a": "b"}, "references must be a list, not a dict"),
    ],
)
def test_a_single_segment_is_checked_too(hypothesis: Any, references: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        WER().sentence_score(hypothesis, references)
    assert str(caught.value).startswith(message)


def test_a_misspelt_orientation_is_refused_with_a_suggestion() -> None:
    with pytest.raises(OptionError, match="unknown orientation 'stream'; did you mean streams"):
        WER().corpus_score(["a"], [["a"]], orientation="stream")  # type: ignore[arg-type]


class Frame:
    """A data frame as pandas and polars have it: columns by name."""

    columns = ("a", "b")

    def __getitem__(self, name: str) -> tuple[str, str]:
        return (name, name * 2)


def test_a_data_frame_is_read_by_columns() -> None:
    assert list_frame(Frame()) == {"a": ["a", "aa"], "b": ["b", "bb"]}


@pytest.mark.parametrize("given", [{"columns": ["x"]}, ["x"], None, Frame])
def test_other_values_are_no_data_frame(given: object) -> None:
    assert list_frame(given) is None


def test_a_column_is_made_once() -> None:
    column = make_column(["a", "b"], "hypotheses")
    assert make_column(column, "hypotheses") is column
