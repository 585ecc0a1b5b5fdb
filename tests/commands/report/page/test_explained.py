"""Which segments a page explains, and what its pictures are drawn from."""

import base64
import json
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.commands.report.page import PageContents
from tertium.commands.report.page.explained import describe_picture, explain_segments
from tertium.evaluation.comparison import compare
from tertium.presentation.score_table import make_score_table
from tertium.stats.analysis import Analysis
from tertium.values import Explanation

REFERENCES = [f"one two three four five {i}" for i in range(80)]
WORSE = [" ".join(text.split()[: 2 + i % 4]) for i, text in enumerate(REFERENCES)]
WORST = ["nothing of this" for _ in REFERENCES]


def contents(metrics: str = "wer,bleu") -> PageContents:
    systems = {"worst": WORST, "good": REFERENCES, "worse": WORSE}
    result = tertium.score(systems, REFERENCES, metrics)
    comparison = compare(result.tables, Analysis.of(n_samples=100))
    table = make_score_table(result.tables, comparison, shows_intervals=True, scale=100)
    return PageContents(
        title="", evaluation=result.tables, comparison=comparison, table=table, corpus=result.corpus
    )


def test_the_two_best_systems_are_explained_on_their_most_different_segments() -> None:
    explained = explain_segments(contents("wer"))
    assert explained.systems == ("good", "worse")
    assert {system for _, system, *_ in explained.entries} == {1, 2}
    segments = {segment for segment, *_ in explained.entries}
    assert {i for i in range(80) if i % 4 == 0} <= segments  # two words of six are left
    assert explained.n_segments == [len(segments)]


def test_explanations_take_no_more_bytes_than_they_may() -> None:
    explained = explain_segments(contents(), most_bytes=5_000)
    sizes = [0, 0]
    for _, _, metric, shown in explained.entries:
        sizes[metric] += len(json.dumps(shown))
    assert 0 < sizes[0] <= 2_500
    assert 0 < sizes[1] <= 2_500
    assert explained.entries == explain_segments(contents(), most_bytes=5_000).entries


def test_a_picture_has_words_only_if_something_is_drawn_over_them() -> None:
    plain = Explanation("m", ["a"], ["b"], 1.0, steps=["a step"])
    assert describe_picture(plain) == {"steps": ["a step"]}
    linked = Explanation("m", ["a"], ["b"], 1.0, links=[(0, 0, "match")])
    assert describe_picture(linked) == {"rows": ["a"], "columns": ["b"], "links": [[0, 0, "match"]]}


def test_a_heat_map_keeps_its_ends_and_a_byte_per_cell() -> None:
    matrix = np.array([[-1.0, 0.0], [1.0, 3.0]])
    shown = describe_picture(Explanation("m", ["a", "b"], ["c", "d"], 1.0, matrices={"flow": matrix}))
    maps: Any = shown["maps"]
    ((name, low, high, packed),) = maps
    assert (name, low, high) == ("flow", -1.0, 3.0)
    np.testing.assert_array_equal(np.frombuffer(base64.b64decode(packed), np.uint8), [0, 64, 128, 255])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_heat_map_without_a_finite_number_has_no_range(value: float) -> None:
    shown = describe_picture(Explanation("m", ["a"], ["b"], 1.0, matrices={"flow": np.full((1, 1), value)}))
    assert shown["maps"] == [["flow", 0.0, 0.0, base64.b64encode(b"\0").decode()]]


def test_a_matrix_that_nobody_could_read_is_left_out() -> None:
    large = Explanation("m", ["a"] * 60, ["b"] * 60, 1.0, matrices={"flow": np.ones((60, 60))}, steps=["x"])
    assert describe_picture(large) == {"steps": ["x"]}
