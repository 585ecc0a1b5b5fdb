"""The Poisson bootstrap of a stream: sums over resamples that no order or partition of the rows changes."""

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np

import tertium._core as _core
from tertium.errors import InputError, OptionError
from tertium.kernels.threads import n_threads
from tertium.types import FloatArray

__all__ = ["PoissonSums", "poisson_weights", "sum_poisson"]

_BATCH_ROWS = 2**14
_WORKING_BYTES = 2**26  # 64 MB for the sums of a block of samples
_SUM_BYTES = 64  # an exact sum rarely needs more


class PoissonSums:
    """Sums of rows under the weights of a Poisson bootstrap.

    In each sample a segment counts as often as a Poisson number of mean 1 says, which is a function of the
    seed, the sample and the segment's number alone. So rows may come in any batches and any order, on several
    threads, processes or machines, and nothing but the sums is kept: about 50 bytes per sample and column.

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
        """How many rows have been added."""
        return int(self._sums.n_rows())

    def add(self, start: int, rows: FloatArray) -> None:
        """Add the rows of the segments from number `start` on, (n, columns)."""
        n_columns = self._sums.n_columns()
        if rows.ndim != 2 or rows.shape[1] != n_columns:
            raise InputError(
                f"rows of {n_columns} columns can be added here, not an array of shape {rows.shape}"
            )
        if start < 0:
            raise InputError(f"segments are numbered from 0, but {start} was given")
        try:
            self._sums.add(start, np.ascontiguousarray(rows, dtype=np.float64), n_threads())
        except ValueError as error:
            raise InputError(f"{error}, so it cannot be resampled") from None

    def merge(self, other: Self) -> None:
        """Add what another one, of the same seed and size, has summed of other segments."""
        try:
            self._sums.merge(other._sums)
        except ValueError as error:
            raise InputError(str(error)) from None

    def totals(self) -> FloatArray:
        """Round each exact sum to the nearest number, (samples, columns)."""
        totals: FloatArray = self._sums.round()
        return totals

    def to_bytes(self) -> bytes:
        """Write the exact sums down, for another process or machine."""
        saved: bytes = self._sums.to_bytes()
        return saved

    @classmethod
    def from_bytes(cls, saved: bytes) -> Self:
        """Read what `to_bytes` wrote."""
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
        Totals, (samples of this block, columns of all tables side by side).
    """
    n_columns = sum(table.shape[1] for table in tables)
    size = max(1, _WORKING_BYTES // (_SUM_BYTES * max(1, n_columns)))
    for first in range(0, n_samples, size):
        sums = PoissonSums(min(size, n_samples - first), n_columns, seed=seed, first_sample=first)
        for start in range(0, len(tables[0]), _BATCH_ROWS):
            rows = [table[start : start + _BATCH_ROWS] for table in tables]
            sums.add(start, np.concatenate(rows, axis=1))
        yield sums.totals()


def poisson_weights(n_samples: int, start: int, n_segments: int, *, seed: int) -> FloatArray:
    """List the weights of some segments, (samples, segments), for a look at them."""
    weights = _core.poisson_weights(*_key(seed), n_samples, start, n_segments)
    return np.asarray(weights, dtype=np.float64)


def _key(seed: int) -> tuple[int, int]:
    """Spread a seed of any size over the generator's key."""
    if seed < 0:
        raise OptionError(f"the seed must not be negative, but is {seed}")
    low, high = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    return int(low), int(high)
