"""Readers of XLIFF and TMX keep inline codes beside the text, whatever elements and ids they have."""

import copy
import pickle
from pathlib import Path

import pytest

from tertium.corpus import read_corpus
from tertium.errors import InputError
from tertium.text.codes import CodedText, InlineCode, codes_of, parse_code

pytest.importorskip("lxml")

XLIFF_1 = (
    '<xliff version="1.2"><file original="a" datatype="x"><body><trans-unit id="1"><source>{0}</source>'
    "<target>{1}</target></trans-unit></body></file></xliff>"
)
XLIFF_2 = (
    '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f">'
    '<unit id="1"><segment><source>{0}</source><target>{1}</target></segment></unit></file></xliff>'
)
TMX = (
    '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>{0}</seg></tuv>'
    '<tuv xml:lang="de"><seg>{1}</seg></tuv></tu></body></tmx>'
)
FORMATS = {"a.xlf": XLIFF_1, "a.xliff": XLIFF_2, "a.tmx": TMX}


def read(folder: Path, name: str, text: str) -> str:
    """Read a text as the output of a system."""
    (folder / name).write_text(FORMATS[name].format("x", text), encoding="utf-8")
    corpus = read_corpus([], [("s", str(folder / name))], str(folder / name))
    return corpus.systems["s"][0]


def tags(text: str) -> list[str]:
    return [code.tag for code in codes_of(text)]


@pytest.mark.parametrize(
    ("name", "content", "text", "expected"),
    [
        ("a.xlf", 'a <g id="1">b <g id="2">c</g></g> d', "a b c d", ['<g id="1">', '<g id="2">', "</g>", "</g>"]),
        ("a.xlf", 'a<x id="1"/>b', "ab", ['<x id="1"/>']),
        ("a.xlf", '<bpt id="1">&lt;b&gt;</bpt>a<ept id="1">&lt;/b&gt;</ept>', "a", ['<bpt id="1"/>', '<ept id="1"/>']),
        ("a.xlf", '<bx id="1" rid="7"/>a<ex id="2" rid="7"/>', "a", ['<bx id="7"/>', '<ex id="7"/>']),
        ("a.xlf", '<it id="1" pos="open">&lt;b&gt;</it>a', "a", ['<it id="1"/>']),
        ("a.xlf", '<ph id="1">title="<sub>a text to translate</sub>"</ph> b', "b", ['<ph id="1"/>']),
        ("a.xlf", 'a <mrk mtype="term" mid="1">b</mrk> <g id="1"><mrk mtype="x">c</mrk></g>', "a b c", ['<g id="1">', "</g>"]),
        ("a.xliff", 'a <pc id="1">b<ph id="2"/></pc>', "a b", ['<pc id="1">', '<ph id="2"/>', "</pc>"]),
        ("a.xliff", '<sc id="1"/>a<ec startRef="1"/>', "a", ['<sc id="1"/>', '<ec id="1"/>']),
        ("a.xliff", 'a<ec id="3" isolated="yes"/>', "a", ['<ec id="3"/>']),
        ("a.xliff", 'a<ph id="9" copyOf="1"/><sm id="m1"/>b<em startRef="m1"/>', "ab", ['<ph id="1"/>']),
        ("a.xliff", '<mrk id="m">a</mrk><cp hex="0041"/>', "aA", []),
        ("a.tmx", '<bpt i="1" x="5"/>a<ept i="1"/>', "a", ['<bpt id="5"/>', '<ept id="5"/>']),
        ("a.tmx", '<ph x="2">&lt;br/&gt;</ph>a <hi x="1">b</hi>', "a b", ['<ph id="2"/>', '<hi id="1">', "</hi>"]),
        ("a.tmx", "<ut>{\\b </ut>a", "a", ["<ut>{\\b</ut>"]),
        ("a.tmx", "<ph/>a<it pos='end'/>", "a", ["<ph/>", "<it/>"]),
    ],
)  # fmt: skip
def test_codes_are_kept_beside_the_text(
    tmp_path: Path, name: str, content: str, text: str, expected: list[str]
) -> None:
    found = read(tmp_path, name, content)
    assert found == text
    assert tags(found) == expected


def test_a_text_without_codes_is_a_plain_string(tmp_path: Path) -> None:
    assert type(read(tmp_path, "a.xlf", "plain <mrk mtype='x'>text</mrk>")) is str


def test_the_text_inside_a_code_is_not_its_content(tmp_path: Path) -> None:
    found = read(tmp_path, "a.xlf", '<ph id="1">title="<sub>a text</sub>" \n x</ph>')
    assert codes_of(found)[0].content == 'title="" x'


@pytest.mark.parametrize(
    "content", ['a <ph id="1">', 'a <g id="1">b</pc>', "a <x id=1/>", '<g id="1" id="2">a</g>']
)
@pytest.mark.parametrize("name", FORMATS)
def test_malformed_codes_are_reported_in_one_line(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(InputError, match="is not well-formed XML") as error:
        read(tmp_path, name, content)
    assert "\n" not in str(error.value)


def test_a_coded_text_equals_its_text_and_survives_copies() -> None:
    text = CodedText("a b", [InlineCode("ph", "alone", "1", "x", "2")])
    assert text == "a b"
    assert hash(text) == hash("a b")
    assert {str(text): 1}[text] == 1
    for copied in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text)):
        assert copied == text
        assert copied.codes == text.codes


def test_codes_are_parsed_as_they_are_formatted() -> None:
    code = InlineCode("ph", "alone", "1", "<br/> x", "2")
    assert parse_code(code.format()) == code
    for damaged in ("", "alone\tph", "middle\tph\t1\t\t", "alone\tph\t1\t\t\t"):
        with pytest.raises(ValueError):
            parse_code(damaged)


@pytest.mark.parametrize(
    ("name", "content", "empty"),
    [
        ("a.xlf", '<g id="1">a</g> b', []),
        ("a.xlf", '<g id="1"/> a', ['<g id="1">']),
        ("a.xlf", '<g id="1"> <g id="2"> </g></g> a', ['<g id="2">']),
        ("a.xlf", '<g id="1"><x id="2"/></g> a', []),
        ("a.xlf", '<bpt id="1">b</bpt><ept id="1">b</ept>a', ['<bpt id="1"/>']),
        ("a.xliff", '<pc id="1"></pc>a', ['<pc id="1">']),
        ("a.xliff", '<sc id="1"/><ec startRef="1"/>a', ['<sc id="1"/>']),
        ("a.tmx", '<bpt i="1" x="4"/><ept i="1"/>a', ['<bpt id="4"/>']),
        ("a.tmx", '<hi x="1"/>a<ph x="1"/>', ['<hi id="1">']),
    ],
)
def test_pairs_without_text_are_marked(tmp_path: Path, name: str, content: str, empty: list[str]) -> None:
    codes = codes_of(read(tmp_path, name, content))
    assert [code.tag for code in codes if code.is_empty] == empty
    assert [parse_code(code.format()) for code in codes] == list(codes)


def test_a_line_with_an_unknown_property_is_no_code() -> None:
    with pytest.raises(ValueError, match="'full' is not a property of an inline code"):
        parse_code("start\tg\t1\t\t\tfull")
