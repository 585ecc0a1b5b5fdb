"""Fuzzing of pages: names, labels and texts of any characters stay texts, and scores that are not numbers stay out."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

import tertium
from tertium.commands.report.report import Report, ReportRequest
from tertium.values import Corpus

PIECES = [
    "</script>", "<script>", "<!--", "]]>", "&lt;", '"', "'", "\\", "`", "${x}", "{{x}}", "{%", "\n", "\r", "\u2028", "\x00", "\x1b",
    "\u202e", "__proto__", "constructor", "a", "é", "我", "<img src=x onerror=hacked()>", "javascript:", "NaN", " ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
NAMES = st.lists(
    TEXTS.filter(lambda text: text.strip() and text.isprintable()), min_size=2, max_size=4, unique=True
)


FINDINGS = {
    "ul",
    "li",
    "b",
    "span",
    "p",
    "select",
    "option",
    "label",
}  # of texts that the doctor complains about


class Elements(HTMLParser):
    """Collects the names of all elements, their attributes that run code, and the data of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str | None] = []
        self.data = ""
        self._is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.handlers += [
            value for name, value in attrs if name in ("href", "src") and not (value or "").startswith("#")
        ]
        self._is_data = ("id", "data") in attrs

    def handle_data(self, data: str) -> None:
        if self._is_data:
            self.data += data
            self._is_data = False


@settings(
    deadline=None,
    max_examples=12,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@example(names=["constructor", "__proto__"], texts=["</script>"], label="a\\b")
@given(names=NAMES, texts=st.lists(TEXTS, min_size=1, max_size=5), label=TEXTS.filter(str.isprintable))
def test_a_page_of_any_names_and_texts_has_only_its_own_elements(
    names: list[str], texts: list[str], label: str
) -> None:
    pytest.importorskip("jinja2")
    plain = parse(render(["a", "b", *"cd"[: len(names) - 2]], ["x"] * len(texts), "bleu"))
    forged = parse(render(names, texts, label or "bleu"))
    assert set(forged.tags) <= set(plain.tags) | FINDINGS
    assert forged.tags.count("script") == plain.tags.count("script")
    assert forged.handlers == []
    found = json.loads(forged.data, parse_constant=pytest.fail)
    assert found["systems"] == names


def render(names: list[str], texts: list[str], label: str) -> str:
    corpus = Corpus(
        [[text] for text in texts],
        {name: [f"{text} {i}" for text in texts] for i, name in enumerate(names)},
        columns=dict.fromkeys(names, texts),
    )
    tables = tertium.score(corpus, metrics="bleu,wer", samples=10).tables
    first = replace(tables.metrics[0], label=label)
    renamed = replace(
        tables,
        metrics=(first, *tables.metrics[1:]),
        tables={label: tables.tables["bleu"], "wer": tables.tables["wer"]},
    )
    return Report(
        ReportRequest(inputs=(), samples=10, title=names[0]), renamed, corpus, corpus.columns
    ).render()


def parse(page: str) -> Elements:
    found = Elements()
    found.feed(page)
    return found
