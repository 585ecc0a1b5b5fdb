"""Tags, placeholders, addresses and inline codes that are lost or added."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.metrics import Markup
from tertium.metrics.checks._base import compare_items
from tertium.metrics.checks.markup import list_items
from tertium.text.codes import CodedText, CodeKind, InlineCode


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


def coded(*codes: InlineCode) -> str:
    return CodedText("a text", codes)


def pair(identity: str, *inside: InlineCode, element: str = "g") -> list[InlineCode]:
    return [InlineCode(element, "start", identity), *inside, InlineCode(element, "end", identity)]


def alone(identity: str, content: str = "") -> InlineCode:
    return InlineCode("ph", "alone", identity, content)


def half(kind: CodeKind, identity: str, content: str = "", number: str = "") -> InlineCode:
    return InlineCode("bpt" if kind == "start" else "ept", kind, identity, content, number)


NESTED = [half("start", "1"), half("start", "2"), half("end", "2"), half("end", "1")]
DEEP = [
    half("start", "1"),
    half("start", "2"),
    half("start", "3"),
    half("end", "3"),
    half("end", "2"),
    half("end", "1"),
]
CROSSING = [half("start", "1"), half("start", "2"), half("end", "1"), half("end", "2")]
BACKWARD = [half("end", "1"), half("start", "1")]
BOLD = [half("start", "", "<b>", "1"), half("end", "", "</b>", "1")]
EMPTY = [InlineCode("g", "start", "1", is_empty=True), InlineCode("g", "end", "1")]
ITALIC = [half("start", "", "<i>", "2"), half("end", "", "</i>", "2")]


@pytest.mark.parametrize(
    ("source", "output", "faults"),
    [
        ([alone("1"), alone("2")], [alone("2"), alone("1")], []),
        ([alone("1"), alone("2")], [alone("2")], ['missing item: <ph id="1"/>']),
        ([alone("1")], [alone("1"), alone("1")], ['added item: <ph id="1"/>']),
        ([alone("1"), alone("1")], [alone("1")], ['missing item: <ph id="1"/>']),
        ([alone("1")], [alone("2")], ['missing item: <ph id="1"/>', 'added item: <ph id="2"/>']),
        (pair("1"), [], ['missing item: <g id="1">', "missing item: </g>"]),
        (pair("1", *pair("2")), pair("2", *pair("1")), []),
        (pair("1", element="pc"), [InlineCode("sc", "start", "1"), InlineCode("ec", "end", "1")], []),
        ([alone("1", "{name}")], [alone("1", "{Name}")], ["changed item: {name} to {Name}"]),
        ([alone("1", "{name}")], [alone("1")], []),
        (NESTED, CROSSING, ['misplaced item: <ept id="1"/>']),
        (DEEP, [*DEEP[:3], DEEP[4], DEEP[3], DEEP[5]], ['misplaced item: <ept id="2"/>']),
        (CROSSING, CROSSING, []),
        (CROSSING, NESTED, []),
        (BACKWARD[::-1], BACKWARD, ['misplaced item: <ept id="1"/>']),
        ([half("start", "1")], [half("start", "1")], []),
        ([half("end", "1"), half("start", "2")], [half("start", "2"), half("end", "1")], []),
        ([*BOLD, *ITALIC], [*ITALIC, *BOLD], []),
        ([*BOLD, *ITALIC], [BOLD[0], *ITALIC, BOLD[1]], []),
        ([*BOLD, *ITALIC], [BOLD[0], ITALIC[0], BOLD[1], ITALIC[1]], ["misplaced item: <ept></b></ept>"]),
        (pair("1"), EMPTY, ['emptied item: <g id="1">']),
        (pair("1"), [*EMPTY, *pair("1")], ['added item: <g id="1">', "added item: </g>", 'emptied item: <g id="1">']),
        (EMPTY, EMPTY, []),
        (EMPTY, pair("1"), []),
        ([], EMPTY, ['added item: <g id="1">', "added item: </g>"]),
        (BOLD, ITALIC, ["missing item: <bpt><b></bpt>", "missing item: <ept></b></ept>",
                        "added item: <bpt><i></bpt>", "added item: <ept></i></ept>"]),
    ],
)  # fmt: skip
def test_codes_are_compared(
    source: Sequence[InlineCode], output: Sequence[InlineCode], faults: list[str]
) -> None:
    assert list(Markup().check(coded(*output), coded(*source)).faults) == faults


def test_an_output_without_codes_may_have_them_as_tags() -> None:
    source = coded(alone("1"), *pair("2"))
    assert not Markup().check('<g id="2">a text</g><ph id="1"/>', source).faults
    assert len(Markup().check("a text", source).faults) == 3


CODES = st.lists(
    st.builds(
        InlineCode,
        st.sampled_from(["ph", "g", "bpt"]),
        st.sampled_from(["start", "end", "alone"]),
        st.sampled_from(["", "1", "2"]),
        st.sampled_from(["", "<b>", "x"]),
        st.sampled_from(["", "1"]),
    ),
    max_size=6,
)


@given(CODES, CODES)
def test_a_score_of_codes_is_between_0_and_100(source: list[InlineCode], output: list[InlineCode]) -> None:
    score = Markup().sentence_score(coded(*output), source=coded(*source)).value
    assert 0 <= score <= 100


@given(CODES)
def test_equal_codes_have_no_fault(codes: list[InlineCode]) -> None:
    assert not Markup().check(coded(*codes), coded(*codes)).faults


TEXTS = st.lists(
    st.sampled_from(["<b>", "</b>", "{name}", "{0}", "{", "}", "'", "a", "b, c", "%s", "&amp;", "plural", "#"]), max_size=8
).map(" ".join)  # fmt: skip


@given(TEXTS, TEXTS)
def test_text_without_codes_is_compared_by_its_items(source: str, output: str) -> None:
    assert Markup().check(output, source) == compare_items(list_items(source), list_items(output), "item")
