"""Contextual vectors of any encoder that Hugging Face exports to ONNX: `--vectors onnx:FOLDER`."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium.errors import OptionError, ResourceError
from tertium.files.extras import import_extra
from tertium.files.paths import show_path
from tertium.resources.vectors.encoded import EncodedVectors
from tertium.resources.vectors.onnx_model import OnnxModel
from tertium.resources.vectors.sources import Matrix

if TYPE_CHECKING:
    import tokenizers

__all__ = ["OnnxVectors", "load_onnx"]

# Pieces per batch: beyond that, larger batches only fall out of the processor's cache.
BATCH_PIECES = 512


class OnnxVectors(EncodedVectors):
    """Vectors of a model in a folder; by default its last states."""

    remedy: ClassVar[str] = "export the model again"

    def __init__(self, folder: str, layer: int | None = None) -> None:
        self._opened = folder, layer
        model = OnnxModel(folder, layer)
        name = re.sub(
            r"[^\w.+-]", "_", model.folder.resolve().name
        )  # a signature has its own use for | and :
        named = "" if layer is None else f"-layer{layer}"
        super().__init__(OnnxEncoder(model), f"{name}{named}[{model.checksum[:8]}]")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Travel to another process as the way to open the model there."""
        return OnnxVectors, self._opened


def load_onnx(address: str) -> OnnxVectors:
    """Open `FOLDER` or `FOLDER#LAYER`."""
    folder, mark, layer = address.rpartition("#")
    if not mark:
        return OnnxVectors(address)
    if not (layer.isascii() and layer.isdigit() and len(layer) < 4):
        raise OptionError(f"vectors onnx:{address}: the layer behind # must be a number, not {layer!r}")
    return OnnxVectors(folder, int(layer))


class OnnxEncoder:
    """A model and its tokenizer: words into pieces, pieces into states."""

    def __init__(self, model: OnnxModel) -> None:
        self._model = model

    @property
    def max_pieces(self) -> int:
        first, last = self._frame
        return self._model.n_positions - len(first) - len(last)

    def cut(self, texts: Sequence[Sequence[str]]) -> list[tuple[Sequence[int], Sequence[int]]]:
        """Cut texts as the tokenizer would, spaces between the words; a piece belongs to the word of its last character."""
        encodings = self._tokenizer.encode_batch(
            [" ".join(words) for words in texts], add_special_tokens=False
        )
        return [
            (each.ids, _words_of(each.offsets, words)) for each, words in zip(encodings, texts, strict=True)
        ]

    def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
        """Encode sequences, those of one length together: without padding, none touches another."""
        first, last = self._frame
        by_length: dict[int, list[int]] = {}
        for number, pieces in enumerate(sequences):
            by_length.setdefault(len(pieces), []).append(number)
        for length, numbers in by_length.items():
            size = (
                max(1, BATCH_PIECES // (length + len(first) + len(last))) if self._model.takes_batches else 1
            )
            for start in range(0, len(numbers), size):
                batch = numbers[start : start + size]
                ids = np.array([[*first, *sequences[n], *last] for n in batch], dtype=np.int64)
                states = self._model.run(ids)[:, len(first) : len(first) + length]
                yield from zip(batch, states, strict=True)

    @cached_property
    def _frame(self) -> tuple[list[int], list[int]]:
        """The special pieces before and behind every sequence, as the tokenizer's file says."""
        framed = self._tokenizer.encode("a", add_special_tokens=True)
        places = [i for i, is_special in enumerate(framed.special_tokens_mask) if not is_special]
        if not places:
            return [], []
        return framed.ids[: places[0]], framed.ids[places[-1] + 1 :]

    @cached_property
    def _tokenizer(self) -> "tokenizers.Tokenizer":
        package = import_extra("tokenizers", extra="contextual", path=show_path(self._model.tokenizer))
        path = self._model.tokenizer
        try:
            tokenizer: tokenizers.Tokenizer = package.Tokenizer.from_file(str(path))
        except Exception as error:  # the package raises plain exceptions
            raise ResourceError(f"{show_path(path)} is not a tokenizer: {error}") from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer


def _words_of(offsets: Sequence[tuple[int, int]], words: Sequence[str]) -> list[int]:
    """Find the word of each piece: that of its last character; a piece of a space alone goes with the next word."""
    ends = np.cumsum([len(word) + 1 for word in words])  # each word with the space behind it
    last = np.array([max(end - 1, start) for start, end in offsets], dtype=np.int64)
    found = np.searchsorted(ends, last, side="right")
    is_space = last == ends[np.minimum(found, len(ends) - 1)] - 1
    of_pieces: list[int] = np.minimum(found + is_space, len(words) - 1).tolist()
    return of_pieces
