"""A corpus read in batches equals the corpus read as a whole, with the same errors, in constant memory."""

import gzip
import json
import lzma
import os
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.corpus import read_corpus, stream_corpus
from tertium.errors import InputError, OptionError
from tertium.values import Corpus

Write = Callable[[str, str | bytes], str]
Stdin = Callable[[bytes], None]
Row = dict[str, Any]

XML = """<dataset><doc id="d" domain="news">
<src><seg id="1">s</seg><seg id="2">t</seg></src><ref><seg id="1">r</seg><seg id="2">q</seg></ref>
<hyp><seg id="1">h</seg><seg id="2">g</seg></hyp>
</doc></dataset>"""


def write_rows(path: Path, rows: Sequence[Row], column: str) -> None:
    """Write rows in the format of the path's suffixes; plain text has one column."""
    if path.suffix == ".parquet":
        table = pa.table({name: [row[name] for row in rows] for name in (column, "domain")})
        pq.write_table(table, path, row_group_size=3)
        return
    if ".tsv" in path.suffixes:
        lines = [f"{column}\tdomain", *("\t".join([row[column], row["domain"]]) for row in rows)]
    elif ".jsonl" in path.suffixes:
        lines = [json.dumps(row) for row in rows]
    else:
        lines = [row[column] for row in rows]
    data = "".join(line + "\n" for line in lines).encode()
    packs: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress}
    path.write_bytes(packs.get(path.suffix, bytes)(data))


def join(batches: Iterable[Corpus]) -> Corpus:
    parts = list(batches)
    sources = None if parts[0].sources is None else [text for part in parts for text in part.sources or ()]
    return Corpus(
        [group for part in parts for group in part.references],
        {name: [text for part in parts for text in part.systems[name]] for name in parts[0].systems},
        sources,
        columns={name: [v for part in parts for v in part.columns[name]] for name in parts[0].columns},
    )


def corpus_or_error(read: Callable[[], Corpus]) -> Corpus | str:
    try:
        return read()
    except InputError as error:
        return str(error)


NAMES = st.sampled_from([".txt", ".txt.gz", ".txt.xz", ".tsv", ".tsv.gz", ".jsonl", ".jsonl.xz", ".parquet"])
WORDS = st.text("ab é\u2028\r", max_size=4).filter(lambda text: not text.endswith("\r"))


@pytest.mark.slow
@settings(deadline=None)  # importing pyarrow is slow
@given(
    texts=st.lists(WORDS, max_size=12),
    names=st.tuples(NAMES, NAMES, NAMES, NAMES, NAMES),
    lengths=st.lists(st.integers(-2, 0), min_size=5, max_size=5) | st.just([0] * 5),
    batch_size=st.integers(1, 15),
    is_described=st.booleans(),
)
def test_batches_are_the_whole_corpus_or_its_error(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    names: tuple[str, ...],
    lengths: list[int],
    batch_size: int,
    is_described: bool,
) -> None:
    folder = tmp_path_factory.mktemp("stream")
    paths = [folder / f"{i}{suffix}" for i, suffix in enumerate(names)]
    roles = ("ref", "ref", "hyp", "hyp", "src")
    for path, role, less in zip(paths, roles, lengths, strict=True):
        rows = [{role: f"{path.stem}{text}", "domain": text[:1]} for text in texts[: len(texts) + less]]
        write_rows(path, rows, role)
    table = folder / "c.tsv"
    write_rows(table, [{"year": text[:1], "domain": "x"} for text in texts], "year")
    first, second, one, other, source = map(str, paths)
    columns = str(table) if is_described else None
    arguments = ([first, second], [("one", one), ("other", other)], source)

    def stream() -> Corpus:
        return join(stream_corpus(*arguments, columns=columns, batch_size=batch_size))

    assert corpus_or_error(stream) == corpus_or_error(lambda: read_corpus(*arguments, columns=columns))


