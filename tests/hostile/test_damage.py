"""Flipped bytes in caches and stores: cached values are computed again, stores are rejected; no number changes silently."""

import os
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import ResourceError
from tertium.resources.trees.installed_parsers import SpacyTrees
from tertium.resources.trees.parses import Model, Parse
from tertium.resources.vectors import contextual
from tertium.resources.vectors.loading import default_vectors, open_source
from tertium.resources.vectors.sources import Matrix
from tertium.resources.vectors.store import Precision, Store, digest_sections
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_store, write_text
from tertium.text import Texts

TEXTS = [f"the {word} sat on the mat number {i}" for i, word in enumerate(["cat", "dog", "bird", "ant"] * 10)]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path))
    return tmp_path


def flip(path: Path, rng: np.random.Generator, n_bytes: int = 3) -> None:
    data = bytearray(path.read_bytes())
    for place in rng.integers(0, len(data), n_bytes).tolist():
        data[place] ^= int(rng.integers(1, 256))
    path.write_bytes(data)


def make_trees(_: SpacyTrees, sentences: Sequence[tuple[str, ...]]) -> Iterator[Parse]:
    for words in sentences:
        yield Parse([-1, *([0] * (len(words) - 1))], list(words), ["X"] * len(words), ["dep"] * len(words))


def test_a_damaged_cache_of_trees_changes_no_tree(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SpacyTrees, "_run", make_trees)
    trees, tokens = SpacyTrees(Model("made-up", "1", "0" * 64)), Texts(TEXTS).tokens("none")
    expected = trees.parse(tokens)
    rng = np.random.default_rng(1)
    for _ in range(40):
        flip(next(cache.glob("trees-*.sqlite")), rng)
        found = trees.parse(tokens)
        np.testing.assert_array_equal(found.heads, expected.heads)
        assert (found.lemmas, found.tags, found.relations) == (
            expected.lemmas,
            expected.tags,
            expected.relations,
        )


def test_a_damaged_cache_of_vectors_changes_no_vector(cache: Path) -> None:
    class LengthEncoder:
        """An encoder whose states are the length and the position of a word."""

        max_pieces = 510

        def cut(self, texts: Sequence[Sequence[str]]) -> list[contextual.Cut]:
            return [([len(word) for word in words], range(len(words))) for words in texts]

        def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
            for number, lengths in enumerate(sequences):
                yield number, np.array([[n, i + 1] * 8 for i, n in enumerate(lengths)], np.float32)

    tokens = Texts(TEXTS).tokens("none")
    made = contextual.EncodedVectors(LengthEncoder(), "made-up[0]")
    expected = made.embed(tokens)
    rng = np.random.default_rng(2)
    for _ in range(40):
        flip(cache / "contextual-1.sqlite", rng)
        np.testing.assert_array_equal(made.embed(tokens).matrix, expected.matrix)


@pytest.fixture
def vectors() -> MemoryVectors:
    matrix = np.random.default_rng(3).standard_normal((300, 12)).astype(np.float32)
    return MemoryVectors([f"word{i}é" for i in range(300)], matrix)


def read_all(path: Path, words: Sequence[bytes]) -> Matrix:
    store = Store(path)
    rows = store.find(words)
    assert (rows >= 0).all()
    return store.read(rows)


@pytest.mark.parametrize("precision", ["int8", "float16", "float32"])
def test_a_damaged_store_is_refused_or_gives_the_same_numbers(
    tmp_path: Path, vectors: MemoryVectors, precision: Precision
) -> None:
    path = tmp_path / "v.vectors"
    write_store(path, vectors, name="x", precision=precision)
    whole, expected = path.read_bytes(), read_all(path, vectors.words())
    rng, n_refused = np.random.default_rng(4), 0
    for _ in range(150):
        path.write_bytes(whole)
        flip(path, rng, 1)
        try:
            found = read_all(path, vectors.words())
        except ResourceError as error:
            assert "damaged" in str(error)  # noqa: PT017
            n_refused += 1
        else:
            np.testing.assert_array_equal(found, expected)  # the byte is between two sections
    assert n_refused > 130


def test_a_damaged_row_harms_no_other(tmp_path: Path, vectors: MemoryVectors) -> None:
    path = tmp_path / "v.vectors"
    write_store(path, vectors, name="x")
    place = path.read_bytes().index(vectors.matrix[7].tobytes())
    data = bytearray(path.read_bytes())
    data[place + 5] ^= 1
    path.write_bytes(data)
    store = Store(path)
    others = [word for word in vectors.words() if word != "word7é".encode()]
    store.read(store.find(others))
    with pytest.raises(
        ResourceError, match="a vector does not match its checksum; convert the vectors again"
    ):
        store.read(store.find(["word7é".encode()]))


