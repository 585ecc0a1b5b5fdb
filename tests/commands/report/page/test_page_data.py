"""What the report page says and holds, as far as it shows without a browser."""

import base64
import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.commands.report.page.contents import PageContents, describe_answer, hide_folders
from tertium.commands.report.page.figures import draw_figures
from tertium.commands.report.page.rendering import pack_scores, pack_texts, write_json
from tertium.evaluation.comparison import compare
from tertium.presentation.score_table import make_score_table
from tertium.stats.analysis import Analysis

REFERENCES = [f"one two three four five {i}" for i in range(60)]
BAD = [f"one two other words here {i}" for i in range(60)]
ASSETS = sorted((Path(tertium.__file__).parent / "commands" / "report" / "page" / "assets").iterdir())


def answer(systems: dict[str, list[str]], metrics: str = "wer") -> str:
    evaluation = tertium.score(systems, REFERENCES[: len(next(iter(systems.values())))], metrics).tables
    comparison = compare(evaluation, Analysis.of(n_samples=200))
    table = make_score_table(evaluation, comparison, shows_intervals=True, scale=100)
    return " ".join(
        describe_answer(PageContents(title="", evaluation=evaluation, comparison=comparison, table=table))
    )


def test_the_answer_names_the_best_system_and_says_that_it_is_sure() -> None:
    said = answer({"good": REFERENCES, "bad": BAD}, "wer,bleu")
    assert said == "good is significantly better than bad on both metrics."


def test_the_answer_names_systems_without_a_significant_difference() -> None:
    assert answer({"good": REFERENCES, "twin": REFERENCES}) == "good and twin have the same WER."


def test_the_answer_admits_that_there_are_too_few_segments() -> None:
    assert "Too few segments" in answer({"good": REFERENCES[:2], "bad": BAD[:2]})


def test_one_system_has_nothing_to_be_compared_with() -> None:
    assert (
        answer({"alone": REFERENCES}) == "One system was scored, alone: there is nothing to compare it with."
    )


def test_json_in_the_page_ends_no_script_and_stays_the_same() -> None:
    value = {"</script>": ["<!--", "&lt;", "\u2028", "\ud800"]}
    written = write_json(value)
    assert not set("<>&\u2028") & set(written)
    assert json.loads(written) == value


@pytest.mark.parametrize("text", ["déjà vu", "我们", "half a pair \ud800", "</script>"])
def test_texts_come_back_as_they_were(text: str) -> None:
    corpus = tertium.Corpus([[text, "b"]], {"a": [text]}, sources=["s"])
    packed = gzip.decompress(base64.b64decode(pack_texts(corpus)))
    assert json.loads(packed) == [["s", [text, "b"], [text]]]


def test_scores_are_packed_by_metric_then_system_then_segment() -> None:
    evaluation = tertium.score({"good": REFERENCES, "bad": BAD}, REFERENCES, "wer,bleu").tables
    packed = gzip.decompress(base64.b64decode(pack_scores(evaluation).text))
    numbers = np.frombuffer(packed, "<f4").reshape(2, 2, 60)
    np.testing.assert_allclose(numbers[1], evaluation.segment_scores("bleu"), rtol=1e-6)  # four bytes each


def test_compact_numbers_are_multiples_of_a_step_that_is_not_seen() -> None:
    evaluation = tertium.score({"good": REFERENCES, "bad": BAD}, REFERENCES, "wer,bleu").tables
    packed = pack_scores(evaluation, is_compact=True)
    assert packed.steps is not None
    numbers = np.frombuffer(gzip.decompress(base64.b64decode(packed.text)), "<i2").reshape(2, 2, 60)
    for number, label in enumerate(("wer", "bleu")):
        expected = evaluation.segment_scores(label)
        # half a step; the page shows two digits
        np.testing.assert_allclose(numbers[number] * packed.steps[number], expected, atol=1 / 500)


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_every_script_and_style_is_short_enough_to_read(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= 300


def test_all_scripts_and_styles_together_are_small() -> None:
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in ASSETS) < 1800


def test_a_command_shows_no_private_folders() -> None:
    command = "tertium report /home/ann/a.run -o /tmp/page.html -i x=/data/b.txt -m ./m.py:M"
    assert hide_folders(command) == "tertium report a.run -o page.html -i x=b.txt -m ./m.py:M"


def test_kinds_of_segments_are_in_natural_order() -> None:
    columns = {"document": [f"doc{i}" for i in (10, 9, 2, 1, 11)]}
    corpus = tertium.Corpus(
        [[text] for text in REFERENCES[:5]], {"a": BAD[:5], "b": REFERENCES[:5]}, columns=columns
    )
    evaluation = tertium.score(corpus, metrics="wer").tables
    comparison = compare(evaluation, Analysis.of(n_samples=200))
    table = make_score_table(evaluation, comparison, shows_intervals=True, scale=100)
    figures = draw_figures(
        PageContents(
            title="",
            evaluation=evaluation,
            comparison=comparison,
            table=table,
            corpus=corpus,
            columns=columns,
        )
    )
    chart = next(figure for figure in figures if figure.key == "subsets").charts["WER by document"]
    names = [f"doc{i} (1)" for i in (1, 2, 9, 10, 11)]
    assert ", ".join(f'"{name}"' for name in names) in chart.specification
