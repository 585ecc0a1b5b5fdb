"""Word vectors for many languages, composed for any word from its pieces (meaning) and its characters (form).

The file is a NumPy archive:

========  =============================================================================
about     JSON as bytes: name, the share of form in a vector, its width, its n-gram orders
pieces    the pieces as UTF-8, a line feed after each; ▁ marks the start of a word
prices    float16 (rows): −ln of each piece's probability, by which words are split
scales    float16 (rows): the factor of each row's numbers
matrix    uint8 (rows, dimension / 2): two 4-bit numbers per byte, the low one first
========  =============================================================================

A word is split into the pieces with the lowest total price. Its meaning is the sum of their vectors, each multiplied
by its price (rare pieces are more informative), normalised to length 1. Its form is a vector of hashed character
n-grams. The two are concatenated, so that the cosine of two words is a weighted mean of the cosines of meaning and
form.
"""

import json
import unicodedata
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.files.reading import checksum_file
from tertium.kernels.strings import UnigramPieces, form_vectors
from tertium.records import record
from tertium.resources.vectors.sources import Matrix, Rows

WORD_START = "▁"
_MIDDLE = 7.5  # this is subtracted from each 4-bit number


@record
class PieceSettings:
    """The name and the settings stored in a file of pieces."""

    name: str
    form_share: float = 0.5
    form_width: int = 128
    form_orders: tuple[int, int] = (2, 3)


class PieceVectors:
    """A file of pieces, from which the vectors of all words are composed."""

    format = "tertium pieces"

    def __init__(self, path: Path) -> None:
        self.path = path
        arrays = _read_arrays(path)
        facts = json.loads(arrays["about"].tobytes())
        self.settings = PieceSettings(**{**facts, "form_orders": tuple(facts["form_orders"])})
        self._blob, self._prices = arrays["pieces"].tobytes(), arrays["prices"].astype(np.float32)
        self._scales, self._matrix = arrays["scales"], arrays["matrix"]

    def __len__(self) -> int:
        return len(self._prices)

    @property
    def dimension(self) -> int:
        return 2 * int(self._matrix.shape[1]) + self.settings.form_width

    @cached_property
    def checksum(self) -> str:
        return checksum_file(self.path)

    def words(self) -> list[bytes]:
        return self._blob.split(b"\n")[:-1]

    def find(self, words: Sequence[bytes]) -> Rows:
        """Return -1 for every word: vectors are composed from pieces, never looked up."""
        return np.full(len(words), -1, dtype=np.int64)

    def read(self, rows: Rows) -> Matrix:
        """Return the vectors of pieces, as if each were a word."""
        texts = [piece.decode().removeprefix(WORD_START) for piece in self._select(rows)]
        return self._join(texts, self._read_meaning(rows))

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:
        """Compose a vector for every word that is not empty."""
        plain = [normalize_word(word) for word in words]
        known = np.array([i for i, word in enumerate(plain) if word], dtype=np.int64)
        plain = [plain[i] for i in known.tolist()]
        rows, offsets = self._splitter.cut([WORD_START + word for word in plain])
        return known, self._join(plain, self._sum_meaning(rows.astype(np.int64), offsets))

    @cached_property
    def _splitter(self) -> UnigramPieces:
        return UnigramPieces([piece.decode() for piece in self.words()], self._prices)

    def _select(self, rows: Rows) -> list[bytes]:
        words = self.words()
        return [words[row] for row in rows.tolist()]

    def _sum_meaning(self, rows: Rows, offsets: Rows) -> Matrix:
        used, positions = np.unique(rows, return_inverse=True)
        weighted = self._read_meaning(used) * self._prices[used, None]
        sums = np.zeros((len(offsets) - 1, weighted.shape[1]), dtype=np.float32)
        owners = np.repeat(np.arange(len(sums)), np.diff(offsets))
        np.add.at(sums, owners, weighted[positions])
        return sums

    def _read_meaning(self, rows: Rows) -> Matrix:
        packed = self._matrix[rows]
        numbers = np.stack([packed & 15, packed >> 4], axis=-1).reshape(len(rows), 2 * packed.shape[1])
        meaning: Matrix = (numbers.astype(np.float32) - _MIDDLE) * self._scales[rows, None].astype(np.float32)
        return meaning

    def _join(self, words: Sequence[str], meaning: Matrix) -> Matrix:
        settings = self.settings
        form = form_vectors(words, orders=settings.form_orders, width=settings.form_width)
        parts = [
            np.sqrt(1.0 - settings.form_share) * _unit(meaning),
            np.sqrt(settings.form_share) * form,
        ]
        return np.concatenate(parts, axis=1).astype(np.float32)


def normalize_word(word: str) -> str:
    """Normalise a word like the pieces: Unicode normalisation form NFKC, in lower case.

    >>> normalize_word("ﬁNＤ")
    'find'
    """
    return unicodedata.normalize("NFKC", word).lower()


def pack_rows(matrix: Matrix) -> tuple[npt.NDArray[np.float16], npt.NDArray[np.uint8]]:
    """Quantise each row to 4-bit numbers, two per byte; return the scales of the rows and the bytes."""
    # For a normal distribution, 16 levels lose least if they cover about ±2.8 standard deviations.
    spreads = 2.8 * np.sqrt(np.mean(np.square(matrix, dtype=np.float64), axis=1))
    scales = (spreads / _MIDDLE).astype(np.float16)
    steps = matrix / np.where(scales > 0, scales, 1).astype(np.float32)[:, None] + _MIDDLE
    numbers = np.clip(np.rint(steps), 0, 15).astype(np.uint8)
    return scales, numbers[:, 0::2] | (numbers[:, 1::2] << 4)


def write_pieces(
    path: Path, pieces: Sequence[str], prices: npt.ArrayLike, matrix: Matrix, settings: PieceSettings
) -> None:
    """Write a file of pieces; equal content gives equal bytes."""
    scales, packed = pack_rows(matrix)
    arrays: dict[str, npt.NDArray[Any]] = {
        "about": np.frombuffer(json.dumps(asdict(settings)).encode(), dtype=np.uint8),
        "pieces": np.frombuffer("".join(f"{piece}\n" for piece in pieces).encode(), dtype=np.uint8),
        "prices": np.asarray(prices, dtype=np.float16),
        "scales": scales,
        "matrix": packed,
    }
    np.savez_compressed(path, allow_pickle=False, **arrays)


def _read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return {name: archive[name] for name in ("about", "pieces", "prices", "scales", "matrix")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ResourceError(f"cannot read word vectors {show_path(path)}: {error}") from error


def _unit(matrix: Matrix) -> Matrix:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)
