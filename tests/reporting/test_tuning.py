"""Searches, and curves over one option, as documents."""

import csv
import io
import json

import pytest

from tertium.commands.meta.tuning_tables import describe_curve, describe_outcome
from tertium.metaeval.agreement import parse_statistic
from tertium.presentation.tables import FORMATS, render_document
from tertium.presentation.tables.data_formats import document_to_pandas
from tertium.tuning.trials import Outcome, Trial, Validation

NAN = float("nan")
TRIALS = [
    Trial({"beta": 1}, {"system:pearson": {"de-en": 0.5, "fr-en": 0.25}}),
    Trial({"beta": 2.5}, {"system:pearson": {"de-en": NAN, "fr-en": 0.75}}),
]
STATISTICS = [parse_statistic("system:pearson")]


def make_outcome(validation: Validation | None = None) -> Outcome:
    best = Trial({"beta": 2.5}, {"system:pearson": {"": 0.75, "fr-en": NAN}})
    return Outcome("chrf", {"word_order": 2}, best, "system:pearson", "grid", 1234, validation)


def test_a_curve_has_a_column_per_pair_and_their_average() -> None:
    text = render_document(describe_curve(TRIALS, STATISTICS, "beta"), "text")
    assert text == (
        "system level, Pearson's r\nbeta  de-en  fr-en  average\n1     0.500  0.250    0.375\n2.5       –  0.750        –\n"
    )


def test_a_curve_without_a_value_has_an_empty_field_and_null() -> None:
    document = describe_curve(TRIALS, STATISTICS, "beta")
    rows = list(csv.DictReader(io.StringIO(render_document(document, "csv"))))
    assert [row["value"] for row in rows] == ["0.5", "0.25", "", "0.75"]
    trials = json.loads(render_document(document, "json"))["trials"]
    assert trials[1] == {"point": {"beta": 2.5}, "values": {"system:pearson": {"de-en": None, "fr-en": 0.75}}}


def test_a_swept_number_is_a_number_in_frames_and_words_are_words() -> None:
    assert document_to_pandas(describe_curve(TRIALS, STATISTICS, "beta"))["beta"].tolist() == [1, 1, 2.5, 2.5]
    words = [Trial({"orders": orders}, TRIALS[0].values) for orders in ((1,), (1, 2))]
    assert document_to_pandas(describe_curve(words, STATISTICS, "orders"))["orders"][2] == "(1, 2)"


def test_an_outcome_is_told_in_words() -> None:
    text = render_document(describe_outcome(make_outcome(), label="chrf:beta=2.5", digest="abc"), "text")
    assert text == (
        "chrf:beta=2.5\nobjective system:pearson, 1,234 trials\n"
        "no held-out score: fewer than two language pairs have every statistic\nsystem:pearson: all 0.750, fr-en –\n"
    )


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_the_best_options_and_the_held_out_score(form: str) -> None:
    validation = Validation("on held-out data", 0.75, 0.5, 0.625, float("-inf"))
    page = render_document(
        describe_outcome(make_outcome(validation), label="chrf:beta=2.5", digest="abc"), form
    )
    for part in ("beta", "2.5", "0.625", "0.75"):
        assert part in page
    assert "Infinity" not in page
