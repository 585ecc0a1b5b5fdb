"""Tags, placeholders and addresses that are lost or added."""

import pytest

from tertium.metrics import Markup
from tertium.metrics.checks.markup import list_items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("<b>OK</b> and <br/>", ["<b>", "</b>", "<br/>"]),
        ('<a href="https://a.org">x</a>', ['<a href="https://a.org">', "</a>"]),
        ("see https://a.org/b?c=d.", ["https://a.org/b?c=d"]),
        ("mail me.too+x@mail.example.org!", ["me.too+x@mail.example.org"]),
        ("{0} of {count}, {{name}}, ${var}", ["{0}", "{count}", "{{name}}", "${var}"]),
        ("%s %d %(name)s %1$s 50% of it", ["%s", "%d", "%(name)s", "%1$s"]),
        ("AT&amp;T &#39; R&D", ["&amp;", "&#39;"]),
        ("a < b and c > d", []),
    ],
)
def test_items_are_recognised(text: str, items: list[str]) -> None:
    assert list_items(text) == items


@pytest.mark.parametrize(
    ("source", "output", "faults"),
    [
        ("Click <b>OK</b>", "<b>OK</b> klicken", []),
        ("Click <b>OK</b>", "Auf <b>OK klicken", ["missing item: </b>"]),
        ("Hello {name}", "Hallo {Name}", ["missing item: {name}", "added item: {Name}"]),
        ("%s of %s", "%s von", ["missing item: %s"]),
        ("plain", "einfach <i>", ["added item: <i>"]),
    ],
)
def test_planted_faults_are_found(source: str, output: str, faults: list[str]) -> None:
    assert list(Markup().check(output, source).faults) == faults


def test_text_without_markup_has_no_items() -> None:
    score = Markup().sentence_score("a b", source="c d")
    assert (score.value, score.details["items"]) == (100, 0)
