"""Readers of word2vec's formats: text (also that of fastText and GloVe) and binary files."""

import hashlib
import mmap
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError, argument
from tertium.files.paths import show_path
from tertium.files.reading import checksum_file
from tertium.resources.vectors.sources import Matrix, Rows, check_finite, no_vectors

# Maximum number of digits of a count in a header.
MAX_DIGITS = 18


@dataclass
class _Index:
    """The words of a text file and the offsets of their lines."""

    dimension: int
    separator: bytes
    n_expected: int | None  # number of rows according to the header, if there is one
    rows: dict[bytes, int] = field(default_factory=dict)
    offsets: list[int] = field(default_factory=list)
    n_repeated: int = 0


class _WordRows:
    """Words in the order of their rows, and the offset of each row's numbers in the file."""

    _rows: dict[bytes, int]
    _offsets: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self._offsets)

    def words(self) -> list[bytes]:
        """Return all words as UTF-8, in row order."""
        return list(self._rows)

    def find(self, words: Sequence[bytes]) -> Rows:
        """Return the rows of these words, -1 for unknown words."""
        return np.array([self._rows.get(word, -1) for word in words], dtype=np.int64)


class TextVectors(_WordRows):
    """Vectors in a text file; opening it reads the words, and numbers are read on demand.

    A word may contain spaces, as in GloVe 840B, unless its part after the last space is a number.
    """

    def __init__(self, path: Path, data: Path, *, keeps_first: bool = False) -> None:
        self.path = path
        self._keeps_first = keeps_first
        self._digest = hashlib.sha256()
        with data.open("rb") as file:
            index = self._read_index(file)
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.dimension = index.dimension
        self.format = "word2vec text" if index.n_expected is not None else "GloVe text"
        self._separator = index.separator
        self._rows = index.rows
        self._offsets = np.array(index.offsets, dtype=np.int64)

    @property
    def checksum(self) -> str:
        return self._digest.hexdigest()

    def read(self, rows: Rows) -> Matrix:
        """Return the vectors of these rows."""
        matrix: Matrix = np.empty((len(rows), self.dimension), dtype=np.float32)
        for target, offset in zip(matrix, self._offsets[rows].tolist(), strict=True):
            end = self._data.find(b"\n", offset)  # no seek, because threads may share the file
            target[:] = self._parse(self._data[offset : end if end >= 0 else None], offset)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:  # noqa: ARG002 - whole words only
        """Return no vectors: this format only has whole words."""
        return no_vectors(self.dimension)

    def _parse(self, line: bytes, offset: int) -> Matrix:
        texts = line.rstrip().rsplit(self._separator, self.dimension)[1:]
        try:
            with np.errstate(over="ignore"):
                values = np.array(texts, dtype=np.float64).astype(np.float32)
        except ValueError as error:
            raise self._number_error(line, offset) from error
        if not np.isfinite(values).all():
            raise self._number_error(line, offset)
        return values

    def _number_error(self, line: bytes, offset: int) -> ResourceError:
        texts = line.rstrip().rsplit(self._separator, self.dimension)[1:]
        bad = next((text for text in texts if not _is_finite(text)), b"")
        what = f"{_show(bad)} is not finite" if is_number(bad) else f"{_show(bad)} is not a number"
        return _fault(self.path, self._line_number(offset), what, "remove the line or train again")

    def _line_number(self, offset: int) -> int:
        return self._data[:offset].count(b"\n") + 1

    def _read_index(self, file: BinaryIO) -> _Index:
        first = file.readline()
        index = _start_index(first, file, self.path)
        number, offset = 1, len(first)
        if index.n_expected is None:
            file.seek(0)
            number, offset = 0, 0
        else:
            self._digest.update(first)
        for line in file:
            number += 1
            self._digest.update(line)
            if not line.strip():
                _check_blank_end(file, self.path, number)
                break
            self._add(index, line.rstrip(), offset, number)
            offset += len(line)
        _check_count(index, number, self.path)
        return index

    def _add(self, index: _Index, line: bytes, offset: int, number: int) -> None:
        word = _word_of(line, index, self.path, number)
        if word in index.rows:
            if self._keeps_first:
                index.n_repeated += 1
                return
            raise _fault(self.path, number, f"the word {_show(word)} is also in an earlier line", f"remove one of them, or convert the vectors with {argument('keep_first')}")  # fmt: skip
        index.rows[word] = len(index.offsets)
        index.offsets.append(offset)


def parse_header(line: bytes) -> tuple[int, int] | None:
    """Return the numbers of rows and dimensions if the line is a word2vec header, otherwise None."""
    parts = line.split()
    if len(parts) == 2 and all(part.isdigit() and len(part) <= MAX_DIGITS for part in parts):
        return int(parts[0]), int(parts[1])
    return None


def _start_index(first: bytes, file: BinaryIO, path: Path) -> _Index:
    header = parse_header(first)
    row = first
    if header is not None:
        start = file.tell()
        row = file.readline()
        file.seek(start)
        if header[1] == 0:
            raise _fault(path, 1, "the header says 0 dimensions", "train again")
    separator = b"\t" if b"\t" in row else b" "
    dimension = header[1] if header is not None else row.rstrip().count(separator)
    if dimension == 0:
        raise _fault(path, 1, "not a word followed by numbers", "give word2vec or GloVe text")
    return _Index(dimension, separator, header[0] if header is not None else None)


