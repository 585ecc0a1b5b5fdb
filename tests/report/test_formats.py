"""Score tables in every format, with names that try to break them."""

import csv
import io
import json

import pytest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.comparison import compare
from tertium.report.formats import footnotes, render_scores, render_segments
from tertium.report.scores import ScoreTable, make_score_table
from tertium.types import Corpus

NASTY = "a|b & c_d\t%\\"
EVALUATION = evaluate(
    Corpus([["the cat sat on the mat"], ["it rained"]], {NASTY: ["the cat sat on a mat", "it"], "two": ["cat", "x"]}),
    parse_metrics(["wer,bleu"]),
)  # fmt: skip


def make_table(*, baseline: str | None = None, scale: int = 100) -> ScoreTable:
    comparison = compare(EVALUATION, n_samples=50, baseline=baseline)
    return make_score_table(EVALUATION, comparison, shows_intervals=True, scale=scale)


def test_tsv_has_as_many_fields_in_every_row() -> None:
    rows = [line.split("\t") for line in render_scores(make_table(baseline="two"), "tsv").splitlines()]
    assert {len(row) for row in rows} == {6}
    assert rows[1][0] == "a|b & c_d %\\"  # a tab in a name becomes a space, or it would be a column


def test_csv_keeps_any_name() -> None:
    rows = list(csv.reader(io.StringIO(render_scores(make_table(), "csv"))))
    assert rows[1][0] == NASTY


def test_markdown_cells_are_escaped() -> None:
    header, rule, first, *_ = render_scores(make_table(), "md").splitlines()
    assert header.count("|") == rule.count("|") == first.replace("\\|", "").count("|")


def test_latex_is_escaped() -> None:
    page = render_scores(make_table(), "latex")
    assert r"a|b \& c\_d" in page
    assert r"\%\textbackslash{}" in page
    assert r"$\uparrow$" in page


def test_json_numbers_are_numbers_and_scaled() -> None:
    large, small = (json.loads(render_scores(make_table(scale=scale), "json")) for scale in (100, 1))
    first, second = (document["systems"][0]["scores"]["wer"] for document in (large, small))
    assert second["score"] == pytest.approx(first["score"] / 100)
    assert first["ci_low"] <= first["score"] <= first["ci_high"]
    assert {pair["metric"] for pair in large["pairs"]} == {"wer", "bleu"}


@pytest.mark.parametrize("form", ["text", "md", "latex", "tsv", "csv", "json"])
def test_segments_can_be_written_in_every_format(form: str) -> None:
    assert "wer" in render_segments(EVALUATION, make_table(), form)


def test_notes_say_what_would_separate_the_best_two() -> None:
    notes = "\n".join(footnotes(make_table()))
    assert "cannot be told apart" in notes
    assert "50 samples" in notes


def test_equal_systems_are_said_to_score_the_same() -> None:
    twins = evaluate(Corpus([["a b"]], {"x": ["a"], "y": ["a"]}), parse_metrics(["wer"]))
    table = make_score_table(twins, compare(twins, n_samples=20), shows_intervals=False, scale=100)
    assert "wer: x and y score the same" in footnotes(table)
