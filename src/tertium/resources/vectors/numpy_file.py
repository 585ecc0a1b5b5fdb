"""Reader of word vectors in a NumPy matrix, with the words in a text file next to it, one per line."""

import warnings
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from tokenize import TokenError

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError, argument
from tertium.files.paths import is_file, show_path, strip_compression
from tertium.files.reading import checksum_file, read_bytes
from tertium.resources.vectors.sources import Matrix, Rows, check_finite, no_vectors

# The errors that numpy raises for invalid headers.
_LOAD_ERRORS = (
    ArithmeticError, AttributeError, EOFError, IndexError, KeyError, MemoryError, OSError, RecursionError, SyntaxError,
    TokenError, TypeError, ValueError,
)  # fmt: skip
VOCABULARY_SUFFIXES = (".vocab", ".words", ".txt")


class NumpyVectors:
    """The rows of a memory-mapped `.npy` file, for the words of a vocabulary file."""

    format = "NumPy matrix"

    def __init__(
        self, path: Path, data: Path, vocabulary: Path | None = None, *, keeps_first: bool = False
    ) -> None:
        self.path = path
        self._data_path = data
        self._matrix = _map_matrix(path, data)
        self._vocabulary = vocabulary or _find_vocabulary(path)
        words = _read_words(self._vocabulary)
        if len(words) != len(self._matrix):
            raise ResourceError(
                f"{self._vocabulary}: {len(words):,} words, but {path} has {len(self._matrix):,} rows; "
                "give one word per line in the order of the rows"
            )
        self._rows = _index_words(words, self._vocabulary, keeps_first=keeps_first)
        self._matrix_rows: Rows = np.fromiter(self._rows.values(), dtype=np.int64)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def dimension(self) -> int:
        return int(self._matrix.shape[1])

    @cached_property
    def checksum(self) -> str:
        return checksum_file(self._data_path)

    def words(self) -> list[bytes]:
        """Return all words as UTF-8, in row order."""
        return list(self._rows)

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {word: number for number, word in enumerate(self._rows)}

    def find(self, words: Sequence[bytes]) -> Rows:
        """Return the rows of these words, -1 for unknown words."""
        return np.array([self._numbers.get(word, -1) for word in words], dtype=np.int64)

    def read(self, rows: Rows) -> Matrix:
        """Return the vectors of these rows."""
        with np.errstate(over="ignore"):
            matrix = self._matrix[self._matrix_rows[rows]].astype(np.float32)
        check_finite(matrix, lambda i: self.words()[rows[i]], self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:  # noqa: ARG002 - whole words only
        """Return no vectors: this format only has whole words."""
        return no_vectors(self.dimension)


def _map_matrix(path: Path, data: Path) -> npt.NDArray[np.floating]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # numpy warns about unusual headers
            matrix: npt.NDArray[np.floating] = np.load(data, mmap_mode="r", allow_pickle=False)
    except _LOAD_ERRORS as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:80]
        raise ResourceError(
            f"{show_path(path)}: not a readable NumPy matrix of numbers ({reason}); save it again with numpy.save"
        ) from error
    if matrix.ndim != 2 or not np.issubdtype(matrix.dtype, np.floating) or 0 in matrix.shape:
        raise ResourceError(
            f"{path}: an array of shape {matrix.shape} and type {matrix.dtype}; "
            "word vectors are a matrix of floats with one row per word"
        )
    return matrix


def _find_vocabulary(path: Path) -> Path:
    candidates = [Path(strip_compression(path)).with_suffix(suffix) for suffix in VOCABULARY_SUFFIXES]
    for candidate in candidates:
        if is_file(candidate):
            return candidate
    names = ", ".join(candidate.name for candidate in candidates)
    raise ResourceError(f"{path}: no list of words next to it ({names}); save one word per line in the order of the rows")  # fmt: skip


def _read_words(path: Path) -> list[bytes]:
    words = [line.removesuffix(b"\r") for line in read_bytes(path, error=ResourceError).split(b"\n")]
    return words[:-1] if words[-1] == b"" else words


def _index_words(words: Sequence[bytes], path: Path, *, keeps_first: bool) -> dict[bytes, int]:
    rows: dict[bytes, int] = {}
    for row, word in enumerate(words):
        if not word:
            raise ResourceError(
                f"{path}, line {row + 1:,}: no word; give one word per line in the order of the rows"
            )
        if word not in rows:
            rows[word] = row
        elif not keeps_first:
            raise ResourceError(
                f"{path}, line {row + 1:,}: the word {word.decode(errors='replace')!r} is also in line {rows[word] + 1:,}; "
                f"remove one of them, or convert the vectors with {argument('keep_first')}"
            )
    return rows
