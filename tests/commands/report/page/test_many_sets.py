"""The page of many test sets: its answer, its legends, and the pages and the history inside it."""

import html
import json
import re

import pytest

import tertium
from browser.test_sets_page import RATES, write_release

pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("sets")
    first, second = (write_release(folder, name) for name in RATES)
    return tertium.report(second, history=[first], system="ours").render()


def read_text(page: str, name: str) -> str:
    """Return the text of the element with this id."""
    found = re.search(rf'<(\w+)[^>]* id="{name}"[^>]*>(.*?)</\1>', page, re.DOTALL)
    assert found is not None
    return html.unescape(re.sub(r"<[^>]+>", " ", found[2]))


def test_the_answer_names_the_best_system_of_the_average_and_of_single_sets(page: str) -> None:
    text = html.unescape(page)
    assert "ours is significantly better than all others on the average chrF." in text
    assert (
        "On all 2 test sets one system is significantly better on chrF than all others: ours (de-en and en-fr)."
        in text
    )


def test_the_legend_names_the_tests_the_intervals_and_the_wins(page: str) -> None:
    legend = read_text(page, "tested")
    assert legend.startswith(
        "a, b, …: systems that share a letter do not differ significantly (paired bootstrap"
    )
    assert (
        "Holm-adjusted p < 0.05); the average is tested by resampling within each test set. ±: half of"
        in legend
    )
    assert "Wins: significantly worse systems, summed over test sets." in legend


def test_the_data_hold_every_score_and_the_history(page: str) -> None:
    data = json.loads(
        re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[0]
    )
    assert data["systems"] == ["ours", "theirs", "late"]
    assert [metric["label"] for metric in data["metrics"]] == ["chrf", "wer"]
    assert data["sets"][0]["scores"][0][2] is None  # late has one test set only
    assert data["sets"][0]["kinds"]["domain"]["news"]["segments"] == 40
    assert len(data["charts"]["history"]) == 3  # the average and two test sets
