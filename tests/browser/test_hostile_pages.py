"""Pages of unusual systems: names that break expressions and objects, and texts without any difference."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.types import Corpus

NAMES = ['a\\"b', "a\\'b\\", "a\nb\u2028c", "constructor", "__proto__", "toString", "${alert(1)}", "a=b&c#d", "\x1b[31m"]  # fmt: skip
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
