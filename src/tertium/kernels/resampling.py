"""Resampling in the core: bootstrap sums with numpy's random numbers, the Poisson bootstrap, and permutations."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.errors import InputError, OptionError
from tertium.kernels.threads import n_threads
from tertium.values import FloatArray, OffsetArray

_WEIGHT_BYTES = 2**26  # 64 MB for the weights of a block
_SUM_BYTES = 2**23  # 8 MB for its sums; a metric's formula needs a few times more
_LOW = 2**64 - 1
_WORD = 32  # numpy takes random booleans from 32-bit words


def sum_resamples(
    tables: Sequence[FloatArray], n_samples: int, rng: "np.random.Generator"
) -> Iterator[FloatArray]:
    """Draw bootstrap resamples and sum the statistics of the rows in each.

    The generator advances as with `rng.choice(n, size=(n_samples, n))` while the blocks are read, so read all
    blocks before you draw other random numbers. The sums do not depend on the number of threads or on the
    size of a block.

    Parameters
    ----------
    tables
        Arrays (n, k) with the same number of rows.

    Yields
    ------
    FloatArray
        Totals, (samples of this block, columns of all tables).
    """
    n_rows, n_columns = _shape(tables, n_samples)
    size = _block_size(n_rows, n_rows, n_columns, *_core.bootstrap_shape())
    return _blocks(_core.bootstrap_sums, tables, n_samples, size, rng)


def sum_kept(
    tables: Sequence[FloatArray], n_samples: int, rng: "np.random.Generator"
) -> Iterator[FloatArray]:
    """Draw random subsets of rows, each row with probability 1/2, and sum the statistics of their rows.

    The generator advances as with `rng.integers(2, size=(n_samples, n), dtype=bool)`; everything else is as
    in `sum_resamples`.
    """
    n_rows, n_columns = _shape(tables, n_samples)
    size = _block_size(n_rows / 8, n_rows, n_columns, *_core.kept_shape())
    # a multiple of the word size: a call discards the rest of its last word, so only the last call may end in one
    return _blocks(_core.kept_sums, tables, n_samples, -(-size // _WORD) * _WORD, rng)


def _shape(tables: Sequence[FloatArray], n_samples: int) -> tuple[int, int]:
    n_rows = len(tables[0]) if tables else 0
    if n_rows < 1:
        raise InputError("no segments to resample: the table of statistics is empty")
    if n_samples < 1:
        raise OptionError(f"the number of resamples must be at least 1, not {n_samples:,}")
    return n_rows, sum(table.shape[1] for table in tables)


def _block_size(weight_bytes: float, n_rows: int, n_columns: int, chunk_rows: int, padding: int) -> int:
    """Choose the number of samples to draw at once from the memory that one sample needs.

    The core computes the sums of a sample by chunks of rows, in padded columns.
    """
    sum_bytes = 8 * -(-n_rows // chunk_rows) * -(-n_columns // padding) * padding
    return max(1, int(min(_WEIGHT_BYTES / weight_bytes, _SUM_BYTES / sum_bytes)))


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
        totals, state = kernel(given, len(given[0]), size, _get_state(rng), n_threads())
        _set_state(rng, state)
        yield totals


def _get_state(rng: "np.random.Generator") -> tuple[int, int, int, int, bool, int]:
    state = rng.bit_generator.state
    if state["bit_generator"] != "PCG64":
        raise OptionError(
            f"resamples are drawn with numpy's default generator (PCG64), not {state['bit_generator']}"
        )
    at, increment = state["state"]["state"], state["state"]["inc"]
    halves = (at >> 64, at & _LOW, increment >> 64, increment & _LOW)
    return (*halves, bool(state["has_uint32"]), state["uinteger"])


def _set_state(rng: "np.random.Generator", state: tuple[int, int, int, int, bool, int]) -> None:
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
    """Count, for every pair of systems, the samples in which their scores differ by more than a threshold.

    Parameters
    ----------
    scores
        The scores of the samples, (systems, samples).
    means
        The means (systems,) that are subtracted to centre the differences.
    thresholds, roundings
        (systems, systems); only the part above the diagonal is used.

    Returns
    -------
    tuple
        Two matrices: the number of samples whose centred difference exceeds the threshold, and the number of
        samples whose difference exceeds the rounding.
    """
    return _core.count_gaps(_plain(scores), _plain(means), _plain(thresholds), _plain(roundings), n_threads())


def _plain(array: FloatArray) -> FloatArray:
    return np.ascontiguousarray(array, dtype=np.float64)


_BATCH_ROWS = 2**14
_WORKING_BYTES = 2**26  # 64 MB for the sums of a block of samples
_POISSON_SUM_BYTES = 64  # an exact sum rarely needs more


class PoissonSums:
    """Sums of rows with the weights of a Poisson bootstrap.

    In each sample the weight of a segment is a Poisson number with mean 1 that depends only on the seed, the
    sample and the number of the segment. Rows can therefore be added in any batches and any order, on several
    threads, processes or machines. Only the sums are stored: about 50 bytes per sample and column.

    Examples
    --------
    >>> rows = np.arange(8.0).reshape(4, 2)
    >>> whole, part, rest = (PoissonSums(3, 2, seed=1) for _ in range(3))
    >>> whole.add(0, rows)
    >>> part.add(2, rows[2:])
    >>> rest.add(0, rows[:2])
    >>> part.merge(rest)
    >>> bool(np.all(part.totals() == whole.totals()))
    True
    """

    def __init__(self, n_samples: int, n_columns: int, *, seed: int, first_sample: int = 0) -> None:
        if n_samples < 1:
            raise OptionError(f"the number of resamples must be at least 1, not {n_samples:,}")
        self._sums = _core.PoissonSums(n_samples, n_columns, *_key(seed), first_sample)

    @property
    def n_rows(self) -> int:
        """The number of rows that have been added."""
        return int(self._sums.n_rows())

    def add(self, start: int, rows: FloatArray) -> None:
        """Add the rows of the segments from number `start` on, (n, columns)."""
        n_columns = self._sums.n_columns()
        if rows.ndim != 2 or rows.shape[1] != n_columns:
            raise InputError(f"rows must have {n_columns} columns; the array has shape {rows.shape}")
        if start < 0:
            raise InputError(f"segments are numbered from 0, but {start} was given")
        try:
            self._sums.add(start, np.ascontiguousarray(rows, dtype=np.float64), n_threads())
        except ValueError as error:
            raise InputError(f"{error}, so it cannot be resampled") from None

    def merge(self, other: Self) -> None:
        """Add the sums of other segments, made with the same seed and size."""
        try:
            self._sums.merge(other._sums)
        except ValueError as error:
            raise InputError(str(error)) from None

    def totals(self) -> FloatArray:
        """Return each exact sum rounded to the nearest number, (samples, columns)."""
        totals: FloatArray = self._sums.round()
        return totals

    def to_bytes(self) -> bytes:
        """Serialise the exact sums, for another process or machine."""
        saved: bytes = self._sums.to_bytes()
        return saved

    @classmethod
    def from_bytes(cls, saved: bytes) -> Self:
        """Deserialise the result of `to_bytes`."""
        try:
            saved_sums = _core.PoissonSums(saved)
        except ValueError as error:
            raise InputError(str(error)) from None
        sums = cls(1, 0, seed=0)
        sums._sums = saved_sums
        return sums

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return type(self).from_bytes, (self.to_bytes(),)


def sum_poisson(tables: Sequence[FloatArray], n_samples: int, *, seed: int) -> Iterator[FloatArray]:
    """Sum tables, (n, k) each, over Poisson resamples.

    Yields
    ------
    FloatArray
        Totals, (samples of this block, columns of all tables).
    """
    n_columns = sum(table.shape[1] for table in tables)
    size = max(1, _WORKING_BYTES // (_POISSON_SUM_BYTES * max(1, n_columns)))
    for first in range(0, n_samples, size):
        sums = PoissonSums(min(size, n_samples - first), n_columns, seed=seed, first_sample=first)
        for start in range(0, len(tables[0]), _BATCH_ROWS):
            rows = [table[start : start + _BATCH_ROWS] for table in tables]
            sums.add(start, np.concatenate(rows, axis=1))
        yield sums.totals()


def poisson_weights(n_samples: int, start: int, n_segments: int, *, seed: int) -> FloatArray:
    """Return the weights of some segments, (samples, segments)."""
    weights = _core.poisson_weights(*_key(seed), n_samples, start, n_segments)
    return np.asarray(weights, dtype=np.float64)


def _key(seed: int) -> tuple[int, int]:
    """Hash a seed of any size to the generator's key."""
    if seed < 0:
        raise OptionError(f"the seed must not be negative, but is {seed}")
    low, high = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    return int(low), int(high)


