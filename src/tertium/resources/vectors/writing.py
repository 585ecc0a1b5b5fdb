"""Atomic writing of stores and text files of word vectors, without holding the matrix in memory."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.files.writing import reserve_space, write_atomically
from tertium.resources.vectors.sources import Matrix, Rows, VectorSource, read_blocks
from tertium.resources.vectors.store import (
    Precision,
    Store,
    StoreHeader,
    checksum_index,
    checksum_rows,
    digest_sections,
    number_buckets,
)
from tertium.resources.vectors.word2vec import is_number

TEXT_SUFFIXES = (".txt", ".vec")

# Average number of words per bucket: a lookup searches one bucket, and the index stays small.
BUCKET_WORDS = 16
NO_CHECKSUM = "0" * 64
NO_SUM = "0" * 8
STORE = "a store"


def write_store(
    path: Path,
    source: VectorSource,
    *,
    name: str,
    precision: Precision = "float32",
    has_pieces: bool = False,
) -> None:
    """Write all vectors of a source to a store.

    Raises
    ------
    ResourceError
        If a word or a vector cannot be stored, or the file cannot be written.
    """
    words = source.words()
    _check_words(source, words, STORE)
    bits = max(1, (len(words) // BUCKET_WORDS).bit_length())
    buckets = number_buckets(words, bits)
    order = np.argsort(buckets, kind="stable")
    blob = b"\n" + b"".join(words[row] + b"\n" for row in order)
    header = StoreHeader(
        len(words), source.dimension, precision, bits, len(blob), has_pieces, name, NO_CHECKSUM, NO_SUM
    )
    with write_atomically(path, ResourceError) as temporary:
        sections = _create_sections(temporary, header)
        _fill_index(sections, buckets[order], [words[row] for row in order])
        sections["words"][:] = np.frombuffer(blob, dtype=np.uint8)
        _fill_matrix(sections, source, _inverse(order))
        _finish(temporary, header, sections)
        sections.clear()  # Windows cannot move a mapped file


def write_vectors(path: Path, source: VectorSource, *, name: str, precision: Precision = "float32") -> None:
    """Write a store, or word2vec text if the path ends with .txt or .vec."""
    if path.suffix in TEXT_SUFFIXES:
        write_text(path, source)
    else:
        has_pieces = isinstance(source, Store) and source.header.has_pieces
        write_store(path, source, name=name, precision=precision, has_pieces=has_pieces)


def write_text(path: Path, source: VectorSource) -> None:
    """Write word2vec text with nine digits, which restore single-precision numbers exactly."""
    words = source.words()
    _check_words(source, words, "word2vec text")
    with write_atomically(path, ResourceError) as temporary, temporary.open("wb") as file:
        file.write(f"{len(words)} {source.dimension}\n".encode())
        for start, block in read_blocks(source):
            for word, row in zip(words[start:], block.tolist(), strict=False):
                file.write(word + b" " + " ".join(f"{number:.9g}" for number in row).encode() + b"\n")


def _create_sections(path: Path, header: StoreHeader) -> dict[str, npt.NDArray[Any]]:
    begins, size = header.places(len(header.encode()))
    reserve_space(path, size)
    return {
        name: np.empty(shape, kind)  # an empty section cannot be mapped
        if 0 in shape
        else np.memmap(path, kind, "r+", offset=begins[name], shape=shape)
        for name, (kind, shape) in header.sections().items()
    }


def _fill_index(sections: dict[str, npt.NDArray[Any]], buckets: Rows, words: Sequence[bytes]) -> None:
    numbers = np.arange(len(sections["starts"]))
    starts = np.searchsorted(buckets, numbers)
    ends_of_words = np.concatenate([[0], np.cumsum([len(word) + 1 for word in words], dtype=np.int64)])
    sections["starts"][:] = starts
    sections["places"][:] = ends_of_words[starts]


def _check_words(source: VectorSource, words: Sequence[bytes], form: str) -> None:
    """Raise if a word could not be read back from a file of this format."""
    for row, word in enumerate(words):
        if (fault := _fault_of(word, is_text=form != STORE)) is not None:
            raise ResourceError(
                f"{show_path(source.path)}, word {row + 1:,}: {word.decode(errors='replace')!r} {fault}, which"
                f" {form} cannot store; remove it or train again"
            )


def _fault_of(word: bytes, *, is_text: bool) -> str | None:
    if not word or b"\n" in word:
        return "contains a line feed" if word else "is empty"
    if is_text and (word != word.strip() or b"\t" in word):
        return "begins or ends with white space, or contains a tab"
    if is_text and b" " in word and is_number(word.rpartition(b" ")[2]):
        return "ends with a number"
    return None


def _fill_matrix(sections: dict[str, npt.NDArray[Any]], source: VectorSource, places: Rows) -> None:
    kind = sections["matrix"].dtype
    words = source.words()
    for start, block in read_blocks(source):
        target = places[start : start + len(block)]
        scales = _row_scales(block) if "scales" in sections else None
        stored = _round_rows(block, kind, scales)
        _check_rounded(block, stored, scales, source, words[start : start + len(block)])
        if scales is not None:
            sections["scales"][target] = scales
        sections["matrix"][target] = stored
        sections["sums"][target] = checksum_rows(stored, scales)


def _round_rows(block: Matrix, kind: np.dtype[Any], scales: Matrix | None) -> npt.NDArray[Any]:
    with np.errstate(over="ignore"):  # `_check_rounded` raises and names the word
        numbers = block if scales is None else np.rint(block / scales[:, None])
        return numbers.astype(kind)


def _check_rounded(
    block: Matrix,
    stored: npt.NDArray[Any],
    scales: Matrix | None,
    source: VectorSource,
    words: Sequence[bytes],
) -> None:
    """Raise if a vector is too large or too small for the precision."""
    with np.errstate(over="ignore"):
        kept = stored.astype(np.float32) * (np.float32(1) if scales is None else scales[:, None])
    is_lost = ~np.isfinite(kept).all(axis=1) | (block.any(axis=1) & ~kept.any(axis=1))
    if is_lost.any():
        row = int(np.flatnonzero(is_lost)[0])
        size = "large" if not np.isfinite(kept[row]).all() else "small"
        raise ResourceError(
            f"{show_path(source.path)}: the vector of {words[row].decode(errors='replace')!r} is too {size} for"
            f" {stored.dtype.name} (its largest number is {np.abs(block[row]).max():.3g}); use float32,"
            " or divide all vectors by the same number"
        )


def _row_scales(block: Matrix) -> Matrix:
    scales = np.abs(block).max(axis=1, initial=0.0).astype(np.float32) / np.float32(127)
    return np.where(scales > 0, scales, np.float32(1)).astype(np.float32)


def _inverse(order: Rows) -> Rows:
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return places


def _finish(path: Path, header: StoreHeader, sections: dict[str, npt.NDArray[Any]]) -> None:
    start = replace(header, checksum=digest_sections(sections), index_sum=checksum_index(sections)).encode()
    for section in sections.values():
        if isinstance(section, np.memmap):
            section.flush()
    with path.open("r+b") as file:
        file.write(start)
