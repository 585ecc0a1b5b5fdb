"""The encoder of contextual vectors: pieces of words in, a state for each of them out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium._core import TextEncoder as _TextEncoder
from tertium.kernels.threads import n_threads

Table = npt.NDArray[Any]
Tables = Mapping[str, Table]


class TextEncoder:
    """A BERT encoder whose weights are bytes; states have the same bits on every processor.

    Parameters
    ----------
    embeddings
        The embedding layer: `pieces` and `positions`, each with `.weights` (a row of int8 per entry) and `.scales`;
        `type`; the layer normalisation `norm` with `.weights` and `.biases`.
    layers
        For each layer `query`, `key`, `value`, `output`, `wide` and `narrow`, each with `.weights` (a row of int8 per
        input), `.scales` and `.biases` (a number per output); the layer normalisations `attention_norm` and `norm`.

    Raises
    ------
    ValueError
        If the tables' sizes do not fit together, or are not multiples of 32.
    """

    def __init__(self, embeddings: Tables, layers: Sequence[Tables]) -> None:
        self._encoder = _TextEncoder(dict(embeddings), [dict(layer) for layer in layers])

    def encode(self, sequences: Sequence[Sequence[int]], n_layers: int) -> list[npt.NDArray[np.float32]]:
        """Return the states of each sequence after `n_layers` layers: a row for each piece."""
        offsets = np.cumsum([0, *map(len, sequences)])
        ids = np.fromiter((piece for pieces in sequences for piece in pieces), np.int32, int(offsets[-1]))
        states = self._encoder.encode(ids, offsets, n_layers, n_threads())
        return np.split(states, offsets[1:-1])
