"""Exponentials, logarithms, powers and related functions of arrays, with the same digits on every machine.

The last digit of numpy's and the C library's functions depends on the instructions that the processor has. Here the exact
value is rounded to the nearest number, except for `erfc`, `lgamma` and `tanh`, whose last digit may be wrong.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

import tertium._core as _core
from tertium.values import FloatArray


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


def log1p(values: npt.ArrayLike) -> FloatArray:
    """Compute the natural logarithm of 1 plus each value."""
    return _apply(_core.log1p, values)


def tanh(values: npt.ArrayLike) -> FloatArray:
    """Compute the hyperbolic tangent of each value."""
    risen = expm1(2 * np.clip(values, -20.0, 20.0))  # 1 and -1 beyond
    return np.asarray(risen / (risen + 2))


def erfc(values: npt.ArrayLike) -> FloatArray:
    """Compute the complementary error function of each value."""
    return _apply(_core.erfc, values)


def lgamma(values: npt.ArrayLike) -> FloatArray:
    """Compute the logarithm of the gamma function of each positive value."""
    return _apply(_core.lgamma, values)


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
