"""Reader of fastText's binary format, with vectors of unknown words from their character n-grams.

The layout follows fastText 0.9 (MIT licence): magic and version, the training arguments, the dictionary, the
input matrix, and the output matrix, which is not needed.
"""

import mmap
import struct
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.reading import checksum_file
from tertium.resources.vectors.sources import Matrix, Rows, average_parts, check_finite

MAGIC = struct.pack("<i", 793712314)
VERSIONS = (11, 12)
END_OF_SENTENCE = b"</s>"  # fastText gives it no n-grams
WORD, LABEL = 0, 1
SUPERVISED = 3
ARGUMENTS = struct.Struct("<12id")
COUNTS = struct.Struct("<3i2q")
MAX_WORD_SIZE = 65536  # bytes; a longer word means that the file is damaged


class FastTextVectors:
    """A fastText model; the vector of a word is the mean of its own row and the rows of its n-grams."""

    format = "fastText binary"

    def __init__(self, path: Path, data: Path) -> None:
        self.path = path
        self._data_path = data
        with data.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            end = self._read_arguments()
            end = self._read_dictionary(end)
            self._matrix = self._map_matrix(end)
        except ResourceError:
            raise
        except (struct.error, ValueError, OverflowError, IndexError) as error:
            raise ResourceError(
                f"{path}: this fastText model is truncated or damaged; download it again"
            ) from error

    def __len__(self) -> int:
        return len(self._rows)

    @cached_property
    def checksum(self) -> str:
        return checksum_file(self._data_path)

    @property
    def has_grams(self) -> bool:
        """Whether unknown words get vectors from their character n-grams."""
        return self._max_length > 0 and self._n_buckets > 0

    def words(self) -> list[bytes]:
        """Return all words as UTF-8, in row order."""
        return list(self._rows)

    def find(self, words: Sequence[bytes]) -> Rows:
        """Return the rows of these words, -1 for unknown words."""
        return np.array([self._rows.get(word, -1) for word in words], dtype=np.int64)

    def read(self, rows: Rows) -> Matrix:
        """Return the vectors of the words in these rows: the mean of a word's row and the rows of its n-grams."""
        words = self.words() if len(rows) else []
        parts = [
            [row, *(() if words[row] == END_OF_SENTENCE else self._gram_rows(words[row]))]
            for row in rows.tolist()
        ]
        _, matrix = average_parts(parts, self._matrix.__getitem__)
        check_finite(matrix, lambda i: words[rows[i]], self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """Return the mean vectors of the character n-grams of unknown words."""
        parts = [list(self._gram_rows(word.encode())) for word in words]
        which, matrix = average_parts(parts, self._matrix.__getitem__)
        check_finite(matrix, lambda i: words[which[i]].encode(), self.path)
        return which, matrix

    def _read_arguments(self) -> int:
        (version,) = struct.unpack_from("<i", self._data, 4)
        if version not in VERSIONS:
            raise ResourceError(
                f"{self.path}: a fastText model of version {version}, but only versions 11 and 12 are supported"
            )
        arguments = ARGUMENTS.unpack_from(self._data, 8)
        self.dimension, model = int(arguments[0]), arguments[7]
        self._n_buckets, self._min_length, self._max_length = (int(number) for number in arguments[8:11])
        if version == 11 and model == SUPERVISED:
            self._max_length = 0  # classifiers of version 11 have no character n-grams
        if self.dimension < 1:
            raise ValueError(self.dimension)
        return 8 + ARGUMENTS.size

    def _read_dictionary(self, start: int) -> int:
        size, self._n_words, _, _, n_pruned = COUNTS.unpack_from(self._data, start)
        start += COUNTS.size
        self._rows: dict[bytes, int] = {}
        for number in range(size):
            end = self._data.find(b"\0", start, start + MAX_WORD_SIZE)
            if end < 0 or end + 10 > len(self._data):
                raise ValueError(number)
            if self._data[end + 9] == WORD:
                self._rows[self._data[start:end]] = number
            start = end + 10  # the terminator, an int64 count, an int8 kind
        if len(self._rows) != self._n_words:
            raise ValueError(self._n_words)
        if n_pruned >= 0:
            raise self._quantised()
        return start

    def _map_matrix(self, start: int) -> Matrix:
        if self._data[start : start + 1] == b"\1":
            raise self._quantised()
        n_rows, dimension = struct.unpack_from("<2q", self._data, start + 1)
        if dimension != self.dimension or n_rows != self._n_words + self._n_buckets:
            raise ResourceError(
                f"{self.path}: a matrix of {n_rows:,} × {dimension:,}, but the model's arguments say "
                f"{self._n_words + self._n_buckets:,} × {self.dimension:,}; download it again"
            )
        flat: npt.NDArray[np.float32] = np.frombuffer(self._data, "<f4", n_rows * dimension, start + 17)
        return flat.reshape(n_rows, dimension)

    def _quantised(self) -> ResourceError:
        return ResourceError(
            f"{self.path}: a quantised fastText model (.ftz), whose vectors are only approximate; "
            "give the .bin or .vec file that it was created from"
        )

    def _gram_rows(self, word: bytes) -> Iterator[int]:
        if not self.has_grams:
            return
        marked = b"<" + word + b">"
        starts = [i for i, byte in enumerate(marked) if byte & 0xC0 != 0x80]
        ends = [*starts[1:], len(marked)]
        for first in range(len(starts)):
            for length in range(max(self._min_length, 1), self._max_length + 1):
                last = first + length - 1
                if last >= len(starts):
                    break
                if length == 1 and last in (0, len(starts) - 1):  # only a boundary mark
                    continue
                yield self._n_words + hash_gram(marked[starts[first] : ends[last]]) % self._n_buckets


def hash_gram(gram: bytes) -> int:
    """Compute the 32-bit FNV-1a hash of an n-gram over signed bytes, as fastText does."""
    value = 2166136261
    for byte in gram:
        signed = byte | 0xFFFFFF00 if byte > 127 else byte
        value = ((value ^ signed) * 16777619) & 0xFFFFFFFF
    return value
