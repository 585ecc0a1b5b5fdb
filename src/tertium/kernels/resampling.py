"""Sums of statistics over resamples, drawn in the core exactly as numpy's default generator draws them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import tertium._core as _core
from tertium.errors import InputError, OptionError
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray, OffsetArray

__all__ = ["SumSamples", "count_gaps", "sum_kept", "sum_resamples"]

SumSamples = Callable[[Sequence[FloatArray], int, "np.random.Generator"], Iterator[FloatArray]]
"""Tables, number of samples and generator to blocks of totals."""

_WEIGHT_BYTES = 2**26  # 64 MB for the weights of a block
_SUM_BYTES = 2**23  # 8 MB for its sums, of which a metric's formula makes some more
_LOW = 2**64 - 1
_WORD = 32  # numpy cuts random booleans from 32-bit words


def sum_resamples(
    tables: Sequence[FloatArray], n_samples: int, rng: "np.random.Generator"
) -> Iterator[FloatArray]:
    """Draw bootstrap resamples and sum the statistics of the rows in each.

    The generator advances as by `rng.choice(n, size=(n_samples, n))`, while the blocks are read: read them
    all before drawing anything else. Work goes over the threads in force, and neither their number nor
    the size of a block changes a digit.

    Parameters
    ----------
    tables
        (n, k) each, all of n rows.

    Yields
    ------
    FloatArray
        Totals, (samples of this block, columns of all tables side by side).
    """
    n_rows, n_columns = _shape(tables, n_samples)
    size = _block_size(n_rows, _sum_bytes(n_rows, n_columns, *_core.bootstrap_shape()))
    return _blocks(_core.bootstrap_sums, tables, n_samples, size, rng)


def sum_kept(
    tables: Sequence[FloatArray], n_samples: int, rng: "np.random.Generator"
) -> Iterator[FloatArray]:
    """Draw which rows are kept, each with probability 1/2, and sum the statistics of those.

    The generator advances as by `rng.integers(2, size=(n_samples, n), dtype=bool)`; everything else is as
    in `sum_resamples`.
    """
    n_rows, n_columns = _shape(tables, n_samples)
    size = _block_size(n_rows / 8, _sum_bytes(n_rows, n_columns, *_core.kept_shape()))
    # whole words: a call throws away the rest of its last one, so only the last call may end inside one
    return _blocks(_core.kept_sums, tables, n_samples, -(-size // _WORD) * _WORD, rng)


def _shape(tables: Sequence[FloatArray], n_samples: int) -> tuple[int, int]:
    n_rows = len(tables[0]) if tables else 0
    if n_rows < 1:
        raise InputError("no segments to resample: the table of statistics is empty")
    if n_samples < 1:
        raise OptionError(f"the number of resamples must be at least 1, not {n_samples:,}")
    return n_rows, sum(table.shape[1] for table in tables)


def _block_size(weight_bytes: float, sum_bytes: int) -> int:
    """Choose how many samples to draw at once, from what a sample needs."""
    return max(1, int(min(_WEIGHT_BYTES / weight_bytes, _SUM_BYTES / sum_bytes)))


def _sum_bytes(n_rows: int, n_columns: int, chunk_rows: int, padding: int) -> int:
    """Count the bytes of a sample's sums in the core, which are made chunk by chunk in padded strips."""
    return 8 * -(-n_rows // chunk_rows) * -(-n_columns // padding) * padding


def _blocks(
    kernel: Callable[..., Any],
    tables: Sequence[FloatArray],
    n_samples: int,
    block_size: int,
    rng: "np.random.Generator",
) -> Iterator[FloatArray]:
    given = [np.ascontiguousarray(table, dtype=np.float64) for table in tables]
    for done in range(0, n_samples, block_size):
        size = min(block_size, n_samples - done)
        totals, state = kernel(given, len(given[0]), size, _read_state(rng), n_threads())
        _write_state(rng, state)
        yield totals


def _read_state(rng: "np.random.Generator") -> tuple[int, int, int, int, bool, int]:
    state = rng.bit_generator.state
    if state["bit_generator"] != "PCG64":
        raise OptionError(
            f"resamples are drawn with numpy's default generator (PCG64), not {state['bit_generator']}"
        )
    at, increment = state["state"]["state"], state["state"]["inc"]
    halves = (at >> 64, at & _LOW, increment >> 64, increment & _LOW)
    return (*halves, bool(state["has_uint32"]), state["uinteger"])


def _write_state(rng: "np.random.Generator", state: tuple[int, int, int, int, bool, int]) -> None:
    high, low, increment_high, increment_low, has_half, half = state
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": increment_high << 64 | increment_low},
        "has_uint32": int(has_half),
        "uinteger": half,
    }


def count_gaps(
    scores: FloatArray, means: FloatArray, thresholds: FloatArray, roundings: FloatArray
) -> tuple[OffsetArray, OffsetArray]:
    """Count for every pair of systems the samples on which they lie far apart.

    Parameters
    ----------
    scores
        (systems, samples), and `means` (systems,), by which differences are centred.
    thresholds, roundings
        (systems, systems), read above the diagonal.

    Returns
    -------
    tuple
        Two matrices: samples whose centred difference exceeds the threshold, and samples whose
        difference exceeds the rounding.
    """
    return _core.count_gaps(_plain(scores), _plain(means), _plain(thresholds), _plain(roundings), n_threads())


def _plain(array: FloatArray) -> FloatArray:
    return np.ascontiguousarray(array, dtype=np.float64)