# Coefficients of which the core can tabulate all mixtures, if no group has more cells than this.
_TABLED = frozenset(_core.item_coefficients())
_MAX_CELLS = _core.max_systems()


def permute_groups(
    coefficient: str, human: FloatArray, scores: FloatArray, offsets: OffsetArray, kept: npt.NDArray[np.bool_]
) -> FloatArray:
    """Swap the scores of two metrics at random and compare their human agreement, averaged over groups.

    Parameters
    ----------
    human
        Human scores (cells,); the cells of group i are `offsets[i]` to `offsets[i + 1]`.
    scores
        Scores of the metrics, (metrics, cells).
    kept
        (samples, cells): where two metrics keep their own scores.

    Returns
    -------
    FloatArray
        (pairs of metrics, samples): the average coefficient of the first metric's mixed scores minus that of the
        second's.
    """
    arrays = (
        np.ascontiguousarray(human, dtype=np.float64),
        np.ascontiguousarray(scores, dtype=np.float64),
        np.ascontiguousarray(offsets, dtype=np.int64),
        np.ascontiguousarray(kept).view(np.uint8),
    )
    if _pays_to_table(coefficient, int(np.diff(offsets).max(initial=0)), len(kept)):
        return _core.permute_items(*arrays, coefficient, n_threads())
    null: FloatArray = _core.permute_groups(*arrays, coefficient, n_threads())
    return null


def _pays_to_table(coefficient: str, n_cells: int, n_samples: int) -> bool:
    """Whether to tabulate all mixtures of small groups; for Pearson's r only if there are not more than samples."""
    if coefficient not in _TABLED or n_cells > _MAX_CELLS:
        return False
    return coefficient != "pearson" or 2**n_cells <= max(n_samples, 64)


def group_coefficients() -> frozenset[str]:
    """Return the names of the coefficients that `permute_groups` knows."""
    return frozenset(_core.group_coefficients())
