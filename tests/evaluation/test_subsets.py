"""Conditions choose the right segments, and parts of an evaluation are the evaluation of the parts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.selection import (
    NamedEvaluation,
    SegmentColumns,
    join_evaluations,
    parse_conditions,
    part_by,
    select_rows,
    select_segments,
    select_texts,
)
from tertium.values import Corpus

CORPUS = Corpus(
    [["a b c d"], ["a", "a b c"], ["x y"], [""]],
    {"s": ["a b", "a b c", "x", "y"], "t": ["a b c d", "b", "y x", ""]},
    sources=["1", "2", "3", "4"],
    document_ids=["d1", "d1", "d2", "d2"],
    columns={"domain": ["news", "law", "news", ""], "year": ["2019", "2020.0", "", "2021"]},
)
COLUMNS = SegmentColumns(CORPUS)


def rows(*texts: str) -> list[int]:
    return [int(row) for row in select_rows(parse_conditions(texts), COLUMNS, len(CORPUS))]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("domain=news", [0, 2]), ("domain!=news", [1, 3]), ("domain~aw", [1]), ("year=2020", [1]),
        ("year>2019", [1, 3]), ("year>=2019", [0, 1, 3]), ("year<2020", [0]), ("year<=2020", [0, 1]),
        ("length=2", [1, 2]), ("length>1", [0, 1, 2]), ("domain=news,length>2", [0]), ("domain=", [3]),
        ("document=d2", [2, 3]), (' domain = "news" , year = 2019', [0]), ("year!=2020", [0, 2, 3]),
    ],
)  # fmt: skip
def test_conditions_choose_segments(condition: str, expected: list[int]) -> None:
    assert rows(condition) == expected


def test_conditions_of_several_options_all_hold() -> None:
    assert rows("domain=news", "document=d2") == [2]


@pytest.mark.parametrize(
    ("condition", "error", "message"),
    [
        ("domian=news", UnknownNameError, "no column 'domian'; did you mean domain"),
        ("domain=nwes", InputError, "no segment has domain 'nwes'; did you mean news"),
        ("domain=law,year>2020", InputError, "no segment fulfils domain=law, year>2020"),
        ("domain>3", InputError, "segment 1 has domain 'news', which is not a number"),
        ("year>late", OptionError, "only numbers can be compared with >, not 'late'"),
        ("domain", OptionError, "'domain' is not a condition; write COLUMN=VALUE"),
        ("=news", OptionError, "is not a condition"),
        ("", OptionError, "a condition is empty"),
    ],
)
def test_mistakes_in_conditions_are_named(condition: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        rows(condition)


def test_a_column_called_length_goes_first() -> None:
    corpus = Corpus([["a b"]], {"s": ["a"]}, columns={"length": ["7"]})
    assert SegmentColumns(corpus)["length"] == ["7"]


@given(chosen=st.lists(st.integers(0, 3), min_size=1, unique=True))
def test_a_part_of_an_evaluation_is_the_evaluation_of_the_part(chosen: Sequence[int]) -> None:
    metrics = parse_metrics(["bleu,wer,chrf"])
    part = select_segments(evaluate(CORPUS, metrics), np.array(chosen))
    scored = evaluate(select_texts(CORPUS, np.array(chosen)), metrics)
    for metric in metrics:
        np.testing.assert_array_equal(part.tables[metric.label], scored.tables[metric.label])
        np.testing.assert_array_equal(part.system_scores(metric.label), scored.system_scores(metric.label))


def test_parts_come_in_the_order_of_numbers_or_of_first_segments() -> None:
    columns = {"n": ["10", "9", "10"], "t": ["b", "a", "b"]}
    assert list(part_by(columns, "n")) == ["9", "10"]
    assert {value: part.tolist() for value, part in part_by(columns, "t").items()} == {"b": [0, 2], "a": [1]}


def test_length_counts_characters_of_scripts_without_spaces() -> None:
    corpus = Corpus([["我们在这里。"], ["one two"]], {"s": ["", ""]})
    assert list(SegmentColumns(corpus)["length"]) == ["5", "2"]


def test_metrics_of_other_versions_are_joined_with_a_note() -> None:
    first, second = (evaluate(CORPUS, parse_metrics(["wer"])) for _ in range(2))
    older = first.signature("wer").rpartition("|version:")[0] + "|version:0.1"
    second = replace(second, metrics=(replace(second.metrics[0], recorded=older),))
    joined = join_evaluations([NamedEvaluation("new", first), NamedEvaluation("old", second)])
    (note,) = joined.notes
    assert note.startswith("wer was computed by different versions: ")
    assert note.endswith(", 0.1")
