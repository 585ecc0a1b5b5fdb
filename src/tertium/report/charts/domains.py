"""The part of an axis that a chart shows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

__all__ = ["Axis", "padded_domain"]


def padded_domain(values: Iterable[float], share: float = 0.05) -> tuple[float, float]:
    """The range of the finite values with some room on both sides; equal values get a tenth of themselves.

    Examples
    --------
    >>> padded_domain([0.0, 10.0, float("nan")])
    (-0.5, 10.5)
    >>> padded_domain([20.0])
    (18.0, 22.0)
    """
    finite = [value for value in values if isfinite(value)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    if high - low <= 1e-12 * max(abs(low), abs(high), 1e-300):
        room = abs(low) / 10 or 1.0
    else:
        room = (high - low) * share
    return low - room, high + room


@dataclass(frozen=True)
class Axis:
    """A range of values laid onto pixels, for what has to be placed before the chart is drawn."""

    domain: tuple[float, float]
    pixels: tuple[float, float]

    def place(self, value: float) -> float:
        """The pixel of a value."""
        return _map(value, self.domain, self.pixels)

    def value(self, pixel: float) -> float:
        """The value at a pixel, inside or outside the range."""
        return _map(pixel, self.pixels, self.domain)


def _map(value: float, source: Sequence[float], target: Sequence[float]) -> float:
    return target[0] + (value - source[0]) / (source[1] - source[0]) * (target[1] - target[0])
