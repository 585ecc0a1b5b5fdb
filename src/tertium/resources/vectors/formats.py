"""Recognises a file of word vectors by its first bytes and opens it; pickles are refused."""

from pathlib import Path

from tertium.errors import ResourceError
from tertium.files.opening import read_start
from tertium.files.paths import refuse_pipe, show_path
from tertium.files.unpacking import unpacked
from tertium.resources.vectors import fasttext, store_header
from tertium.resources.vectors.fasttext import FastTextVectors
from tertium.resources.vectors.numpy_file import NumpyVectors
from tertium.resources.vectors.sources import VectorSource
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.text import TextVectors, read_header
from tertium.resources.vectors.word2vec_binary import BinaryVectors

__all__ = ["open_source"]

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
    refuse_pipe(path, "word vectors", error=ResourceError)
    data = unpacked(path, error=ResourceError)
    start = read_start(data, SNIFFED, error=ResourceError)
    if not start:
        raise ResourceError(f"{show_path(path)}: the file is empty; give a file of word vectors")
    _refuse(path, start)
    if start.startswith(store_header.MAGIC):
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
