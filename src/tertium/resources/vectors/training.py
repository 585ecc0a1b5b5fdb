"""Trains word2vec vectors on the user's own text, with gensim.

Wang & Merlo (2016), Modifications of Machine Translation Evaluation Metrics by Using Word Embeddings.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tertium.errors import MissingExtraError, OptionError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.line_streams import LineStream
from tertium.files.opening import unpacked
from tertium.files.paths import is_file, show_path
from tertium.files.writing import check_free_space, check_writable
from tertium.resources.vectors.sources import Matrix, Rows, check_finite, no_vectors
from tertium.text import Texts


@dataclass(frozen=True, eq=False)
class MemoryVectors:
    """Words and their matrix, row by row."""

    listed: Sequence[str]
    matrix: Matrix

    format: ClassVar[str] = "memory"
    path: ClassVar[Path] = Path("memory")

    def __len__(self) -> int:
        return len(self.listed)

    @property
    def dimension(self) -> int:
        return int(self.matrix.shape[1])

    @cached_property
    def checksum(self) -> str:
        words = "\n".join(self.listed).encode()
        return hashlib.sha256(words + np.ascontiguousarray(self.matrix).tobytes()).hexdigest()

    @cached_property
    def _index(self) -> dict[bytes, int]:
        return {word: row for row, word in enumerate(self.words())}

    def words(self) -> list[bytes]:
        return [word.encode() for word in self.listed]

    def find(self, words: Sequence[bytes]) -> Rows:
        return np.array([self._index.get(word, -1) for word in words], dtype=np.int64)

    def read(self, rows: Rows) -> Matrix:
        with np.errstate(over="ignore"):
            matrix = self.matrix[rows].astype(np.float32)
        check_finite(matrix, lambda i: self.listed[int(rows[i])].encode(errors="replace"), self.path)
        return matrix

    def compose(self, words: Sequence[str]) -> tuple[Rows, Matrix]:  # noqa: ARG002 - whole words only
        """Make no vectors for unknown words."""
        return no_vectors(self.dimension)


# Lines that are cut into words at once.
CHUNK_LINES = 10_000
NUMBER_BYTES = 4
# What makes sense: gensim cuts sentences at 10,000 words, so no window is wider; numpy's seeds have 32 bits.
RANGES: Mapping[str, tuple[int, int]] = {
    "dimension": (1, 10_000),
    "window": (1, 10_000),
    "min_count": (1, 10**12),
    "epochs": (1, 1_000_000),
    "seed": (0, 2**32 - 1),
    "threads": (1, 1_024),
}


@dataclass(frozen=True)
class TrainingPreset:
    """What the 2016 paper says of its two models; the rest is gensim's default."""

    skip_gram: bool
    dimension: int
    window: int


PRESETS: Mapping[str, TrainingPreset] = {
    "cbow": TrainingPreset(skip_gram=False, dimension=500, window=5),
    "skip-gram": TrainingPreset(skip_gram=True, dimension=500, window=10),
}


@dataclass(frozen=True)
class Sentences:
    """The sentences of some files as lists of words; can be gone through again and again."""

    paths: Sequence[Path]
    tokenizer: str
    lowercase: bool

    def __iter__(self) -> Iterator[list[str]]:
        for path in self.paths:
            with LineStream(path, error=ResourceError) as lines:
                for chunk in lines.batches(CHUNK_LINES):
                    tokens = Texts(chunk).tokens(self.tokenizer, lowercase=self.lowercase)
                    yield from (tokens.words(i) for i in range(len(tokens)))


def train_vectors(
    paths: Sequence[Path],
    *,
    skip_gram: bool,
    dimension: int,
    window: int,
    min_count: int = 5,
    epochs: int = 5,
    tokenizer: str = "13a",
    lowercase: bool = True,
    seed: int = 1,
    threads: int = 1,
    output: Path | None = None,
) -> MemoryVectors:
    """Train on a sentence per line; with one thread, the same seed gives the same vectors.

    If `output` is given, the place is checked first: it must be writable and have room for the vectors.

    Raises
    ------
    OptionError
        If a number is out of its range.
    ResourceError
        If a file cannot be read, there is too little text, or too little memory or room on the disk.
    """
    _check_ranges(
        dimension=dimension, window=window, min_count=min_count, epochs=epochs, seed=seed, threads=threads
    )
    if output is not None:
        check_writable(output, ResourceError)
    # A pipe can be read only once, but training goes over the text again and again.
    files = [path if is_file(path) else unpacked(path, error=ResourceError) for path in paths]
    sentences = Sentences(files, tokenizer, lowercase)
    model = _new_model(
        vector_size=dimension, window=window, sg=int(skip_gram), min_count=min_count, epochs=epochs,
        seed=seed, workers=threads,
    )  # fmt: skip
    try:
        model.build_vocab(sentences)
        _check_vocabulary(len(model.wv), paths, min_count)
        if output is not None:
            check_free_space(output, len(model.wv) * dimension * NUMBER_BYTES, ResourceError)
        model.train(sentences, total_examples=model.corpus_count, epochs=epochs)
    except MemoryError:
        raise ResourceError(
            f"{len(model.wv):,} words of {dimension:,} dimensions do not fit into memory;"
            " choose fewer dimensions or a higher --min-count"
        ) from None
    return MemoryVectors(list(model.wv.index_to_key), model.wv.vectors)


def _check_ranges(**numbers: int) -> None:
    for name, number in numbers.items():
        least, most = RANGES[name]
        if not least <= number <= most:
            raise OptionError(f"training: {name} must be {least:,} to {most:,}, not {number}")


def _new_model(**settings: int) -> Any:
    try:
        from gensim.models import Word2Vec  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError(f"training needs gensim: {install_hint('train')}") from error
    return Word2Vec(**settings)


def _check_vocabulary(n_words: int, paths: Sequence[Path], min_count: int) -> None:
    if not n_words:
        named = ", ".join(map(show_path, paths))
        raise ResourceError(
            f"{named}: no word occurs {min_count} times; give more text or a lower --min-count"
        )
