"""The word vectors that metrics use: tables in the package, files in any format, recognised by their first bytes, and contextual vectors."""

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, partial
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import ResourceError
from tertium.files.cache import check_cache
from tertium.files.paths import check_not_pipe, is_folder, show_path, strip_compression
from tertium.files.reading import read_start, unpacked
from tertium.interfaces import VectorKind, WordVectors
from tertium.kernels.strings import TextColumn, Vocabulary
from tertium.resources.vectors import fasttext, store
from tertium.resources.vectors.fasttext import FastTextVectors
from tertium.resources.vectors.numpy_file import NumpyVectors
from tertium.resources.vectors.pieces import PieceVectors
from tertium.resources.vectors.sources import Matrix, Rows, VectorSource
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.word2vec import BinaryVectors, TextVectors, parse_header
from tertium.text.languages import LANGUAGES, find_language
from tertium.values import Embedding, IdArray, TokenColumn

# The names of the tables in the package, and their names in the table of languages.
TABLES: Mapping[str, VectorKind] = {"tertium-english": "english", "tertium-multilingual": "multilingual"}

# If this number of distinct words has no vector at all, the vectors do not fit the text.
MAX_UNKNOWN_WORDS = 50


class WordTable:
    """One vector per word, looked up as written, then in lower case, then composed from the word's parts.

    Only the rows of words that occur are read, and each of them once. A table is thread-safe.
    """

    def __init__(
        self, source: VectorSource, name: str, reopen: tuple[Callable[..., Any], tuple[Any, ...]]
    ) -> None:
        self.source = source
        self.name = name
        self._reopen = reopen
        self._lock = threading.Lock()  # guards the next three fields, which grow together
        self._words = Vocabulary()
        self._rows: Rows = np.empty(0, dtype=np.int64)  # of each word in the matrix, or -1
        self._matrix: Matrix = np.empty((0, source.dimension), dtype=np.float32)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle as a call that opens the file; each process opens it itself."""
        return self._reopen

    def __repr__(self) -> str:
        return f"WordTable({self.identity}, {len(self.source):,} words, {self.source.dimension} dimensions)"

    @cached_property
    def identity(self) -> str:
        """Name and checksum."""
        name = re.sub(r"[^\w.+-]", "_", self.name)  # signatures use | and : as separators
        return f"{name}[{self.source.checksum[:8]}]"

    @property
    def languages(self) -> frozenset[str] | None:
        """The languages that the table covers; None for a user's file."""
        table = TABLES.get(self.name)
        if table is None:
            return None
        return frozenset(row.code for row in LANGUAGES.values() if row.vectors == table)

    @property
    def kind(self) -> VectorKind:
        """The kind of a table in the package; `static` for any other file."""
        return TABLES.get(self.name, "static")

    @property
    def dimension(self) -> int:
        return self.source.dimension

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Look up every token; `matrix` holds the vectors of the distinct words, or of all words looked up so far.

        It is not copied if the texts use half of it: fresh memory costs more than the unused vectors.
        """
        ids = tokens.distinct
        words = tokens.vocabulary
        if isinstance(words, Vocabulary):  # the usual case, without a Python string for every word
            found, matrix = self._look_up(lambda: self._words.intern_words(words, ids))
        else:
            found, matrix = self._look_up(lambda: self._words.intern_all(words.words(ids)))
        if 2 * len(ids) < len(matrix):
            is_known = found >= 0
            matrix = matrix.take(found[is_known], axis=0)
            found[is_known] = np.arange(len(matrix))
        rows = np.full(len(tokens.vocabulary), -1, dtype=np.int32)
        rows[ids] = found
        return Embedding(rows.take(tokens.ids), matrix)

    def vectors(self, words: Sequence[str]) -> list[Matrix | None]:
        """Return the vector of each word, or None."""
        rows, matrix = self._look_up(lambda: self._words.intern_all(list(words)))
        return [matrix[row] if row >= 0 else None for row in rows]

    def _look_up(self, number: Callable[[], IdArray]) -> tuple[Rows, Matrix]:
        """Return the row of each word, or -1, and the matrix of all vectors read so far; `number` numbers the words."""
        with self._lock:
            numbers = number()
            try:
                if len(self._words) > len(self._rows):
                    self._load(list(TextColumn.from_words(self._words, len(self._rows))))
            finally:
                if len(self._words) > len(self._rows):  # after an error or Ctrl-C: forget the new words
                    known = list(TextColumn.from_words(self._words)[: len(self._rows)])
                    self._words = Vocabulary()
                    self._words.intern_all(known)
            return self._rows[numbers], self._matrix

    def _load(self, words: Sequence[str]) -> None:
        """Read or compose the vectors of new words and append them to the matrix."""
        in_source = self._find(words)
        known = np.unique(in_source[in_source >= 0])
        rows = np.where(in_source >= 0, np.searchsorted(known, in_source) + len(self._matrix), -1)
        missing = np.flatnonzero(in_source < 0)
        which, composed = self.source.compose([words[i] for i in missing.tolist()])
        rows[missing[which]] = np.arange(len(which)) + len(self._matrix) + len(known)
        self._matrix = np.concatenate([self._matrix, self.source.read(known), composed])
        self._rows = np.concatenate([self._rows, rows])
        if len(self._rows) >= MAX_UNKNOWN_WORDS and not len(self._matrix):
            some = ", ".join(repr(word) for word in TextColumn.from_words(self._words, 0)[:3])
            raise ResourceError(
                f"{self.source.path}: none of the text's {len(self._rows):,} words ({some}, …) has a vector; "
                "check that the vectors are for the text's language and were trained on text tokenised in the same way"
            )

    def _find(self, words: Sequence[str]) -> Rows:
        rows = self.source.find([word.encode() for word in words])
        missing = [i for i in np.flatnonzero(rows < 0).tolist() if words[i].lower() != words[i]]
        rows[missing] = self.source.find([words[i].lower().encode() for i in missing])
        return rows


# Bytes that suffice for a header and the start of the first row.
SNIFFED = 4096
NUMPY = b"\x93NUMPY"
NUMERIC = frozenset(b"0123456789+-.eEnaifNAIF \t\r\n")
UNSUPPORTED = {
    b"\xef\xbb\xbf": "it begins with a byte order mark: save it as UTF-8 without one",
    b"PK\x03\x04": "a zip archive (.npz, .zip, PyTorch): unpack it and give the vectors inside",
    b"BZh": "compressed with bzip2: decompress it, or compress it with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: decompress it, or compress it with gzip",
    b"\x89HDF": "an HDF5 file: save the vectors as word2vec text",
}


def open_source(path: Path, *, vocabulary: Path | None = None, keeps_first: bool = False) -> VectorSource:
    """Open a file of word vectors in any supported format, plain or compressed with gzip or xz."""
    check_not_pipe(path, "word vectors", error=ResourceError)
    data = unpacked(path, error=ResourceError)
    start = read_start(data, SNIFFED, error=ResourceError)
    if not start:
        raise ResourceError(f"{show_path(path)}: the file is empty; give a file of word vectors")
    _check_supported(path, start)
    if start.startswith(store.MAGIC):
        return Store(path, data)
    if start.startswith(fasttext.MAGIC):
        return FastTextVectors(path, data)
    if start.startswith(NUMPY):
        return NumpyVectors(path, data, vocabulary, keeps_first=keeps_first)
    if _is_word2vec_binary(start):
        return BinaryVectors(path, data, keeps_first=keeps_first)
    return TextVectors(path, data, keeps_first=keeps_first)


def _check_supported(path: Path, start: bytes) -> None:
    # A pickle of protocol 2 or later begins with 0x80 and the protocol's number.
    if (start[:1] == b"\x80" and start[1:2] <= b"\x05") or start.startswith((b"(dp", b"ccopy_reg\n", b"(i")):
        raise ResourceError(
            f"{show_path(path)}: a Python pickle (as gensim saves models), which could run any code, so it is not loaded; "
            "in gensim, write model.wv.save_word2vec_format('vectors.bin', binary=True) and give that file"
        )
    for magic, advice in UNSUPPORTED.items():
        if start.startswith(magic):
            raise ResourceError(f"{show_path(path)}: {advice}")


def _is_word2vec_binary(start: bytes) -> bool:
    first, _, rest = start.partition(b"\n")
    header = parse_header(first)
    if header is None or 0 in header:
        return False
    word, separator, numbers = rest.partition(b" ")
    if not separator or b"\t" in word:
        return False
    return bool(set(numbers[: 4 * header[1]].partition(b"\n")[0]) - NUMERIC)


ENGLISH = "english"
CONTEXTUAL = "contextual"
ONNX = "onnx"


def load_vectors(path_or_name: str | Path, *, vocabulary: str | Path | None = None) -> WordVectors:
    """Load word vectors.

    Parameters
    ----------
    path_or_name
        A file: a store written by `tertium vectors convert`, word2vec text or binary, GloVe text, fastText
        `.vec` or `.bin`, or a NumPy matrix, each also `.gz` or `.xz`. A table in the package: `english`,
        or `multilingual` for 16 languages. `contextual`: a vector for each occurrence of a
        word in its sentence (`contextual:4` uses the fourth of six layers). `onnx:FOLDER`: contextual vectors of
        any encoder exported by Hugging Face (`model.onnx`, `tokenizer.json`; `onnx:FOLDER#4` uses layer 4, if
        the model outputs its hidden states). A file with one of these names is written `./english`.
    vocabulary
        A file with the words of a NumPy matrix, one per line. By default, the file with the matrix's name and
        the suffix `.vocab`, `.words` or `.txt`.
    """
    if (table := _find_table(path_or_name)) is not None:
        return table()
    name, colon, rest = str(path_or_name).partition(":")
    if name == CONTEXTUAL and not isinstance(path_or_name, Path):
        return _load_contextual(rest)
    if name == ONNX and colon and not isinstance(path_or_name, Path):
        return _load_onnx(rest)
    source = open_named(path_or_name, vocabulary=vocabulary)
    name = source.header.name if isinstance(source, Store) else stem_of(Path(path_or_name))
    return WordTable(source, name, (partial(load_vectors, vocabulary=vocabulary), (str(path_or_name),)))


def open_named(
    path_or_name: str | Path, *, vocabulary: str | Path | None = None, keeps_first: bool = False
) -> VectorSource:
    """Open the vectors of a file or of a table in the package as a source of rows."""
    if (table := _find_table(path_or_name)) is not None:
        return table().source
    path = Path(path_or_name)
    if is_folder(path):
        raise ResourceError(f"cannot read word vectors {show_path(path)}: it is a directory; give a file")
    words = Path(vocabulary) if vocabulary is not None else None
    return open_source(path, vocabulary=words, keeps_first=keeps_first)


def default_vectors(language: str | None = None) -> WordTable:
    """Open the table in the package that covers a language; the English table if there is none."""
    row = None if language is None else find_language(language)
    return _TABLES[row.vectors if row is not None and row.vectors else ENGLISH]()


@cache
def _english_vectors() -> WordTable:
    """Open the English table: 100,000 words, and word pieces for other words."""
    with as_file(files("tertium.resources") / "data" / "english.vectors") as path:
        store = Store(path)
    return WordTable(store, store.header.name, (_english_vectors, ()))


@cache
def _multilingual_vectors() -> WordTable:
    """Open the table of 16 languages: word pieces, from which the vectors of all words are composed."""
    with as_file(files("tertium.resources") / "data" / "multilingual.npz") as path:
        pieces = PieceVectors(path)
    return WordTable(pieces, pieces.settings.name, (_multilingual_vectors, ()))


_TABLES: dict[str, Callable[[], WordTable]] = {
    ENGLISH: _english_vectors,
    "multilingual": _multilingual_vectors,
}


def _find_table(name: str | Path) -> Callable[[], WordTable] | None:
    """Return the function that opens the table of this name; None if the name is a file."""
    if isinstance(name, Path):
        return None
    return _TABLES.get(name)


def stem_of(path: Path) -> str:
    """Return the name of a file without the suffixes of vector formats."""
    name = strip_compression(path).name
    for suffix in (".txt", ".bin", ".vec", ".npy", ".vectors"):
        name = name.removesuffix(suffix)
    return name


def _load_contextual(layer: str) -> WordVectors:
    from tertium.resources.vectors.contextual import (  # noqa: PLC0415 - an extra
        CACHE,
        ContextualVectors,
        parse_layer,
    )

    vectors = ContextualVectors(parse_layer(layer))
    check_cache(CACHE)
    return vectors


def _load_onnx(address: str) -> WordVectors:
    from tertium.resources.vectors.contextual import CACHE  # noqa: PLC0415 - an extra
    from tertium.resources.vectors.onnx_vectors import load_onnx  # noqa: PLC0415

    vectors = load_onnx(address)
    check_cache(CACHE)
    return vectors