@pytest.mark.parametrize(
    "name, content",
    [
        pytest.param("h.txt", b"a\nb\n\xff\n", id="not UTF-8"),
        pytest.param("h.txt.gz", gzip.compress(b"a\nb\nc\n")[:-3], id="cut gzip"),
        pytest.param("h.tsv", "hyp\na\nb\tx\nc\n", id="a field too many"),
        pytest.param("h.tsv", "hyp\thyp\na\tb\n", id="a column twice"),
        pytest.param("h.tsv", "", id="no header"),
        pytest.param("h.tsv", "mine\na\n", id="no such column"),
        pytest.param("h.jsonl", '{"hyp": "a"}\n{"hyp": "b"}\n{"hyp": 3}\n', id="a number"),
        pytest.param("h.jsonl", '{"hyp": "a"}\n{"hyp": null}\n{"hyp": "c"}\n', id="null"),
        pytest.param("h.jsonl", '{"hyp": "a"}\n{"hyp": "b"}\n{"hyp: "c"}\n', id="no JSON"),
        pytest.param("h.jsonl", '{"hyp": "a"}\n{"hyp": "b"}\n{"mt": "c"}\n', id="a key is missing"),
        pytest.param(
            "h.jsonl", '{"hyp": "a"}\n{"hyp": "\\ud800"}\n{"hyp": "c"}\n', id="half a surrogate pair"
        ),
        pytest.param("h.jsonl", "", id="an empty table"),
        pytest.param("h.txt", "", id="an empty file"),
        pytest.param("h.parquet", b"PAR1 nothing", id="no Parquet"),
        pytest.param("ref.jsonl", "", id="the same name twice"),
    ],
)
@pytest.mark.parametrize("batch_size", [1, 2, 100])
def test_a_fault_is_told_as_if_the_file_were_read_whole(
    write: Write, name: str, content: str | bytes, batch_size: int
) -> None:
    ref = write("r.jsonl", '{"ref": "1"}\n{"ref": ["2", "3"]}\n{"ref": "4"}\n')
    hyp = write(name, content)
    with pytest.raises(InputError) as whole:
        read_corpus([ref], [(None, hyp)])
    with pytest.raises(InputError) as streamed:
        list(stream_corpus([ref], [(None, hyp)], batch_size=batch_size))
    assert str(streamed.value) == str(whole.value)


def test_a_segment_without_reference_has_its_number_in_the_whole_corpus(write: Write) -> None:
    ref = write("r.jsonl", '{"ref": "1"}\n{"ref": "2"}\n{"ref": null}\n')
    with pytest.raises(InputError, match=r"^segment 3 has no reference in r\.jsonl#ref"):
        list(stream_corpus([ref], [(None, write("h.txt", "a\nb\nc\n"))], batch_size=2))


