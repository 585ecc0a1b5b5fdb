"""Trains word2vec vectors on the user's own text, with gensim.

Wang & Merlo (2016), Modifications of Machine Translation Evaluation Metrics by Using Word Embeddings.
"""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from tertium.errors import MissingExtraError, ResourceError
from tertium.resources.vectors.memory import MemoryVectors
from tertium.text import Texts

__all__ = ["PRESETS", "Preset", "train_vectors"]

# Lines that are cut into words at once.
CHUNK_LINES = 10_000


@dataclass(frozen=True)
class Preset:
    """What the 2016 paper says of its two models; the rest is gensim's default."""

    skip_gram: bool
    dimension: int
    window: int


PRESETS: Mapping[str, Preset] = {
    "cbow": Preset(skip_gram=False, dimension=500, window=5),
    "skip-gram": Preset(skip_gram=True, dimension=500, window=10),
}


@dataclass(frozen=True)
class Sentences:
    """The sentences of some files as lists of words; can be gone through again and again."""

    paths: Sequence[Path]
    tokenizer: str
    lowercase: bool

    def __iter__(self) -> Iterator[list[str]]:
        for path in self.paths:
            with _open_text(path) as file:
                yield from self._cut(file, path)

    def _cut(self, file: IO[str], path: Path) -> Iterator[list[str]]:
        try:
            while chunk := list(islice(file, CHUNK_LINES)):
                tokens = Texts(chunk).tokens(self.tokenizer, lowercase=self.lowercase)
                yield from (tokens.words(i) for i in range(len(tokens)))
        except (UnicodeDecodeError, EOFError, gzip.BadGzipFile) as error:
            raise ResourceError(
                f"{path}: cannot be read as UTF-8 text ({error}); convert it first"
            ) from error


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
) -> MemoryVectors:
    """Train on a sentence per line; with one thread, the same seed gives the same vectors."""
    try:
        from gensim.models import Word2Vec  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("training needs gensim: pip install 'tertium[train]'") from error
    sentences = Sentences(paths, tokenizer, lowercase)
    model = Word2Vec(
        vector_size=dimension, window=window, sg=int(skip_gram), min_count=min_count, epochs=epochs,
        seed=seed, workers=threads,
    )  # fmt: skip
    model.build_vocab(sentences)
    if not len(model.wv):
        named = ", ".join(map(str, paths))
        raise ResourceError(
            f"{named}: no word occurs {min_count} times; give more text or a lower --min-count"
        )
    model.train(sentences, total_examples=model.corpus_count, epochs=epochs)
    return MemoryVectors(list(model.wv.index_to_key), model.wv.vectors)


def _open_text(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")
