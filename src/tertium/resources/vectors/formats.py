"""Recognises a file of word vectors by its first bytes and opens it; pickles are refused."""

import atexit
import gzip
import shutil
import tempfile
import zlib
from pathlib import Path

from tertium.errors import ResourceError
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
    b"\xfd7zXZ\0": "compressed with xz: decompress it, or compress it with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: decompress it, or compress it with gzip",
    b"\x89HDF": "an HDF5 file: save the vectors as word2vec text",
}


def open_source(path: Path, *, vocabulary: Path | None = None, keeps_first: bool = False) -> VectorSource:
    """Open a file of word vectors of any known format, gzip or not."""
    start = _read_start(path)
    data = _decompress(path) if start.startswith(b"\x1f\x8b") else path
    if data is not path:
        start = _read_start(data)
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


def _read_start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            start = file.read(SNIFFED)
    except OSError as error:
        raise ResourceError(f"cannot read word vectors {path}: {error.strerror or error}") from error
    if not start:
        raise ResourceError(f"{path}: the file is empty; give a file of word vectors")
    return start


def _decompress(path: Path) -> Path:
    """Unpack a gzip file into a temporary one, which lives as long as this process."""
    folder = tempfile.mkdtemp(prefix="tertium-vectors-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = Path(folder) / path.stem
    try:
        with gzip.open(path, "rb") as packed, target.open("wb") as plain:
            shutil.copyfileobj(packed, plain, 1 << 20)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ResourceError(f"{path}: the gzip file is cut off or damaged ({error}); get it again") from error
    except OSError as error:
        raise ResourceError(f"cannot unpack {path} into {folder}: {error.strerror or error}; gunzip it yourself") from error  # fmt: skip
    return target


def _refuse(path: Path, start: bytes) -> None:
    # A pickle of protocol 2 or later begins with 0x80 and the protocol's number; older ones with a mark.
    if (start[:1] == b"\x80" and start[1:2] <= b"\x05") or start.startswith((b"(dp", b"ccopy_reg\n", b"(i")):
        raise ResourceError(
            f"{path}: a Python pickle (as gensim saves models), which could run any code; tertium loads none: "
            "in gensim, write model.wv.save_word2vec_format('vectors.bin', binary=True) and give that file"
        )
    for magic, advice in REFUSED.items():
        if start.startswith(magic):
            raise ResourceError(f"{path}: {advice}")


def _is_word2vec_binary(start: bytes) -> bool:
    first, _, rest = start.partition(b"\n")
    header = read_header(first)
    if header is None or 0 in header:
        return False
    word, separator, numbers = rest.partition(b" ")
    if not separator or b"\t" in word:
        return False
    return bool(set(numbers[: 4 * header[1]].partition(b"\n")[0]) - NUMERIC)
