"""The page of many test sets as a reader uses it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from browser.axe import SIZES, find_violations
from browser.chromium import HOW_TO_GET_IT

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs", "run", "over", "green", "hills"]
# The share of wrong words by release, test set and system; "late" has only one test set.
RATES = {
    "v1": {"de-en": {"ours": 0.3, "theirs": 0.2}, "en-fr": {"ours": 0.3, "theirs": 0.4}},
    "v2": {"de-en": {"ours": 0.1, "theirs": 0.2}, "en-fr": {"ours": 0.3, "theirs": 0.4, "late": 0.5}},
}


def write_release(folder: Path, name: str) -> str:
    for number, (test_set, systems) in enumerate(RATES[name].items()):
        rng = np.random.default_rng(number)
        references = [list(rng.choice(WORDS, 10)) for _ in range(80)]
        place = folder / name / test_set
        (place / "systems").mkdir(parents=True)
        (place / "ref.txt").write_text("\n".join(map(" ".join, references)) + "\n")
        (place / "columns.tsv").write_text("domain\n" + "news\nsocial\n" * 40)
        for system, rate in systems.items():
            lines = [" ".join("x" if rng.random() < rate else word for word in text) for text in references]
            (place / "systems" / f"{system}.txt").write_text("\n".join(lines) + "\n")
    path = folder / f"{name}.run"
    tertium.score_sets(folder / name, "chrf,wer").save(path)
    return str(path)


@pytest.fixture(scope="module")
def sets_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for module in ("playwright.sync_api", "vl_convert", "jinja2"):
        pytest.importorskip(module, reason=HOW_TO_GET_IT)
    folder = tmp_path_factory.mktemp("sets")
    first, second = (write_release(folder, name) for name in RATES)
    path = folder / "page.html"
    tertium.report(second, history=[first], system="ours").write(path)
    return path


def read_heat(page: Any) -> list[list[str]]:
    cells: list[list[str]] = page.eval_on_selector_all(
        "#heat-table tbody tr",
        "rows => rows.map(row => [...row.cells].map(cell => cell.dataset.value ?? ''))",
    )
    return cells


def test_the_heat_map_shows_averages_and_missing_systems(sets_page: Path, open_page: Any) -> None:
    page = open_page(sets_page, charts=True)
    rows = {row[0]: row[1:] for row in read_heat(page)}
    assert list(rows) == ["ours", "theirs", "late"]
    assert rows["ours"][0] == rows["ours"][4]  # all systems have en-fr only
    assert rows["late"][3] == ""
    assert page.locator("#history svg").count() == 1
    assert "▲" in page.inner_text("#history-0-table")


def test_filters_choose_test_sets_metrics_and_domains(sets_page: Path, open_page: Any) -> None:
    page = open_page(sets_page)
    everywhere = read_heat(page)
    page.fill("#sets", "en-f")
    assert [len(row) for row in read_heat(page)] == [5] * 3
    page.fill("#sets", "")
    page.select_option("#metric", label="WER")
    assert read_heat(page)[0][0] == "ours"
    page.select_option("#metric", label="chrF")
    page.select_option("#kind", label="news")
    assert read_heat(page)[0][4] != everywhere[0][4]
    page.check("#complete")
    rows = read_heat(page)
    assert [row[0] for row in rows] == ["ours", "theirs"]
    assert float(rows[0][1]) == pytest.approx((float(rows[0][4]) + float(rows[0][5])) / 2, abs=1e-3)


def test_a_test_set_opens_by_keyboard_and_the_way_leads_back(sets_page: Path, open_page: Any) -> None:
    page = open_page(sets_page)
    page.focus("#heat-table thead a >> nth=1")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-ready=all] #score-table")
    assert "en-fr" in page.inner_text("h1")
    assert page.locator("#history svg").count() == 1
    page.keyboard.press("Escape")
    page.go_back()
    page.wait_for_selector("html[data-ready] #heat-table tbody tr")
    page.click("#heat-table tbody tr:first-child td:nth-child(5)")
    page.wait_for_selector("html[data-ready] #score-table")
    assert "de-en" in page.inner_text("h1")
    page.click(".brand a")
    page.wait_for_selector("html[data-ready] #heat-table tbody tr")


def test_a_link_opens_a_segment_of_a_test_set(sets_page: Path, open_page: Any) -> None:
    page = open_page(sets_page, "#set=en-fr&segment=7&systems=ours,late&metric=chrf")
    page.wait_for_selector("html[data-ready] #score-table")
    assert page.inner_text("#segment h3") == "Segment 7"
    page.select_option("#order", "number")
    page.wait_for_url("**#set=en-fr&segment=7*order=number")


def test_the_overview_fits_a_phone(sets_page: Path, open_page: Any) -> None:
    page = open_page(sets_page, viewport={"width": 390, "height": 800}, color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_violation(sets_page: Path, open_page: Any, size: str, scheme: str) -> None:
    assert find_violations(open_page(sets_page, charts=True, color_scheme=scheme, **SIZES[size])) == []
