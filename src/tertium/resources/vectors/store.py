"""Tertium's own file format for word vectors (a store): memory-mapped, opened in milliseconds, shared by processes.

The header (see `StoreHeader`) is followed by these sections:

========  ==================================================================================
starts    uint32 (buckets + 1): the row at which each bucket begins
places    uint64 (buckets + 1): the byte of `words` at which each bucket begins, always a line feed
words     a line feed, then the words in row order as UTF-8, each followed by a line feed
scales    float32 (rows), for int8 only: the factor of each row's integers
matrix    int8, float16 or float32 (rows, dimension)
sums      uint32 (rows): the CRC-32 of each row's scale and vector
========  ==================================================================================

The bucket of a word is given by the highest bits of its CRC-32, so a lookup reads a few dozen bytes, and opening
the file reads only the header. If the header has `has_pieces`, words that begin with `##` are pieces from the
inside of words, and the vector of a word without a row is the mean of its pieces' vectors.

Checksums are verified before data is used: that of the index once, that of a row when it is read.
"""

import hashlib
import json
import mmap
import os
import threading
import unicodedata
import zlib
from collections.abc import Callable, Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.records import record
from tertium.resources.vectors.sources import Matrix, Rows, average_parts, check_finite, no_vectors

# Layout: the magic `TERTIUMV`, the header's length (uint32), the header (JSON), its CRC-32 (uint32), then
# sections that each start at a multiple of 64 bytes. All numbers are little-endian. Stores of version 1 have
# neither the header's CRC-32 nor the section `sums`; damage shows only in the checksum of the whole file.


MAGIC = b"TERTIUMV"
VERSION = 2
VERSIONS = (1, 2)
ALIGNMENT = 64
# The maximum size of a header; a larger one means that the file is damaged.
MAX_HEADER = 1 << 16
MAX_BITS = 32  # the number of a bucket consists of bits of a CRC-32
MAX_SIZE = 1 << 48  # more rows, dimensions or bytes than any real file has

Precision = Literal["int8", "float16", "float32"]
Sections = dict[str, tuple[np.dtype[Any], tuple[int, ...]]]


