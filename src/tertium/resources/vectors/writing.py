"""Writes stores of word vectors, whole or not at all, without holding the matrix in memory."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.writing import written_whole
from tertium.resources.vectors.sources import Matrix, Rows, VectorSource, read_blocks
from tertium.resources.vectors.store import (
    Precision,
    Store,
    StoreHeader,
    align,
    digest_sections,
    name_buckets,
)

__all__ = ["write_store", "write_vectors"]

TEXT_SUFFIXES = (".txt", ".vec")

# Words per bucket on average: a lookup splits that many, and the index stays small.
BUCKET_WORDS = 16
NO_CHECKSUM = "0" * 64


def write_store(
    path: Path,
    source: VectorSource,
    *,
    name: str,
    precision: Precision = "float32",
    has_pieces: bool = False,
) -> None:
    """Write all vectors of a source into a store."""
    words = source.words()
    bits = max(1, (len(words) // BUCKET_WORDS).bit_length())
    buckets = name_buckets(words, bits)
    order = np.argsort(buckets, kind="stable")
    blob = b"\n" + b"".join(words[row] + b"\n" for row in order)
    header = StoreHeader(
        len(words), source.dimension, precision, bits, len(blob), has_pieces, name, NO_CHECKSUM
    )
    with written_whole(path, ResourceError) as temporary:
        sections = _create_sections(temporary, header)
        _fill_index(sections, buckets[order], [words[row] for row in order])
        sections["words"][:] = np.frombuffer(blob, dtype=np.uint8)
        _fill_matrix(sections, source, _inverse(order))
        _finish(temporary, header, sections)


def write_vectors(path: Path, source: VectorSource, *, name: str, precision: Precision = "float32") -> None:
    """Write a store, or word2vec text if the path ends in .txt or .vec."""
    if path.suffix in TEXT_SUFFIXES:
        write_text(path, source)
    else:
        has_pieces = isinstance(source, Store) and source.header.has_pieces
        write_store(path, source, name=name, precision=precision, has_pieces=has_pieces)


def write_text(path: Path, source: VectorSource) -> None:
    """Write word2vec text, with as many digits as a single-precision number has."""
    words = source.words()
    with written_whole(path, ResourceError) as temporary, temporary.open("wb") as file:
        file.write(f"{len(words)} {source.dimension}\n".encode())
        for start, block in read_blocks(source):
            for word, row in zip(words[start:], block.tolist(), strict=False):
                file.write(word + b" " + " ".join(f"{number:.9g}" for number in row).encode() + b"\n")


def _create_sections(path: Path, header: StoreHeader) -> dict[str, npt.NDArray[Any]]:
    end = len(header.encode())
    sections: dict[str, npt.NDArray[Any]] = {}
    for name, (kind, shape) in header.sections().items():
        begin = align(end)
        end = begin + kind.itemsize * int(np.prod(shape, dtype=np.int64))
        with path.open("r+b") as file:
            file.truncate(end)
        is_empty = 0 in shape  # a file cannot be mapped there
        sections[name] = (
            np.empty(shape, kind) if is_empty else np.memmap(path, kind, "r+", offset=begin, shape=shape)
        )
    return sections


def _fill_index(sections: dict[str, npt.NDArray[Any]], buckets: Rows, words: Sequence[bytes]) -> None:
    numbers = np.arange(len(sections["starts"]))
    starts = np.searchsorted(buckets, numbers)
    ends_of_words = np.concatenate([[0], np.cumsum([len(word) + 1 for word in words], dtype=np.int64)])
    sections["starts"][:] = starts
    sections["places"][:] = ends_of_words[starts]


def _fill_matrix(sections: dict[str, npt.NDArray[Any]], source: VectorSource, places: Rows) -> None:
    for start, block in read_blocks(source):
        target = places[start : start + len(block)]
        if "scales" in sections:
            scales = _row_scales(block)
            sections["scales"][target] = scales
            block = np.rint(block / scales[:, None])  # noqa: PLW2901 - the same rows, as integers
        sections["matrix"][target] = block


def _row_scales(block: Matrix) -> Matrix:
    largest = np.abs(block).max(axis=1, initial=0.0).astype(np.float32)
    scales: Matrix = np.where(largest > 0, largest / np.float32(127), np.float32(1))
    return scales


def _inverse(order: Rows) -> Rows:
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places


def _finish(path: Path, header: StoreHeader, sections: dict[str, npt.NDArray[Any]]) -> None:
    start = replace(header, checksum=digest_sections(sections)).encode()
    for section in sections.values():
        if isinstance(section, np.memmap):
            section.flush()
    with path.open("r+b") as file:
        file.write(start)
        file.flush()
        os.fsync(file.fileno())
