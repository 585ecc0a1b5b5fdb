"""Random draws as numpy gives them in a single call, and the totals of each resample one by one."""

import numpy as np
import numpy.typing as npt

from tertium.types import FloatArray

__all__ = ["draw_counts", "draw_kept", "totals_under"]


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
