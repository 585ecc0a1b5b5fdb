"""Score documents: what each format says about systems, segments, tests and signatures."""

import csv
import io
import json
from itertools import combinations

import pytest

from reference.meteor_words import HandWords
from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.comparison import compare
from tertium.files.extras import install_hint
from tertium.interfaces import WordLists
from tertium.metaeval.calibration import read_calibration
from tertium.presentation.score_table import (
    ScoreTable,
    SystemPairs,
    make_score_table,
    with_expected_agreement,
)
from tertium.presentation.score_tables import describe_scores, describe_segments
from tertium.presentation.tables import FORMATS, render_document
from tertium.presentation.tables.data_formats import document_to_dict
from tertium.stats.analysis import Analysis
from tertium.values import Corpus

NASTY = "a|b & c_d\t%\\"
EVALUATION = evaluate(
    Corpus([["the cat sat on the mat"], ["it rained"]], {NASTY: ["the cat sat on a mat", "it"], "two": ["cat", "x"]}),
    parse_metrics(["wer,bleu"]),
)  # fmt: skip


def make_table(*, baseline: str | None = None, scale: int = 100, shows_intervals: bool = True) -> ScoreTable:
    comparison = compare(EVALUATION, Analysis.of(n_samples=50, baseline=baseline))
    return make_score_table(EVALUATION, comparison, shows_intervals=shows_intervals, scale=scale)


def render(form: str, *, baseline: str | None = None, scale: int = 100) -> str:
    return render_document(describe_scores(make_table(baseline=baseline, scale=scale)), form)


def test_tsv_has_as_many_fields_in_every_row() -> None:
    rows = [line.split("\t") for line in render("tsv", baseline="two").splitlines()]
    assert {len(row) for row in rows} == {6}
    assert rows[1][0] == "a|b & c_d %\\"  # a tab in a name becomes a space, or it would be a column


def test_csv_keeps_any_name() -> None:
    rows = list(csv.reader(io.StringIO(render("csv"))))
    assert rows[1][0] == NASTY


def test_json_numbers_are_numbers_and_scaled() -> None:
    large, small = (json.loads(render("json", scale=scale)) for scale in (100, 1))
    first, second = (document["systems"][0]["scores"]["wer"] for document in (large, small))
    assert second["score"] == pytest.approx(first["score"] / 100)
    assert first["ci_low"] <= first["score"] <= first["ci_high"]
    assert {pair["metric"] for pair in large["pairs"]} == {"wer", "bleu"}


def test_latex_marks_the_best_score_in_bold() -> None:
    page = render("latex")
    assert r"& \textbf{25.00} $\pm$" in page
    assert "*" not in page
    assert "lower is better, bold best" in page


def test_markdown_and_text_mark_the_best_score_with_a_star() -> None:
    for form in ("md", "text"):
        page = render(form)
        assert "*25.00 ±" in page
        assert "lower is better, * best" in page


@pytest.mark.parametrize("form", FORMATS)
def test_segments_can_be_written_in_every_format(form: str) -> None:
    page = render_document(describe_segments(EVALUATION, make_table()), form)
    assert "wer" in page.lower()
    assert page == render_document(describe_segments(EVALUATION, make_table()), form)


def test_a_segment_document_can_be_read_twice() -> None:
    document = describe_segments(EVALUATION, make_table())
    assert render_document(document, "tsv") == render_document(document, "tsv")


def test_segments_stand_below_their_system_in_json() -> None:
    first, second = json.loads(render_document(describe_segments(EVALUATION, make_table()), "json"))[
        "systems"
    ]
    assert list(first) == ["name", "scores", "segments"]
    assert first["segments"]["wer"] == pytest.approx([100 / 6, 50])
    assert len(second["segments"]["bleu"]) == 2


def test_notes_say_how_systems_were_compared() -> None:
    page = render("text")
    assert "too few segments for tests" in page
    twins = evaluate(
        Corpus([["a b c"]] * 60, {"x": ["a b"] * 60, "y": ["a b", "a"] * 30}), parse_metrics(["wer"])
    )
    table = make_score_table(
        twins, compare(twins, Analysis.of(n_samples=50)), shows_intervals=False, scale=100
    )
    assert "systems that share a letter do not differ" in render_document(describe_scores(table), "text")
    assert "Holm-adjusted p < 0.05" in render_document(describe_scores(table, details=True), "text")