def test_several_columns_of_one_table_are_read_in_one_pass(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("a.tsv", "src\tref\tA\tB\n" + "".join(f"s{i}\tr{i}\ta{i}\tb{i}\n" for i in range(7)))
    opened = []
    open_path = Path.open

    def record(path: Path, *args: Any, **kwargs: Any) -> Any:
        opened.append(path)
        return open_path(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", record)
    corpus = join(stream_corpus([path], [(None, f"{path}#A"), (None, f"{path}#B")], path, batch_size=3))
    assert corpus.systems == {"A": [f"a{i}" for i in range(7)], "B": [f"b{i}" for i in range(7)]}
    assert opened == [Path(path)]


def test_pipes_and_standard_input_are_streamed(write: Write, set_stdin: Stdin) -> None:
    set_stdin(b"a\nb\n")
    reader, writer = os.pipe()
    os.write(writer, b"c\nd\n")
    os.close(writer)
    corpus = join(stream_corpus(["-"], [("pipe", f"/dev/fd/{reader}")], batch_size=1))
    os.close(reader)
    assert (corpus.references, corpus.systems) == ([("a",), ("b",)], {"pipe": ["c", "d"]})


def test_xml_is_cut_into_batches_too(write: Write) -> None:
    path = write("a.xml", XML)
    batches = list(stream_corpus([path], [(None, path)], path, batch_size=1))
    assert [batch.references for batch in batches] == [[("r",)], [("q",)]]
    assert [batch.columns["domain"] for batch in batches] == [["news"], ["news"]]
    assert join(batches).sources == ["s", "t"]


def shards(folder: Path, texts: Sequence[str], name: str = "part-{}.txt") -> str:
    folder.mkdir(parents=True)
    for i, text in enumerate(texts):
        (folder / name.format(i)).write_text(text, encoding="utf-8")
    return str(folder)


def test_shards_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    refs = shards(tmp_path / "refs", ["a\nb\n", "c\n", "d\n"])
    hyps = shards(tmp_path / "sys-A", ["1\n2\n", "3\n", "4\n"])
    (tmp_path / "refs" / "_SUCCESS").touch()
    (tmp_path / "refs" / ".crc").touch()
    for given_refs, given_hyps in [(refs, hyps), (f"{refs}/*.txt", hyps), (refs, f"{hyps}/*")]:
        batches = list(stream_corpus([given_refs], [(None, given_hyps)], batch_size=10))
        assert list(map(len, batches)) == [2, 1, 1]
        corpus = join(batches)
        assert corpus.references == [("a",), ("b",), ("c",), ("d",)]
        assert corpus.systems == {"sys-A": ["1", "2", "3", "4"]}


def test_shards_may_differ_in_format_and_have_columns(tmp_path: Path, write: Write) -> None:
    shards(tmp_path / "r", ['{"ref": "a", "x": "1"}\n', '{"ref": "b", "x": "2"}\n'], "{}.jsonl")
    hyps = shards(tmp_path / "h", ["hyp\tB\na\tA\n", "hyp\tB\nb\tC\n"], "{}.tsv")
    corpus = join(stream_corpus(["r/*.jsonl#x"], [(None, hyps), (None, f"{hyps}#B")], "r#ref"))
    assert corpus.references == [("1",), ("2",)]
    assert corpus.systems == {"h": ["a", "b"], "B": ["A", "C"]}
    assert corpus.sources == ["a", "b"]


def test_patterns_with_other_names_match_by_their_stars(tmp_path: Path, write: Write) -> None:
    for i in range(12):
        write(f"ref.{i}.txt", f"r{i}\n")
        write(f"online-A-{i}.txt", f"h{i}\n")
    corpus = join(stream_corpus(["ref.*.txt"], [(None, "online-A-*.txt")]))
    assert [group[0][1:] for group in corpus.references] == [text[1:] for text in corpus.systems["online-A"]]


def test_a_single_file_goes_along_with_shards(tmp_path: Path, write: Write) -> None:
    refs = shards(tmp_path / "refs", ["a\nb\n", "c\n"])
    corpus = join(
        stream_corpus([refs], [(None, write("h.txt", "1\n2\n3\n"))], columns=write("c.tsv", "y\n1\n2\n3\n"))
    )
    assert corpus.systems == {"h": ["1", "2", "3"]}
    assert corpus.columns == {"y": ["1", "2", "3"]}


@pytest.mark.parametrize(
    "hyps, message",
    [
        (
            ["1\n2\n", "3\n4\n"],
            r"^hyps/part-1\.txt has 2 lines but refs/part-1\.txt has 1 \(first unmatched: line 2\)",
        ),
        (["1\n", "3\n"], r"^hyps/part-0\.txt has 1 line but refs/part-0\.txt has 2"),
        (["1\n2\n"], r"^hyps has no part 'part-1', but refs has \(refs/part-1\.txt\)"),
        (["1\n2\n", "3\n", "4\n"], r"^refs has no part 'part-2', but hyps has"),
    ],
)
@pytest.mark.parametrize("batch_size", [1, 100])
def test_shards_that_do_not_fit_are_named(
    tmp_path: Path, write: Write, hyps: list[str], message: str, batch_size: int
) -> None:
    shards(tmp_path / "refs", ["a\nb\n", "c\n"])
    shards(tmp_path / "hyps", hyps)
    with pytest.raises(InputError, match=message):
        list(stream_corpus(["refs"], [(None, "hyps")], batch_size=batch_size))


@pytest.mark.parametrize(
    "text, message",
    [
        ("1\n2\n", r"^h\.txt has 2 lines but refs has 3 \(first unmatched: line 3\)"),
        ("1\n2\n3\n4\n", r"^h\.txt has 4 lines but refs has 3 \(first unmatched: line 4\)"),
        ("", r"^h\.txt has no lines"),
    ],
)
def test_a_single_file_that_does_not_fit_shards_is_named(
    tmp_path: Path, write: Write, text: str, message: str
) -> None:
    shards(tmp_path / "refs", ["a\nb\n", "c\n"])
    with pytest.raises(InputError, match=message):
        list(stream_corpus(["refs"], [(None, write("h.txt", text))]))


@pytest.mark.parametrize(
    "rows, message",
    [
        ("a\n1\n", r"^c\.tsv has 1 row but there are 3 segments \(first unmatched: segment 2\)"),
        ("a\n1\n2\n3\n4\n5\n", r"^c\.tsv has 5 rows but there are 3 segments \(first unmatched: line 5\)"),
        ("a\ta\n", r"^c\.tsv: line 1 has 2 columns named 'a'"),
    ],
)
def test_columns_of_another_length_are_refused(write: Write, rows: str, message: str) -> None:
    ref, hyp, table = write("r.txt", "a\nb\nc\n"), write("h.txt", "a\nb\nc\n"), write("c.tsv", rows)
    for batch_size in (1, 2, 3, 9):
        with pytest.raises(InputError, match=message):
            list(stream_corpus([ref], [(None, hyp)], columns=table, batch_size=batch_size))


@pytest.mark.parametrize(
    "address, message",
    [
        ("empty", "the folder empty has no files"),
        ("none-*.txt", r"no file matches 'none-\*\.txt'"),
        ("nested", "nested/inner is a folder inside a folder of texts"),
        ("twice", "twice/a.txt and twice/a.txt.gz are both the part 'a' of twice"),
        ("twice#", "is not FILE#COLUMN: the column is missing"),
    ],
)
def test_folders_without_sense_are_refused(tmp_path: Path, write: Write, address: str, message: str) -> None:
    write("r.txt", "a\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "nested" / "inner").mkdir(parents=True)
    shards(tmp_path / "twice", ["a\n"], "a.txt")
    (tmp_path / "twice" / "a.txt.gz").write_bytes(gzip.compress(b"a\n"))
    with pytest.raises(InputError, match=message):
        list(stream_corpus([address], [(None, "r.txt")]))


def test_a_batch_holds_something() -> None:
    with pytest.raises(OptionError, match="batch_size must be at least 1, not 0"):
        stream_corpus(["a"], [(None, "b")], batch_size=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.txt.gz", "a.tsv", "a.jsonl", "a.parquet", "a.parquet.gz"])
def test_memory_does_not_grow_with_the_corpus(tmp_path: Path, name: str) -> None:
    path = tmp_path / name.removesuffix(".gz") if ".parquet" in name else tmp_path / name
    n_rows = 200_000
    if path.suffix == ".parquet":
        texts = [f"the text of segment {i}" for i in range(n_rows)]
        pq.write_table(pa.table({"ref": texts, "hyp": texts}), path, row_group_size=20_000)
        if name.endswith(".gz"):
            path = tmp_path / name
            path.write_bytes(gzip.compress((tmp_path / name.removesuffix(".gz")).read_bytes(), 1))
    else:
        write_rows(path, [{"ref": f"the text of segment {i}", "domain": "d"} for i in range(n_rows)], "ref")
    column = "" if ".txt" in name else "#ref"
    tracemalloc.start()
    total = sum(
        len(batch) for batch in stream_corpus([f"{path}"], [("A", f"{path}{column}")], batch_size=2_000)
    )
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert total == n_rows
    assert (
        peak < 16_000_000
    )  # one batch and the blocks read from the files; the whole corpus takes over 40 MB
