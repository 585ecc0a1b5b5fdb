"""Training of word2vec vectors on the user's own text, with gensim.

Wang & Merlo (2016), Modifications of Machine Translation Evaluation Metrics by Using Word Embeddings.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tertium.errors import MissingExtraError, OptionError, ResourceError, argument
from tertium.files.extras import install_hint
from tertium.files.line_streams import LineStream
from tertium.files.paths import is_file, show_path
from tertium.files.reading import unpacked
from tertium.files.writing import check_free_space, check_writable
from tertium.records import record
from tertium.resources.vectors.sources import Matrix, Rows, check_finite, no_vectors
from tertium.text import Texts


@record(eq=False)
class MemoryVectors:
    """Word vectors in memory: words, and a matrix with a row for each."""

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
        """Return no vectors: only whole words have one."""
        return no_vectors(self.dimension)


# Lines that are tokenised at a time.
CHUNK_LINES = 10_000
NUMBER_BYTES = 4
# Minimum and maximum values: gensim truncates sentences at 10,000 words, and numpy's seeds have 32 bits.
RANGES: Mapping[str, tuple[int, int]] = {
    "dimension": (1, 10_000),
    "window": (1, 10_000),
    "min_count": (1, 10**12),
    "epochs": (1, 1_000_000),
    "seed": (0, 2**32 - 1),
    "threads": (1, 1_024),
}


@record
class TrainingPreset:
    """The settings of a model in the 2016 paper; other settings are gensim's defaults."""

    skip_gram: bool
    dimension: int
    window: int


PRESETS: Mapping[str, TrainingPreset] = {
    "cbow": TrainingPreset(skip_gram=False, dimension=500, window=5),
    "skip-gram": TrainingPreset(skip_gram=True, dimension=500, window=10),
}


@record
class Sentences:
    """The sentences of files as lists of words; can be iterated several times."""

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
    """Train on files with one sentence per line; with one thread, the same seed gives the same vectors.

    If `output` is given, check before training that it is writable and that the disk has space for the vectors.

    Raises
    ------
    OptionError
        If a number is out of range.
    ResourceError
        If a file cannot be read, or text, memory or disk space are not sufficient.
    """
    _check_ranges(
        dimension=dimension, window=window, min_count=min_count, epochs=epochs, seed=seed, threads=threads
    )
    if output is not None:
        check_writable(output, ResourceError)
    # A pipe can be read only once, but training reads the text several times.
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
            f" choose fewer dimensions or a higher {argument('min_count', 'N')}"
        ) from None
    return MemoryVectors(list(model.wv.index_to_key), model.wv.vectors)


def _check_ranges(**numbers: int) -> None:
    for name, number in numbers.items():
        minimum, maximum = RANGES[name]
        if not minimum <= number <= maximum:
            raise OptionError(f"training: {name} must be {minimum:,} to {maximum:,}, not {number}")


def _new_model(**settings: int) -> Any:
    try:
        from gensim.models import Word2Vec  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError(f"training needs gensim: {install_hint('train')}") from error
    return Word2Vec(**settings)


def _check_vocabulary(n_words: int, paths: Sequence[Path], min_count: int) -> None:
    if not n_words:
        names = ", ".join(map(show_path, paths))
        raise ResourceError(
            f"{names}: no word occurs {min_count} times; give more text or a lower {argument('min_count', 'N')}"
        )
