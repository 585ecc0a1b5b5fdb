"""Our own file of word vectors: memory-mapped, opened in milliseconds, shared between processes.

`store_header` says how the file begins; then follow

========  ==================================================================================
starts    uint32 (buckets + 1): the row at which each bucket begins
places    uint64 (buckets + 1): the byte of `words` at which each bucket begins, always a line feed
words     a line feed, then the words in row order as UTF-8, each followed by a line feed
scales    float32 (rows), for int8 only: what a row's integers are multiplied with
matrix    int8, float16 or float32 (rows, dimension)
sums      uint32 (rows): the CRC-32 of each row's scale and vector
========  ==================================================================================

A word lies in the bucket that the highest bits of its CRC-32 name, so a lookup reads a few dozen bytes
and opening the file reads only the header. If the header says `has_pieces`, words that begin with `##`
are pieces from within words, and a word without a row gets the mean of its pieces' vectors.

Before a number is used its sum is checked: that of the index once, that of a row when it is read.
"""

import hashlib
import json
import mmap
import os
import threading
import unicodedata
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.resources.vectors.sources import Matrix, Rows, average_parts, check_finite, no_vectors

# The first bytes of a store of word vectors: what follows them, where, and how to know that it is sound.
#
# Layout: the magic `TERTIUMV`, the header's length (uint32), the header (JSON), its CRC-32 (uint32), then
# sections that each start at a multiple of 64 bytes. Everything is little-endian. Stores of version 1 have
# neither the header's CRC-32 nor the section `sums`; only their checksum as a whole shows damage.


MAGIC = b"TERTIUMV"
VERSION = 2
VERSIONS = (1, 2)
ALIGNMENT = 64
# The longest header a sound file can have; a longer one means damage.
MAX_HEADER = 1 << 16
MAX_BITS = 32  # a bucket is named by bits of a CRC-32
MAX_SIZE = 1 << 48  # more rows, dimensions or bytes than any file has

Precision = Literal["int8", "float16", "float32"]
Sections = dict[str, tuple[np.dtype[Any], tuple[int, ...]]]


@dataclass(frozen=True)
class StoreHeader:
    """What the first bytes of a store say about the rest.

    `checksum` is the SHA-256 of all sections but `sums`; `index_sum` the CRC-32 of the index (`starts`,
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
        """Each section's type and shape, in file order."""
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
        """Where each section begins, if the first may begin at `start`; and where the last one ends."""
        begins, end = {}, start
        for name, (kind, shape) in self.sections().items():
            begins[name] = _align(end)
            end = begins[name] + kind.itemsize * prod(shape)
        return begins, end

    def encode(self) -> bytes:
        """The bytes that stand before the first section."""
        facts = {"version": self.version, **vars(self)}
        text = json.dumps(facts, ensure_ascii=False).encode()
        start = MAGIC + _as_bytes(len(text)) + text + _as_bytes(zlib.crc32(text))
        return start + b"\0" * (_align(len(start)) - len(start))

    @classmethod
    def decode(cls, data: Any, path: Path) -> tuple[Self, int]:
        """Read the header from the bytes of a file; also return where the sections may begin."""
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
            raise damaged(path, "its header does not fit its checksum")
        try:
            header = cls(**facts)
        except TypeError as error:
            raise damaged(path, "its header cannot be read") from error
        header._check(path)
        return header, 12 + size + (4 if version > 1 else 0)

    def _check(self, path: Path) -> None:
        """Raise if a field has a value of the wrong kind or out of its range."""
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
            raise damaged(path, f"its header has no sound value for {(faults or ['dimension'])[0]!r}")


def damaged(path: Path, why: str) -> ResourceError:
    """Say that a store cannot be used, and what to do."""
    return ResourceError(
        f"{show_path(path)}: this store of word vectors is damaged: {why}; convert the vectors again"
    )


