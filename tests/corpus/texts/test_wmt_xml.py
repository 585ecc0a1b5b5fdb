"""WMT's <dataset> XML and mteval's XML, and attacks by entities."""

import sys
from collections.abc import Callable

import pytest

from tertium.corpus import read_corpus
from tertium.errors import InputError, MissingExtraError

Write = Callable[[str, str | bytes], str]

DATASET = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest">
  <collection id="general">
  <doc id="d1" origlang="en">
    <src lang="en"><p><seg id="1">One &amp; &#x41;</seg></p><p><seg id="2">
      Two  words
    </seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Eins</seg><seg id="2">Zwei</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="1">Ein</seg></p></ref>
    <hyp system="S1" language="de"><p><seg id="1">eins</seg><seg id="2"/></p></hyp>
    <hyp system="S2" language="de"><p><seg id="1">e</seg><seg id="2">z</seg></p></hyp>
  </doc>
  </collection>
  <doc id="d2" origlang="de">
    <src lang="en"><p><seg id="1">Three</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Drei</seg></p></ref>
    <hyp system="S2"><p><seg id="1">d</seg></p></hyp>
    <hyp system="S1"><p><seg id="1">drei</seg></p></hyp>
  </doc>
  <doc id="d3" origlang="en" testsuite="x"><src lang="en"><p><seg id="1">Skipped</seg></p></src></doc>
</dataset>
"""
MTEVAL = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE mteval SYSTEM "ftp://example.invalid/mteval-xml-v1.7.dtd">
<mteval>
<srcset setid="t" srclang="de"><doc docid="d1"><p><seg id="1">eins</seg></p></doc></srcset>
<refset setid="t" refid="r1"><doc docid="d1"><seg id="1">one &apos;1&#39;</seg></doc></refset>
<refset setid="t" refid="r2"><doc docid="d1"><seg id="1">uno</seg></doc></refset>
<tstset setid="t" sysid="A"><doc docid="d1"><seg id="1">1</seg></doc></tstset>
</mteval>
"""


def test_a_dataset_holds_the_whole_corpus(write: Write) -> None:
    path = write("wmt.xml", DATASET)
    corpus = read_corpus([path], [(None, path)], path)
    assert corpus.references == [("Eins", "Ein"), ("Zwei",), ("Drei",)]
    assert corpus.systems == {"S1": ["eins", "", "drei"], "S2": ["e", "z", "d"]}
    assert corpus.sources == ["One & A", "Two words", "Three"]
    assert corpus.document_ids == ["d1", "d1", "d2"]
    assert corpus.segment_ids == ["1", "2", "1"]


def test_a_translator_and_a_system_can_be_chosen(write: Write) -> None:
    path = write("wmt.xml", DATASET)
    corpus = read_corpus([f"{path}#A"], [(None, f"{path}#S2")])
    assert corpus.references == [("Eins",), ("Zwei",), ("Drei",)]
    assert corpus.systems == {"S2": ["e", "z", "d"]}


def test_mteval_xml_is_read_by_the_rules_of_xml(write: Write) -> None:
    path = write("mteval.xml", MTEVAL)
    corpus = read_corpus([path], [(None, path)], path)
    assert corpus.references == [("one '1'", "uno")]
    assert (corpus.systems, corpus.sources) == ({"A": ["1"]}, ["eins"])


def test_other_encodings_are_decoded_as_declared(write: Write) -> None:
    path = write("wmt.xml", DATASET.replace("utf-8", "iso-8859-1").replace("Zwei", "Zwöi").encode("latin-1"))
    assert read_corpus([path], [(None, path)]).references[1] == ("Zwöi",)


def test_comments_and_processing_instructions_are_no_text(write: Write) -> None:
    path = write("wmt.xml", DATASET.replace("Zwei", "Z<!-- x -->w<?p?>ei<![CDATA[<&]]>"))
    assert read_corpus([path], [(None, path)]).references[1] == ("Zwei<&",)


def test_a_system_must_have_every_segment(write: Write) -> None:
    path = write("wmt.xml", DATASET.replace('<seg id="2">z</seg>', ""))
    with pytest.raises(InputError, match=r"^wmt\.xml#S2 lacks segment '2' of document 'd1'"):
        read_corpus([path], [(None, path)])


def test_a_segment_without_any_reference_is_refused(write: Write) -> None:
    path = write("wmt.xml", DATASET)
    with pytest.raises(InputError, match=r"^segment '2' of document 'd1' has no reference in wmt\.xml#B"):
        read_corpus([f"{path}#B"], [(None, path)])


