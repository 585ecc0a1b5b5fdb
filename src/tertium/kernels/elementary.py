"""Exponentials, logarithms and powers of arrays, computed by the C library.

numpy uses SIMD instructions if the processor has them, so the last digit of a score would depend on the
processor. It would also differ from that of tools that use Python's `math`.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.types import FloatArray


def exp(values: npt.ArrayLike) -> FloatArray:
    """Compute e to the power of each value, with 0 on underflow and infinity on overflow."""
    return _apply(_core.exp, values)


def expm1(values: npt.ArrayLike) -> FloatArray:
    """Compute e to the power of each value, minus 1."""
    return _apply(_core.expm1, values)


def log(values: npt.ArrayLike) -> FloatArray:
    """Compute the natural logarithm of each value: minus infinity for 0, NaN for negative values."""
    return _apply(_core.log, values)


def log2(values: npt.ArrayLike) -> FloatArray:
    """Compute the base-2 logarithm of each value."""
    return _apply(_core.log2, values)


def power(bases: npt.ArrayLike, exponents: npt.ArrayLike) -> FloatArray:
    """Raise each base to its exponent.

    >>> power([4.0, 9.0], 0.5)
    array([2., 3.])
    """
    bases, exponents = np.broadcast_arrays(
        np.asarray(bases, dtype=np.float64), np.asarray(exponents, dtype=np.float64)
    )
    raised = _core.power(np.ascontiguousarray(bases).reshape(-1), np.ascontiguousarray(exponents).reshape(-1))
    return raised.reshape(bases.shape)


def _apply(function: Callable[[FloatArray], FloatArray], values: npt.ArrayLike) -> FloatArray:
    given = np.asarray(values, dtype=np.float64)
    return function(np.ascontiguousarray(given).reshape(-1)).reshape(given.shape)
