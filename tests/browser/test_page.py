"""The report page as a reader uses it."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.evaluation.differences import measure_influence_on_difference

N_SEGMENTS = 200


def column(page: Any, number: int) -> list[str]:
    cells: list[str] = page.eval_on_selector_all(
        "#score-table tbody tr", f"rows => rows.map(row => row.cells[{number}].dataset.value)"
    )
    return cells


def wait_for_count(page: Any, pattern: str) -> None:
    """Wait until the line above the list begins like this."""
    from playwright.sync_api import expect  # noqa: PLC0415 - may be missing

    expect(page.locator("#found")).to_have_text(re.compile(f"^{pattern}"))


def test_the_page_opens_from_disk_without_a_network_and_draws_every_chart(
    report: Path, open_page: Any
) -> None:
    page = open_page(report, charts=True)
    assert "aurora and boreas tie" in page.inner_text(".answer")
    assert page.locator("[data-chart] svg").count() == 4
    assert page.locator("#distribution svg").count() == 1


def test_the_policy_refuses_what_a_script_would_load(report: Path, browser: Any) -> None:
    context = browser.new_context()
    context.route("http://**", lambda route: route.fulfill(body="here"))  # a network that answers
    page = context.new_page()
    page.goto(report.as_uri())
    fetched = page.evaluate("fetch('http://example.org/').then(() => 'loaded', () => 'refused')")
    context.close()
    assert fetched == "refused"


def test_a_heading_sorts_the_better_scores_first_and_then_the_other_way(report: Path, open_page: Any) -> None:
    page = open_page(report)
    page.click("#score-table th:nth-child(3) button")  # TER: lower is better
    ascending = [float(value) for value in column(page, 2)]
    assert ascending == sorted(ascending)
    assert page.get_attribute("#score-table th:nth-child(3)", "aria-sort") == "ascending"
    page.click("#score-table th:nth-child(3) button")
    assert [float(value) for value in column(page, 2)] == sorted(ascending, reverse=True)
    page.click("#score-table th:nth-child(1) button")
    assert column(page, 0) == sorted(column(page, 0))


def test_text_filters_the_list_and_can_be_a_regular_expression(report: Path, open_page: Any) -> None:
    page = open_page(report)
    assert page.inner_text("#found").startswith(f"{N_SEGMENTS} of {N_SEGMENTS} segments")
    page.fill("#text", "BRIDGE")
    wait_for_count(page, r"(?!200 )[1-9]\d* of")
    plain = int(page.inner_text("#found").split()[0])
    assert 0 < plain < N_SEGMENTS
    page.fill("#text", "^bridge$|b.idge")
    page.check("#regex")
    wait_for_count(page, f"{plain} of")


def test_a_wrong_regular_expression_is_told_and_the_list_stays(report: Path, open_page: Any) -> None:
    page = open_page(report)
    page.check("#regex")
    page.fill("#text", "(")
    page.wait_for_selector("#text[aria-invalid=true]")
    assert "not a regular expression" in page.inner_text("#found")
    assert page.locator("#list .row").count() > 0


def test_a_kind_a_length_and_a_score_filter_the_list(report: Path, open_page: Any) -> None:
    page = open_page(report, "#systems=aurora,boreas&metric=bleu&shortest=30&lowest=50")
    few = int(page.inner_text("#found").split()[0])
    assert 0 < few < N_SEGMENTS
    page.click("button[type=reset]")
    assert page.inner_text("#found").startswith("200 of")
    page.select_option("#kind", index=1)
    wait_for_count(page, r"(?!200 )[1-9]\d* of")


def test_the_systems_that_are_ticked_are_shown_side_by_side(report: Path, open_page: Any) -> None:
    page = open_page(report)
    page.locator("#choose-systems").get_by_label("fathom").check()
    third = page.locator(".text.output h4").nth(2)
    assert third.inner_text().startswith("fathom")  # waits until there are three


def test_a_click_opens_a_segment_and_its_link_restores_the_view(report: Path, open_page: Any) -> None:
    page = open_page(report)
    page.select_option("#order", "number")
    page.click("#list .row[aria-posinset='3'][data-segment='2']")
    title, link = page.inner_text("#segment h3"), page.get_attribute("#segment a", "href")
    restored = open_page(report, link)
    assert restored.inner_text("#segment h3") == title
    assert restored.input_value("#order") == "number"


def test_a_fragment_chooses_segment_systems_and_metric(report: Path, open_page: Any) -> None:
    page = open_page(report, "#segment=17&systems=delta,ember&metric=ter")
    assert "17" in page.inner_text("#segment h3")
    assert page.inner_text("#found").endswith("ember against delta · TER")
    page.evaluate("location.hash = '#segment=3&systems=aurora&metric=bleu'")
    wait_for_count(page, r".* · aurora · BLEU$")


def test_a_fragment_of_nonsense_changes_nothing(report: Path, open_page: Any) -> None:
    page = open_page(report, "#segment=9999&systems=nobody&metric=%E0%A4%A&order=sideways&kind=x%3D1")
    assert page.inner_text("#found").startswith("200 of")


def test_arrow_keys_walk_through_the_list(report: Path, open_page: Any) -> None:
    page = open_page(report)
    page.focus("#list")
    first = page.inner_text("#segment h3")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#segment h3") != first
    page.keyboard.press("End")
    active = page.get_attribute("#list", "aria-activedescendant")
    assert page.get_attribute(f"#{active}", "aria-posinset") == str(N_SEGMENTS)
    page.keyboard.press("Home")
    assert page.inner_text("#segment h3") == first


def test_all_controls_are_reached_by_tab_and_show_their_focus(report: Path, open_page: Any) -> None:
    page = open_page(report)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none"
        if "list" in reached:
            break
    assert {"theme", "metric", "order", "text", "regex", "lowest", "list"} <= reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_the_colours_of_the_system_until_the_button_changes_them(
    report: Path, open_page: Any, scheme: str
) -> None:
    page = open_page(report, color_scheme=scheme)
    paper = "getComputedStyle(document.body).backgroundColor"
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 29)"}
    assert page.evaluate(paper) == colours[scheme]
    page.click("#theme")
    assert page.evaluate(paper) == colours["dark" if scheme == "light" else "light"]
    page.wait_for_selector("html[data-ready=all]")


CONTRAST = """() => {
  const style = getComputedStyle(document.documentElement);
  const light = (name) => {
    const hex = style.getPropertyValue(name).trim().slice(1);
    const parts = [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const pairs = [];
  for (const ink of ["--ink", "--soft", "--accent", "--good", "--bad", "--warn", "--missing"])
    for (const paper of ["--paper", "--shade"]) pairs.push([ink, paper]);
  for (const paper of ["--lead", "--added", "--moved"]) pairs.push(["--ink", paper]);
  pairs.push(["--soft", "--lead"]);
  return pairs.filter(([a, b]) => !(ratio(a, b) >= 4.5)).map((pair) => [...pair, ratio(...pair)]);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_the_contrast_that_wcag_asks_for(report: Path, open_page: Any, scheme: str) -> None:
    assert open_page(report, color_scheme=scheme).evaluate(CONTRAST) == []


def test_print_is_light_and_leaves_the_controls_out(report: Path, open_page: Any) -> None:
    page = open_page(report, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.is_visible("#filters")
    assert not page.is_visible("#list")
    assert page.is_visible("#score-table")


@pytest.mark.parametrize("width", [400, 1600])
def test_the_page_never_scrolls_sideways(report: Path, open_page: Any, width: int) -> None:
    page = open_page(report, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_segments_that_decide_the_difference_come_first(report: Path, open_page: Any) -> None:
    page = open_page(report, "#systems=boreas,aurora&metric=bleu")
    assert page.input_value("#order") == "influence"
    shown = [
        float(text.replace("−", "-")) for text in page.locator("#list .row :is(.up, .down)").all_inner_texts()
    ]
    data = Path(__file__).parents[2] / "examples" / "data"
    systems = [(name, str(data / "systems" / f"{name}.txt")) for name in ("aurora", "boreas")]
    corpus = tertium.read_corpus([str(data / "references.jsonl")], systems)
    tables = tertium.score(corpus, metrics="bleu").tables
    influence = measure_influence_on_difference(tables, "bleu", "boreas", "aurora")
    decisive = influence[np.argsort(-np.abs(influence))]
    assert shown == pytest.approx(decisive[: len(shown)].tolist(), abs=6e-4)  # three digits are shown


def test_the_most_different_segment_comes_with_an_explanation(report: Path, open_page: Any) -> None:
    page = open_page(report, "#systems=boreas,aurora&metric=bleu")
    summaries = page.locator("#segment details summary")
    assert summaries.all_inner_texts() != []
    assert summaries.first.inner_text().startswith("Why BLEU gives")
    summaries.first.click()
    assert page.locator("#segment details pre").first.inner_text().strip()


def test_human_scores_are_shown_next_to_metrics_in_tables_charts_and_the_explorer(
    judged_report: Path, open_page: Any
) -> None:
    page = open_page(judged_report, charts=True)
    assert page.locator("#human svg").count() == 1
    assert page.locator("#rank-table tbody tr").count() == 6
    assert page.locator("#agreement-table tbody tr").count() == 3
    page.select_option("#order", "dissent")
    first = page.inner_text("#segment tbody tr:first-child")
    assert first.startswith("human")
    assert "human" in page.inner_text(".text.output h4 >> nth=0")


def test_without_judgments_nothing_is_sorted_by_human_scores(report: Path, open_page: Any) -> None:
    page = open_page(report)
    assert page.locator("#order option[value=human]").count() == 0
    assert page.locator("#human").count() == 0


@pytest.mark.parametrize(
    ("metric", "drawn"), [("ter", "path.join"), ("std", "rect.cell"), ("hwcm", "circle.end")]
)
def test_an_explanation_is_drawn(judged_report: Path, open_page: Any, metric: str, drawn: str) -> None:
    page = open_page(judged_report, f"#metric={metric}&order=influence")
    page.locator("#segment details summary").first.click()
    page.wait_for_selector(f"#segment details[open] {drawn}", state="attached")  # a level line has no height
    assert page.locator("#segment details[open] svg").first.get_attribute("aria-label")


def test_a_segment_without_an_explanation_says_how_to_get_one(judged_report: Path, open_page: Any) -> None:
    page = open_page(judged_report, "#metric=ter&systems=fathom")
    assert "tertium explain --line" in page.inner_text("#segment")
