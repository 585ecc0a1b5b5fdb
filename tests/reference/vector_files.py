"""Writes small files of word vectors in every format, by the formats' own rules."""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

__all__ = [
    "TABLE",
    "FastTextModel",
    "gram_hash",
    "write_fasttext",
    "write_glove",
    "write_numpy",
    "write_word2vec_binary",
    "write_word2vec_text",
]

TABLE = {
    "cat": [1.0, 0.5, -0.25],
    "Paris": [0.0, 2.0, 1e-3],
    "paris": [9.0, 9.0, 9.0],
    "naïve": [-1.5, 0.125, 3.0],
    "dog": [1.0, 0.25, -0.5],
}

Table = Mapping[str, Sequence[float]]


def write_word2vec_text(path: Path, table: Table) -> None:
    lines = [f"{len(table)} 3", *(f"{word} {_numbers(vector)}" for word, vector in table.items())]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_glove(path: Path, table: Table) -> None:
    lines = [f"{word} {_numbers(vector)}" for word, vector in table.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_word2vec_binary(path: Path, table: Table, *, line_feeds: bool = True) -> None:
    data = f"{len(table)} 3\n".encode()
    for word, vector in table.items():
        data += word.encode() + b" " + struct.pack("<3f", *vector) + b"\n" * line_feeds
    path.write_bytes(data)


def write_numpy(path: Path, table: Table) -> None:
    with path.open("wb") as file:
        np.save(file, np.array(list(table.values()), dtype=np.float32))
    bare = path.with_suffix("") if path.suffix == ".gz" else path
    bare.with_suffix(".vocab").write_text("".join(f"{word}\n" for word in table), encoding="utf-8")


class FastTextModel:
    """What a hand-written fastText model holds, and the vectors that fastText's rules give it."""

    def __init__(
        self, words: Sequence[str], *, n_buckets: int = 7, shortest: int = 2, longest: int = 3
    ) -> None:
        self.words = list(words)
        self.n_buckets, self.shortest, self.longest = n_buckets, shortest, longest
        n_rows = len(self.words) + n_buckets
        self.matrix = (np.arange(n_rows * 3, dtype=np.float32).reshape(n_rows, 3) - 10) ** 2 / 7

    def vector(self, word: str) -> npt.NDArray[np.float32]:
        own = [self.words.index(word)] if word in self.words else []
        grams = (
            []
            if word == "</s>"
            else [len(self.words) + gram_hash(gram) % self.n_buckets for gram in self.grams(word)]
        )
        mean: npt.NDArray[np.float32] = self.matrix[own + grams].mean(axis=0)
        return mean

    def grams(self, word: str) -> list[str]:
        marked = f"<{word}>"
        return [
            marked[start : start + length]
            for start in range(len(marked))
            for length in range(self.shortest, self.longest + 1)
            if start + length <= len(marked) and not (length == 1 and start in (0, len(marked) - 1))
        ]


def gram_hash(gram: str) -> int:
    value = 2166136261
    for byte in gram.encode():
        value ^= byte - 256 if byte > 127 else byte
        value = (value % 2**32 * 16777619) % 2**32
    return value


def write_fasttext(
    path: Path, model: FastTextModel, *, version: int = 12, n_pruned: int = -1, is_quantised: bool = False
) -> None:
    # dim ws epoch minCount neg wordNgrams loss model bucket minn maxn lrUpdateRate, then t
    arguments = (3, 5, 5, 1, 5, 1, 2, 2, model.n_buckets, model.shortest, model.longest, 100)
    data = struct.pack("<2i12id", 793712314, version, *arguments, 1e-4)
    data += struct.pack("<3i2q", len(model.words), len(model.words), 0, 100, n_pruned)
    for word in model.words:
        data += word.encode() + b"\0" + struct.pack("<qb", 3, 0)
    data += struct.pack("<?2q", is_quantised, *model.matrix.shape) + model.matrix.astype("<f4").tobytes()
    data += struct.pack("<?2q", False, len(model.words), 3) + b"\0" * 12 * len(model.words)
    path.write_bytes(data)


def _numbers(vector: Sequence[float]) -> str:
    return " ".join(map(repr, vector))
