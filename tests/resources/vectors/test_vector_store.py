"""Stores of word vectors: exact, shared, opened without reading them, rejected if damaged."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import ResourceError
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.loading import WordTable
from tertium.resources.vectors.sources import Matrix, Rows
from tertium.resources.vectors.store import Precision, Store
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_store

N_WORDS = 3000


@pytest.fixture(scope="module")
def vectors() -> MemoryVectors:
    matrix = np.random.default_rng(1).standard_normal((N_WORDS, 20)).astype(np.float32)
    matrix[7] = 0
    return MemoryVectors([f"word{i}é" for i in range(N_WORDS)], matrix)


def write(folder: Path, vectors: MemoryVectors, precision: Precision = "float32") -> Store:
    write_store(folder / "v.vectors", vectors, name="test", precision=precision)
    return Store(folder / "v.vectors")


# Half a unit in the last place of each precision, for numbers below 6.
TOLERANCES: dict[Precision, float] = {"float32": 0.0, "float16": 2e-3, "int8": 6 / 127 / 2}


@pytest.mark.slow
@pytest.mark.parametrize("precision, tolerance", TOLERANCES.items())
def test_store_gives_back_what_was_written(
    tmp_path: Path, vectors: MemoryVectors, precision: Precision, tolerance: float
) -> None:
    store = write(tmp_path, vectors, precision)
    rows = store.find(vectors.words())
    assert sorted(rows) == list(range(N_WORDS))
    assert np.abs(store.read(rows) - vectors.matrix).max() <= tolerance
    assert not store.read(rows[7:8]).any()
    assert [store.words()[row] for row in rows] == vectors.words()
    store.verify()


def test_store_is_as_small_as_its_precision(tmp_path: Path, vectors: MemoryVectors) -> None:
    sizes = [
        write(tmp_path, vectors, precision).path.stat().st_size
        for precision in ("int8", "float16", "float32")
    ]
    assert sizes[1] - sizes[0] == pytest.approx(20 * N_WORDS - 4 * N_WORDS, abs=64)
    assert sizes[2] - sizes[1] == pytest.approx(40 * N_WORDS, abs=64)


def test_words_that_are_not_there_have_no_row(tmp_path: Path, vectors: MemoryVectors) -> None:
    store = write(tmp_path, vectors)
    absent = ["", "word", "word1", "ord1é", "word1é\nword2é", "\n", "word999999é"]
    assert store.find([word.encode() for word in absent]).tolist() == [-1] * len(absent)


@pytest.mark.slow
@given(
    st.sets(
        st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]), min_size=1),
        min_size=1,
        max_size=60,
    )
)
def test_any_words_are_found_again(tmp_path_factory: pytest.TempPathFactory, words: set[str]) -> None:
    listed = sorted(words)
    matrix = np.arange(len(listed), dtype=np.float32)[:, None] + 1
    store = write(tmp_path_factory.mktemp("store"), MemoryVectors(listed, matrix))
    found = store.read(store.find([word.encode() for word in listed]))
    np.testing.assert_array_equal(found, matrix)


def test_two_processes_read_one_store(tmp_path: Path, vectors: MemoryVectors) -> None:
    store = write(tmp_path, vectors)
    program = "import sys; from tertium.resources.vectors import load_vectors; print(load_vectors(sys.argv[1]).vectors(['word5é'])[0].sum())"
    command = [sys.executable, "-c", program, str(store.path)]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    sums = [float(reader.communicate()[0]) for reader in readers]
    assert sums == pytest.approx([vectors.matrix[5].sum()] * 2, rel=1e-6)


def test_store_has_the_identity_of_its_content(tmp_path: Path, vectors: MemoryVectors) -> None:
    write(tmp_path, vectors)
    (tmp_path / "copy.vectors").write_bytes((tmp_path / "v.vectors").read_bytes())
    first, copy = load_vectors(tmp_path / "v.vectors"), load_vectors(tmp_path / "copy.vectors")
    assert first.identity == copy.identity
    assert first.identity.startswith("test[")
    changed = MemoryVectors(vectors.listed, vectors.matrix * np.float32(2))
    write(tmp_path, changed)
    assert load_vectors(tmp_path / "v.vectors").identity != first.identity


def test_table_travels_to_another_process_as_its_path(tmp_path: Path, vectors: MemoryVectors) -> None:
    write(tmp_path, vectors)
    table = load_vectors(tmp_path / "v.vectors")
    data = pickle.dumps(table)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert isinstance(again, WordTable)
    assert again.identity == table.identity


def test_damaged_store_is_refused(tmp_path: Path, vectors: MemoryVectors) -> None:
    path = write(tmp_path, vectors).path
    whole = path.read_bytes()
    damages = {
        whole[:11]: "too short",
        whole[:40]: "its header is incomplete",
        whole[:-1]: "it ends inside its section 'sums'",
        whole[:900]: "it ends inside its section",
        whole + b"\0": "1 bytes follow its last section",
        whole.replace(b'"rows"', b'"rowz"'): "its header does not match its checksum",
        whole.replace(b'"version": 2', b'"version": 9'): "a store of version 9",
    }
    for data, message in damages.items():
        path.write_bytes(data)
        with pytest.raises(ResourceError, match=r"convert the .*vectors again") as raised:
            load_vectors(path)
        assert message in str(raised.value)
        assert str(path) in str(raised.value)


def test_verify_notices_a_changed_number(tmp_path: Path, vectors: MemoryVectors) -> None:
    path = write(tmp_path, vectors).path
    data = bytearray(path.read_bytes())
    data[-3] ^= 1
    path.write_bytes(data)
    with pytest.raises(ResourceError, match="checksum"):
        Store(path).verify()


def test_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path, vectors: MemoryVectors) -> None:
    path = write(tmp_path, vectors).path
    before = path.read_bytes()

    class Broken(MemoryVectors):
        def read(self, rows: Rows) -> Matrix:
            raise ResourceError("cut off")

    with pytest.raises(ResourceError, match="cut off"):
        write_store(path, Broken(vectors.listed, vectors.matrix), name="x")
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["v.vectors"]


def test_unwritable_target_is_refused(tmp_path: Path, vectors: MemoryVectors) -> None:
    with pytest.raises(ResourceError, match="cannot write"):
        write_store(tmp_path / "absent" / "v.vectors", vectors, name="x")
