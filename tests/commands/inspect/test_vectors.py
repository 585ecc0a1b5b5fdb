"""`tertium vectors`: convert, info, train."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reference.vector_files import TABLE, FastTextModel, write_fasttext, write_numpy, write_word2vec_text
from tertium.commands.inspect.vectors import describe_vectors
from tertium.presentation.tables import render_document
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.loading import WordTable

Tertium = Callable[..., Any]


def vector_of(path: Path, word: str) -> Any:
    table = load_vectors(path)
    assert isinstance(table, WordTable)
    return table.vectors([word])[0]


@pytest.mark.parametrize("target", ["out.vectors", "out.txt"])
def test_convert_keeps_every_vector(tertium: Tertium, tmp_path: Path, target: str) -> None:
    write_word2vec_text(tmp_path / "v.txt", TABLE)
    run = tertium("vectors", "convert", tmp_path / "v.txt", tmp_path / target)
    assert (run.code, run.err) == (0, "")
    assert "5 words, 3 dimensions" in run.out
    for word, expected in TABLE.items():
        np.testing.assert_array_equal(
            vector_of(tmp_path / target, word), np.array(expected, dtype=np.float32)
        )


def test_convert_can_keep_the_first_of_two(tertium: Tertium, tmp_path: Path) -> None:
    (tmp_path / "v.txt.gz").write_bytes(gzip.compress(b"3 2\na 1 2\nb 3 4\na 5 6\n"))
    refused = tertium("vectors", "convert", tmp_path / "v.txt.gz", tmp_path / "out.vectors")
    assert refused.code == 1
    assert "--keep-first" in refused.err
    assert not (tmp_path / "out.vectors").exists()
    assert (
        tertium("vectors", "convert", "--keep-first", tmp_path / "v.txt.gz", tmp_path / "out.vectors").code
        == 0
    )
    assert vector_of(tmp_path / "out.vectors", "a").tolist() == [1, 2]


def test_convert_reads_words_from_a_named_file(tertium: Tertium, tmp_path: Path) -> None:
    write_numpy(tmp_path / "v.npy", TABLE)
    (tmp_path / "v.vocab").rename(tmp_path / "w")
    run = tertium("vectors", "convert", "--vocabulary", tmp_path / "w", "--precision", "int8", tmp_path / "v.npy", tmp_path / "o.vectors")  # fmt: skip
    assert run.code == 0
    np.testing.assert_allclose(vector_of(tmp_path / "o.vectors", "cat"), TABLE["cat"], atol=0.005)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("--vocabulary", "nowhere", "o.vectors"),
            "--vocabulary is for NumPy matrices; v.txt has its own words",
        ),
        (("--precision", "int8", "o.txt"), "--precision is for stores; o.txt is word2vec text"),
    ],
)
def test_convert_rejects_what_the_files_do_not_need(
    tertium: Tertium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("v.txt").write_text("cat 1 2\ndog 3 4\n", encoding="utf-8")
    *options, target = words
    run = tertium("vectors", "convert", *options, "v.txt", target)
    assert (run.code, run.err) == (2, f"tertium: {message}\n")
    assert not Path(target).exists()


def test_convert_says_that_subwords_are_lost(tertium: Tertium, tmp_path: Path) -> None:
    write_fasttext(tmp_path / "m.bin", FastTextModel(["cat", "dog"]))
    run = tertium("vectors", "convert", tmp_path / "m.bin", tmp_path / "o.vectors")
    assert "no vectors for unknown words" in run.err
    np.testing.assert_allclose(
        vector_of(tmp_path / "o.vectors", "cat"), vector_of(tmp_path / "m.bin", "cat"), rtol=1e-6
    )


@pytest.mark.slow
def test_info_describes_the_default(tertium: Tertium) -> None:
    run = tertium("vectors", "info", "-f", "json", "english")
    facts = json.loads(run.out)
    assert facts["words"] > 100_000
    assert facts["precision"] == "int8"
    assert facts["unknown"] == "composed from pieces"
    assert "words        106,810" in tertium("vectors", "info", "english").out


def test_facts_about_a_file_are_one_record() -> None:
    table = load_vectors("english")
    assert isinstance(table, WordTable)
    document = describe_vectors(table)
    (row,) = csv.DictReader(io.StringIO(render_document(document, "csv")))
    facts = json.loads(render_document(document, "json"))
    assert row["words"] == str(facts["words"]) == str(len(table.source))
    assert f"words        {facts['words']:,}\n" in render_document(document, "text")
    assert f"| words | {facts['words']:,} |" in render_document(document, "md")


def test_bad_files_are_one_line_on_stderr(tertium: Tertium, tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("a 1 0\nb 1\n")
    run = tertium("vectors", "info", tmp_path / "v.txt")
    assert run.code == 1
    assert run.err.count("\n") == 1
    assert "line 2" in run.err


def test_train_writes_vectors_that_load(tertium: Tertium, tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    (tmp_path / "corpus.txt").write_text("The cat saw a dog.\n" * 20)
    run = tertium("vectors", "train", tmp_path / "corpus.txt", "-o", tmp_path / "own.vectors", "--algorithm", "skip-gram", "--dimension", "6")  # fmt: skip
    assert (run.code, run.err) == (0, "")
    assert vector_of(tmp_path / "own.vectors", "Cat").shape == (6,)


def test_score_takes_named_vectors(tertium: Tertium, tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("the cat sat\n")
    (tmp_path / "hyp").write_text("the dog sat\n")
    (tmp_path / "v.txt").write_text("the 1 0\ncat 0 1\ndog 0 1\nsat 1 1\n")
    runs = [
        tertium("score", "-r", tmp_path / "ref", "-i", tmp_path / "hyp", "-m", "was", "-f", "json", *more)
        for more in ([], ["--vectors", tmp_path / "v.txt"])
    ]
    assert [run.code for run in runs] == [0, 0]
    assert "tertium-english[" in runs[0].out
    assert "vectors:v[" in runs[1].out
