"""Trains word2vec vectors on the user's own text, with gensim.

Wang & Merlo (2016), Modifications of Machine Translation Evaluation Metrics by Using Word Embeddings.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.errors import MissingExtraError, OptionError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.line_streams import open_text
from tertium.files.paths import is_file, show_path
from tertium.files.unpacking import unpacked
from tertium.files.writing import check_room, check_writable
from tertium.resources.vectors.memory import MemoryVectors
from tertium.text import Texts

__all__ = ["PRESETS", "Preset", "train_vectors"]

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
            with open_text(path, error=ResourceError) as lines:
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
            check_room(output, len(model.wv) * dimension * NUMBER_BYTES, ResourceError)
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