def _word_of(line: bytes, index: _Index, path: Path, number: int) -> bytes:
    n_numbers = line.count(index.separator)
    word, _, numbers = line.partition(index.separator)
    if n_numbers != index.dimension:
        word, numbers = _split_odd_line(line, index, path, number, n_numbers)
    if not word:
        raise _fault(path, number, "no word before the numbers", "remove the line or train again")
    if b"n" in numbers or b"N" in numbers:  # "nan", "inf"
        bad = next(text for text in numbers.split(index.separator) if b"n" in text.lower())
        raise _fault(path, number, f"{_show(bad)} is not a finite number", "remove the line or train again")
    return word


def _split_odd_line(
    line: bytes, index: _Index, path: Path, number: int, n_numbers: int
) -> tuple[bytes, bytes]:
    source = "the header says" if index.n_expected is not None else "the first line has"
    if n_numbers > index.dimension:
        parts = line.rsplit(index.separator, index.dimension)
        if not is_number(parts[0].rpartition(index.separator)[2]):
            return parts[0], index.separator.join(parts[1:])
    raise _fault(path, number, f"{n_numbers:,} numbers, but {source} {index.dimension:,}", "the file is damaged or its header is wrong: download or train it again")  # fmt: skip


def is_number(text: bytes) -> bool:
    """Whether a text is a number, finite or not."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_finite(text: bytes) -> bool:
    with np.errstate(over="ignore"):
        return is_number(text) and bool(np.isfinite(np.float32(float(text))))


def _check_count(index: _Index, n_lines: int, path: Path) -> None:
    n_rows = len(index.offsets) + index.n_repeated
    if n_rows == 0:
        raise _fault(path, max(n_lines, 1), "no vector in the file", "give word2vec or GloVe text")
    if index.n_expected is not None and n_rows != index.n_expected:
        is_short = n_rows < index.n_expected
        advice = "the file is truncated: download it again" if is_short else "correct the header"
        raise _fault(
            path, n_lines, f"the header says {index.n_expected:,} words, but there are {n_rows:,}", advice
        )


def _check_blank_end(file: BinaryIO, path: Path, number: int) -> None:
    if any(line.strip() for line in file):
        raise _fault(path, number, "an empty line between vectors", "remove it, or download the file again")


def _show(text: bytes) -> str:
    return repr(text.decode(errors="replace"))


def _fault(path: Path, line: int, what: str, remedy: str) -> ResourceError:
    return ResourceError(f"{path}, line {line:,}: {what}; {remedy}")


# Bytes; word2vec's limit is much lower, so a longer word means that the file is damaged.
MAX_WORD_SIZE = 4096


class BinaryVectors(_WordRows):
    """Vectors in a binary file; opening it reads the words, and numbers are read on demand."""

    format = "word2vec binary"

    def __init__(self, path: Path, data: Path, *, keeps_first: bool = False) -> None:
        self.path = path
        self._data_path = data
        with data.open("rb") as file:
            header = parse_header(file.readline())
            start = file.tell()
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if header is None or 0 in header:
            raise ResourceError(f"{path}, line 1: no word2vec header of two numbers; download the file again")
        self._n_expected, self.dimension = header
        self._rows = {}
        self._offsets = np.array(self._read_index(start, keeps_first=keeps_first))

    @cached_property
    def checksum(self) -> str:
        return checksum_file(self._data_path)

    def read(self, rows: Rows) -> Matrix:
        """Return the vectors of these rows."""
        matrix: Matrix = np.empty((len(rows), self.dimension), dtype=np.float32)
        for target, offset in zip(matrix, self._offsets[rows].tolist(), strict=True):
            target[:] = np.frombuffer(self._data, "<f4", self.dimension, offset)
        check_finite(matrix, lambda i: self.words()[rows[i]], self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:  # noqa: ARG002 - whole words only
        """Return no vectors: this format only has whole words."""
        return no_vectors(self.dimension)

    def _read_index(self, offset: int, *, keeps_first: bool) -> list[int]:
        offsets: list[int] = []
        for number in range(1, self._n_expected + 1):
            word, offset = self._word_at(offset, number)
            if word not in self._rows:
                self._rows[word] = len(offsets)
                offsets.append(offset)
            elif not keeps_first:
                raise self._fault(number, f"{word.decode(errors='replace')!r} occurs twice", f"train again, or convert the vectors with {argument('keep_first')}")  # fmt: skip
            offset += 4 * self.dimension
            if offset > len(self._data):
                raise self._truncated(number)
        if self._data[offset : offset + MAX_WORD_SIZE].strip():
            raise self._fault(self._n_expected, "the file has more data than the header says", "the header is wrong: download or train it again")  # fmt: skip
        return offsets

    def _word_at(self, offset: int, number: int) -> tuple[bytes, int]:
        end = self._data.find(b" ", offset, offset + MAX_WORD_SIZE)
        if end < 0 and offset + MAX_WORD_SIZE >= len(self._data):
            raise self._truncated(number)
        word = (
            self._data[offset:end].lstrip(b"\n") if end >= 0 else b""
        )  # the C tool ends vectors with a line feed
        if b"\n" in word:
            what = f"the word {word.decode(errors='replace')!r} contains a line feed"
            raise self._fault(number, what, "the dimension contradicts the header, or the file is damaged: download or train it again")  # fmt: skip
        if not word:
            raise self._fault(number, "no word was found", "the dimension contradicts the header, or the file is damaged: download or train it again")  # fmt: skip
        return word, end + 1

    def _truncated(self, number: int) -> ResourceError:
        expected = f"the header says {self._n_expected:,} words of {self.dimension:,} dimensions"
        return self._fault(
            number, f"the file ends here, but {expected}", "it is truncated: download it again"
        )

    def _fault(self, number: int, what: str, remedy: str) -> ResourceError:
        return ResourceError(f"{show_path(self.path)}, word {number:,}: {what}; {remedy}")
