"""Exact sums of columns, identical for any order and any partition of the rows."""

from math import prod
from typing import Self

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.errors import InputError
from tertium.values import FloatArray

# Of the bytes of exact sums (sum_bytes.hpp): the length of the head, and the number of flags for values that are not finite
_HEADER, _SPECIALS = 20, 3


class ExactSums:
    """Sums of columns that are rounded only once, when they are read.

    Rows can be added in any batches, on several threads, processes or machines: the same rows give the same
    sums to the last bit, and the same bytes. NaN and infinities propagate as in any sum: NaN stays NaN, and
    infinity minus infinity is NaN.

    Examples
    --------
    >>> sums = ExactSums(2)
    >>> sums.add(np.array([[1e16, 0.1], [1.0, 0.2], [-1e16, 0.3]]))
    >>> sums.totals()
    array([1. , 0.6])
    """

    def __init__(self, n_columns: int) -> None:
        self._columns = _core.ExactColumns(n_columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def n_rows(self) -> int:
        """The number of rows that have been added."""
        return int(self._columns.n_rows())

    def add(self, rows: FloatArray) -> None:
        """Add a batch of rows, (n, columns)."""
        if rows.ndim != 2 or rows.shape[1] != len(self):
            raise InputError(f"rows must have {len(self)} columns; the array has shape {rows.shape}")
        self._columns.add(np.ascontiguousarray(rows, dtype=np.float64))

    def merge(self, other: Self) -> None:
        """Add other sums."""
        if len(other) != len(self):
            raise InputError(f"sums of {len(other)} columns cannot be merged with sums of {len(self)}")
        self._columns.merge(other._columns)

    def totals(self) -> FloatArray:
        """Return each exact sum rounded to the nearest number, (columns,)."""
        totals: FloatArray = self._columns.round()
        return totals

    def to_bytes(self) -> bytes:
        """Serialise the exact sums, for another process or machine; equal sums give equal bytes."""
        saved: bytes = self._columns.to_bytes()
        return saved

    @classmethod
    def from_bytes(cls, saved: bytes) -> Self:
        """Deserialise the result of `to_bytes`."""
        try:
            columns = _core.ExactColumns(saved)
        except ValueError as error:
            raise InputError(str(error)) from None
        sums = cls(0)
        sums._columns = columns
        return sums

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return type(self).from_bytes, (self.to_bytes(),)

    def to_array(self) -> npt.NDArray[np.int64]:
        """Return the exact sums as integers, (columns, 71). Arrays of several sums can be added.

        A row holds 68 digits to the base 2³², the lowest first, and how many of the sums that were added contain +∞, −∞ and NaN.
        """
        columns = np.frombuffer(self.to_bytes(), np.uint8, offset=_HEADER).reshape(len(self), -1)
        digits = np.ascontiguousarray(columns[:, 1:]).view("<u4").astype(np.int64)
        digits[:, -1] = digits[:, -1].astype(np.int32)  # the last digit has the sign
        return np.concatenate([digits, columns[:, :1] >> np.arange(_SPECIALS) & 1], axis=1)

    @classmethod
    def from_array(cls, array: npt.NDArray[np.int64], *, n_rows: int) -> Self:
        """Build the sums from the result of `to_array`, or from the sum of several such arrays."""
        width = cls(1).to_array().shape[1]
        if array.ndim != 2 or array.shape[1] != width or not np.issubdtype(array.dtype, np.integer):
            raise InputError(
                f"sums must be integers, (columns, {width}); the array has shape {np.shape(array)}"
            )
        digits, specials = array[:, :-_SPECIALS].astype(np.int64), array[:, -_SPECIALS:] > 0
        for place in range(digits.shape[1] - 1):
            digits[:, place + 1] += digits[:, place] >> 32
        digits &= 2**32 - 1
        columns = np.empty((len(array), 1 + 4 * digits.shape[1]), np.uint8)
        columns[:, 0] = specials @ (1 << np.arange(_SPECIALS))
        columns[:, 1:] = digits.astype("<u4").view(np.uint8).reshape(len(array), 4 * digits.shape[1])
        head = cls(0).to_bytes()[:4] + len(array).to_bytes(8, "little") + n_rows.to_bytes(8, "little")
        return cls.from_bytes(head + columns.tobytes())


def sum_rows(table: FloatArray) -> FloatArray:
    """Sum the rows of one table or several, (..., n, k); return the rounded exact sums, (..., k).

    Examples
    --------
    >>> sum_rows(np.array([[0.1, 1.0], [0.2, 2.0], [0.3, 4.0]]))
    array([0.6, 7. ])
    """
    tables = table[None] if table.ndim == 2 else table.reshape(prod(table.shape[:-2]), *table.shape[-2:])
    totals = np.empty((len(tables), table.shape[-1]))
    for number, rows in enumerate(tables):
        columns = _core.ExactColumns(table.shape[-1])
        columns.add(np.ascontiguousarray(rows, dtype=np.float64))
        totals[number] = columns.round()
    return totals.reshape(*table.shape[:-2], table.shape[-1])
