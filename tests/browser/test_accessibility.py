"""The report page for every reader: axe-core's rules, charts by keyboard, phones and paper."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from browser.axe import SIZES, find_violations


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_violation(judged_report: Path, open_page: Any, size: str, scheme: str) -> None:
    page = open_page(judged_report, "#metric=ter", charts=True, color_scheme=scheme, **SIZES[size])
    page.locator("#segment details summary").first.click()
    page.wait_for_selector("#segment details[open] .picture", state="attached")
    assert find_violations(page) == []


def test_arrow_keys_read_every_value_of_a_chart(report: Path, open_page: Any) -> None:
    page = open_page(report, charts=True)
    page.focus("[data-chart=forest]")
    reading = page.locator("[data-chart=forest] + .reading")
    page.keyboard.press("ArrowRight")
    assert "system: aurora, metric: BLEU, score: 49.39" in reading.inner_text()
    assert reading.inner_text().endswith("(1 of 12)")  # six systems, two metrics
    assert page.locator("[data-chart=forest] .current").count() == 1
    page.keyboard.press("ArrowDown")
    assert "system: boreas" in reading.inner_text()
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    assert "system: fathom" in reading.inner_text()
    assert reading.inner_text().endswith("(12 of 12)")
    page.keyboard.press("Tab")
    assert page.locator("[data-chart=forest] .current").count() == 0


def test_every_chart_is_read_by_keyboard(judged_report: Path, open_page: Any) -> None:
    page = open_page(judged_report, charts=True)
    charts = page.locator(".chart")
    assert charts.count() == 7
    for i in range(charts.count()):
        charts.nth(i).focus()
        page.keyboard.press("Home")
        said = page.locator(".chart + .reading").nth(i)
        assert "(1 of " in said.inner_text(), charts.nth(i).get_attribute("aria-label")


def test_up_and_down_stay_in_the_column_of_a_matrix(report: Path, open_page: Any) -> None:
    page = open_page(report, charts=True)
    page.focus("[data-chart=pairs]")
    reading = page.locator("[data-chart=pairs] + .reading")
    page.keyboard.press("Home")  # the diagonal is empty: aurora's row begins with boreas
    assert reading.inner_text().startswith("row: aurora, column: boreas")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert reading.inner_text().startswith("row: boreas, column: cirrus")


def test_a_sign_says_that_a_table_has_more_columns_until_the_last_is_reached(
    many_metrics: Path, open_page: Any
) -> None:
    page = open_page(many_metrics, **SIZES["phone"])
    sign = page.locator("#scores .more")
    for _ in range(5):
        if sign.is_visible():
            sign.click()
            page.wait_for_timeout(500)  # the table scrolls smoothly
    assert not sign.is_visible()
    assert page.evaluate("document.querySelector('#scores .scroll').scrollLeft > 0")


def test_eight_metrics_are_visible_at_1440_pixels(many_metrics: Path, open_page: Any) -> None:
    page = open_page(many_metrics, viewport={"width": 1440, "height": 900})
    assert page.locator("#score-table thead th").count() == 9
    assert not page.is_visible("#scores .more")


def test_forest_plots_stand_below_each_other_on_a_phone_and_are_complete(
    report: Path, open_page: Any
) -> None:
    page = open_page(report, charts=True, **SIZES["phone"])
    place = page.locator("[data-chart=forest]")
    boxes = [dot.bounding_box() for dot in place.locator("svg [aria-roledescription=circle]").all()]
    assert len(boxes) == 12
    assert all(box["x"] > 0 and box["x"] + box["width"] < 390 for box in boxes)
    assert max(box["y"] for box in boxes[:6]) < min(box["y"] for box in boxes[6:])
    assert place.evaluate("place => place.scrollWidth <= place.clientWidth")


PAPER = {"viewport": {"width": 703, "height": 1000}}  # A4 without margins of 12 mm, in CSS pixels


def test_a_printed_table_loses_no_column(many_metrics: Path, open_page: Any) -> None:
    page = open_page(many_metrics, charts=True, **PAPER)
    page.emulate_media(media="print")
    tables = page.locator("main table")
    for i in range(tables.count()):
        box = tables.nth(i).bounding_box()
        assert box["x"] + box["width"] <= PAPER["viewport"]["width"]
    cut = (
        "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"
    )
    assert page.eval_on_selector_all("main table :is(th, td)", cut) == []


@pytest.fixture(scope="session")
def many_metrics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with eight metrics of systems with long names."""
    pytest.importorskip("playwright.sync_api")
    references = [f"sentence {i} of a text about {i % 7} things" for i in range(40)]
    systems = {
        f"{name}-experimental.4060": [text.replace("of", word) for text in references]
        for name, word in (("dfki", "of"), ("uedin-syntax", "in"), ("online", "about the"))
    }
    path = tmp_path_factory.mktemp("page") / "many.html"
    metrics = "bleu,chrf,ter,wer,invwer,ribes,cder,characTER"
    tertium.report(tertium.score(systems, references, metrics)).write(path)
    return path
