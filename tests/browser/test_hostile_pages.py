"""Pages of unusual systems: names that break expressions and objects, and texts without any difference."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.commands.report.report import Report, ReportRequest
from tertium.values import Corpus

NAMES = ['a\\"b', "a\\'b\\", "a\nb\u2028c", "constructor", "__proto__", "toString", "${alert(1)}", "a=b&c#d", "\x1b[31m"]  # fmt: skip
SAFE = [name for name in NAMES if name.isprintable() or "\n" in name]
TEXTS = [f"the cat number {n} sat on mat {n % 3}" for n in range(30)]


def vary(texts: list[str], n: int) -> list[str]:
    return [text.replace("sat", "lay") if i % (n + 2) == 0 else text for i, text in enumerate(texts)]


CORPORA: dict[str, Corpus] = {
    "hostile names": Corpus(
        [[text] for text in TEXTS],
        {name: vary(TEXTS, n) for n, name in enumerate(NAMES)},
        columns={name: [NAMES[i % len(NAMES)] for i in range(30)] for name in NAMES},
    ),
    "one segment": Corpus([["a b c"]], {"x": ["a b"], "y": ["a c"]}),
    "one system": Corpus([["a b c"]], {"x": ["a b"]}),
    "one equal segment": Corpus([["a"]], {"x": ["a"], "y": ["a"]}),
    "all equal": Corpus([["a b"]] * 30, {"x": ["a b"] * 30, "y": ["a b"] * 30}),
    "empty": Corpus([[""]] * 30, {"x": [""] * 30, "y": [""] * 30}),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CORPORA)
def test_an_unusual_page_works_without_a_complaint(name: str, tmp_path: Path, open_page: Any) -> None:
    pytest.importorskip("jinja2")
    corpus = CORPORA[name]
    path = tmp_path / "page.html"
    tertium.report(tertium.score(corpus, metrics="bleu,wer,std")).write(path)
    page = open_page(path, charts=True)
    assert page.locator("[data-chart] svg").count() > 0
    assert "NaN" not in page.inner_text("body")
    for system in corpus.systems:
        shown = " ".join(system.split())
        assert shown in " ".join(page.text_content("#score-table").split()) or not shown.isprintable()
    page.locator("#list .row").first.click()
    assert "NaN" not in page.inner_text("body")


def test_every_chart_shows_names_that_javascript_knows(tmp_path: Path, open_page: Any) -> None:
    pytest.importorskip("jinja2")
    path = tmp_path / "page.html"
    corpus = CORPORA["hostile names"]
    tables = tertium.score(corpus, metrics="bleu,wer,chrf,ter", samples=20).tables
    labels = dict(zip(tables.labels, SAFE, strict=False))
    renamed = replace(
        tables,
        metrics=tuple(replace(metric, label=labels[metric.label]) for metric in tables.metrics),
        tables={labels[label]: table for label, table in tables.tables.items()},
    )
    Report(ReportRequest(inputs=(), samples=20), renamed, corpus, corpus.columns).write(path)
    page = open_page(path, charts=True)
    for select in page.locator("select[data-for]").all():
        key = select.get_attribute("data-for")
        names = select.locator("option").all_inner_texts()
        for i in {0, len(names) // 2, len(names) - 1}:
            select.select_option(str(i))
            page.wait_for_function(
                "([key, text]) => document.querySelector(`[data-chart=${key}]`).textContent.includes(text)",
                arg=[key, names[i].split(" by ")[0].split()[0]],
            )
    shown = page.text_content('[data-chart="forest"]')
    assert [name for name in SAFE if " ".join(name.split()) not in shown] == []
    for value in page.locator("#kind option").all()[1:20]:
        page.select_option("#kind", value.get_attribute("value"))
        assert "of 30" in page.inner_text("#found")


@pytest.mark.parametrize("order", ["constructor", "__proto__", "toString"])
def test_a_link_with_an_order_that_javascript_knows_is_read_as_none(
    order: str, report: Path, open_page: Any
) -> None:
    usual, odd = (open_page(report, f"#segment=1&order={each}") for each in ("gap", order))
    assert odd.inner_text("#list") == usual.inner_text("#list")
