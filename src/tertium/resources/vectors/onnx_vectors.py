"""Contextual vectors of any encoder that Hugging Face exports to ONNX: vectors `onnx:FOLDER`."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, ResourceError
from tertium.files.extras import import_extra
from tertium.files.paths import show_path
from tertium.files.reading import checksum_file
from tertium.kernels.threads import n_threads
from tertium.resources.vectors.contextual import EncodedVectors
from tertium.resources.vectors.sources import Matrix

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers


# Model types whose positions begin after the id of the padding, so that the first rows of the table are unused.
_SHIFTED = frozenset({"roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "mpnet", "longformer"})
# BERT's number of positions, for folders without a config.json.
_DEFAULT_POSITIONS = 512
# Operators of dynamically quantised models, whose states depend on the other sequences of a batch.
_BATCH_DEPENDENT = (b"DynamicQuantizeLinear", b"MatMulIntegerToFloat")


class OnnxModel:
    """`model.onnx` in a folder or its subfolder `onnx`, with `tokenizer.json` and, optionally, `config.json`."""

    def __init__(self, folder: str, layer: int | None = None) -> None:
        self.folder, self.layer = Path(folder), layer
        self.model = self._find("model.onnx", "onnx/model.onnx")
        self.tokenizer = self._find("tokenizer.json")
        self._config = self._read_config()

    @cached_property
    def checksum(self) -> str:
        """The SHA-256 of the model, its external weights and the tokenizer, in hexadecimal."""
        weights = sorted(self.model.parent.glob("model.onnx[._]data*"))
        parts = [checksum_file(path) for path in (self.model, *weights, self.tokenizer)]
        return hashlib.sha256("".join(parts).encode()).hexdigest()

    @property
    def n_positions(self) -> int:
        """The maximum length of a sequence, including special pieces."""
        known = self._config.get("max_position_embeddings")
        if not isinstance(known, int) or known < 8:
            return _DEFAULT_POSITIONS
        is_shifted = self._config.get("model_type") in _SHIFTED
        return known - int(self._config.get("pad_token_id", 1)) - 1 if is_shifted else known

    @cached_property
    def takes_batches(self) -> bool:
        """Whether the states of a sequence do not depend on the other sequences of its batch."""
        bytes_of_model = self.model.read_bytes()
        return not any(name in bytes_of_model for name in _BATCH_DEPENDENT)

    def run(self, ids: npt.NDArray[np.int64]) -> Matrix:
        """Compute the states of sequences of one length: (sequences, pieces, dimensions)."""
        shape = ids.shape
        known: dict[str, npt.NDArray[np.int64]] = {
            "input_ids": ids,
            "attention_mask": np.ones(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
            "position_ids": np.broadcast_to(np.arange(shape[1], dtype=np.int64), shape),
        }
        inputs = {name: np.ascontiguousarray(known[name]) for name in self._inputs}
        (states,) = self._session.run([self._output], inputs)
        if states.ndim == 4:  # all layers in one array
            states = states[self._layer_in(len(states))]
        if states.ndim != 3 or states.shape[:2] != shape:
            raise ResourceError(
                f"{show_path(self.model)}: {self._output} has the shape {states.shape} for {shape} pieces; give a "
                "model with a state per piece (an export for feature-extraction)"
            )
        return np.asarray(states, dtype=np.float32)

    @cached_property
    def _inputs(self) -> list[str]:
        wanted = [entry.name for entry in self._session.get_inputs()]
        known = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
        if "input_ids" not in wanted or not set(wanted) <= set(known):
            raise ResourceError(
                f"{show_path(self.model)} has the inputs {', '.join(wanted)}; an encoder must have input_ids and may "
                f"have {', '.join(known[1:])}"
            )
        return wanted

    @cached_property
    def _output(self) -> str:
        outputs = [output.name for output in self._session.get_outputs()]
        if self.layer is None:
            return "last_hidden_state" if "last_hidden_state" in outputs else outputs[0]
        for name in (f"hidden_states.{self.layer}", f"hidden_states_{self.layer}", "hidden_states"):
            if name in outputs:
                return name
        raise OptionError(
            f"{show_path(self.model)} has no states of layer {self.layer}, only {_shorten(outputs)}; export it with "
            "output_hidden_states=True"
        )

    def _layer_in(self, n_layers: int) -> int:
        layer = n_layers - 1 if self.layer is None else self.layer
        if layer >= n_layers:
            raise OptionError(f"{show_path(self.model)}: layer must be 0 to {n_layers - 1}, not {layer}")
        return layer

    @cached_property
    def _session(self) -> "onnxruntime.InferenceSession":
        onnxruntime = import_extra("onnxruntime", extra="onnx", path=show_path(self.model))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = n_threads()
        options.log_severity_level = 3
        try:
            return onnxruntime.InferenceSession(str(self.model), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's errors have no common parent
            reason = str(error).splitlines()[0]
            raise ResourceError(f"{show_path(self.model)} cannot be run by onnxruntime: {reason}") from error

    def _find(self, *names: str) -> Path:
        for name in names:
            if (self.folder / name).is_file():
                return self.folder / name
        raise ResourceError(
            f"vectors onnx:{show_path(self.folder)} need {' or '.join(names)} in that folder; export the model with "
            "'optimum-cli export onnx', for the task feature-extraction"
        )

    def _read_config(self) -> Mapping[str, Any]:
        path = self.folder / "config.json"
        if not path.is_file():
            return {}
        try:
            config = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, OSError) as error:
            raise ResourceError(f"{show_path(path)} is not JSON: {error}") from None
        return config if isinstance(config, dict) else {}


def _shorten(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (", …" if len(names) > 4 else "")


# Pieces per batch; larger batches no longer fit into the processor's cache.
BATCH_PIECES = 512


class OnnxVectors(EncodedVectors):
    """Vectors of a model in a folder, by default from its last layer."""

    remedy: ClassVar[str] = "export the model again"

    def __init__(self, folder: str, layer: int | None = None) -> None:
        self._opened = folder, layer
        model = OnnxModel(folder, layer)
        name = re.sub(r"[^\w.+-]", "_", model.folder.resolve().name)  # signatures use | and : as separators
        named = "" if layer is None else f"-layer{layer}"
        super().__init__(OnnxEncoder(model), f"{name}{named}[{model.checksum[:8]}]")

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Pickle as folder and layer; each process opens the model itself."""
        return OnnxVectors, self._opened


