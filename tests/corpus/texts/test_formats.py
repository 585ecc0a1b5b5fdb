"""Columns with properties of segments."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tertium.corpus import read_columns, read_corpus, stream_corpus
from tertium.corpus.texts import formats
from tertium.errors import InputError
from tertium.files.paths import TEXT_SUFFIXES
from tertium.values import Corpus

Write = Callable[[str, str | bytes], str]

XML = """<dataset>
<doc id="d1" origlang="de" domain="news"><src><seg id="1">s</seg><seg id="2">t</seg></src>
<ref><seg id="1">r</seg><seg id="2">q</seg></ref></doc>
<doc id="d2" origlang="en"><src><seg id="1">u</seg></src><ref><seg id="1">v</seg></ref></doc>
</dataset>"""
SGML = """<tstset setid="t" srclang="any" trglang="en">
<doc docid="d2" sysid="A"><seg id="1">h3</seg></doc>
<doc docid="d1" sysid="A"><seg id="1">h1</seg><seg id="2">h2</seg></doc></tstset>"""


def test_the_suffix_of_a_format_is_no_part_of_a_name_and_is_not_refused() -> None:
    suffixes = {suffix for form in formats._FORMATS for suffix in form.suffixes}
    assert suffixes | {".txt"} == TEXT_SUFFIXES
    assert not suffixes & formats._UNSUPPORTED.keys()


def test_columns_are_read_from_a_table(write: Write) -> None:
    tsv = write("c.tsv", "domain\tyear\nnews\t2014\n\t2015\n")
    jsonl = write("c.jsonl", '{"domain": "news", "year": 2014}\n{"domain": null, "year": 2015}\n')
    expected = {"domain": ["news", ""], "year": ["2014", "2015"]}
    assert read_columns(tsv, 2) == read_columns(jsonl, 2) == expected


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("c.tsv", "a\n1\n2\n", r"c\.tsv has 2 rows but there are 3 segments \(first unmatched: segment 3\)"),
        ("c.tsv", "a\n1\n2\n3\n4\n", r"c\.tsv has 4 rows but .* \(first unmatched: line 5\)"),
        ("c.jsonl", '{"a": 1}\n' * 4, r"c\.jsonl has 4 rows but .* \(first unmatched: line 4\)"),
        ("c.tsv", "a\ta\n1\t1\n", r"c\.tsv: line 1 has 2 columns named 'a'"),
        ("c.jsonl", '{"a": 1}\n{"a": 1, "a": 2}\n', r"c\.jsonl: line 2 .* a key occurs twice"),
        (
            "c.jsonl",
            '{"a": 1}\n{"a": 1, "b": 2}\n',
            r"c\.jsonl: line 2 has a column 'b', but line 1 does not",
        ),
        ("c.jsonl", '{"a": 1}\n{"b": 2}\n', r"c\.jsonl: line 2 has a column 'b', but line 1 does not"),
        ("c.jsonl", '{"a": 1, "b": 2}\n{"a": 2}\n', r"c\.jsonl: line 2 has no column 'b'"),
        ("c.jsonl", '{"a": ["x"]}\n', r"c\.jsonl#a: line 1 holds a list, not a single value"),
        ("c.jsonl", '{"a": {}}\n', r"c\.jsonl#a: line 1 holds an object, not a single value"),
        ("c.jsonl", '{"a": "\\ud800"}\n', r"c\.jsonl#a: line 1 holds half of a surrogate pair"),
        ("c.jsonl", "{}\n{}\n{}\n", r"c\.jsonl has no columns"),
        ("c.tsv", "a\t\n1\t2\n", r"c\.tsv: a column has no name"),
        ("c.tsv", "a\tb\n1\n", r"c\.tsv: line 2 has 1 fields but the header has 2"),
        ("c.txt", "a\n", r"c\.txt is not a table; tables have the suffix \.tsv"),
    ],
)
def test_columns_that_do_not_fit_are_refused_with_the_line(
    write: Write, name: str, content: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_columns(write(name, content), 3)


def test_a_corpus_takes_columns_from_a_file_of_their_own(write: Write) -> None:
    ref, hyp = write("r.txt", "a\nb\n"), write("h.txt", "a\nb\n")
    corpus = read_corpus([ref], [(None, hyp)], columns=write("c.tsv", "domain\nnews\nchat\n"))
    assert corpus.columns == {"domain": ["news", "chat"]}


def test_the_other_columns_of_the_references_table_describe_the_segments(write: Write) -> None:
    path = write(
        "all.jsonl",
        '{"ref": "r", "out": "x", "domain": "news", "year": 1.5, "tags": ["a"], "ok": true, "note": null}\n',
    )
    corpus = read_corpus([path], [("A", f"{path}#out")])
    assert corpus.columns == {"domain": ["news"], "year": ["1.5"], "ok": ["true"], "note": [""]}


def test_a_parquet_tables_columns_describe_the_segments(tmp_path: Path) -> None:
    path = str(tmp_path / "a.parquet")
    table = {
        "ref": ["r", "s"],
        "hyp": ["x", "y"],
        "year": [2014, None],
        "vector": [[0.5], []],
        "raw": [b"a", b"b"],
    }
    pq.write_table(pa.table(table), path)
    assert read_corpus([path], [(None, path)]).columns == {"year": ["2014", ""]}
    (batch,) = stream_corpus([path], [(None, path)])
    assert batch.columns == {"year": ["2014", ""]}


def test_columns_of_a_file_of_their_own_go_before_those_of_tables(write: Write) -> None:
    ref = write("r.tsv", "ref\tdomain\tyear\na\tnews\t2014\n")
    source = write("s.tsv", "src\tdomain\torigin\na\tchat\tde\n")
    own = write("c.tsv", "domain\nmail\n")
    hyp = write("h.txt", "a\n")
    assert read_corpus([ref], [(None, hyp)], source, columns=own).columns == {
        "domain": ["mail"],
        "year": ["2014"],
        "origin": ["de"],
    }
    assert read_corpus([ref], [(None, hyp)], source).columns["domain"] == ["news"]


def test_a_systems_table_says_nothing_about_segments(write: Write) -> None:
    hyp = write("h.tsv", "hyp\tconfidence\na\t0.5\n")
    assert read_corpus([write("r.txt", "a\n")], [(None, hyp)]).columns == {}


def test_documents_of_xml_describe_their_segments_in_the_order_of_the_corpus(write: Write) -> None:
    xml = write("r.xml", XML)
    described = {
        "origlang": ["de", "de", "en"],
        "domain": ["news", "news", ""],
        "document": ["d1", "d1", "d2"],
    }
    corpus = read_corpus([xml], [(None, write("h.sgm", SGML))], xml)
    assert corpus.columns == described
    plain = read_corpus([xml], [(None, write("h.txt", "1\n2\n3\n"))])
    assert plain.columns == described


def test_sgml_documents_describe_their_segments(write: Write) -> None:
    refs = SGML.replace("tstset", "refset").replace('docid="d2"', 'docid="d2" genre="nw" origlang="cs"')
    corpus = read_corpus([write("r.sgm", refs)], [(None, write("h.sgm", SGML))])
    assert corpus.columns == {
        "genre": ["nw", "", ""],
        "origlang": ["cs", "", ""],
        "document": ["d2", "d1", "d1"],
    }


def test_a_column_of_another_length_is_no_part_of_a_corpus() -> None:
    with pytest.raises(InputError, match="column 'year' has 1 segments but the references have 2"):
        Corpus([["a"], ["b"]], {}, columns={"year": ["2014"]})
