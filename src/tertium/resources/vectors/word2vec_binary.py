"""Word vectors in word2vec's binary format: a header line, then word, space and raw floats."""

import mmap
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.resources.vectors.sources import Matrix, Rows, check_finite, digest_file, no_vectors
from tertium.resources.vectors.text import read_header

__all__ = ["BinaryVectors"]

# word2vec cuts words far below this; a longer one means that the reader has lost its place.
LONGEST_WORD = 4096


class BinaryVectors:
    """Vectors in a binary file; opening walks over its words, and numbers are read on demand."""

    format = "word2vec binary"

    def __init__(self, path: Path, data: Path, *, keeps_first: bool = False) -> None:
        self.path = path
        self._data_path = data
        with data.open("rb") as file:
            header = read_header(file.readline())
            start = file.tell()
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if header is None or 0 in header:
            raise ResourceError(f"{path}, line 1: no word2vec header of two numbers; get the file again")
        self._promised, self.dimension = header
        self._rows: dict[bytes, int] = {}
        self._offsets: npt.NDArray[np.int64] = np.array(self._walk(start, keeps_first=keeps_first))

    def __len__(self) -> int:
        return len(self._offsets)

    @cached_property
    def checksum(self) -> str:
        return digest_file(self._data_path)

    def words(self) -> list[bytes]:
        """All words as UTF-8, in row order."""
        return list(self._rows)

    def find(self, words: Sequence[bytes]) -> Rows:
        """The rows of these words, -1 where there is none."""
        return np.array([self._rows.get(word, -1) for word in words], dtype=np.int64)

    def read(self, rows: Rows) -> Matrix:
        """The vectors of these rows."""
        matrix: Matrix = np.empty((len(rows), self.dimension), dtype=np.float32)
        for target, offset in zip(matrix, self._offsets[rows].tolist(), strict=True):
            target[:] = np.frombuffer(self._data, "<f4", self.dimension, offset)
        check_finite(matrix, lambda i: self.words()[rows[i]], self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:  # noqa: ARG002 - whole words only
        """Make no vectors for unknown words."""
        return no_vectors(self.dimension)

    def _walk(self, place: int, *, keeps_first: bool) -> list[int]:
        offsets: list[int] = []
        for number in range(1, self._promised + 1):
            word, place = self._word_at(place, number)
            if word not in self._rows:
                self._rows[word] = len(offsets)
                offsets.append(place)
            elif not keeps_first:
                raise self._fault(number, f"{word.decode(errors='replace')!r} is there twice", "train again, or 'tertium vectors convert --keep-first'")  # fmt: skip
            place += 4 * self.dimension
            if place > len(self._data):
                raise self._cut_off(number)
        if self._data[place : place + LONGEST_WORD].strip():
            raise self._fault(self._promised, "data follow the last word that the header promises", "its header is wrong: get or train it again")  # fmt: skip
        return offsets

    def _word_at(self, place: int, number: int) -> tuple[bytes, int]:
        end = self._data.find(b" ", place, place + LONGEST_WORD)
        if end < 0 and place + LONGEST_WORD >= len(self._data):
            raise self._cut_off(number)
        word = self._data[place:end].lstrip(b"\n") if end >= 0 else b""  # the C tool ends vectors so
        if b"\n" in word:
            what = f"a line feed stands in the word {word.decode(errors='replace')!r}"
            raise self._fault(number, what, "the dimension contradicts the header, or the file is damaged: get or train it again")  # fmt: skip
        if not word:
            raise self._fault(number, "no word where one must begin", "its dimension contradicts the header, or it is damaged: get or train it again")  # fmt: skip
        return word, end + 1

    def _cut_off(self, number: int) -> ResourceError:
        promise = f"the header promises {self._promised:,} words of {self.dimension:,} dimensions"
        return self._fault(number, f"the file ends here, but {promise}", "it is cut off: get it again")

    def _fault(self, number: int, what: str, remedy: str) -> ResourceError:
        return ResourceError(f"{show_path(self.path)}, word {number:,}: {what}; {remedy}")
