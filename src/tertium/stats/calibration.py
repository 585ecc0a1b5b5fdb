"""How many segments a paired test needs before its p-values mean what they say."""

from math import floor, log2
from typing import Literal

from tertium.errors import OptionError

__all__ = ["PairedTest", "fewest_units"]

PairedTest = Literal["bootstrap", "randomization"]

# Of two systems made equal by exchanging their segments of WMT15 at random, the bootstrap calls different at
# the 5 % level (BLEU, chrF and TER averaged, 2,000 trials each): 88 % with 1 segment, 49 % with 2, 31 % with 3,
# 16 % with 5, 10 % with 10, 8 % with 20, 7 % with 30, 6 % with 40 and 50, 5.5 % with 100, 5.3 % with 200
# (tools/simulate_tests.py). Of eleven equal systems it tells some pair apart in 14 % of cases with 20, 7 % with 50.
_BOOTSTRAP_UNITS = 50


def fewest_units(test: PairedTest, n_systems: int, *, alpha: float = 0.05) -> int:
    """Count the segments (or groups of them) below which all pairs of systems should not be tested.

    With fewer, the bootstrap finds differences where there are none. Randomization is exact, but n segments
    can be exchanged in 2ⁿ ways, two of which are always as far apart as the systems themselves: with too
    few, nothing can be significant after Holm's adjustment.

    Examples
    --------
    >>> fewest_units("bootstrap", 2), fewest_units("randomization", 2), fewest_units("randomization", 11)
    (50, 6, 12)
    """
    if not 0 < alpha < 1:
        raise OptionError(f"alpha must lie between 0 and 1, not {alpha}")
    n_pairs = max(1, n_systems * (n_systems - 1) // 2)
    needed = floor(1 + log2(n_pairs / alpha)) + 1  # the least n with pairs · 2 / 2ⁿ < alpha
    return _BOOTSTRAP_UNITS if test == "bootstrap" else needed
