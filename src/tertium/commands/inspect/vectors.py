"""Word vectors: convert, describe and train them, and find similar words."""

from dataclasses import KW_ONLY
from pathlib import Path
from typing import Annotated, Literal

from tertium.commands.base.request import FilePath, Opt, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.inspect.vector_tables import describe_neighbours, describe_vectors
from tertium.errors import InputError, OptionError, UnknownNameError, argument
from tertium.presentation.tables.model import Document, Records, prose_lines
from tertium.records import record
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.fasttext import FastTextVectors
from tertium.resources.vectors.loading import open_named, stem_of
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.table import WordTable, find_similar
from tertium.resources.vectors.writing import write_vectors

__all__ = ["SimilarWords", "VectorsInfo", "convert", "info", "load_vectors", "similar", "train"]

VOCABULARY = Opt("The words of a NumPy matrix, one per line.", "Input", metavar="FILE")

Precision = Literal["float32", "float16", "int8"]
Algorithm = Literal["cbow", "skip-gram"]


@record
class VectorsInfo(Result):
    """The content of a file of word vectors."""

    table: WordTable

    def document(self) -> Document:
        return describe_vectors(self.table)


@record
class SimilarWords(Result):
    """Words and their cosines with the given word."""

    words: tuple[tuple[str, float], ...]

    def document(self) -> Document:
        return describe_neighbours(self.words)


@record
class VectorConversionRequest(Request["WrittenFile"]):
    """Convert vectors into a store that opens instantly; a target that ends in .txt or .vec becomes word2vec text."""

    source: Annotated[str, Opt("The vectors to convert.", "Input", is_argument=True, metavar="IN")]
    target: Annotated[FilePath, Opt("The file to write.", "Output", is_argument=True, metavar="OUT")]
    _: KW_ONLY
    precision: Annotated[Precision, Opt("Precision of the numbers: 4, 2 or 1 bytes each.", "Output")] = (
        "float32"
    )
    vocabulary: Annotated[str | None, VOCABULARY] = None
    keep_first: Annotated[bool, Opt("If a word occurs twice, keep its first vector.", "Input")] = False

    def run(self) -> "WrittenFile":
        path = Path(self.target)
        opened = open_named(self.source, vocabulary=self.vocabulary, keeps_first=self.keep_first)
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
    """Describe a file of word vectors."""

    file: Annotated[str, Opt("The vectors: a file, or 'default'.", "Input", is_argument=True, metavar="FILE")]
    _: KW_ONLY
    vocabulary: Annotated[str | None, VOCABULARY] = None
    verify: Annotated[bool, Opt("Read the whole content of a store and verify its checksum.", "Input")] = (
        False
    )

    def run(self) -> "VectorsInfo":
        table = _load_table(self.file, self.vocabulary)
        if self.verify and isinstance(table.source, Store):
            table.source.verify()
        return VectorsInfo(table)


@record
class SimilarWordsRequest(Request["SimilarWords"]):
    """List the words nearest to a word by cosine."""

    file: Annotated[str, Opt("The vectors: a file, or 'default'.", "Input", is_argument=True, metavar="FILE")]
    word: Annotated[str, Opt("The word.", "Input", is_argument=True, metavar="WORD")]
    _: KW_ONLY
    count: Annotated[
        int, Opt("Number of words.", "Output", flags=("-n", "--count"), metavar="N", least=1)
    ] = 10
    vocabulary: Annotated[str | None, VOCABULARY] = None

    def run(self) -> "SimilarWords":
        table = _load_table(self.file, self.vocabulary)
        try:
            (vector,) = table.vectors([self.word])
        except UnicodeEncodeError as error:
            raise InputError(f"{argument('word')} has half of a surrogate pair: {self.word!r}") from error
        if vector is None:
            raise UnknownNameError(f"{self.file} has no vector for {self.word!r}")
        return SimilarWords(tuple(find_similar(table.source, vector, self.count, without=self.word)))


@record
class TrainingRequest(Request["WrittenFile"]):
    """Train word2vec vectors on texts with one sentence per line, plain or gzip (requires the extra 'train').

    The defaults are the settings of Wang & Merlo (2016): 500 dimensions, window 5 (cbow) or 10 (skip-gram).
    """

    corpus: Annotated[Strings, Opt("The texts.", "Input", is_argument=True, metavar="CORPUS...")]
    output: Annotated[
        FilePath,
        Opt(
            "A store, or word2vec text if the name ends in .txt or .vec.",
            "Output",
            flags=("-o", "--output"),
            metavar="FILE",
        ),
    ]
    _: KW_ONLY
    algorithm: Annotated[Algorithm, Opt("Training algorithm.", "Analysis")] = "cbow"
    dimension: Annotated[
        int | None, Opt("Number of dimensions.", "Analysis", metavar="N", least=1, default="500")
    ] = None
    window: Annotated[
        int | None, Opt("Words on either side.", "Analysis", metavar="N", least=1, default="5 or 10")
    ] = None
    min_count: Annotated[
        int, Opt("Leave out words that occur fewer than N times.", "Analysis", metavar="N", least=1)
    ] = 5
    epochs: Annotated[int, Opt("Passes over the text.", "Analysis", metavar="N", least=1)] = 5
    tokenizer: Annotated[str, Opt("Tokenizer.", "Analysis", metavar="NAME", completes="tokenizers")] = "13a"
    keep_case: Annotated[bool, Opt("Do not lowercase.", "Analysis")] = False
    seed: Annotated[int, Opt("Seed; results repeat with one thread.", "Analysis", metavar="N", least=0)] = 1
    threads: Annotated[
        int, Opt("Number of threads.", "Execution", flags=("-j", "--threads"), metavar="N", least=1)
    ] = 1

    def run(self) -> "WrittenFile":
        from tertium.resources.vectors.training import PRESETS, train_vectors

        names = ("dimension", "window", "min_count", "epochs", "tokenizer", "seed", "threads")
        chosen = {name: value for name in names if (value := getattr(self, name)) is not None}
        path = Path(self.output)
        vectors = train_vectors(
            [Path(each) for each in self.corpus],
            **{**vars(PRESETS[self.algorithm]), **chosen},
            lowercase=not self.keep_case,
            output=path,
        )
        write_vectors(path, vectors, name=path.stem)
        return WrittenFile(f"{path}: {len(vectors):,} words, {vectors.dimension:,} dimensions")


def _load_table(file: str, vocabulary: str | None) -> WordTable:
    table = load_vectors(file, vocabulary=vocabulary)
    if not isinstance(table, WordTable):
        raise OptionError(
            f"{file}: contextual vectors are made for sentences; there is no table to look into"
        )
    return table


convert = function_of("convert", VectorConversionRequest)
info = function_of("info", VectorInfoRequest)
similar = function_of("similar", SimilarWordsRequest)
train = function_of(
    "train", TrainingRequest, replaced={"lowercase": lambda lowercase: {"keep_case": not lowercase}}
)
