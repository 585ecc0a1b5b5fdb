"""The first bytes of a store of word vectors: what follows them, where, and how to know that it is sound.

Layout: the magic `TERTIUMV`, the header's length (uint32), the header (JSON), its CRC-32 (uint32), then
sections that each start at a multiple of 64 bytes. Everything is little-endian. Stores of version 1 have
neither the header's CRC-32 nor the section `sums`; only their checksum as a whole shows damage.
"""

import json
import zlib
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np

from tertium.errors import ResourceError
from tertium.files.paths import show_path

__all__ = ["MAGIC", "VERSION", "Precision", "Sections", "StoreHeader", "damaged"]

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
