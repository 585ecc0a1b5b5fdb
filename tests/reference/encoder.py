"""A BERT encoder by the book, in floats of 64 bits; inputs of layers may have 256 steps, as those of the kernel."""

from collections.abc import Mapping, Sequence
from math import erf, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["encode", "make_tables"]

Array = npt.NDArray[Any]
Tables = dict[str, Array]

HEAD = 32


def encode(
    embeddings: Mapping[str, Array],
    layers: Sequence[Mapping[str, Array]],
    pieces: Sequence[int],
    *,
    rounds: bool = True,
) -> Array:
    """The states of one sequence after all layers; with `rounds`, inputs of matrices are rounded to steps."""
    clip, wide_clip = (_CLIP, _WIDE_CLIP) if rounds else (None, None)
    states = np.array([_row(embeddings, "pieces", piece) for piece in pieces])
    states += embeddings["type"] + [_row(embeddings, "positions", place) for place in range(len(pieces))]
    states = _normalise(states, embeddings, "norm")
    for layer in layers:
        attended = _dense(_attend(states, layer, clip), layer, "output", clip)
        states = _normalise(states + attended, layer, "attention_norm")
        hidden = _dense(states, layer, "wide", clip)
        gelu = hidden * (1 + np.vectorize(erf)(hidden / sqrt(2))) / 2
        states = _normalise(states + _dense(gelu, layer, "narrow", wide_clip), layer, "norm")
    return states


def _row(tables: Mapping[str, Array], name: str, number: int) -> Array:
    return np.asarray(tables[f"{name}.weights"][number] * np.float64(tables[f"{name}.scales"][number]))


_CLIP, _WIDE_CLIP = 4.0, 6.0


def _dense(inputs: Array, tables: Mapping[str, Array], name: str, clip: float | None) -> Array:
    weights = tables[f"{name}.weights"] * tables[f"{name}.scales"].astype(np.float64)
    return np.asarray((inputs if clip is None else _round(inputs, clip)) @ weights + tables[f"{name}.biases"])


def _round(rows: Array, clip: float) -> Array:
    """Round to multiples of a step: 255 steps cover a row, except for numbers far above its root mean square."""
    limit = clip * np.sqrt((rows**2).mean(axis=1, keepdims=True))
    low = np.maximum(rows.min(axis=1, keepdims=True), -limit)
    step = (np.minimum(rows.max(axis=1, keepdims=True), limit) - low) / 255
    return np.asarray(low + step * np.round((rows - low) / step))


def _normalise(rows: Array, tables: Mapping[str, Array], name: str) -> Array:
    centred = rows - rows.mean(axis=1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)
    return np.asarray(centred / deviation * tables[f"{name}.weights"] + tables[f"{name}.biases"])


def _attend(states: Array, layer: Mapping[str, Array], clip: float | None) -> Array:
    queries, keys, values = (_dense(states, layer, name, clip) for name in ("query", "key", "value"))
    heads = []
    for first in range(0, states.shape[1], HEAD):
        head = slice(first, first + HEAD)
        scores = np.exp(queries[:, head] @ keys[:, head].T / sqrt(HEAD))
        heads.append(scores / scores.sum(axis=1, keepdims=True) @ values[:, head])
    return np.concatenate(heads, axis=1)


def make_tables(
    rng: np.random.Generator,
    *,
    width: int,
    inner: int,
    n_layers: int,
    n_pieces: int = 50,
    n_positions: int = 90,
) -> tuple[Tables, list[Tables]]:
    """Random weights; a few inputs of each layer are much larger than the others, as in trained encoders."""

    def table(rows: int, columns: int) -> Array:
        return rng.integers(-127, 128, (rows, columns)).astype(np.int8)

    def floats(size: int, middle: float = 0.0) -> Array:
        return rng.normal(middle, 0.3, size).astype(np.float32)

    def norm(name: str) -> Tables:
        weights = floats(width, 1.0)
        weights[rng.integers(0, width, 2)] *= 9
        return {f"{name}.weights": weights, f"{name}.biases": floats(width)}

    def dense(name: str, inputs: int, outputs: int) -> Tables:
        scales = rng.uniform(0.5, 1.5, outputs).astype(np.float32) / np.float32(74 * sqrt(inputs))
        return {
            f"{name}.weights": table(inputs, outputs),
            f"{name}.scales": scales,
            f"{name}.biases": floats(outputs),
        }

    embeddings = {
        "pieces.weights": table(n_pieces, width),
        "pieces.scales": np.full(n_pieces, 0.01, np.float32),
        "positions.weights": table(n_positions, width),
        "positions.scales": np.full(n_positions, 0.003, np.float32),
        "type": floats(width),
        **norm("norm"),
    }
    sizes = {"query": width, "key": width, "value": width, "output": width, "wide": inner}
    layers = [
        {
            **{name: table for key, size in sizes.items() for name, table in dense(key, width, size).items()},
            **dense("narrow", inner, width),
            **norm("attention_norm"),
            **norm("norm"),
        }
        for _ in range(n_layers)
    ]
    return embeddings, layers