def _align(position: int) -> int:
    """The next place where a section may begin."""
    return -(-position // ALIGNMENT) * ALIGNMENT


def _as_bytes(number: int) -> bytes:
    return number.to_bytes(4, "little")


# Words into pieces: the longest known beginning first, then the longest known continuations.
#
# The scheme is BERT's WordPiece (lower case, no accents, cut at punctuation), over any inventory in which
# a continuation is written with `##` before it.


CONTINUATION = "##"
# No piece of BERT's vocabulary is longer; trying longer ones would only cost time.
LONGEST_PIECE = 18


def cut_word(word: str, find: Callable[[bytes], int]) -> list[int]:
    """The rows of a word's pieces, left to right; characters that no piece covers are left out.

    `find` gives a piece's row, or -1.
    """
    return [row for part in _parts(_plain(word)) for row in _cut_part(part, find)]


def _cut_part(part: str, find: Callable[[bytes], int]) -> list[int]:
    rows, start = [], 0
    while start < len(part):
        row, end = _longest_piece(part, start, find)
        if row >= 0:
            rows.append(row)
        start = end
    return rows


def _longest_piece(part: str, start: int, find: Callable[[bytes], int]) -> tuple[int, int]:
    mark = CONTINUATION if start else ""
    for end in range(min(len(part), start + LONGEST_PIECE), start, -1):
        row = find((mark + part[start:end]).encode(errors="surrogatepass"))
        if row >= 0:
            return row, end
    return -1, start + 1


def _plain(word: str) -> str:
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(character for character in decomposed if unicodedata.category(character) != "Mn")


def _parts(word: str) -> list[str]:
    if word.isalnum() and word.isascii():
        return [word]
    spaced = "".join(f" {character} " if _stands_alone(character) else character for character in word)
    return spaced.split()


def _stands_alone(character: str) -> bool:
    is_ascii_symbol = character.isascii() and not character.isalnum()
    is_ideograph = "\u4e00" <= character <= "\u9fff"
    return is_ascii_symbol or is_ideograph or unicodedata.category(character).startswith("P")


INDEX = ("starts", "places", "words")


class Store:
    """Word vectors in a file of ours, of which only the pages that are read come into memory."""

    format = "tertium store"

    def __init__(self, path: Path, data: Path | None = None) -> None:
        self.path = path
        self._data = _map_file(path, data or path)
        self.header, start = StoreHeader.decode(self._data, path)
        self._begins, end = self.header.places(start)
        self._sections = self._map_sections(end)
        self._words_begin = self._begins["words"]
        # Plain views: a Python loop reads single numbers from them faster than from arrays.
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
        """All words as UTF-8, in row order."""
        self._check_index()
        words = self._sections["words"].tobytes().split(b"\n")[1:-1]
        if len(words) != len(self):
            raise damaged(self.path, f"it has {len(words):,} words for {len(self):,} vectors")
        return words

    def find(self, words: Sequence[bytes]) -> Rows:
        """The rows of these words, -1 where there is none."""
        self._check_index()
        return np.fromiter(map(self._find_one, words), dtype=np.int64, count=len(words))

    def _find_one(self, word: bytes) -> int:
        number = zlib.crc32(word) >> (32 - self.header.bucket_bits)
        begin, end = self._words_begin + self._places[number], self._words_begin + self._places[number + 1]
        place = self._data.find(b"\n" + word + b"\n", begin, end + 1)
        if place < 0 or not word or b"\n" in word:
            return -1
        row: int = self._starts[number] + self._data[begin:place].count(b"\n")
        return row

    def read(self, rows: Rows) -> Matrix:
        """The vectors of these rows.

        Raises
        ------
        ResourceError
            If a row is not what was written, or not finite.
        """
        self._check_index()
        stored = self._sections["matrix"][rows]
        scales = self._sections["scales"][rows] if self.header.precision == "int8" else None
        if "sums" in self._sections and (sum_rows(stored, scales) != self._sections["sums"][rows]).any():
            raise damaged(self.path, "a vector does not fit its checksum")
        matrix: Matrix = stored.astype(np.float32)
        if scales is not None:
            with np.errstate(over="ignore", invalid="ignore"):
                matrix *= scales[:, None]
        check_finite(matrix, lambda i: self.words()[int(rows[i])], self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """The mean vectors of words' pieces, where the store has pieces."""
        if not self.header.has_pieces:
            return no_vectors(self.dimension)
        self._check_index()
        which, matrix = average_parts([cut_word(word, self._find_one) for word in words], self.read)
        check_finite(matrix, lambda i: words[which[i]].encode(errors="replace"), self.path)
        return which, matrix

    def verify(self) -> None:
        """Raise if the content is not what was written, at the price of reading all of it."""
        if digest_sections(self._sections) != self.checksum:
            raise damaged(self.path, "its content does not fit its checksum")
        if not np.array_equal(self.find(self.words()), np.arange(len(self))):
            raise damaged(self.path, "a word is not found where it stands")
        self.read(np.arange(len(self)))

    def _check_index(self) -> None:
        with self._lock:
            if not self._is_checked:
                self._raise_if_index_damaged()
                self._is_checked = True

    def _raise_if_index_damaged(self) -> None:
        if self.header.version == 1:
            is_sound = digest_sections(self._sections) == self.checksum
        else:
            is_sound = sum_index(self._sections) == self.header.index_sum
        if not is_sound:
            raise damaged(self.path, "its index does not fit its checksum")
        for name, end in (("starts", self.header.rows), ("places", self.header.words_size - 1)):
            numbers = self._sections[name].astype(np.int64)
            if numbers[0] != 0 or numbers[-1] != end or (np.diff(numbers) < 0).any():
                raise damaged(self.path, f"its section {name!r} is out of order")

    def _map_sections(self, end: int) -> dict[str, npt.NDArray[Any]]:
        for name, (kind, shape) in self.header.sections().items():
            if self._begins[name] + kind.itemsize * int(np.prod(shape, dtype=object)) > len(self._data):
                raise damaged(self.path, f"it ends within its section {name!r}")
        if end != len(self._data):
            raise damaged(self.path, f"{len(self._data) - end:,} bytes follow its last section")
        return {
            name: np.frombuffer(self._data, kind, int(np.prod(shape)), self._begins[name]).reshape(shape)
            for name, (kind, shape) in self.header.sections().items()
        }


def name_buckets(words: Sequence[bytes], bits: int) -> Rows:
    """The number of each word's bucket: the highest bits of its CRC-32."""
    return np.array([zlib.crc32(word) for word in words], dtype=np.int64) >> (32 - bits)


def digest_sections(sections: Mapping[str, npt.NDArray[Any]]) -> str:
    """The SHA-256 of all sections in their order, without the sums of their rows."""
    digest = hashlib.sha256()
    for name, section in sections.items():
        if name != "sums":
            digest.update(np.ascontiguousarray(section).data)
    return digest.hexdigest()


def sum_index(sections: Mapping[str, npt.NDArray[Any]]) -> str:
    """The CRC-32 of the sections in which words are looked up, as eight hexadecimal digits."""
    value = 0
    for name in INDEX:
        value = zlib.crc32(np.ascontiguousarray(sections[name]).data, value)
    return f"{value:08x}"


def sum_rows(
    stored: npt.NDArray[Any], scales: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.uint32]:
    """The CRC-32 of each row as it is stored: of its scale, if it has one, and its vector."""
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
