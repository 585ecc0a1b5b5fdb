"""Files of word vectors: every format gives the same vectors, compressed or not."""

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from reference.vector_files import (
    TABLE,
    FastTextModel,
    gram_hash,
    write_fasttext,
    write_glove,
    write_numpy,
    write_word2vec_binary,
    write_word2vec_text,
)
from tertium.errors import ResourceError
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.fasttext import hash_gram
from tertium.resources.vectors.loading import WordTable
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_store, write_text
from tertium.text import Texts
from tertium.values import IdArray, TokenColumn

Writer = Callable[[Path, dict[str, list[float]]], None]


def write_own_store(path: Path, table: dict[str, list[float]]) -> None:
    write_store(
        path, MemoryVectors(list(table), np.array(list(table.values()), dtype=np.float32)), name="own"
    )


def write_without_line_feeds(path: Path, table: dict[str, list[float]]) -> None:
    write_word2vec_binary(path, table, line_feeds=False)


def write_tabs(path: Path, table: dict[str, list[float]]) -> None:
    write_glove(path, table)
    path.write_text(path.read_text(encoding="utf-8").replace(" ", "\t"), encoding="utf-8")


def write_trailing_spaces(path: Path, table: dict[str, list[float]]) -> None:
    write_word2vec_text(path, table)
    path.write_text(path.read_text(encoding="utf-8").replace("\n", " \n"), encoding="utf-8")


WRITERS: dict[str, tuple[Writer, str]] = {
    "word2vec text": (write_word2vec_text, "v.txt"),
    "fastText text, which ends lines with a space": (write_trailing_spaces, "v.vec"),
    "GloVe": (write_glove, "v.txt"),
    "tabs": (write_tabs, "v.tsv"),
    "word2vec binary of the C tool": (write_word2vec_binary, "v.bin"),
    "word2vec binary of gensim": (write_without_line_feeds, "v.bin"),
    "NumPy": (write_numpy, "v.npy"),
    "store": (write_own_store, "v.vectors"),
}


def load(path: Path) -> WordTable:
    table = load_vectors(path)
    assert isinstance(table, WordTable)
    return table


def pack(path: Path) -> Path:
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("writer, name", WRITERS.values(), ids=WRITERS)
def test_every_format_gives_the_vectors_that_were_written(
    tmp_path: Path, writer: Writer, name: str, is_packed: bool
) -> None:
    writer(tmp_path / name, TABLE)
    table = load(pack(tmp_path / name) if is_packed else tmp_path / name)
    for word, expected in TABLE.items():
        (vector,) = table.vectors([word])
        np.testing.assert_array_equal(vector, np.array(expected, dtype=np.float32))
    assert sorted(table.source.words()) == sorted(word.encode() for word in TABLE)
    assert table.dimension == 3
    assert len(table.source) == len(TABLE)


@pytest.mark.parametrize("writer, name", WRITERS.values(), ids=WRITERS)
def test_words_are_found_as_written_then_in_lower_case(tmp_path: Path, writer: Writer, name: str) -> None:
    writer(tmp_path / name, TABLE)
    paris, shouted, cat, unknown = load(tmp_path / name).vectors(["Paris", "PARIS", "CAT", "ca"])
    np.testing.assert_array_equal(paris, np.array(TABLE["Paris"], dtype=np.float32))
    np.testing.assert_array_equal(shouted, np.array(TABLE["paris"], dtype=np.float32))
    np.testing.assert_array_equal(cat, np.array(TABLE["cat"], dtype=np.float32))
    assert unknown is None


def test_identity_is_that_of_the_content_gzipped_or_not(tmp_path: Path) -> None:
    write_glove(tmp_path / "small.txt", TABLE)
    write_glove(tmp_path / "other.txt", {**TABLE, "dog": [1.0, 0.25, -0.25]})
    plain, packed, other = (load(path).identity for path in (tmp_path / "small.txt", pack(tmp_path / "small.txt"), tmp_path / "other.txt"))  # fmt: skip
    assert plain == packed
    assert plain.startswith("small[")
    assert other.partition("[")[2] != plain.partition("[")[2]