def load_onnx(address: str) -> OnnxVectors:
    """Open `FOLDER` or `FOLDER#LAYER`."""
    folder, mark, layer = address.rpartition("#")
    if not mark:
        return OnnxVectors(address)
    if not (layer.isascii() and layer.isdigit() and len(layer) < 4):
        raise OptionError(f"vectors onnx:{address}: the layer after # must be a number, not {layer!r}")
    return OnnxVectors(folder, int(layer))


class OnnxEncoder:
    """A model with its tokenizer."""

    def __init__(self, model: OnnxModel) -> None:
        self._model = model

    @property
    def max_pieces(self) -> int:
        first, last = self._frame
        return self._model.n_positions - len(first) - len(last)

    def cut(self, texts: Sequence[Sequence[str]]) -> list[tuple[Sequence[int], Sequence[int]]]:
        """Split texts, words joined by spaces, with the tokenizer; a piece belongs to the word of its last character."""
        encodings = self._tokenizer.encode_batch(
            [" ".join(words) for words in texts], add_special_tokens=False
        )
        return [
            (encoding.ids, _words_of(encoding.offsets, words))
            for encoding, words in zip(encodings, texts, strict=True)
        ]

    def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
        """Yield the index and the states of each sequence; a batch has sequences of one length, without padding."""
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
        """The special pieces before and after every sequence, according to the tokenizer's file."""
        framed = self._tokenizer.encode("a", add_special_tokens=True)
        plain = [i for i, is_special in enumerate(framed.special_tokens_mask) if not is_special]
        if not plain:
            return [], []
        return framed.ids[: plain[0]], framed.ids[plain[-1] + 1 :]

    @cached_property
    def _tokenizer(self) -> "tokenizers.Tokenizer":
        package = import_extra("tokenizers", extra="onnx", path=show_path(self._model.tokenizer))
        path = self._model.tokenizer
        try:
            tokenizer: tokenizers.Tokenizer = package.Tokenizer.from_file(str(path))
        except Exception as error:  # the package raises plain exceptions
            raise ResourceError(f"{show_path(path)} is not a tokenizer: {error}") from error
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer


def _words_of(offsets: Sequence[tuple[int, int]], words: Sequence[str]) -> list[int]:
    """Return the index of each piece's word, by its last character; a single space belongs to the next word."""
    ends = np.cumsum([len(word) + 1 for word in words])  # each word with the space after it
    last = np.array([max(end - 1, start) for start, end in offsets], dtype=np.int64)
    found = np.searchsorted(ends, last, side="right")
    is_space = last == ends[np.minimum(found, len(ends) - 1)] - 1
    of_pieces: list[int] = np.minimum(found + is_space, len(words) - 1).tolist()
    return of_pieces
