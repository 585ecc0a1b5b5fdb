"""A corpus from several files: names, matching, and files that do not match."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium.corpus import read_corpus
from tertium.errors import InputError

Write = Callable[[str, str | bytes], str]
Stdin = Callable[[bytes], None]

DATASET = """<dataset><doc id="d">
<src><seg id="1">s</seg></src><ref><seg id="1">r</seg></ref><hyp><seg id="1">h</seg></hyp>
</doc></dataset>"""


def test_plain_files_become_a_corpus(write: Write) -> None:
    ref, src = write("ref.txt", "a\n\n"), write("src.txt", "s\nt\n")
    corpus = read_corpus(
        [ref], [(None, write("online-A.txt", "x\ny\n")), ("mine", write("b", "v\nw\n"))], src
    )
    assert corpus.references == [("a",), ("",)]
    assert corpus.systems == {"online-A": ["x", "y"], "mine": ["v", "w"]}
    assert list(corpus.systems) == ["online-A", "mine"]
    assert corpus.sources == ["s", "t"]
    assert corpus.segment_ids is None


def test_references_of_several_files_add_up_per_segment(write: Write) -> None:
    lists = write("refs.jsonl", '{"ref": ["b", "c"]}\n{"ref": null}\n{"ref": "d"}\n')
    corpus = read_corpus([write("ref.txt", "a\n\nz\n"), lists], [(None, write("h.txt", "1\n2\n3\n"))])
    assert corpus.references == [("a", "b", "c"), ("",), ("z", "d")]


def test_columns_of_one_file_may_be_systems(write: Write) -> None:
    path = write("all.jsonl", '{"ref": "r", "out": {"a": "x", "b": "y"}}\n')
    corpus = read_corpus([path], [(None, f"{path}#out.a"), ("B", f"{path}#out.b")])
    assert corpus.systems == {"out.a": ["x"], "B": ["y"]}


@pytest.mark.parametrize(
    "name, content",
    [
        ("all.tsv", "src\tref\thyp\ns\tr\th\n"),
        ("all.jsonl", '{"src": "s", "ref": "r", "hyp": "h"}\n'),
        ("all.xml", DATASET),
    ],
)
def test_a_file_named_three_times_is_read_once(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    path = write(name, content)
    reads = []
    open_path = Path.open

    def record(path: Path, *args: Any, **kwargs: Any) -> Any:
        reads.append(path)
        return open_path(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", record)
    corpus = read_corpus([path], [(None, path)], path)
    assert (corpus.sources, corpus.references, corpus.systems) == (["s"], [("r",)], {"all": ["h"]})
    assert reads == [Path(path)]


def test_standard_input_is_a_system(write: Write, set_stdin: Stdin) -> None:
    set_stdin(b"x\n")
    assert read_corpus([write("ref.txt", "a\n")], [(None, "-")]).systems == {"stdin": ["x"]}


@pytest.mark.parametrize(
    "references, hypotheses", [(["-"], ["-"]), (["ref.txt"], ["-", "-"]), (["-", "-"], ["ref.txt"])]
)
def test_standard_input_can_be_given_only_once(
    write: Write, set_stdin: Stdin, references: list[str], hypotheses: list[str]
) -> None:
    set_stdin(b"x\n")
    write("ref.txt", "a\n")
    with pytest.raises(
        InputError, match=r"^'-' is given more than once, but standard input can be read only once"
    ):
        read_corpus(references, [(str(i), text) for i, text in enumerate(hypotheses)])


def test_a_short_hypothesis_is_refused_with_the_first_unmatched_line(write: Write) -> None:
    ref, hyp = write("ref.txt", "a\n" * 3003), write("hyp.txt", "a\n" * 2998)
    expected = "hyp.txt has 2,998 lines but ref.txt has 3,003 (first unmatched: line 2,999)"
    with pytest.raises(InputError) as caught:
        read_corpus([ref], [(None, hyp)])
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("hyp.txt", "a\n" * 3, "hyp.txt has 3 lines but ref.txt has 2 (first unmatched: line 3)"),
        ("hyp.txt", "a\n", "hyp.txt has 1 line but ref.txt has 2 (first unmatched: line 2)"),
        ("h.tsv", "hyp\na\n", "h.tsv#hyp has 1 row but ref.txt has 2 lines (first unmatched: line 2)"),
        ("h.jsonl", '{"mt": ""}\n' * 9, "h.jsonl#mt has 9 lines but ref.txt has 2 (first unmatched: line 3)"),
        (
            "h.sgm",
            "<tstset sysid=A><doc docid=d><seg id=1>x</seg></doc></tstset>",
            "h.sgm#A has 1 segment but ref.txt has 2 lines (first unmatched: line 2)",
        ),
    ],
)
def test_numbers_of_segments_must_agree(write: Write, name: str, content: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_corpus([write("ref.txt", "a\nb\n")], [(None, write(name, content))])
    assert str(caught.value) == message


def test_sources_and_second_references_must_fit_too(write: Write) -> None:
    two, three = write("two.txt", "a\nb\n"), write("three.txt", "a\nb\nc\n")
    message = r"^three\.txt has 3 lines but two\.txt has 2 \(first unmatched: line 3\)"
    with pytest.raises(InputError, match=message):
        read_corpus([two], [(None, two)], three)
    with pytest.raises(InputError, match=message):
        read_corpus([two, three], [(None, two)])


@pytest.mark.parametrize("empty", ["ref.txt", "hyp.txt", "src.txt"])
def test_an_empty_file_is_named(write: Write, empty: str) -> None:
    for name in ("ref.txt", "hyp.txt", "src.txt"):
        write(name, "" if name == empty else "a\n")
    with pytest.raises(InputError, match=f"^{empty} has no lines: there is nothing to score"):
        read_corpus(["ref.txt"], [(None, "hyp.txt")], "src.txt")


def test_a_table_with_nothing_but_a_header_is_empty(write: Write) -> None:
    path = write("a.tsv", "ref\thyp\n")
    with pytest.raises(InputError, match=r"^a\.tsv#ref has no rows: there is nothing to score"):
        read_corpus([path], [(None, path)])


def test_a_segment_without_reference_is_refused(write: Write) -> None:
    path = write("a.jsonl", '{"ref": "a", "hyp": "x"}\n{"ref": [], "hyp": "y"}\n')
    with pytest.raises(InputError, match=r"^segment 2 has no reference in a\.jsonl#ref;"):
        read_corpus([path], [(None, path)])


@pytest.mark.parametrize(
    "hypotheses",
    [
        [(None, "a/out.txt"), (None, "b/out.txt")],
        [("x", "a/out.txt"), ("x", "b/out.txt")],
        [(None, "a/out.txt"), (None, "a/out.txt")],
    ],
)
def test_two_systems_of_one_name_are_refused(write: Write, hypotheses: list[tuple[str | None, str]]) -> None:
    for folder in "ab":
        Path(folder).mkdir()
        write(f"{folder}/out.txt", "a\n")
    with pytest.raises(
        InputError, match=r"^two systems are named '(out|x)' .*; give each its own name with name=path"
    ):
        read_corpus([write("ref.txt", "a\n")], hypotheses)


def test_hypotheses_must_be_given() -> None:
    with pytest.raises(InputError, match=r"^no hypothesis file was given"):
        read_corpus(["a"], [])


def test_a_corpus_may_have_no_references(write: Write) -> None:
    corpus = read_corpus([], [(None, write("h.txt", "x\ny\n"))], write("src.txt", "s\nt\n"))
    assert list(corpus.references) == [(), ()]
    assert corpus.available == {"source"}
    assert corpus.n_references == (0, 0)
    with pytest.raises(InputError, match=r"^h\.txt has 2 lines but s\.txt has 1"):
        read_corpus([], [(None, "h.txt")], write("s.txt", "s\n"))


def test_plain_text_has_no_columns(write: Write) -> None:
    path = write("a.txt", "a\n")
    with pytest.raises(InputError, match=r"^a\.txt is plain text and has no column 'ref'"):
        read_corpus([f"{path}#ref"], [(None, path)])


def test_reading_plain_text_imports_no_extra(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("lxml", "lxml.etree", "pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    path = write("a.txt", "a\n")
    assert len(read_corpus([path], [(None, path)])) == 1
