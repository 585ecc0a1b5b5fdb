"""What every file of word vectors offers, whatever its format: find words, read rows."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path

Matrix = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]

# Rows read at a time when a whole file goes by: 10 MB of 300 dimensions.
BLOCK_ROWS = 8192


class VectorSource(Protocol):
    """Word vectors in a file, of which only the rows that are asked for are read."""

    @property
    def path(self) -> Path: ...

    @property
    def format(self) -> str:
        """The format's name, as a person says it."""

    @property
    def dimension(self) -> int: ...

    @property
    def checksum(self) -> str:
        """The content's SHA-256 in hexadecimal."""

    def __len__(self) -> int: ...

    def words(self) -> Sequence[bytes]:
        """All words as UTF-8, in row order."""

    def find(self, words: Sequence[bytes]) -> Rows:
        """The rows of these words, -1 where there is none."""

    def read(self, rows: Rows) -> Matrix:
        """The vectors of these rows."""

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """Vectors for words without a row, if the format can make them from parts.

        Returns which of the words got one, and the vectors of those.
        """


def read_blocks(source: VectorSource) -> Iterator[tuple[int, Matrix]]:
    """Read all rows, block after block, each with the number of its first row."""
    for start in range(0, len(source), BLOCK_ROWS):
        yield start, source.read(np.arange(start, min(start + BLOCK_ROWS, len(source))))


def no_vectors(dimension: int) -> tuple[Rows, Matrix]:
    """What `compose` returns when a format has whole words only."""
    return np.empty(0, dtype=np.int64), np.empty((0, dimension), dtype=np.float32)


def average_parts(parts: Sequence[Sequence[int]], read: Callable[[Rows], Matrix]) -> tuple[Rows, Matrix]:
    """Average the rows of each word's parts; words without parts are left out."""
    lengths = np.array([len(rows) for rows in parts], dtype=np.int64)
    whole: Rows = np.flatnonzero(lengths)
    flat = np.array([row for rows in parts for row in rows], dtype=np.int64)
    starts = np.cumsum(lengths[whole]) - lengths[whole]
    if not whole.size:
        return whole, read(flat)
    with np.errstate(over="ignore", invalid="ignore"):  # who asked checks that the means are finite
        means = np.add.reduceat(read(flat), starts, axis=0) / lengths[whole, None]
        return whole, means.astype(np.float32)


def check_finite(matrix: Matrix, word_of: Callable[[int], bytes], path: Path) -> None:
    """Raise if a vector holds NaN or an infinite value; `word_of` names a row of the matrix."""
    if np.isfinite(matrix).all():
        return
    bad = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if bad.size:
        word = word_of(int(bad[0])).decode(errors="replace")
        raise ResourceError(
            f"{show_path(path)}: the vector of {word!r} holds NaN or an infinite value; remove that word or train again"
        )


def digest_file(path: Path) -> str:
    """The SHA-256 of a file's content in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