def test_a_store_of_the_first_version_is_checked_as_a_whole(tmp_path: Path) -> None:
    bundled = default_vectors().source
    assert isinstance(bundled, Store)
    assert bundled.header.version == 1
    data = bytearray(bundled.path.read_bytes())
    data[len(data) // 2] ^= 1
    path = tmp_path / "v.vectors"
    path.write_bytes(data)
    with pytest.raises(ResourceError, match="does not match its checksum"):
        Store(path).find([b"cat"])


@pytest.mark.parametrize(
    "number, precision, size",
    [(70_000.0, "float16", "large"), (1e-9, "float16", "small"), (1e-44, "int8", "small")],
)
def test_numbers_that_a_precision_cannot_hold_are_refused(
    tmp_path: Path, number: float, precision: Precision, size: str
) -> None:
    vectors = MemoryVectors(["fine", "odd"], np.array([[1, 2], [0, number]], dtype=np.float32))
    with pytest.raises(
        ResourceError, match=rf"the vector of 'odd' is too {size} for {precision} .*; use float32"
    ):
        write_store(tmp_path / "v.vectors", vectors, name="x", precision=precision)
    assert list(tmp_path.iterdir()) == []
    write_store(tmp_path / "v.vectors", vectors, name="x")
    assert read_all(tmp_path / "v.vectors", [b"odd"])[0, 1] == np.float32(number)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("write", [write_store, write_text])
def test_nothing_that_is_not_finite_is_written(
    tmp_path: Path, number: float, write: Callable[..., None]
) -> None:
    vectors = MemoryVectors(["fine", "odd"], np.array([[1, 2], [0, number]], dtype=np.float32))
    name = {"name": "x"} if write is write_store else {}
    with pytest.raises(ResourceError, match="the vector of 'odd' contains NaN or an infinite value"):
        write(tmp_path / "v", vectors, **name)
    assert list(tmp_path.iterdir()) == []


def test_the_largest_numbers_survive_int8(tmp_path: Path) -> None:
    largest = np.finfo(np.float32).max
    vectors = MemoryVectors(["a", "b"], np.array([[largest, -largest], [largest / 3, 1]], dtype=np.float32))
    try:
        write_store(tmp_path / "v.vectors", vectors, name="x", precision="int8")
    except ResourceError as error:
        assert "too large for int8" in str(error)  # noqa: PT017 - or they are refused, but never infinite
    else:
        assert np.isfinite(read_all(tmp_path / "v.vectors", [b"a", b"b"])).all()


@pytest.mark.parametrize("word", ["new\nword", "\n", "word\n", ""])
@pytest.mark.parametrize("write", [write_store, write_text])
def test_a_word_that_would_shift_the_others_is_refused(
    tmp_path: Path, word: str, write: Callable[..., None]
) -> None:
    vectors = MemoryVectors(["a", word, "b"], np.eye(3, dtype=np.float32))
    name = {"name": "x"} if write is write_store else {}
    with pytest.raises(ResourceError, match=r"memory, word 2: .*, which"):
        write(tmp_path / "v", vectors, **name)


@pytest.mark.parametrize("word", ["at 1.5", " a", "a ", "a\tb", "x nan"])
def test_a_word_that_text_would_take_for_numbers_is_refused(tmp_path: Path, word: str) -> None:
    vectors = MemoryVectors(["a", word], np.eye(2, dtype=np.float32))
    with pytest.raises(ResourceError, match=r"memory, word 2: .*, which word2vec text cannot store"):
        write_text(tmp_path / "v.txt", vectors)


def test_a_line_feed_in_a_word_of_a_binary_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.bin"
    rows = b"".join(word + b" " + struct.pack("<2f", 1, 2) for word in (b"cat", b"do\ng", b"bird"))
    path.write_bytes(b"3 2\n" + rows)
    with pytest.raises(ResourceError, match=r"v\.bin, word 2: the word 'do\\ng' contains a line feed"):
        open_source(path)


def test_verify_finds_a_word_that_stands_in_the_wrong_place(tmp_path: Path, vectors: MemoryVectors) -> None:
    path = tmp_path / "v.vectors"
    write_store(path, vectors, name="x")
    store = Store(path)
    store.verify()
    store._sections = {**store._sections, "words": store._sections["words"].copy()}
    words = store.words()
    store._sections["words"][:] = np.frombuffer(b"\n" + b"\n".join([*words[1:], words[0]]) + b"\n", np.uint8)
    store.header = store.header.__class__(
        **{**vars(store.header), "checksum": digest_sections(store._sections)}
    )
    with pytest.raises(ResourceError, match="a word is in the wrong bucket"):
        store.verify()
