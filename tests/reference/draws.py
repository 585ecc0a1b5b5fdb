"""Random draws as numpy gives them in a single call, and the totals of each resample one by one."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tertium.values import FloatArray

__all__ = ["add_kept_in_order", "add_weighted_in_order", "draw_counts", "draw_kept", "totals_under"]


def draw_counts(n_segments: int, n_samples: int, rng: np.random.Generator) -> FloatArray:
    """Draw bootstrap resamples as sacreBLEU does: how often each segment is in each, (samples, segments)."""
    draws = rng.choice(n_segments, size=(n_samples, n_segments), replace=True)
    return np.array([np.bincount(row, minlength=n_segments) for row in draws], dtype=np.float64)


def draw_kept(n_segments: int, n_samples: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draw as sacreBLEU does which segments a shuffle keeps, (samples, segments)."""
    return rng.integers(2, size=(n_samples, n_segments), dtype=bool)


def totals_under(weights: npt.NDArray[np.generic], tables: FloatArray) -> FloatArray:
    """Sum (systems, segments, k) under each row of weights: (systems, samples, k)."""
    return np.array([weights.astype(np.float64) @ table for table in tables])


def add_weighted_in_order(weights: FloatArray, column: FloatArray) -> float:
    """Sum a column under one sample's weights in the order of the core: chunks of tiles of rows."""
    total = 0.0
    for chunk in range(0, len(column), 8192):
        part = 0.0
        for tile in range(chunk, min(chunk + 8192, len(column)), 256):
            rows = slice(tile, min(tile + 256, chunk + 8192))
            part += _add(w * x for w, x in zip(weights[rows].tolist(), column[rows].tolist(), strict=True))
        total += part
    return total


def add_kept_in_order(kept: npt.NDArray[np.bool_], column: FloatArray) -> float:
    """Sum what one sample keeps of a column in the order of the core: 24 rows at a time, as four sums of six."""
    total = 0.0
    for chunk in range(0, len(column), 32_760):
        part = 0.0
        for step in range(chunk, min(chunk + 32_760, len(column)), 24):
            a, b, c, d = (
                _add(column[first : first + 6][kept[first : first + 6]].tolist())
                for first in range(step, step + 24, 6)
            )
            part += (a + b) + (c + d)
        total += part
    return total


def _add(numbers: Iterable[float]) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total
