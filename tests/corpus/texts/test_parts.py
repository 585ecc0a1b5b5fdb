"""Parts of a corpus, read in any order, are the whole corpus; rows are counted without parsing."""

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.corpus import read_corpus
from tertium.corpus.texts import parts
from tertium.corpus.texts.parts import (
    PartReader,
    cut_parts,
    has_more_rows,
    list_paths,
    make_absolute,
    survey_file,
)
from tertium.corpus.texts.streaming import plan_texts
from tertium.errors import InputError
from tertium.values import Corpus

SUFFIXES = [".txt", ".txt.gz", ".tsv", ".tsv.gz", ".jsonl", ".parquet"]
WORDS = st.text("ab é\u2028", max_size=4)


def write_texts(path: Path, texts: Sequence[str], column: str) -> str:
    """Write texts in the format of the path's suffixes."""
    if path.suffix == ".parquet":
        pq.write_table(pa.table({column: pa.array(texts, pa.string()), "x": texts}), path, row_group_size=3)
        return str(path)
    if ".tsv" in path.suffixes:
        lines = [f"{column}\tx", *(f"{text}\t1" for text in texts)]
    else:
        lines = [json.dumps({column: text}) for text in texts] if ".jsonl" in path.suffixes else list(texts)
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


def read_parts(
    references: Sequence[str], systems: Sequence[str], size: int, batch_size: int, seed: int
) -> Corpus:
    """Read all parts in random order and join them."""
    plan = plan_texts(references, [(None, path) for path in systems])
    parts = cut_parts(plan, {path: survey_file(path) for path in list_paths(plan)}, size)
    random.Random(seed).shuffle(parts)
    reader, found = PartReader(plan), {}
    for part in parts:
        found.update(dict(reader.read(part, batch_size)))
    reader.close()
    ordered = [found[first] for first in sorted(found)]
    return Corpus(
        [group for corpus in ordered for group in corpus.references],
        {name: [text for corpus in ordered for text in corpus.systems[name]] for name in ordered[0].systems},
    )


@settings(deadline=None, max_examples=60)
@given(
    texts=st.lists(WORDS, min_size=1, max_size=15),
    suffixes=st.tuples(st.sampled_from(SUFFIXES), st.sampled_from(SUFFIXES)),
    size=st.integers(1, 16),
    batch_size=st.integers(1, 16),
    block=st.integers(1, 40),
    spacing=st.integers(1, 40),
    max_starts=st.sampled_from([1, 5, 1000]),
    seed=st.integers(0, 99),
)
def test_parts_in_any_order_are_the_whole_corpus(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    suffixes: tuple[str, str],
    size: int,
    batch_size: int,
    block: int,
    spacing: int,
    max_starts: int,
    seed: int,
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    reference = write_texts(folder / f"r{suffixes[0]}", texts, "ref")
    system = write_texts(folder / f"h{suffixes[1]}", texts[::-1], "hyp")
    whole = read_corpus([reference], [(None, system)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "_BLOCK", block)
        patch.setattr(parts, "_SPACING", spacing)
        patch.setattr(parts, "_MAX_STARTS", max_starts)
        found = read_parts([reference], [system], size, batch_size, seed)
    assert found.references == whole.references
    assert found.systems == whole.systems


def test_shards_lead_and_single_files_follow(tmp_path: Path) -> None:
    texts = [f"text {i}" for i in range(10)]
    reference = write_texts(tmp_path / "ref.txt", texts, "ref")
    (tmp_path / "hyp").mkdir()
    for i, (begin, end) in enumerate([(0, 4), (4, 5), (5, 10)]):
        write_texts(tmp_path / "hyp" / f"{i}.txt.gz", texts[begin:end], "hyp")
    for size in (1, 3, 100):
        found = read_parts([reference], [str(tmp_path / "hyp")], size, 2, seed=1)
        assert found.references == [(text,) for text in texts]
        assert found.systems == {"hyp": texts}


def test_shards_of_different_length_are_named(tmp_path: Path) -> None:
    for name, sizes in (("r", (2, 3)), ("h", (3, 2))):
        (tmp_path / name).mkdir()
        for i, size in enumerate(sizes):
            (tmp_path / name / f"{i}.txt").write_text("a\n" * size)
    plan = plan_texts([str(tmp_path / "r")], [(None, str(tmp_path / "h"))])
    with pytest.raises(InputError, match=r"0\.txt has 3 lines but .*0\.txt has 2"):
        cut_parts(plan, {path: survey_file(path) for path in list_paths(plan)}, 10)


def test_a_table_of_columns_must_fit_too(tmp_path: Path) -> None:
    reference = write_texts(tmp_path / "r.txt", ["a", "b"], "")
    columns = write_texts(tmp_path / "c.tsv", ["a"], "domain")
    plan = plan_texts([reference], [(None, reference)], columns=columns)
    with pytest.raises(InputError, match=r"c\.tsv has 1 row but"):
        cut_parts(plan, {path: survey_file(path) for path in list_paths(plan)}, 10)


def test_a_file_that_shrinks_while_it_is_read_is_noticed(tmp_path: Path) -> None:
    path = write_texts(tmp_path / "r.txt", ["a", "b", "c"], "")
    plan = plan_texts([path], [(None, path)])
    (part,) = cut_parts(plan, {path: survey_file(path)}, 10)
    write_texts(tmp_path / "r.txt", ["a"], "")
    with pytest.raises(InputError, match="segment 2 is missing because a file was changed"):
        list(PartReader(plan).read(part, 1))


def test_paths_are_made_absolute_and_names_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_texts(tmp_path / "r.txt", ["a"], "")
    monkeypatch.chdir(tmp_path)
    plan = make_absolute(plan_texts(["r.txt"], [(None, "r.txt")]))
    assert list_paths(plan) == [str(tmp_path / "r.txt")]
    assert [name for name, _ in plan.systems] == ["r"]


@pytest.mark.parametrize(
    "content, n_rows", [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2), (b"a\r\nb\r\n", 2)]
)
def test_lines_are_counted_as_readers_count_them(tmp_path: Path, content: bytes, n_rows: int) -> None:
    (tmp_path / "r.txt").write_bytes(content)
    assert survey_file(str(tmp_path / "r.txt")).n_rows == n_rows


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_survey_tells_when_there_are_too_many_rows(tmp_path: Path, suffix: str) -> None:
    path = write_texts(tmp_path / f"r{suffix}", ["a"] * 10, "ref")
    assert survey_file(path).n_rows == 10
    assert has_more_rows(path, 8)
    assert not has_more_rows(path, 11)


def test_a_checksum_is_of_the_bytes(tmp_path: Path) -> None:
    path = write_texts(tmp_path / "r.txt", ["a"], "")
    other = write_texts(tmp_path / "s.txt", ["b"], "")
    assert survey_file(path, with_digest=True).digest != survey_file(other, with_digest=True).digest
    assert survey_file(path).digest == ""


@pytest.mark.parametrize("suffix", [".tsv", ".jsonl"])
def test_an_empty_table_is_refused_as_its_reader_does(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"r{suffix}").write_bytes(b"")
    with pytest.raises(InputError, match=r"is empty|has no lines"):
        survey_file(str(tmp_path / f"r{suffix}"))


def test_xml_cannot_be_counted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can only be read as a whole"):
        survey_file(str(tmp_path / "r.xml"))