@pytest.mark.parametrize(
    "old, new, message",
    [
        pytest.param('<seg id="1">Eins', "<seg>Eins", ": line 8: <seg> has no id", id="no segment id"),
        pytest.param('<doc id="d2"', "<doc", ": line 14: <doc> has no id", id="no document id"),
        pytest.param(
            'id="2">Zwei',
            'id="1">Zwei',
            ": line 8 repeats segment '1' of document 'd1'",
            id="twice",
        ),
        pytest.param(
            'id="2">Zwei',
            'id="7">Zwei',
            ": line 8 has segment '7' of document 'd1', which the file's source",
            id="not in source",
        ),
        pytest.param("Zwei", "<b>Zwei</b>", ": line 8: <b> inside <seg>; write &lt;", id="markup in text"),
        pytest.param(
            '<ref lang="de" translator="B">',
            '<ref lang="cs">',
            r" has references in several languages \(cs, de\)",
            id="languages",
        ),
        pytest.param(
            "&amp;",
            "&",
            r" is not well-formed XML: .*line 5, .*; mteval SGML must have the suffix \.sgm",
            id="bare ampersand",
        ),
        pytest.param(
            "&amp;", "&foo;", " is not well-formed XML: Entity 'foo' not defined", id="unknown entity"
        ),
        pytest.param("</dataset>", "", " is not well-formed XML: ", id="cut off"),
        pytest.param("One", "\0", " is not well-formed XML: ", id="NUL"),
        pytest.param("dataset", "tbx", r" is a <tbx>, but only WMT's <dataset>", id="other root"),
        pytest.param(
            "ref", "xref", " has no reference; it has source, system S1, system S2", id="no references"
        ),
    ],
)
def test_a_bad_dataset_is_refused(write: Write, old: str, new: str, message: str) -> None:
    path = write("wmt.xml", DATASET.replace(old, new))
    with pytest.raises(InputError, match=rf"^wmt\.xml{message}") as caught:
        read_corpus([path], [(None, path)])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"plain text\n", b"<dataset/>"])
def test_a_file_without_segments_is_refused(write: Write, content: bytes) -> None:
    path = write("wmt.xml", content)
    with pytest.raises(
        InputError, match=r"^wmt\.xml (is not well-formed XML|has no reference; it has no segments)"
    ):
        read_corpus([path], [(None, path)])


# Which of the two depends on the limits of the installed libxml2.
REFUSED = (
    r"^wmt\.xml (declares its own entities, which are not expanded|is not well-formed XML: Maximum entity)"
)
BOMB = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 30))


@pytest.mark.parametrize(
    "declarations, use",
    [
        pytest.param('<!ENTITY l0 "ha">' + BOMB, "&l29;", id="billion laughs"),
        pytest.param('<!ENTITY l0 "ha">', "&l0;", id="one harmless entity"),
        pytest.param('<!ENTITY x SYSTEM "secret.txt">', "&x;", id="external file"),
        pytest.param('<!ENTITY x SYSTEM "http://example.invalid/">', "&x;", id="network"),
        pytest.param('<!ENTITY % p SYSTEM "secret.dtd"> %p;', "", id="parameter entity"),
    ],
)
def test_entities_are_never_expanded(write: Write, declarations: str, use: str) -> None:
    write("secret.txt", "secret")
    write("secret.dtd", '<!ENTITY x "secret">')
    text = DATASET.replace("<dataset", f"<!DOCTYPE dataset [{declarations}]>\n<dataset", 1).replace(
        "Eins", use
    )
    with pytest.raises(InputError, match=REFUSED):
        read_corpus([write("wmt.xml", text)], [(None, "wmt.xml")])


def test_an_entity_bomb_in_an_attribute_is_refused(write: Write) -> None:
    doctype = f'<!DOCTYPE dataset [<!ENTITY l0 "{"ha" * 100}">{BOMB}]>\n<dataset'
    text = DATASET.replace("<dataset", doctype, 1).replace('id="d1"', 'id="&l29;"')
    with pytest.raises(InputError, match=REFUSED):
        read_corpus([write("wmt.xml", text)], [(None, "wmt.xml")])


def test_an_external_dtd_is_not_loaded(write: Write) -> None:
    write("evil.dtd", '<!ENTITY x "secret">')
    text = DATASET.replace("<dataset", '<!DOCTYPE dataset SYSTEM "evil.dtd">\n<dataset', 1).replace(
        "Eins", "&x;"
    )
    with pytest.raises(InputError, match=r"^wmt\.xml declares its own entities"):
        read_corpus([write("wmt.xml", text)], [(None, "wmt.xml")])


def test_a_missing_extra_says_how_to_install_it(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lxml.etree", None)
    path = write("wmt.xml", DATASET)
    with pytest.raises(MissingExtraError, match=r"^wmt\.xml needs lxml to be read: pip install 'lxml>="):
        read_corpus([path], [(None, path)])
