"""From a path or a name to word vectors."""

from collections.abc import Callable
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from tertium.errors import ResourceError
from tertium.files.addresses import strip_packing
from tertium.files.cache import check_cache
from tertium.files.paths import is_folder, show_path
from tertium.interfaces import WordVectors
from tertium.resources.vectors.formats import open_source
from tertium.resources.vectors.pieces import PieceVectors
from tertium.resources.vectors.sources import VectorSource
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.table import WordTable
from tertium.text.languages import find_language

__all__ = ["default_vectors", "load_vectors", "open_named", "stem_of"]

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
    name = strip_packing(path).name
    for suffix in (".txt", ".bin", ".vec", ".npy", ".vectors"):
        name = name.removesuffix(suffix)
    return name


def _reload(path: str, vocabulary: str | Path | None) -> WordVectors:
    return load_vectors(path, vocabulary=vocabulary)


def _load_contextual(layer: str) -> WordVectors:
    from tertium.resources.vectors.contextual import ContextualVectors, read_layer  # noqa: PLC0415 - an extra
    from tertium.resources.vectors.encoded import CACHE  # noqa: PLC0415

    vectors = ContextualVectors(read_layer(layer))
    check_cache(CACHE)
    return vectors


def _load_onnx(address: str) -> WordVectors:
    from tertium.resources.vectors.encoded import CACHE  # noqa: PLC0415 - an extra
    from tertium.resources.vectors.onnx_vectors import load_onnx  # noqa: PLC0415

    vectors = load_onnx(address)
    check_cache(CACHE)
    return vectors
