"""Load word vectors from a path or a name; the file's first bytes decide its format."""

from collections.abc import Callable
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from tertium.errors import ResourceError
from tertium.files.cache import check_cache
from tertium.files.opening import read_start, unpacked
from tertium.files.paths import check_not_pipe, is_folder, show_path, strip_compression
from tertium.interfaces import WordVectors
from tertium.resources.vectors import fasttext, store
from tertium.resources.vectors.fasttext import FastTextVectors
from tertium.resources.vectors.numpy_file import NumpyVectors
from tertium.resources.vectors.pieces import PieceVectors
from tertium.resources.vectors.sources import VectorSource
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.table import WordTable
from tertium.resources.vectors.word2vec import BinaryVectors, TextVectors, read_header
from tertium.text.languages import find_language

# Enough to see a header and the start of the first row.
SNIFFED = 4096
NUMPY = b"\x93NUMPY"
NUMERIC = frozenset(b"0123456789+-.eEnaifNAIF \t\r\n")
REFUSED = {
    b"\xef\xbb\xbf": "it begins with a byte order mark: save it as UTF-8 without one",
    b"PK\x03\x04": "a zip archive (.npz, .zip, PyTorch): unpack it and give the vectors inside",
    b"BZh": "compressed with bzip2: decompress it, or compress it with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: decompress it, or compress it with gzip",
    b"\x89HDF": "an HDF5 file: save the vectors as word2vec text",
}


def open_source(path: Path, *, vocabulary: Path | None = None, keeps_first: bool = False) -> VectorSource:
    """Open a file of word vectors of any known format, compressed with gzip or xz or not."""
    check_not_pipe(path, "word vectors", error=ResourceError)
    data = unpacked(path, error=ResourceError)
    start = read_start(data, SNIFFED, error=ResourceError)
    if not start:
        raise ResourceError(f"{show_path(path)}: the file is empty; give a file of word vectors")
    _refuse(path, start)
    if start.startswith(store.MAGIC):
        return Store(path, data)
    if start.startswith(fasttext.MAGIC):
        return FastTextVectors(path, data)
    if start.startswith(NUMPY):
        return NumpyVectors(path, data, vocabulary, keeps_first=keeps_first)
    if _is_word2vec_binary(start):
        return BinaryVectors(path, data, keeps_first=keeps_first)
    return TextVectors(path, data, keeps_first=keeps_first)


def _refuse(path: Path, start: bytes) -> None:
    # A pickle of protocol 2 or later begins with 0x80 and the protocol's number; older ones with a mark.
    if (start[:1] == b"\x80" and start[1:2] <= b"\x05") or start.startswith((b"(dp", b"ccopy_reg\n", b"(i")):
        raise ResourceError(
            f"{show_path(path)}: a Python pickle (as gensim saves models), which could run any code; tertium loads none: "
            "in gensim, write model.wv.save_word2vec_format('vectors.bin', binary=True) and give that file"
        )
    for magic, advice in REFUSED.items():
        if start.startswith(magic):
            raise ResourceError(f"{show_path(path)}: {advice}")


def _is_word2vec_binary(start: bytes) -> bool:
    first, _, rest = start.partition(b"\n")
    header = read_header(first)
    if header is None or 0 in header:
        return False
    word, separator, numbers = rest.partition(b" ")
    if not separator or b"\t" in word:
        return False
    return bool(set(numbers[: 4 * header[1]].partition(b"\n")[0]) - NUMERIC)


DEFAULT = "default"  # the older name of `english`
ENGLISH = "english"
CONTEXTUAL = "contextual"
ONNX = "onnx"


def load_vectors(path_or_name: str | Path, *, vocabulary: str | Path | None = None) -> WordVectors:
    """Load word vectors.

    Parameters
    ----------
    path_or_name
        A file: a store made by `tertium vectors convert`, word2vec text or binary, GloVe text, fastText
        `.vec` or `.bin`, or a NumPy matrix, each also `.gz` or `.xz`. Or a table inside the package:
        `english` (also called `default`), or `multilingual`, for 16 languages; or `contextual`, a vector
        for each occurrence of a word in its sentence (`contextual:4` takes the states after the fourth
        of six layers); or `onnx:FOLDER`, the same with any encoder that Hugging Face exports (`model.onnx`,
        `tokenizer.json`; `onnx:FOLDER#4` takes layer 4, if the model gives its hidden states). A file of
        that name is written `./english`.
    vocabulary
        The words of a NumPy matrix, a line each. By default the file beside it that is called like it,
        with `.vocab`, `.words` or `.txt`.
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
    return WordTable(source, name, (_reload, (str(path_or_name), vocabulary)))


def open_named(
    path_or_name: str | Path, *, vocabulary: str | Path | None = None, keeps_first: bool = False
) -> VectorSource:
    """Open the vectors of a file or of a table in the package, to look at rows rather than at text."""
    if (table := _find_table(path_or_name)) is not None:
        return table().source
    path = Path(path_or_name)
    if is_folder(path):
        raise ResourceError(f"cannot read word vectors {show_path(path)}: it is a directory; give a file")
    words = Path(vocabulary) if vocabulary is not None else None
    return open_source(path, vocabulary=words, keeps_first=keeps_first)


def default_vectors(language: str | None = None) -> WordTable:
    """Open the table inside the package that knows a language; the English one if there is none."""
    row = None if language is None else find_language(language)
    return _TABLES[row.vectors if row is not None and row.vectors else ENGLISH]()


@cache
def _english_vectors() -> WordTable:
    """Open the English table: 100,000 words, and pieces for the others."""
    with as_file(files("tertium.resources") / "data" / "english.vectors") as path:
        store = Store(path)
    return WordTable(store, store.header.name, (_english_vectors, ()))


@cache
def _multilingual_vectors() -> WordTable:
    """Open the table of 16 languages: pieces, of which every word is put together."""
    with as_file(files("tertium.resources") / "data" / "multilingual.npz") as path:
        pieces = PieceVectors(path)
    return WordTable(pieces, pieces.settings.name, (_multilingual_vectors, ()))


_TABLES: dict[str, Callable[[], WordTable]] = {
    ENGLISH: _english_vectors,
    "multilingual": _multilingual_vectors,
}


def _find_table(name: str | Path) -> Callable[[], WordTable] | None:
    """How to open a table by the name that the user gives it; None for a file."""
    if isinstance(name, Path):
        return None
    return _TABLES.get(ENGLISH if name == DEFAULT else name)


def stem_of(path: Path) -> str:
    """A file's name without the endings that say its format."""
    name = strip_compression(path).name
    for suffix in (".txt", ".bin", ".vec", ".npy", ".vectors"):
        name = name.removesuffix(suffix)
    return name


def _reload(path: str, vocabulary: str | Path | None) -> WordVectors:
    return load_vectors(path, vocabulary=vocabulary)


def _load_contextual(layer: str) -> WordVectors:
    from tertium.resources.vectors.contextual import (  # noqa: PLC0415 - an extra
        CACHE,
        ContextualVectors,
        read_layer,
    )

    vectors = ContextualVectors(read_layer(layer))
    check_cache(CACHE)
    return vectors


def _load_onnx(address: str) -> WordVectors:
    from tertium.resources.vectors.contextual import CACHE  # noqa: PLC0415 - an extra
    from tertium.resources.vectors.onnx_vectors import load_onnx  # noqa: PLC0415

    vectors = load_onnx(address)
    check_cache(CACHE)
    return vectors
