"""Student's t distribution, exactly and without SciPy: p-values and quantiles for any degrees of freedom."""

from math import inf, log, pi, sqrt

import numpy as np
import numpy.typing as npt

from tertium.kernels.elementary import erfc, exp, lgamma, log1p
from tertium.values import FloatArray

SMALLEST_P = 1e-10
"""Smaller p-values are not distinguished: no test set supports such a claim."""

_NORMAL_FROM = 1e9  # degrees of freedom from which on the normal distribution gives the same six digits
_SERIES_FROM = 1e4  # from here on the series for the ratio of gamma functions is exact
_SMALLEST_STEP = 1e-11
_N_STEPS = 16  # with one degree of freedom and p = 1e-10, 14 steps give all digits
_N_TERMS = 30  # pairs of terms of the continued fraction; more pairs change no digit


def student_p(t: npt.ArrayLike, degrees: float) -> FloatArray:
    """Compute two-sided p-values of Student's t, at least `SMALLEST_P`.

    Examples
    --------
    >>> student_p([4.302653, 1.959964], 2).round(6), student_p([1.959964], np.inf).round(6)
    (array([0.05    , 0.189062]), array([0.05]))
    """
    size = np.minimum(np.abs(np.asarray(t, dtype=np.float64)), 1e100)  # so that its square is finite
    if degrees > _NORMAL_FROM:
        return np.asarray(np.maximum(erfc(size / sqrt(2)), SMALLEST_P))
    ratio = np.atleast_1d(size * size / degrees)
    x, rest = 1 / (1 + ratio), ratio / (1 + ratio)
    half = degrees / 2
    # The density at t, without its constant; both continued fractions (DLMF 8.17.22) are multiplied by it.
    p_values = exp(_log_constant(half) - half * log1p(ratio)) * np.sqrt(rest)
    is_tail = x <= (half + 1) / (half + 2.5)
    if is_tail.any():
        p_values[is_tail] /= half * _fraction(half, 0.5, x[is_tail])
    if not is_tail.all():
        p_values[~is_tail] = 1 - 2 * p_values[~is_tail] / _fraction(0.5, half, rest[~is_tail])
    return np.maximum(p_values, SMALLEST_P).reshape(size.shape)


def student_tail_quantile(p_value: float, degrees: float) -> float:
    """Return the value that Student's t exceeds with this probability; infinite below `SMALLEST_P`.

    Examples
    --------
    >>> round(student_tail_quantile(0.05, 10), 6), round(student_tail_quantile(0.95, 10), 6)
    (1.812461, -1.812461)
    """
    if p_value > 0.5:
        return -student_tail_quantile(1 - p_value, degrees)
    if p_value < SMALLEST_P:
        return inf
    half, root = degrees / 2, sqrt(-2 * log(p_value))
    # Hastings's approximation of the normal quantile (Abramowitz and Stegun 26.2.22)
    t = root - (2.30753 + 0.27061 * root) / (1 + 0.99229 * root + 0.04481 * root * root)
    for _ in range(_N_STEPS):  # Newton's method on the logarithm of the tail
        tail = float(student_p(t, degrees)) / 2
        density = exp(_log_constant(half) - (half + 0.5) * log1p(t * t / degrees)) / sqrt(degrees)
        step = tail / float(density) * log(tail / p_value)
        t += step
        if abs(step) < _SMALLEST_STEP * max(1.0, t):
            break
    return t


def _log_constant(half: float) -> float:
    """Compute log(Γ(half + 1/2) / (Γ(half) · √π))."""
    if half > _SERIES_FROM:
        return (log(half) - log(pi)) / 2 - 1 / (8 * half) + 1 / (192 * half**3)
    gammas = lgamma([half + 0.5, half])
    return float(gammas[0] - gammas[1]) - log(pi) / 2


def _fraction(a: float, b: float, x: FloatArray) -> FloatArray:
    """Compute 1 + d1 / (1 + d2 / (1 + …)), the continued fraction of the incomplete beta function, from its end."""
    value = np.ones_like(x)
    for m in range(_N_TERMS, -1, -1):
        value = 1 - (a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) / value
        if m:
            value = 1 + m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / value
    return value
