"""The interface of files of word vectors in all formats, and functions that these formats share."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path

Matrix = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

# Rows read at a time when a whole file is read: 10 MB with 300 dimensions.
BLOCK_ROWS = 8192


class VectorSource(Protocol):
    """Word vectors in a file, from which only the requested rows are read."""

    @property
    def path(self) -> Path: ...

    @property
    def format(self) -> str:
        """The name of the format for messages and tables."""

    @property
    def dimension(self) -> int: ...

    @property
    def checksum(self) -> str:
        """The SHA-256 of the content in hexadecimal."""

    def __len__(self) -> int: ...

    def words(self) -> Sequence[bytes]:
        """Return all words as UTF-8, in row order."""

    def find(self, words: Sequence[bytes]) -> Rows:
        """Return the rows of these words, -1 for unknown words."""

    def read(self, rows: Rows) -> Matrix:
        """Return the vectors of these rows."""

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """Compose vectors of words without a row from their parts, if the format supports it.

        Returns the indices of the words that have a vector now, and their vectors.
        """


def read_blocks(source: VectorSource) -> Iterator[tuple[int, Matrix]]:
    """Yield all rows in blocks, each with the number of its first row."""
    for start in range(0, len(source), BLOCK_ROWS):
        yield start, source.read(np.arange(start, min(start + BLOCK_ROWS, len(source))))


def no_vectors(dimension: int) -> tuple[Rows, Matrix]:
    """Return the result of `compose` for a format that only has whole words."""
    return np.empty(0, dtype=np.int64), np.empty((0, dimension), dtype=np.float32)


def average_parts(parts: Sequence[Sequence[int]], read: Callable[[Rows], Matrix]) -> tuple[Rows, Matrix]:
    """Average the rows of each word's parts; words without parts are left out."""
    lengths = np.array([len(rows) for rows in parts], dtype=np.int64)
    whole: Rows = np.flatnonzero(lengths)
    flat = np.array([row for rows in parts for row in rows], dtype=np.int64)
    starts = np.cumsum(lengths[whole]) - lengths[whole]
    if not whole.size:
        return whole, read(flat)
    with np.errstate(over="ignore", invalid="ignore"):  # callers check that the means are finite
        means = np.add.reduceat(read(flat), starts, axis=0) / lengths[whole, None]
        return whole, means.astype(np.float32)


def check_finite(matrix: Matrix, word_of: Callable[[int], bytes], path: Path) -> None:
    """Raise if a vector contains NaN or an infinite value; `word_of` returns the word of a row."""
    if np.isfinite(matrix).all():
        return
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if bad.size:
        word = word_of(int(bad[0])).decode(errors="replace")
        raise ResourceError(
            f"{show_path(path)}: the vector of {word!r} contains NaN or an infinite value; remove the word or train again"
        )
