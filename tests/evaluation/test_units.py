"""The choice of what intervals and tests resample: documents where they are known, otherwise segments."""

from collections.abc import Sequence

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.evaluation.units import MIN_DOCUMENTS, Units, choose_units, describe_tests, describe_units
from tertium.stats.analysis import Analysis

TEN = [f"d{i // 2}" for i in range(20)]
"""The documents of twenty segments."""


@pytest.mark.parametrize("column", ["document", "doc", "document_id", "doc_id", "docid", "docID"])
def test_documents_are_resampled_wherever_a_column_names_them(column: str) -> None:
    units = choose_units({"topic": ["a"] * 20, column: TEN})
    assert (units.name, units.groups, units.reason) == ("document", TEN, "")


@pytest.mark.parametrize(
    ("documents", "reason"),
    [
        ([], ""),
        ([f"d{i}" for i in range(20)], ""),
        ([*TEN[:19], ""], "segment 20 has no document"),
        (["d"] * 20, "1 document is too few to resample"),
        ([f"d{i % (MIN_DOCUMENTS - 1)}" for i in range(20)], "5 documents are too few to resample"),
    ],
    ids=["unknown", "one each", "one unnamed", "one", "few"],
)
def test_segments_are_resampled_where_documents_cannot_be(documents: Sequence[str], reason: str) -> None:
    units = choose_units({"document": documents} if documents else {})
    assert (units.name, units.groups, units.reason) == ("segment", None, reason)


def test_the_user_has_the_last_word() -> None:
    columns = {"doc_id": TEN, "topic": ["a", "b"] * 10}
    assert choose_units(columns, "segment").groups is None
    assert (choose_units(columns, "topic").name, choose_units(columns, "topic").groups) == (
        "topic",
        ["a", "b"] * 10,
    )
    for name in ("document", "doc_id"):
        assert (choose_units(columns, name).name, choose_units(columns, name).groups) == ("document", TEN)


def test_the_test_of_sacrebleu_draws_segments_unless_the_user_says_otherwise() -> None:
    columns = {"document": TEN}
    assert choose_units(columns, test="sacrebleu-bootstrap").name == "segment"
    assert choose_units(columns, "document", test="sacrebleu-bootstrap").name == "document"


def test_a_named_column_must_exist_and_have_a_value_for_every_segment() -> None:
    with pytest.raises(UnknownNameError, match="segments have no column 'talk'"):
        choose_units({"topic": ["a"]}, "talk")
    with pytest.raises(UnknownNameError, match="segments have no column 'document'"):
        choose_units({"topic": ["a"]}, "document")
    with pytest.raises(InputError, match="segment 2 has no topic"):
        choose_units({"topic": ["a", ""]}, "topic")


def test_some_segments_have_the_units_that_the_same_rules_give() -> None:
    units = choose_units({"document": TEN})
    assert units.take(range(14)).groups == TEN[:14]
    assert units.take(range(4)).reason == "2 documents are too few to resample"
    assert choose_units({"document": TEN}, "document").take(range(4)).groups == TEN[:4]
    assert Units().take(range(4)).name == "segment"


DOCUMENTS, SEGMENTS = Analysis(unit="document"), Analysis()


@pytest.mark.parametrize(
    ("tested", "expected"),
    [
        ([(SEGMENTS, 5)], "segments taken as independent"),
        ([(SEGMENTS, 5), (SEGMENTS, 7)], "segments taken as independent"),
        ([(DOCUMENTS, 5), (DOCUMENTS, 7)], "12 documents resampled"),
        ([(SEGMENTS, 5), (DOCUMENTS, 7)], "documents resampled on 1 of 2 test sets, segments on the others"),
    ],
    ids=["one test set", "segments", "documents", "both"],
)
def test_the_units_of_several_test_sets_are_described_in_one_phrase(
    tested: list[tuple[Analysis, int]], expected: str
) -> None:
    assert describe_units(tested) == expected


def test_tests_of_several_test_sets_are_named_once() -> None:
    assert describe_tests([(SEGMENTS, 5), (SEGMENTS, 9)]) == "paired bootstrap over segments, 1,000 samples"