@record
class StoreHeader:
    """The header of a store.

    `checksum` is the SHA-256 of all sections except `sums`; `index_sum` is the CRC-32 of the index (`starts`,
    `places` and `words`) as eight hexadecimal digits.
    """

    rows: int
    dimension: int
    precision: Precision
    bucket_bits: int
    words_size: int
    has_pieces: bool
    name: str
    checksum: str
    index_sum: str = ""
    version: int = VERSION

    def sections(self) -> Sections:
        """Return the type and shape of each section, in file order."""
        n_places = (1 << self.bucket_bits) + 1
        sections: Sections = {
            "starts": (np.dtype("<u4"), (n_places,)),
            "places": (np.dtype("<u8"), (n_places,)),
            "words": (np.dtype("u1"), (self.words_size,)),
        }
        if self.precision == "int8":
            sections["scales"] = (np.dtype("<f4"), (self.rows,))
        sections["matrix"] = (np.dtype(self.precision).newbyteorder("<"), (self.rows, self.dimension))
        if self.version > 1:
            sections["sums"] = (np.dtype("<u4"), (self.rows,))
        return sections

    def places(self, start: int) -> tuple[dict[str, int], int]:
        """Return the offset of each section, if the first may begin at `start`, and the end of the last one."""
        begins, end = {}, start
        for name, (kind, shape) in self.sections().items():
            begins[name] = _round_up(end)
            end = begins[name] + kind.itemsize * prod(shape)
        return begins, end

    def encode(self) -> bytes:
        """Return the bytes before the first section."""
        facts = {"version": self.version, **vars(self)}
        text = json.dumps(facts, ensure_ascii=False).encode()
        start = MAGIC + _as_bytes(len(text)) + text + _as_bytes(zlib.crc32(text))
        return start + b"\0" * (_round_up(len(start)) - len(start))

    @classmethod
    def decode(cls, data: Any, path: Path) -> tuple[Self, int]:
        """Decode the header of a file; also return the offset at which the sections may begin."""
        size = int.from_bytes(data[8:12], "little")
        if size > MAX_HEADER or 16 + size > len(data):
            raise damaged(path, "its header is incomplete")
        text = data[12 : 12 + size]
        try:
            facts = json.loads(text)
            version = facts["version"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise damaged(path, "its header cannot be read") from error
        if version not in VERSIONS:
            raise ResourceError(
                f"{show_path(path)}: a store of version {version}, but this tertium reads version {VERSION}; "
                "convert the original vectors again"
            )
        if version > 1 and data[12 + size : 16 + size] != _as_bytes(zlib.crc32(text)):
            raise damaged(path, "its header does not match its checksum")
        try:
            header = cls(**facts)
        except TypeError as error:
            raise damaged(path, "its header cannot be read") from error
        header._check(path)
        return header, 12 + size + (4 if version > 1 else 0)

    def _check(self, path: Path) -> None:
        """Raise if a field has a value of the wrong type or out of range."""
        sizes = {"rows": self.rows, "dimension": self.dimension, "words_size": self.words_size}
        faults = [name for name, size in sizes.items() if type(size) is not int or not 0 <= size < MAX_SIZE]
        if self.precision not in get_args(Precision):
            faults.append("precision")
        if type(self.bucket_bits) is not int or not 1 <= self.bucket_bits <= MAX_BITS:
            faults.append("bucket_bits")
        if type(self.has_pieces) is not bool:
            faults.append("has_pieces")
        texts = {"name": self.name, "checksum": self.checksum, "index_sum": self.index_sum}
        faults += [name for name, text in texts.items() if not isinstance(text, str)]
        if faults or not self.dimension:
            raise damaged(path, f"its header has no valid value for {(faults or ['dimension'])[0]!r}")


def damaged(path: Path, why: str) -> ResourceError:
    """Return the error for a damaged store."""
    return ResourceError(
        f"{show_path(path)}: this store of word vectors is damaged: {why}; convert the vectors again"
    )


def _round_up(position: int) -> int:
    """Return the next offset at which a section may begin."""
    return -(-position // ALIGNMENT) * ALIGNMENT


def _as_bytes(number: int) -> bytes:
    return number.to_bytes(4, "little")


# Words are split into pieces as in BERT's WordPiece: in lower case, without accents, at punctuation marks, and then
# greedily from left to right into the longest known pieces. Pieces inside a word begin with `##`.


CONTINUATION = "##"
MAX_PIECE_LENGTH = 18  # characters; no piece of BERT's vocabulary is longer


def split_word(word: str, find: Callable[[bytes], int]) -> list[int]:
    """Return the rows of a word's pieces from left to right; characters that no piece covers are skipped.

    `find` returns the row of a piece, or -1.
    """
    rows = []
    for part in _parts(word):
        start = 0
        while start < len(part):
            mark = CONTINUATION if start else ""
            for end in range(min(len(part), start + MAX_PIECE_LENGTH), start, -1):
                row = find((mark + part[start:end]).encode(errors="surrogatepass"))
                if row >= 0:
                    rows.append(row)
                    start = end
                    break
            else:
                start += 1
    return rows


def _parts(word: str) -> list[str]:
    """Lower-case a word, remove its accents, and split it at symbols and ideographs."""
    lowered = word.lower()
    if word.isascii() and word.isalnum():
        return [lowered]
    decomposed = unicodedata.normalize("NFD", lowered)
    plain = (character for character in decomposed if unicodedata.category(character) != "Mn")
    return "".join(f" {character} " if _is_separate(character) else character for character in plain).split()


def _is_separate(character: str) -> bool:
    is_ascii_symbol = character.isascii() and not character.isalnum()
    is_ideograph = "\u4e00" <= character <= "\u9fff"
    return is_ascii_symbol or is_ideograph or unicodedata.category(character).startswith("P")


INDEX = ("starts", "places", "words")


class Store:
    """Word vectors in a memory-mapped store."""

    format = "tertium store"

    def __init__(self, path: Path, data: Path | None = None) -> None:
        self.path = path
        self._data = _map_file(path, data or path)
        self.header, start = StoreHeader.decode(self._data, path)
        self._begins, end = self.header.places(start)
        self._sections = self._map_sections(end)
        self._words_begin = self._begins["words"]
        # Memoryviews: reading single numbers in a Python loop is faster than from arrays.
        self._starts, self._places = (self._sections[name].data for name in ("starts", "places"))
        self._lock = threading.Lock()
        self._is_checked = False

    def __len__(self) -> int:
        return self.header.rows

    @property
    def dimension(self) -> int:
        return self.header.dimension

    @property
    def checksum(self) -> str:
        return self.header.checksum

    def words(self) -> list[bytes]:
        """Return all words as UTF-8, in row order."""
        self._check_index()
        words = self._sections["words"].tobytes().split(b"\n")[1:-1]
        if len(words) != len(self):
            raise damaged(self.path, f"it has {len(words):,} words for {len(self):,} vectors")
        return words

    def find(self, words: Sequence[bytes]) -> Rows:
        """Return the rows of these words, -1 for unknown words."""
        self._check_index()
        return np.fromiter(map(self._find_one, words), dtype=np.int64, count=len(words))

    def _find_one(self, word: bytes) -> int:
        number = zlib.crc32(word) >> (32 - self.header.bucket_bits)
        begin, end = self._words_begin + self._places[number], self._words_begin + self._places[number + 1]
        found = self._data.find(b"\n" + word + b"\n", begin, end + 1)
        if found < 0 or not word or b"\n" in word:
            return -1
        row: int = self._starts[number] + self._data[begin:found].count(b"\n")
        return row

    def read(self, rows: Rows) -> Matrix:
        """Return the vectors of these rows.

        Raises
        ------
        ResourceError
            If a row does not match its checksum or is not finite.
        """
        self._check_index()
        stored = self._sections["matrix"][rows]
        scales = self._sections["scales"][rows] if self.header.precision == "int8" else None
        if "sums" in self._sections and (checksum_rows(stored, scales) != self._sections["sums"][rows]).any():
            raise damaged(self.path, "a vector does not match its checksum")
        matrix: Matrix = stored.astype(np.float32)
        if scales is not None:
            with np.errstate(over="ignore", invalid="ignore"):
                matrix *= scales[:, None]
        check_finite(matrix, lambda i: self.words()[int(rows[i])], self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """Return the mean vectors of the words' pieces, if the store has pieces."""
        if not self.header.has_pieces:
            return no_vectors(self.dimension)
        self._check_index()
        which, matrix = average_parts([split_word(word, self._find_one) for word in words], self.read)
        check_finite(matrix, lambda i: words[which[i]].encode(errors="replace"), self.path)
        return which, matrix

    def verify(self) -> None:
        """Read the whole file and raise if it is damaged."""
        if digest_sections(self._sections) != self.checksum:
            raise damaged(self.path, "its content does not match its checksum")
        if not np.array_equal(self.find(self.words()), np.arange(len(self))):
            raise damaged(self.path, "a word is in the wrong bucket")
        self.read(np.arange(len(self)))

    def _check_index(self) -> None:
        """Check the index on first use."""
        with self._lock:
            if self._is_checked:
                return
            if self.header.version == 1:
                is_valid = digest_sections(self._sections) == self.checksum
            else:
                is_valid = checksum_index(self._sections) == self.header.index_sum
            if not is_valid:
                raise damaged(self.path, "its index does not match its checksum")
            for name, end in (("starts", self.header.rows), ("places", self.header.words_size - 1)):
                numbers = self._sections[name].astype(np.int64)
                if numbers[0] != 0 or numbers[-1] != end or (np.diff(numbers) < 0).any():
                    raise damaged(self.path, f"its section {name!r} is out of order")
            self._is_checked = True

    def _map_sections(self, end: int) -> dict[str, npt.NDArray[Any]]:
        for name, (kind, shape) in self.header.sections().items():
            if self._begins[name] + kind.itemsize * int(np.prod(shape, dtype=object)) > len(self._data):
                raise damaged(self.path, f"it ends inside its section {name!r}")
        if end != len(self._data):
            raise damaged(self.path, f"{len(self._data) - end:,} bytes follow its last section")
        return {
            name: np.frombuffer(self._data, kind, int(np.prod(shape)), self._begins[name]).reshape(shape)
            for name, (kind, shape) in self.header.sections().items()
        }


def number_buckets(words: Sequence[bytes], bits: int) -> Rows:
    """Return the number of each word's bucket: the highest bits of its CRC-32."""
    return np.array([zlib.crc32(word) for word in words], dtype=np.int64) >> (32 - bits)


def digest_sections(sections: Mapping[str, npt.NDArray[Any]]) -> str:
    """Compute the SHA-256 of all sections in their order, except `sums`."""
    digest = hashlib.sha256()
    for name, section in sections.items():
        if name != "sums":
            digest.update(np.ascontiguousarray(section).data)
    return digest.hexdigest()


def checksum_index(sections: Mapping[str, npt.NDArray[Any]]) -> str:
    """Compute the CRC-32 of the index sections, as eight hexadecimal digits."""
    value = 0
    for name in INDEX:
        value = zlib.crc32(np.ascontiguousarray(sections[name]).data, value)
    return f"{value:08x}"


def checksum_rows(
    stored: npt.NDArray[Any], scales: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.uint32]:
    """Compute the CRC-32 of each row as stored: of its scale, if it has one, and its vector."""
    rows = np.ascontiguousarray(stored)
    starts = [0] * len(rows) if scales is None else [zlib.crc32(scale) for scale in scales.astype("<f4")]
    return np.fromiter(map(zlib.crc32, rows, starts), dtype=np.uint32, count=len(rows))


def _map_file(path: Path, data: Path) -> mmap.mmap:
    try:
        with data.open("rb") as file:
            if os.fstat(file.fileno()).st_size < 16:
                raise damaged(path, "it is too short")
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise ResourceError(
            f"cannot read word vectors {show_path(path)}: {error.strerror or error}"
        ) from error
