"""mteval's SGML, including files that are not well-formed."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from tertium.corpus import read_corpus
from tertium.corpus.texts.markup import read_sgml
from tertium.errors import InputError

Write = Callable[[str, str | bytes], str]

SOURCE = '<srcset setid="t" srclang="de"><doc docid="d1"><seg id="1">eins</seg><seg id="2">zwei</seg></doc></srcset>'
REFERENCE = """<!DOCTYPE mteval>
<REFSET setid="t" srclang="de" trglang="en">
<DOC sysid="ref" docid="d1" genre="news">
<hl>
<SEG ID=1> one  &amp;
two </SEG>
</hl>
<p>
<seg id='2'>R&D &lt;b> a < b &quot;q&quot; &#39;</seg></p>
</doc>
</refset>
"""
OUTPUT = """<tstset trglang="en" setid="t" srclang="de">
<doc sysid="A" docid="d1"><seg id="1">one</seg><seg id="2">two</seg></doc>
<doc sysid="B" docid="d1"><seg id="1">ein</seg><seg id="2"></seg></doc>
</tstset>
"""


def test_ids_systems_and_texts_are_read(write: Write) -> None:
    paths = [write("ref.sgm", REFERENCE), write("out.sgml", OUTPUT), write("src.sgm", SOURCE)]
    corpus = read_corpus([paths[0]], [(None, paths[1])], paths[2])
    assert corpus.references == [("one & two",), ("""R&D <b> a < b "q" &#39;""",)]
    assert corpus.systems == {"A": ["one", "two"], "B": ["ein", ""]}
    assert corpus.sources == ["eins", "zwei"]
    assert (corpus.document_ids, corpus.segment_ids) == (["d1", "d1"], ["1", "2"])


def test_entities_are_decoded_in_the_order_of_mteval(write: Write) -> None:
    text = REFERENCE.replace("R&D", "&amp;lt; &amp;quot; &apos;")
    corpus = read_corpus([write("ref.sgm", text)], [(None, write("out.sgm", OUTPUT))])
    assert corpus.references[1][0].startswith("< &quot; &apos; <b>")


def test_unicode_space_collapses_as_in_mteval(write: Write) -> None:
    text = REFERENCE.replace("R&D", "a\u00a0\u3000\t b\r\n")
    corpus = read_corpus([write("ref.sgm", text)], [(None, write("out.sgm", OUTPUT))])
    assert corpus.references[1][0].startswith("a b <b>")


def test_several_reference_sets_add_up(write: Write) -> None:
    one = '<refset refid="{}"><doc docid="d1"><seg id="1">{}</seg><seg id="2">{}</seg></doc></refset>'
    path = write("ref.sgm", one.format("r1", "a", "b") + one.format("r2", "c", "d"))
    corpus = read_corpus([path], [(None, write("out.sgm", OUTPUT))])
    assert corpus.references == [("a", "c"), ("b", "d")]


def test_a_second_reference_may_lack_segments(write: Write) -> None:
    text = REFERENCE + '<refset refid="r2"><doc docid="d1"><seg id="2">c</seg></doc></refset>'
    corpus = read_corpus([write("ref.sgm", text)], [(None, write("out.sgm", OUTPUT))])
    assert corpus.n_references == (1, 2)


@pytest.mark.parametrize("column, references", [("ref", 1), ("r2", 1)])
def test_one_reference_or_system_can_be_chosen(write: Write, column: str, references: int) -> None:
    text = REFERENCE + REFERENCE.replace('sysid="ref"', 'sysid="r2"')
    ref, out = write("ref.sgm", text), write("out.sgm", OUTPUT)
    corpus = read_corpus([f"{ref}#{column}"], [("best", f"{out}#B")])
    assert corpus.n_references == (references, references)
    assert corpus.systems == {"best": ["ein", ""]}


def test_segments_are_matched_by_id_and_not_by_position(write: Write) -> None:
    swapped = '<tstset><doc sysid="A" docid="d1"><seg id="2">two</seg><seg id="1">one</seg></doc></tstset>'
    corpus = read_corpus([write("ref.sgm", REFERENCE)], [(None, write("out.sgm", swapped))])
    assert corpus.systems == {"A": ["one", "two"]}


def test_a_system_without_a_name_is_called_as_its_file(write: Write) -> None:
    path = write(
        "online-A.sgm", OUTPUT.replace('sysid="A"', "").split('<doc sysid="B"', maxsplit=1)[0] + "</tstset>"
    )
    assert list(read_corpus([write("ref.sgm", REFERENCE)], [(None, path)]).systems) == ["online-A"]


