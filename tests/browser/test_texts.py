"""Texts on the report page: marked words, scripts of the world, and attempts to inject code."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import tertium
from tertium.commands.report.page import HumanJudgments
from tertium.commands.report.report import Report, ReportRequest
from tertium.metaeval import JudgedSet
from tertium.metaeval.scoring import collect_scores

ATTACKS = (
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 2'>",
    "\"'><svg onload=window.hacked=3>",
    "a\u2028b\u2029c",
    "<!--<script>",
    "{{ 7 * 7 }}${7 * 7}",
)


def write(folder: Path, systems: dict[str, list[str]], references: list[str], **more: Any) -> Path:
    path = folder / "page.html"
    corpus = tertium.Corpus([[text] for text in references], systems, **more)
    tertium.report(tertium.score(corpus, metrics="wer"), samples=20).write(path)
    return path


def test_words_are_marked_as_added_missing_and_moved(tmp_path: Path, browser: Any, open_page: Any) -> None:
    page = open_page(write(tmp_path, {"a": ["today we meet all"]}, ["we meet in Rome today"]))
    output = page.locator(".text.output p")
    assert output.locator("ins").all_inner_texts() == ["all"]
    assert output.locator("del").all_inner_texts() == ["in", "Rome"]
    assert output.locator(".moved").all_inner_texts() == ["today"]


def test_chinese_is_marked_character_by_character(tmp_path: Path, browser: Any, open_page: Any) -> None:
    page = open_page(write(tmp_path, {"a": ["我爱你们"]}, ["我爱他们"]))
    assert page.locator(".text.output ins").all_inner_texts() == ["你"]
    assert page.locator(".text.output del").all_inner_texts() == ["他"]
    assert page.inner_text(".text.output p") in ("我爱他你们", "我爱你他们")  # no spaces between them


def test_arabic_runs_from_right_to_left(tmp_path: Path, browser: Any, open_page: Any) -> None:
    page = open_page(write(tmp_path, {"a": ["مرحبا بالعالم"]}, ["مرحبا يا عالم"]))
    directions = page.eval_on_selector_all(".text p", "all => all.map(p => getComputedStyle(p).direction)")
    assert directions == ["rtl", "rtl"]


def test_nothing_that_a_text_or_a_name_holds_is_run(tmp_path: Path, browser: Any, open_page: Any) -> None:
    """System names, texts, columns and values, segment names, metric labels, title, command, notes, people, pictures."""
    attacks = list(ATTACKS)
    corpus = tertium.Corpus(
        [[text] for text in attacks],
        {f"{name} {i}": attacks for i, name in enumerate(attacks)},
        sources=attacks,
        segment_ids=attacks,
        columns=dict.fromkeys(attacks, attacks),
    )
    evaluation = tertium.score(corpus, metrics="wer,bleu", samples=20).tables
    metrics = [
        replace(each, label=f"{attack}{each.label}")
        for each, attack in zip(evaluation.metrics, attacks, strict=False)
    ]
    tables = {
        new.label: evaluation.tables[old.label] for new, old in zip(metrics, evaluation.metrics, strict=True)
    }
    hostile = replace(evaluation, metrics=tuple(metrics), tables=tables)
    request = ReportRequest(inputs=(), title=attacks[0], command=attacks[1], samples=20)
    path = tmp_path / "</b><script>.html".replace("/", "\u2215")
    human = np.arange(36.0).reshape(6, 6)
    people = HumanJudgments(
        judged=JudgedSet(attacks[0], corpus, human.mean(axis=1), human),
        tables=[],
        scores=collect_scores(hostile),
    )
    Report(request, hostile, corpus, corpus.columns, tuple(attacks), people).write(path)
    page = open_page(path)
    page.locator("#segment details summary").first.click()
    page.wait_for_selector("#segment details[open] .picture", state="attached")
    assert page.evaluate("window.hacked") is None
    assert page.title() == attacks[0]
    assert page.inner_text("#segment .text.source p") in attacks
    assert page.locator("img, iframe, object, svg[onload]").count() == 0


def test_sixty_thousand_segments_are_listed_without_drawing_them_all(
    tmp_path: Path, browser: Any, open_page: Any
) -> None:
    n_segments = 60_000
    references = [f"sentence number {i} of many" for i in range(n_segments)]
    page = open_page(write(tmp_path, {"a": references, "b": references[::-1]}, references))
    assert page.inner_text("#found").startswith("60,000 of 60,000")
    assert page.locator("#list .row").count() < 60
    page.focus("#list")
    page.keyboard.press("End")
    active = page.get_attribute("#list", "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-posinset") == "60000"


def test_a_report_without_texts_still_has_scores(tmp_path: Path, browser: Any, open_page: Any) -> None:
    result = tertium.score({"a": ["b c", "d"], "b": ["b", "d"]}, ["b c", "d"], "wer")
    path = tmp_path / "page.html"
    Report(ReportRequest(inputs=(), samples=20), result.tables, None).write(path)
    page = open_page(path)
    assert "without texts" in page.inner_text("#segment")
    assert page.locator("#segment td.number").count() == 2
