"""The English vectors in the package: small, quick to open, sensible, with a vector for any word."""

import pickle
import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.resources.vectors import default_vectors, load_vectors
from tertium.resources.vectors.store import Store
from tertium.text import Texts


def cosine(first: str, second: str) -> float:
    a, b = default_vectors().vectors([first, second])
    assert a is not None
    assert b is not None
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_table_is_whole_and_small() -> None:
    source = default_vectors().source
    assert isinstance(source, Store)
    source.verify()
    assert source.path.stat().st_size < 8_000_000
    assert len(source) > 100_000
    assert default_vectors().identity.startswith("tertium-english[")


def test_it_has_a_name_for_the_command_line() -> None:
    assert load_vectors("english") is default_vectors()


@pytest.mark.parametrize(
    "word, near, far",
    [("holiday", "vacation", "parliament"), ("man", "guy", "cheese"), ("quickly", "rapidly", "teacher"), ("study", "studies", "window")],
)  # fmt: skip
def test_related_words_are_nearer(word: str, near: str, far: str) -> None:
    assert cosine(word, near) > cosine(word, far) + 0.2


@pytest.mark.parametrize(
    "unknown, near, far",
    [("didn't", "did", "cheese"), ("connells", "connell", "cheese"), ("microrobots", "robots", "parliament")],
)
def test_unknown_words_are_put_together_from_pieces(unknown: str, near: str, far: str) -> None:
    assert default_vectors().source.find([unknown.encode()]).tolist() == [-1]
    assert cosine(unknown, near) > cosine(unknown, far)


def test_words_nobody_knows_have_vectors_but_nothing_has_none() -> None:
    assert all(
        vector is not None for vector in default_vectors().vectors(["xqzzt", "čína", "日本", "didn’t"])
    )
    assert default_vectors().vectors(["\u200b"]) == [None]


def test_case_does_not_matter() -> None:
    assert cosine("Holiday", "holiday") == pytest.approx(1)
    assert cosine("XQZZT", "xqzzt") == pytest.approx(1)


def test_embedding_has_one_row_per_word() -> None:
    embedding = default_vectors().embed(Texts(["the cat saw the dog", "", "cat"]).tokens("none"))
    assert embedding.rows[0] == embedding.rows[3]
    assert embedding.rows[1] == embedding.rows[5]
    assert embedding.matrix.shape == (4, 60)
    assert embedding.matrix.dtype == np.float32


def test_it_travels_between_processes() -> None:
    assert pickle.loads(pickle.dumps(default_vectors())).identity == default_vectors().identity


def test_metrics_get_it_unasked() -> None:
    (std,) = parse_metrics(["std"])
    assert default_vectors().identity in std.metric.signature((1, 1))


def test_opening_reads_no_more_than_the_header() -> None:
    program = (
        "import tracemalloc; from tertium.resources.vectors import default_vectors; tracemalloc.start(); "
        "default_vectors(); print(tracemalloc.get_traced_memory()[1])"
    )
    peak = int(
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    )
    assert peak < 500_000


def test_notice_names_what_the_data_come_from() -> None:
    notice = (files("tertium.resources") / "data" / "NOTICE").read_text(encoding="utf-8")
    for part in (
        "english.vectors",
        "all-MiniLM-L6-v2",
        "Apache",
        "GloVe 6B",
        "Public Domain",
        "wordpieces.txt",
    ):
        assert part in notice
