"""Training of word vectors on the user's own text."""

import gzip
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import OptionError, ResourceError

pytest.importorskip("gensim")

from tertium.resources.vectors.training import PRESETS, train_vectors

SENTENCES = ["The cat sat, the dog slept.", "A cat and a dog met the cat."] * 30


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(SENTENCES) + "\n")
    return path


def test_presets_are_the_papers() -> None:
    assert (PRESETS["cbow"].dimension, PRESETS["cbow"].window, PRESETS["cbow"].skip_gram) == (500, 5, False)
    assert (PRESETS["skip-gram"].dimension, PRESETS["skip-gram"].window, PRESETS["skip-gram"].skip_gram) == (
        500,
        10,
        True,
    )


def test_words_are_cut_and_lowercased_as_metrics_do(corpus: Path) -> None:
    vectors = train_vectors([corpus], skip_gram=False, dimension=8, window=2)
    assert {"the", "cat", ",", "."} <= set(vectors.listed)
    assert "The" not in vectors.listed
    assert vectors.dimension == 8


@pytest.mark.parametrize("skip_gram", [False, True], ids=["cbow", "skip-gram"])
def test_same_seed_gives_the_same_vectors(corpus: Path, skip_gram: bool) -> None:
    first, second, other = (train_vectors([corpus], skip_gram=skip_gram, dimension=8, window=2, seed=seed) for seed in (1, 1, 2))  # fmt: skip
    np.testing.assert_array_equal(first.matrix, second.matrix)
    assert not np.array_equal(first.matrix, other.matrix)


def test_gzip_gives_the_same_vectors(corpus: Path) -> None:
    packed = corpus.with_name("corpus.txt.gz")
    packed.write_bytes(gzip.compress(corpus.read_bytes()))
    plain, unpacked = (
        train_vectors([path], skip_gram=False, dimension=4, window=2) for path in (corpus, packed)
    )
    np.testing.assert_array_equal(plain.matrix, unpacked.matrix)


def test_too_little_text_is_refused(corpus: Path) -> None:
    with pytest.raises(ResourceError, match="no word occurs 1000 times"):
        train_vectors([corpus], skip_gram=False, dimension=4, window=2, min_count=1000)


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes("naïve\n".encode("latin-1"))
    with pytest.raises(ResourceError, match=r"latin\.txt: line 1 is not UTF-8"):
        train_vectors([tmp_path / "latin.txt"], skip_gram=False, dimension=4, window=2)


@pytest.mark.parametrize("suffix", [".gz", ""])
def test_damaged_gzip_is_refused(corpus: Path, suffix: str) -> None:
    packed = corpus.with_name(f"corpus{suffix}")
    whole = gzip.compress(corpus.read_bytes())
    for data in (whole[:-20], whole[:30] + b"\xff" + whole[31:], whole[:2]):
        packed.write_bytes(data)
        with pytest.raises(ResourceError, match=rf"corpus{suffix} is damaged or truncated"):
            train_vectors([packed], skip_gram=False, dimension=4, window=2)


@pytest.mark.parametrize(
    "name, number",
    [
        ("window", 3_000_000_000),
        ("window", 0),
        ("dimension", 10**9),
        ("dimension", 0),
        ("seed", 2**32),
        ("seed", -1),
        ("threads", 10**6),
        ("threads", 0),
        ("epochs", 2**64),
        ("min_count", 10**30),
    ],
)
def test_numbers_out_of_range_are_refused_at_once(corpus: Path, name: str, number: int) -> None:
    settings = {"dimension": 4, "window": 2, name: number}
    with pytest.raises(OptionError, match=rf"^training: {name} must be [\d,]+ to [\d,]+, not {number}$"):
        train_vectors([corpus], skip_gram=False, **settings)  # type: ignore[arg-type]


def test_the_largest_numbers_are_taken(corpus: Path) -> None:
    vectors = train_vectors(
        [corpus], skip_gram=False, dimension=4, window=10_000, seed=2**32 - 1, threads=64, epochs=1
    )
    assert np.isfinite(vectors.matrix).all()


def test_a_place_without_room_or_folder_is_known_before_training(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ResourceError, match=r"^cannot write .*there is no folder"):
        train_vectors([corpus], skip_gram=False, dimension=4, window=2, output=tmp_path / "no" / "v.vectors")
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 100})())
    with pytest.raises(ResourceError, match=r"bytes are needed, but 100 are free; make space on the disk"):
        train_vectors([corpus], skip_gram=False, dimension=40, window=2, output=tmp_path / "v.vectors")


def test_a_pipe_may_be_trained_on(corpus: Path) -> None:
    pipe = corpus.with_name("pipe")
    os.mkfifo(pipe)
    feeder = threading.Thread(target=pipe.write_bytes, args=(corpus.read_bytes(),))
    feeder.start()
    through_pipe = train_vectors([pipe], skip_gram=False, dimension=4, window=2)
    feeder.join()
    expected = train_vectors([corpus], skip_gram=False, dimension=4, window=2)
    np.testing.assert_array_equal(through_pipe.matrix, expected.matrix)
