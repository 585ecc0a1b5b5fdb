"""Places that look like boundaries of segments."""

import numpy as np

from tertium.alignment.boundaries import (
    END_COSTS,
    ENDS,
    OPENING_COSTS,
    START_COSTS,
    STARTS,
    classify_ends,
    classify_places,
    classify_starts,
    weigh_cuts,
)
from tertium.alignment.streams import Stream


def test_closing_quotes_do_not_hide_the_end_of_a_sentence() -> None:
    texts = [
        "It rained.",
        'He said "no."',
        "「はい。」",
        "Really?!",
        "why?”",
        "note:",
        "and,",
        "(photo)",
        "Title",
        "",
    ]
    assert [ENDS[end] for end in classify_ends(texts)] == [
        "stop", "stop", "stop", "exclamation", "question", "colon", "comma", "closed", "open", "open",
    ]  # fmt: skip


def test_a_reference_begins_as_its_first_word_does() -> None:
    found = classify_starts(["- Yes", "(The rain", "iPhone", "3.5 km", "«Нет»", "مرحبا", ""])
    assert [STARTS[start] for start in found.classes] == [
        "symbol", "capital", "lower", "digit", "capital", "uncased", "symbol",
    ]  # fmt: skip
    assert found.openings.tolist() == [False, True, False, False, True, False, False]


def test_words_that_are_always_capitalised_are_names() -> None:
    places = classify_places(Stream.of(["The rain in New York. Rain fell on the city of York."]))
    assert [STARTS[start] for start in places.starts.classes] == [
        "capital", "lower", "lower", "name", "inner name", "capital", "lower", "lower", "lower", "lower", "lower",
        "name", "symbol",
    ]  # fmt: skip


def test_every_reference_prefers_its_own_class() -> None:
    """The tables are learnt: a reference that ends with a question mark expects one, and so on."""
    for name in ("stop", "question", "exclamation", "colon", "closed"):
        assert END_COSTS[ENDS.index(name)].argmin() == ENDS.index(name)
    for name in ("capital", "digit", "symbol"):
        assert START_COSTS[STARTS.index(name)].argmin() == STARTS.index(name)
    assert OPENING_COSTS.argmin(axis=1).tolist() == [0, 1]


def test_a_cut_inside_a_sentence_costs_more_than_one_between_sentences() -> None:
    stream = Stream.of(["The sun rose. It was cold", "outside. Nobody came."])
    costs = weigh_cuts(stream, ["The sun rose.", "It was very cold.", "No one came."])
    row = costs.rows[costs.kinds[0]]
    assert row[3] < row[6] < row[4]  # behind a sentence, at a line break, inside a sentence
    assert row[4] > 0.9


def test_nothing_begins_with_closing_punctuation() -> None:
    row = weigh_cuts(Stream.of(["Yes . No"]), ["Yes.", "No."]).rows[0]
    assert np.isinf(row[1])
    assert np.isfinite(row[[0, 2, 3]]).all()


def test_an_empty_output_has_one_place() -> None:
    assert weigh_cuts(Stream.of([]), ["a", "b"]).rows.shape[1] == 1
