"""Word vectors: load, convert, describe and train them, and look for similar words."""

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from tertium.api.results import Shown
from tertium.errors import OptionError, UnknownNameError
from tertium.report.tables.model import Document
from tertium.report.vectors import describe_neighbours, describe_vectors
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.fasttext import FastTextVectors
from tertium.resources.vectors.loading import open_named, stem_of
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.table import WordTable, find_similar
from tertium.resources.vectors.writing import write_vectors

__all__ = ["SimilarWords", "VectorsInfo", "convert", "info", "load_vectors", "similar", "train"]

Precision = Literal["float32", "float16", "int8"]
Algorithm = Literal["cbow", "skip-gram"]


@dataclass(frozen=True)
class VectorsInfo(Shown):
    """What a file of word vectors holds."""

    table: WordTable

    def document(self) -> Document:
        return describe_vectors(self.table)


@dataclass(frozen=True)
class SimilarWords(Shown):
    """Words and their cosines with the word that was asked for."""

    words: tuple[tuple[str, float], ...]

    def document(self) -> Document:
        return describe_neighbours(self.words)


def convert(
    source: str,
    target: "str | PathLike[str]",
    *,
    precision: Precision = "float32",
    vocabulary: str | None = None,
    keep_first: bool = False,
) -> tuple[str, str | None]:
    """Make vectors a store that opens at once; a target ending in .txt or .vec becomes word2vec text.

    Returns
    -------
    str, str or None
        What was written, in words; and a note on what the store lacks, if it lacks something.
    """
    path = Path(target)
    opened = open_named(source, vocabulary=vocabulary, keeps_first=keep_first)
    write_vectors(path, opened, name=stem_of(Path(source)), precision=precision)
    size = path.stat().st_size
    done = f"{path}: {len(opened):,} words, {opened.dimension:,} dimensions, {size:,} bytes"
    if isinstance(opened, FastTextVectors) and opened.has_grams:
        return done, f"{path} has no vectors for unknown words; {source} makes them"
    return done, None


def info(file: str, *, vocabulary: str | None = None, verify: bool = False) -> VectorsInfo:
    """Say what a file of word vectors holds; `verify` reads a store's whole content and checks it."""
    table = _load_table(file, vocabulary)
    if verify and isinstance(table.source, Store):
        table.source.verify()
    return VectorsInfo(table)


def similar(file: str, word: str, *, count: int = 10, vocabulary: str | None = None) -> SimilarWords:
    """Find the words nearest to a word by cosine; the file may be `default`."""
    table = _load_table(file, vocabulary)
    (vector,) = table.vectors([word])
    if vector is None:
        raise UnknownNameError(f"{file} has no vector for {word!r}")
    return SimilarWords(tuple(find_similar(table.source, vector, count, without=word)))


def train(
    corpus: "Sequence[str | PathLike[str]]",
    output: "str | PathLike[str]",
    *,
    algorithm: Algorithm = "cbow",
    lowercase: bool = True,
    **options: Any,
) -> str:
    """Train word2vec on files with a sentence per line (needs the extra `train`); returns what was written.

    `options` are dimension, window, min_count, epochs, tokenizer, seed and threads; None keeps the setting of
    Wang & Merlo (2016).
    """
    from tertium.resources.vectors.training import PRESETS, train_vectors

    chosen = {name: value for name, value in options.items() if value is not None}
    preset = vars(PRESETS[algorithm])
    path = Path(output)
    vectors = train_vectors(
        [Path(each) for each in corpus], **{**preset, **chosen}, lowercase=lowercase, output=path
    )
    write_vectors(path, vectors, name=path.stem)
    return f"{path}: {len(vectors):,} words, {vectors.dimension:,} dimensions"


def _load_table(file: str, vocabulary: str | None) -> WordTable:
    table = load_vectors(file, vocabulary=vocabulary)
    if not isinstance(table, WordTable):
        raise OptionError(
            f"{file}: contextual vectors are made for sentences; there is no table to look into"
        )
    return table
