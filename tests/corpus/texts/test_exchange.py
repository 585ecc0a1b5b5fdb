"""XLIFF and TMX files give sources, references and outputs."""

from pathlib import Path

import pytest

from tertium.corpus import read_corpus
from tertium.errors import InputError

pytest.importorskip("lxml")

XLIFF_1 = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a.txt" source-language="de" target-language="en" datatype="plaintext"><body>
<group id="g"><trans-unit id="1"><source>Hallo <g id="1">Welt</g></source>
<target>Hello <g id="1">world</g><x id="2"/></target>
<alt-trans><source>old</source><target>old</target></alt-trans></trans-unit></group>
<trans-unit id="b"><source>Zwei</source><target>Two <ph id="3">&lt;br/&gt;</ph> lines &amp; more</target></trans-unit>
</body></file>
<file original="b.txt" datatype="plaintext"><body><trans-unit id="1"><source>Drei</source><target/></trans-unit></body>
</file></xliff>"""

XLIFF_2 = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="de" trgLang="en">
<file id="f1"><group id="g"><unit id="1"><segment><source>Hallo</source><target>Hi <pc id="1">you</pc></target></segment>
</unit></group><unit id="b"><segment id="s1"><source>A.</source><target>B.<cp hex="0009"/>C</target></segment>
<ignorable><source> </source></ignorable><segment><source>D.</source><target><mrk id="m">E</mrk>.<ph id="2"/></target>
</segment></unit></file></xliff>"""

TMX = """<?xml version="1.0"?><!DOCTYPE tmx SYSTEM "tmx14.dtd"><tmx version="1.4"><header srclang="DE"/><body>
<tu{0}><tuv xml:lang="de"><seg>Hallo Welt</seg></tuv>
<tuv xml:lang="en"><seg>Hello <bpt i="1">&lt;b&gt;</bpt>world<ept i="1">&lt;/b&gt;</ept> <hi>now</hi></seg></tuv></tu>
<tu{1}><tuv lang="de"><seg>Zwei</seg></tuv><tuv xml:lang="en"><seg>Two</seg></tuv>{2}</tu></body></tmx>"""


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_xliff_1_gives_source_references_and_outputs(tmp_path: Path) -> None:
    path = write(tmp_path, "ours.xlf", XLIFF_1)
    corpus = read_corpus([path], [(None, path)], path)
    assert list(corpus.sources or ()) == ["Hallo Welt", "Zwei", "Drei"]
    assert [list(group) for group in corpus.references] == [["Hello world"], ["Two lines & more"], [""]]
    assert list(corpus.systems["ours"]) == ["Hello world", "Two lines & more", ""]
    assert corpus.document_ids == ["1", "1", "2"]
    assert corpus.segment_ids == ["1", "b", "1"]
    assert corpus.columns["original"] == ["a.txt", "a.txt", "b.txt"]


def test_xliff_2_has_a_segment_for_each_segment_of_a_unit(tmp_path: Path) -> None:
    path = write(tmp_path, "ours.xliff", XLIFF_2)
    corpus = read_corpus([path], [(None, path)])
    assert corpus.segment_ids == ["1", "b.s1", "b.2"]
    assert list(corpus.systems["ours"]) == ["Hi you", "B. C", "E."]


@pytest.mark.parametrize("code", ["", "x", "d800", "110000", "fffffffff"])
def test_a_code_that_is_no_character_is_left_out(tmp_path: Path, code: str) -> None:
    path = write(tmp_path, "ours.xliff", XLIFF_2.replace("0009", code))
    assert list(read_corpus([path], [(None, path)]).systems["ours"]) == ["Hi you", "B.C", "E."]


def test_xliff_is_found_by_its_root_in_any_xml_file(tmp_path: Path) -> None:
    path = write(tmp_path, "ours.xml", XLIFF_1)
    assert len(read_corpus([path], [("a", path)])) == 3


