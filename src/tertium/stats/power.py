"""Power of a paired test: how many units it needs, and which differences it can detect.

The difference of two means over n units has the standard error σ / √n, where σ is the standard deviation of the units'
differences. A two-sided test at level α finds a true difference Δ with the probability (power)
Φ(Δ√n/σ − z) + Φ(−Δ√n/σ − z), with z = Φ⁻¹(1 − α/2). For metrics that are not means, σ comes from the influence of each
segment (`measure_deviation`).
"""

from math import ceil, isfinite, sqrt
from statistics import NormalDist

from tertium.errors import OptionError, argument
from tertium.stats.analysis import DEFAULT_ALPHA
from tertium.stats.significance import min_units

DEFAULT_POWER = 0.8

_NORMAL = NormalDist()


def power_of(difference: float, deviation: float, n_units: int, *, alpha: float = DEFAULT_ALPHA) -> float:
    """Compute the probability that a test with `n_units` units finds a true difference.

    >>> round(power_of(0.5, 10.0, 3140), 3), round(power_of(0.0, 10.0, 500), 3)
    (0.8, 0.05)
    """
    if deviation == 0:
        return alpha if difference == 0 else 1.0
    z = _NORMAL.inv_cdf(1 - alpha / 2)
    shift = abs(difference) * sqrt(n_units) / deviation
    return min(1.0, _NORMAL.cdf(shift - z) + _NORMAL.cdf(-shift - z))


def units_for(
    difference: float, deviation: float, *, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> int:
    """Compute how many units a test needs to find a true difference with the given power.

    At least as many as the bootstrap test needs to keep its level.

    >>> units_for(0.5, 10.0), units_for(50.0, 10.0)
    (3140, 50)
    """
    if difference == 0:
        raise OptionError(f"{argument('difference')} must not be 0: no number of segments shows it")
    wanted = max(0.0, _NORMAL.inv_cdf(1 - alpha / 2) + _NORMAL.inv_cdf(power))
    ratio = abs(wanted * deviation / difference)
    needed = ratio * ratio
    if not isfinite(needed):
        raise OptionError(f"{argument('difference', f'{difference:g}')} is too small to be detected")
    return max(min_units("bootstrap", 2), ceil(needed))


def detectable_difference(
    deviation: float, n_units: int, *, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> float:
    """Compute the smallest true difference that a test with `n_units` units finds with the given power.

    >>> round(detectable_difference(10.0, 3140), 3)
    0.5
    """
    wanted = max(0.0, _NORMAL.inv_cdf(1 - alpha / 2) + _NORMAL.inv_cdf(power))
    return wanted * deviation / sqrt(n_units)
