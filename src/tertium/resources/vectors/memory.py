"""Word vectors that are in memory already, to be written into a file."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from tertium.resources.vectors.sources import Matrix, Rows, check_finite, no_vectors

__all__ = ["MemoryVectors"]


@dataclass(frozen=True, eq=False)
class MemoryVectors:
    """Words and their matrix, row by row."""

    listed: Sequence[str]
    matrix: Matrix

    format: ClassVar[str] = "memory"
    path: ClassVar[Path] = Path("memory")

    def __len__(self) -> int:
        return len(self.listed)

    @property
    def dimension(self) -> int:
        return int(self.matrix.shape[1])

    @cached_property
    def checksum(self) -> str:
        words = "\n".join(self.listed).encode()
        return hashlib.sha256(words + np.ascontiguousarray(self.matrix).tobytes()).hexdigest()

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {word: row for row, word in enumerate(self.words())}

    def words(self) -> list[bytes]:
        return [word.encode() for word in self.listed]

    def find(self, words: Sequence[bytes]) -> Rows:
        return np.array([self._index.get(word, -1) for word in words], dtype=np.int64)

    def read(self, rows: Rows) -> Matrix:
        with np.errstate(over="ignore"):
            matrix = self.matrix[rows].astype(np.float32)
        check_finite(matrix, lambda i: self.listed[int(rows[i])].encode(errors="replace"), self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:  # noqa: ARG002 - whole words only
        """Make no vectors for unknown words."""
        return no_vectors(self.dimension)