def test_an_empty_segment_may_be_one_tag(write: Write) -> None:
    path = write("out.sgm", OUTPUT.replace('<seg id="2"></seg>', '<seg id="2"/>'))
    assert read_corpus([write("ref.sgm", REFERENCE)], [(None, path)]).systems["B"] == ["ein", ""]


def test_plain_text_is_matched_to_sgml_by_position(write: Write) -> None:
    corpus = read_corpus([write("ref.sgm", REFERENCE)], [(None, write("a.txt", "x\ny\n"))])
    assert corpus.systems == {"a": ["x", "y"]}
    assert corpus.segment_ids == ["1", "2"]


@pytest.mark.parametrize(
    "old, new, message",
    [
        pytest.param(
            "one</seg>",
            "one",
            r"line 2: <seg> inside the unclosed <seg> of line 2",
            id="open seg",
        ),
        pytest.param(
            "two</seg>", "two", r"line 2: </doc> where </seg> for line 2 is expected", id="open last seg"
        ),
        pytest.param("</tstset>", "", "line 1: <tstset> is never closed", id="open set"),
        pytest.param(
            "<tstset", "</doc><tstset", "line 1: </doc> where no closing tag is expected", id="stray end"
        ),
        pytest.param('<doc sysid="B" docid="d1">', "", "line 3: <seg> outside a doc", id="no doc"),
        pytest.param('id="1">ein', ">ein", "line 3: <seg> has no id", id="no id"),
        pytest.param('sysid="B" docid="d1"', 'sysid="B"', "line 3: <doc> has no docid", id="no docid"),
        pytest.param('id="2">two', 'id="1">two', "line 2 repeats segment '1' of document 'd1'", id="twice"),
    ],
)
def test_broken_structure_is_refused_with_its_line(write: Write, old: str, new: str, message: str) -> None:
    path = write("out.sgm", OUTPUT.replace(old, new, 1))
    with pytest.raises(InputError, match=rf"^out\.sgm: {message}"):
        read_corpus([write("ref.sgm", REFERENCE)], [(None, path)])


@pytest.mark.parametrize(
    "old, new, message",
    [
        ('<seg id="2"></seg>', "", "out.sgm#B lacks segment '2' of document 'd1'"),
        ('docid="d1"', 'docid="d2"', "out.sgm#A lacks segment '1' of document 'd1', which ref.sgm has"),
        ("tstset", "refset", "out.sgm has no system; it has reference A, reference B"),
        (
            "tstset",
            "foo",
            "out.sgm has no srcset, refset or tstset; a WMT <dataset> file must have the suffix .xml",
        ),
        ('id="1"', 'id="0"', "out.sgm#A lacks segment '1' of document 'd1', which ref.sgm has"),
    ],
)
def test_sets_that_do_not_fit_are_refused(write: Write, old: str, new: str, message: str) -> None:
    path = write("out.sgm", OUTPUT.replace(old, new))
    with pytest.raises(InputError, match=f"^{message}"):
        read_corpus([write("ref.sgm", REFERENCE)], [(None, path)])


def test_more_segments_than_the_reference_has_are_refused(write: Write) -> None:
    path = write("out.sgm", OUTPUT.replace("</doc>", '<seg id="3">x</seg></doc>'))
    with pytest.raises(
        InputError, match=r"^ref\.sgm lacks segment '3' of document 'd1', which out\.sgm#A has"
    ):
        read_corpus([write("ref.sgm", REFERENCE)], [(None, path)])


def test_one_name_cannot_stand_for_several_systems(write: Write) -> None:
    path = write("out.sgm", OUTPUT)
    with pytest.raises(
        InputError,
        match=r"holds 2 systems, which cannot all be named 'x'; choose one with out\.sgm#SYSTEM: A, B",
    ):
        read_corpus([write("ref.sgm", REFERENCE)], [("x", path)])


@pytest.mark.parametrize(
    "inside",
    [
        "a" * 1_000_000,
        "a " * 500_000,
        "a" + " " * 1_000_000,
        'a="' * 300_000,
        "a='\"" * 200_000,
        "=" * 1_000_000,
    ],
)
def test_a_tag_of_any_length_is_read(write: Write, inside: str) -> None:
    path = write("a.sgm", f'<refset><doc {inside} docid="d"><seg id="1">text</seg></doc></refset>')
    with suppress(InputError):
        read_sgml(path)  # in linear time: a tenth of this once took minutes
