"""Our own file of word vectors: memory-mapped, opened in milliseconds, shared between processes.

Layout: the magic `TERTIUMV`, the header's length (uint32), the header (JSON), then sections that each
start at a multiple of 64 bytes. Everything is little-endian.

========  ==================================================================================
starts    uint32 (buckets + 1): the row at which each bucket begins
places    uint64 (buckets + 1): the byte of `words` at which each bucket begins, always a line feed
words     a line feed, then the words in row order as UTF-8, each followed by a line feed
scales    float32 (rows), for int8 only: what a row's integers are multiplied with
matrix    int8, float16 or float32 (rows, dimension)
========  ==================================================================================

A word lies in the bucket that the highest bits of its CRC-32 name, so a lookup reads a few dozen bytes
and opening the file reads only the header. If the header says `has_pieces`, words that begin with `##`
are pieces from within words, and a word without a row gets the mean of its pieces' vectors.
"""

import hashlib
import json
import mmap
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.resources.vectors.sources import Matrix, Rows, average_parts, no_vectors
from tertium.resources.vectors.wordpieces import cut_word

__all__ = ["MAGIC", "Precision", "Store", "StoreHeader"]

MAGIC = b"TERTIUMV"
VERSION = 1
ALIGNMENT = 64
# The longest header a sound file can have; a longer one means damage.
MAX_HEADER = 1 << 16

Precision = Literal["int8", "float16", "float32"]


@dataclass(frozen=True)
class StoreHeader:
    """What the first bytes of a store say about the rest."""

    rows: int
    dimension: int
    precision: Precision
    bucket_bits: int
    words_size: int
    has_pieces: bool
    name: str
    checksum: str

    def sections(self) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
        """Each section's type and shape, in file order."""
        n_places = (1 << self.bucket_bits) + 1
        sections: dict[str, tuple[np.dtype[Any], tuple[int, ...]]] = {
            "starts": (np.dtype("<u4"), (n_places,)),
            "places": (np.dtype("<u8"), (n_places,)),
            "words": (np.dtype("u1"), (self.words_size,)),
        }
        if self.precision == "int8":
            sections["scales"] = (np.dtype("<f4"), (self.rows,))
        kind = np.dtype(self.precision).newbyteorder("<")
        return sections | {"matrix": (kind, (self.rows, self.dimension))}

    def encode(self) -> bytes:
        """The bytes that stand before the first section."""
        text = json.dumps({"version": VERSION, **vars(self)}, ensure_ascii=False).encode()
        start = MAGIC + len(text).to_bytes(4, "little") + text
        return start + b"\0" * (-len(start) % ALIGNMENT)

    @classmethod
    def decode(cls, data: mmap.mmap, path: Path) -> tuple[Self, int]:
        """Read the header; also return where the sections begin."""
        size = int.from_bytes(data[8:12], "little")
        if size > MAX_HEADER or 12 + size > len(data):
            raise _damaged(path, "its header is incomplete")
        try:
            facts = json.loads(data[12 : 12 + size])
            version = facts.pop("version")
            header = cls(**facts)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise _damaged(path, "its header cannot be read") from error
        if version != VERSION:
            raise ResourceError(
                f"{path}: a store of version {version}, but this tertium reads version {VERSION}; "
                "convert the original vectors again"
            )
        return header, align(12 + size)


class Store:
    """Word vectors in a file of ours, of which only the pages that are read come into memory."""

    format = "tertium store"

    def __init__(self, path: Path, data: Path | None = None) -> None:
        self.path = path
        self._data = _map_file(path, data or path)
        self.header, start = StoreHeader.decode(self._data, path)
        self._begins: dict[str, int] = {}
        self._sections = self._map_sections(start)
        self._words_begin = self._begins["words"]
        # Plain views: a Python loop reads single numbers from them faster than from arrays.
        self._starts, self._places = (self._sections[name].data for name in ("starts", "places"))

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
        return self._sections["words"].tobytes().split(b"\n")[1:-1]

    def find(self, words: Sequence[bytes]) -> Rows:
        """The rows of these words, -1 where there is none."""
        return np.fromiter(map(self._find_one, words), dtype=np.int64, count=len(words))

    def _find_one(self, word: bytes) -> int:
        number = zlib.crc32(word) >> (32 - self.header.bucket_bits)
        begin, end = self._words_begin + self._places[number], self._words_begin + self._places[number + 1]
        place = self._data.find(b"\n" + word + b"\n", begin, end + 1)
        if place < 0 or not word:
            return -1
        row: int = self._starts[number] + self._data[begin:place].count(b"\n")
        return row

    def read(self, rows: Rows) -> Matrix:
        """The vectors of these rows."""
        matrix = self._sections["matrix"][rows].astype(np.float32)
        if self.header.precision == "int8":
            matrix *= self._sections["scales"][rows][:, None]
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """The mean vectors of words' pieces, where the store has pieces."""
        if not self.header.has_pieces:
            return no_vectors(self.dimension)
        return average_parts([cut_word(word, self._find_one) for word in words], self.read)

    def verify(self) -> None:
        """Raise if the content is not what was written, at the price of reading all of it."""
        if digest_sections(self._sections) != self.checksum:
            raise _damaged(self.path, "its content does not fit its checksum")

    def _map_sections(self, start: int) -> dict[str, npt.NDArray[Any]]:
        sections, end = {}, start
        for name, (kind, shape) in self.header.sections().items():
            begin = align(end)
            end = begin + kind.itemsize * int(np.prod(shape, dtype=np.int64))
            if end > len(self._data):
                raise _damaged(self.path, f"it ends within its section {name!r}")
            sections[name] = np.frombuffer(self._data, kind, int(np.prod(shape)), begin).reshape(shape)
            self._begins[name] = begin
        if end != len(self._data):
            raise _damaged(self.path, f"{len(self._data) - end:,} bytes follow its last section")
        return sections


def name_buckets(words: Sequence[bytes], bits: int) -> Rows:
    """The number of each word's bucket: the highest bits of its CRC-32."""
    return np.array([zlib.crc32(word) for word in words], dtype=np.int64) >> (32 - bits)


def align(position: int) -> int:
    """The next place where a section may begin."""
    return -(-position // ALIGNMENT) * ALIGNMENT


def digest_sections(sections: Mapping[str, npt.NDArray[Any]]) -> str:
    """The SHA-256 of all sections in their order."""
    digest = hashlib.sha256()
    for section in sections.values():
        digest.update(np.ascontiguousarray(section).data)
    return digest.hexdigest()


def _map_file(path: Path, data: Path) -> mmap.mmap:
    with data.open("rb") as file:
        if os.fstat(file.fileno()).st_size < 12:
            raise _damaged(path, "it is too short")
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _damaged(path: Path, why: str) -> ResourceError:
    return ResourceError(f"{path}: this store of word vectors is damaged: {why}; convert the vectors again")