def test_units_are_matched_by_id(tmp_path: Path) -> None:
    one = write(tmp_path, "one.xlf", XLIFF_1)
    head, first, rest = XLIFF_1.partition('<group id="g">')
    group, end, tail = rest.partition("</group>")
    unit, close, more = tail.partition("</trans-unit>")
    other = write(tmp_path, "other.xlf", head + unit + close + first + group + end + more)
    corpus = read_corpus([one], [("other", other)])
    assert list(corpus.systems["other"]) == ["Hello world", "Two lines & more", ""]


def test_tmx_is_matched_by_position_if_it_has_no_ids(tmp_path: Path) -> None:
    memory = write(tmp_path, "memory.tmx", TMX.format("", "", ""))
    xliff = write(tmp_path, "ours.xliff", XLIFF_2.replace("</unit></file>", "</unit></file>"))
    text = write(tmp_path, "out.txt", "Hello\nTwo\n")
    corpus = read_corpus([memory], [(None, text), (None, memory)], memory)
    assert [list(group) for group in corpus.references] == [["Hello world now"], ["Two"]]
    assert list(corpus.sources or ()) == ["Hallo Welt", "Zwei"]
    assert list(corpus.systems) == ["out", "memory"]
    with pytest.raises(InputError, match=r"3 segments but .*memory.tmx has 2"):
        read_corpus([memory], [(None, xliff)])


def test_tmx_with_ids_is_matched_by_them(tmp_path: Path) -> None:
    one = write(tmp_path, "one.tmx", TMX.format(' tuid="x"', ' tuid="y"', ""))
    other = write(tmp_path, "other.tmx", TMX.format(' tuid="y"', ' tuid="x"', ""))
    assert list(read_corpus([one], [(None, other)]).systems["other"]) == ["Two", "Hello world now"]


def test_several_target_languages_of_tmx_need_a_choice(tmp_path: Path) -> None:
    french = '<tuv xml:lang="fr"><seg>Deux</seg></tuv>'
    path = write(tmp_path, "m.tmx", TMX.format("", "", french))
    assert [list(group) for group in read_corpus([f"{path}#en"], [(None, f"{path}#en")]).references][1] == [
        "Two"
    ]
    with pytest.raises(InputError, match=r"several target languages; choose one with .*m\.tmx#LANG: en, fr"):
        read_corpus([path], [(None, path)])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.xlf", XLIFF_1.replace('"1.2"', '"1.1"'), "is XLIFF 1.1; versions 1.2 and 2.x are supported"),
        ("a.xlf", XLIFF_1.replace(' id="b"', ""), "line 7: <.*trans-unit> has no id"),
        ("a.xlf", XLIFF_1.replace('id="b"', 'id="1"'), "repeats segment '1' of document '1'"),
        ("a.xlf", XLIFF_1.replace("<target/>", ""), "lacks segment '1' of document '2'"),
        ("a.xlf", XLIFF_1.replace('"b.txt"', '"b.txt" target-language="fr"'), r"several languages \(en, fr\)"),
        ("a.xlf", "<xliff version='1.2'/>", "has no <file>"),
        ("a.xlf", XLIFF_1[:400], "is not well-formed XML"),
        ("a.tmx", TMX.format("", "", "<tuv><seg>x</seg></tuv>"), "<tuv> has no xml:lang"),
        ("a.tmx", TMX.format("", "", '<tuv xml:lang="fr"/>'), "<tuv> has no <seg>"),
        ("a.tmx", "<tmx><body/></tmx>", "has no reference"),
        ("a.tmx", '<!DOCTYPE x [<!ENTITY a "b">]><tmx><body>&a;</body></tmx>', "declares its own entities"),
        ("a.xml", "<other/>", "is a <other>, but only"),
    ],
    ids=["version", "no-id", "twice", "untranslated", "languages", "no-file", "cut", "lang", "seg", "empty", "entity", "xml"],
)  # fmt: skip
def test_bad_files_are_reported(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(InputError, match=message):
        read_corpus([path], [("s", path)])