def test_equal_systems_are_said_to_score_the_same() -> None:
    twins = evaluate(Corpus([["a b"]] * 60, {"x": ["a"] * 60, "y": ["a"] * 60}), parse_metrics(["wer"]))
    table = make_score_table(
        twins, compare(twins, Analysis.of(n_samples=20)), shows_intervals=False, scale=100
    )
    assert "x and y have the same WER\n" in render_document(describe_scores(table), "text")
    assert "WER: x and y score the same" in render_document(describe_scores(table, details=True), "text")


def test_the_star_is_explained_even_if_nothing_was_tested() -> None:
    table = make_score_table(EVALUATION, None, shows_intervals=False, scale=100)
    assert render_document(describe_scores(table), "text").count("* best") == 1


@pytest.mark.parametrize("form", sorted({*FORMATS} - {"json"}))
def test_only_json_makes_every_pair_of_systems(form: str) -> None:
    table = with_expected_agreement(make_table(), read_calibration())
    render_document(describe_scores(table, details=True), form)
    assert all("_all" not in vars(column.pairs) for column in table.columns)


def test_pairs_are_in_the_order_of_the_scores() -> None:
    words = ["the", "cat", "sat", "on", "the", "mat"]
    systems = {f"s{n}": [" ".join(words[:n]), "it rained"] for n in (3, 6, 4, 5)}
    evaluation = evaluate(Corpus([[" ".join(words)], ["it rained"]], systems), parse_metrics(["wer,chrf"]))
    comparison = compare(evaluation, Analysis.of(n_samples=20))
    table = make_score_table(evaluation, comparison, shows_intervals=False, scale=100)
    for column in with_expected_agreement(table, read_calibration()).columns:
        pairs = list(column.pairs)
        order = ["s6", "s5", "s4", "s3"]
        assert [(pair.better, pair.worse) for pair in pairs] == list(combinations(order, 2))
        assert column.pairs[0] == pairs[0]
        assert column.pairs[-1] == pairs[-1]
        assert list(column.pairs.of_best) == pairs[:3]
        scores = {cell.system: cell.score for cell in column.cells}
        for pair in pairs:
            assert pair.difference == pytest.approx(scores[pair.better] - scores[pair.worse])


def test_full_records_carry_letters_ranks_intervals_and_signatures() -> None:
    document = describe_scores(make_table(shows_intervals=False), full_records=True)
    header, first, *_ = csv.reader(io.StringIO(render_document(document, "csv")))
    assert header == [
        "system", "metric", "score", "ci_low", "ci_high", "p_value", "letters", "rank_best", "rank_worst", "is_best", "signature",
    ]  # fmt: skip
    assert first[3:] == [
        "",
        "",
        "",
        "",
        "",
        "",
        "true",
        make_table(shows_intervals=False).columns[0].signature,
    ]


def test_a_dict_holds_what_json_holds() -> None:
    document = describe_scores(make_table())
    assert document_to_dict(document) == json.loads(render_document(document, "json"))


def test_a_missing_resource_is_said_below_the_table_and_in_json() -> None:
    (made,) = parse_metrics(
        ["meteor:modules=exact"], providers={WordLists: lambda: HandWords(frozenset(), "tertium[0]")}
    )
    evaluation = evaluate(Corpus([["a b"]], {"x": ["a"]}), [made])
    document = describe_scores(make_score_table(evaluation, None, shows_intervals=False, scale=100))
    said = f"computed without METEOR's function words; to add them: {install_hint('meteor')}"
    assert f"\nMETEOR:modules=exact: {said}\n" in render_document(document, "text")
    assert json.loads(render_document(document, "json"))["metrics"][0]["missing"] == said


def test_segments_are_signed_with_what_segments_got() -> None:
    document = describe_segments(EVALUATION, make_table())
    wer, bleu = json.loads(render_document(document, "json"))["metrics"]
    assert "|eff:yes|" in bleu["signature"]
    assert wer["signature"] == EVALUATION.signature("wer")
    assert f"\nbleu: {bleu['signature']}\n" in render_document(document, "text", signatures=True)


def test_without_a_comparison_there_are_no_pairs() -> None:
    pairs = SystemPairs(("a", "b"), None, True, 1.0, is_tested=False)
    assert len(pairs) == 0
    assert list(pairs) == []
    assert pairs.of_best == ()