def test_words_with_spaces_are_read_as_glove_writes_them(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("cat 1 2 3\n. . . 4 5 6\nat name@x.org 7 8 9\n")
    table = load(tmp_path / "v.txt")
    assert table.source.words() == [b"cat", b". . .", b"at name@x.org"]
    np.testing.assert_array_equal(table.source.read(np.array([1])), [[4, 5, 6]])


def test_words_that_are_not_utf8_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_bytes(b"cat 1 2\n\xff\xfe 3 4\n")
    (vector,) = load(tmp_path / "v.txt").vectors(["cat"])
    np.testing.assert_array_equal(vector, [1, 2])


def test_blank_lines_at_the_end_are_nothing(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("cat 1 2\ndog 3 4\n\n \n")
    assert len(load(tmp_path / "v.txt").source) == 2


def test_numpy_words_may_be_named(tmp_path: Path) -> None:
    write_numpy(tmp_path / "v.npy", TABLE)
    (tmp_path / "v.vocab").rename(tmp_path / "elsewhere")
    table = load_vectors(tmp_path / "v.npy", vocabulary=tmp_path / "elsewhere")
    assert isinstance(table, WordTable)
    np.testing.assert_array_equal(table.vectors(["cat"])[0], np.array(TABLE["cat"], dtype=np.float32))


def test_text_written_from_vectors_reads_back_exactly(tmp_path: Path) -> None:
    matrix = np.random.default_rng(1).standard_normal((50, 7)).astype(np.float32)
    write_text(tmp_path / "v.txt", MemoryVectors([f"w{i}" for i in range(50)], matrix))
    np.testing.assert_array_equal(load(tmp_path / "v.txt").source.read(np.arange(50)), matrix)


@pytest.mark.parametrize("n_buckets, shortest, longest", [(7, 2, 3), (50, 3, 6), (5, 1, 2)])
def test_fasttext_averages_a_word_with_its_ngrams(
    tmp_path: Path, n_buckets: int, shortest: int, longest: int
) -> None:
    model = FastTextModel(["</s>", "cat", "naïve"], n_buckets=n_buckets, shortest=shortest, longest=longest)
    write_fasttext(tmp_path / "m.bin", model)
    table = load(tmp_path / "m.bin")
    for word in ["</s>", "cat", "naïve", "unbekannt", "čaj", "x"]:
        (vector,) = table.vectors([word])
        assert vector is not None, word
        np.testing.assert_allclose(vector, model.vector(word), rtol=1e-6, err_msg=word)


def test_fasttext_without_ngrams_knows_only_its_words(tmp_path: Path) -> None:
    model = FastTextModel(["cat"], n_buckets=0, shortest=0, longest=0)
    write_fasttext(tmp_path / "m.bin", model)
    cat, other = load(tmp_path / "m.bin").vectors(["cat", "cats"])
    np.testing.assert_array_equal(cat, model.matrix[0])
    assert other is None


def test_ngram_hash_takes_bytes_as_signed() -> None:
    assert hash_gram(b"") == 2166136261
    for gram in ["<ca", "ï", "čaj", "日本"]:
        assert hash_gram(gram.encode()) == gram_hash(gram)
    unsigned = ((2166136261 ^ 0xC3) * 16777619) % 2**32
    assert hash_gram(b"\xc3") != unsigned


class PlainWords(list[str]):
    """A vocabulary that is not the core's."""

    def words(self, ids: IdArray) -> list[str]:
        return [self[i] for i in ids]


def test_tokens_of_any_vocabulary_have_the_same_vectors() -> None:
    table = WordTable(MemoryVectors(["a", "b", "c"], np.eye(3, dtype=np.float32)), "v", (dict, ()))
    column = Texts(["c a", "x b c"]).tokens("none")
    words = PlainWords(column.vocabulary.words(np.arange(len(column.vocabulary), dtype=np.int32)))
    for tokens in (column, TokenColumn(column.ids, column.offsets, words)):
        embedding = table.embed(tokens)
        assert [row if row < 0 else embedding.matrix[row].argmax() for row in embedding.rows] == [
            2,
            0,
            -1,
            1,
            2,
        ]


def test_a_word_without_a_valid_vector_does_not_affect_later_texts() -> None:
    matrix = np.array([[1, 2], [np.nan, 4], [5, 6]], dtype=np.float32)
    table = WordTable(MemoryVectors(["a", "b", "c"], matrix), "v", (dict, ()))
    assert len(table.embed(Texts(["a"]).tokens("none")).matrix) == 1
    with pytest.raises(ResourceError, match="b"):
        table.embed(Texts(["b c"]).tokens("none"))
    embedding = table.embed(Texts(["c a"]).tokens("none"))
    assert embedding.matrix[embedding.rows].tolist() == [[5, 6], [1, 2]]


@pytest.mark.parametrize("text", ["w0 unknown w2", "w1 w3 w1 w5 unknown w7 w6 w0 w4 w2"], ids=["few", "most"])
def test_tokens_have_the_vectors_of_their_words_if_few_or_most_words_are_used(
    tmp_path: Path, text: str
) -> None:
    table = {f"w{i}": [float(i), 1.0] for i in range(8)}
    write_glove(tmp_path / "v.txt", table)
    vectors = load(tmp_path / "v.txt")
    vectors.embed(Texts([" ".join(table)]).tokens("none"))  # all words have been looked up before
    embedding = vectors.embed(Texts([text]).tokens("none"))
    found = [embedding.matrix[row].tolist() if row >= 0 else None for row in embedding.rows]
    assert found == [table.get(word) for word in text.split()]
