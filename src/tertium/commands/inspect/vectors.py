"""Word vectors: convert, describe and train them."""

from dataclasses import KW_ONLY, replace
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Literal

from tertium.commands.base.command_line import OUTPUT
from tertium.commands.base.options import THREADS, TOKENIZER
from tertium.commands.base.request import FilePath, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.declarations import Opt
from tertium.errors import OptionError, argument
from tertium.presentation.tables.fields import Field, make_table
from tertium.presentation.tables.model import (
    Document,
    Records,
    Value,
    format_value,
    prose_lines,
    type_of_values,
)
from tertium.records import record
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.fasttext import FastTextVectors
from tertium.resources.vectors.loading import WordTable, open_named, stem_of
from tertium.resources.vectors.numpy_file import NumpyVectors
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.writing import TEXT_SUFFIXES, write_vectors

__all__ = ["VectorsInfo", "convert", "info", "load_vectors", "train"]

Precision = Literal["float32", "float16", "int8"]
Algorithm = Literal["cbow", "skip-gram"]


@record
class VectorsInfo(Result):
    """The content of a file of word vectors."""

    table: WordTable

    def document(self) -> Document:
        return describe_vectors(self.table)


@record
class VectorConversionRequest(Request["WrittenFile"]):
    """Convert vectors into a store that opens instantly; a target that ends in .txt or .vec becomes word2vec text."""

    source: Annotated[str, Opt("The vectors to convert.", "Input", is_argument=True, metavar="IN")]
    target: Annotated[FilePath, Opt("The file to write.", "Output", is_argument=True, metavar="OUT")]
    _: KW_ONLY
    precision: Annotated[Precision, Opt("Precision of the numbers: 4, 2 or 1 bytes each.", "Output")] = (
        "float32"
    )
    vocabulary: Annotated[
        str | None, Opt("The words of a NumPy matrix, one per line.", "Input", metavar="FILE")
    ] = None
    keep_first: Annotated[bool, Opt("If a word occurs twice, keep its first vector.", "Input")] = False

    def run(self) -> "WrittenFile":
        path = Path(self.target)
        if path.suffix in TEXT_SUFFIXES and self.precision != "float32":
            raise OptionError(f"{argument('precision')} is for stores; {path} is word2vec text")
        opened = open_named(self.source, vocabulary=self.vocabulary, keeps_first=self.keep_first)
        if self.vocabulary is not None and not isinstance(opened, NumpyVectors):
            raise OptionError(
                f"{argument('vocabulary')} is for NumPy matrices; {self.source} has its own words"
            )
        write_vectors(path, opened, name=stem_of(Path(self.source)), precision=self.precision)
        size = path.stat().st_size
        done = f"{path}: {len(opened):,} words, {opened.dimension:,} dimensions, {size:,} bytes"
        if isinstance(opened, FastTextVectors) and opened.has_grams:
            return WrittenFile(done, (f"{path} has no vectors for unknown words; {self.source} makes them",))
        return WrittenFile(done)


@record
class WrittenFile(Result):
    """A file that was written, described in one line."""

    text: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    def document(self) -> Document:
        return Document(
            "written",
            list,
            lambda: Records({"written": str}, [[self.text]]),
            lambda: {"written": self.text},
            make_prose=lambda: prose_lines([self.text]),
        )


@record
class VectorInfoRequest(Request["VectorsInfo"]):
    """Describe a file of word vectors, and verify the checksum of a store."""

    file: Annotated[
        str,
        Opt("The vectors: a file, 'english' or 'multilingual'.", "Input", is_argument=True, metavar="FILE"),
    ]

    def run(self) -> "VectorsInfo":
        table = load_vectors(self.file)
        if not isinstance(table, WordTable):
            raise OptionError(
                f"{self.file}: contextual vectors are made for sentences; there is no table to look into"
            )
        if isinstance(table.source, Store):
            table.source.verify()
        return VectorsInfo(table)


@record
class TrainingRequest(Request["WrittenFile"]):
    """Train word2vec vectors on texts with one sentence per line, plain or gzip (requires the extra 'train').

    The defaults are the settings of Wang & Merlo (2016): 500 dimensions, window 5 (cbow) or 10 (skip-gram).
    """

    corpus: Annotated[Strings, Opt("The texts.", "Input", is_argument=True, metavar="CORPUS...")]
    output: Annotated[
        FilePath,
        replace(OUTPUT, help="A store, or word2vec text if the name ends in .txt or .vec.", is_stream=False),
    ]
    _: KW_ONLY
    algorithm: Annotated[Algorithm, Opt("Training algorithm.", "Analysis")] = "cbow"
    dimension: Annotated[
        int | None, Opt("Number of dimensions.", "Analysis", metavar="N", least=1, default="500")
    ] = None
    min_count: Annotated[
        int, Opt("Leave out words that occur fewer than N times.", "Analysis", metavar="N", least=1)
    ] = 5
    epochs: Annotated[int, Opt("Passes over the text.", "Analysis", metavar="N", least=1)] = 5
    tokenizer: Annotated[str, replace(TOKENIZER, help="Tokenizer.", group="Analysis")] = "13a"
    keep_case: Annotated[bool, Opt("Do not lowercase.", "Analysis")] = False
    threads: Annotated[
        int,
        replace(THREADS, help="Number of threads; results repeat with one.", default=None),
    ] = 1

    def run(self) -> "WrittenFile":
        from tertium.resources.vectors.training import PRESETS, train_vectors

        names = ("dimension", "min_count", "epochs", "tokenizer", "threads")
        chosen = {name: value for name in names if (value := getattr(self, name)) is not None}
        path = Path(self.output)
        vectors = train_vectors(
            [Path(path) for path in self.corpus],
            **{**vars(PRESETS[self.algorithm]), **chosen},
            lowercase=not self.keep_case,
            output=path,
        )
        write_vectors(path, vectors, name=path.stem)
        return WrittenFile(f"{path}: {len(vectors):,} words, {vectors.dimension:,} dimensions")


_FACT_FIELDS: list[Field[tuple[str, Value]]] = [
    Field("fact", get=itemgetter(0), is_key=True),
    Field("value", get=itemgetter(1)),
]


def describe_vectors(table: WordTable) -> Document:
    """Describe a file of word vectors; tables have a row per fact, records a column."""
    facts = _gather(table)
    types = {name: type_of_values([value]) for name, value in facts.items()}
    return Document(
        "vectors",
        lambda: [make_table(_FACT_FIELDS, list(facts.items()))],
        lambda: Records(types, [list(facts.values())]),
        lambda: facts,
        make_prose=lambda: prose_lines(f"{name:12} {format_value(value)}" for name, value in facts.items()),
    )


def _gather(table: WordTable) -> dict[str, Value]:
    source = table.source
    facts: dict[str, Value] = {
        "file": str(source.path),
        "format": source.format,
        "words": len(source),
        "dimensions": source.dimension,
        "identity": table.identity,
        "sha256": source.checksum,
    }
    if isinstance(source, Store):
        unknown = "composed from pieces" if source.header.has_pieces else "no vector"
        facts |= {"precision": source.header.precision, "unknown": unknown}
    return facts


convert = function_of("convert", VectorConversionRequest)
info = function_of("info", VectorInfoRequest)
train = function_of("train", TrainingRequest)
