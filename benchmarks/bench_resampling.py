"""Time sums and resamples against numpy, with the same random numbers and totals."""

from collections.abc import Iterator

import numpy as np

from harness import Row, Sample, alternating_seconds
from tertium.kernels.resampling import sum_kept, sum_poisson, sum_resamples
from tertium.kernels.sums import sum_rows
from tertium.kernels.threads import use_threads
from tertium.values import FloatArray

__all__ = ["measure"]

# three systems under three metrics have some 90 statistics
N_SEGMENTS, N_COLUMNS, N_SAMPLES = 20_000, 90, 1000


def measure(sample: Sample) -> Iterator[Row]:  # noqa: ARG001 - statistics are drawn, not made of text
    """Sum a million rows, and sum over a thousand resamples; numpy's matrix product may use every core."""
    rng = np.random.default_rng(1)
    fractions = rng.random((1_000_000, 10))
    table = rng.integers(0, 50, (N_SEGMENTS, N_COLUMNS)).astype(np.float64)
    with use_threads(1):
        exact, plain = alternating_seconds([lambda: sum_rows(fractions), lambda: fractions.sum(axis=0)])
        yield Row("exact sums of a million rows", "numpy, inexact", exact, plain, 0.5, None)
        index, poisson, peer = alternating_seconds(
            [
                lambda: list(sum_resamples([table], N_SAMPLES, _rng())),
                lambda: list(sum_poisson([table], N_SAMPLES, seed=1)),
                lambda: _bootstrap(table),
            ]
        )
        yield Row("bootstrap totals", "numpy, matrix product", index, peer, 5, None)
        yield Row("Poisson bootstrap totals", "numpy, matrix product", poisson, peer, 2, None)
        kept, peer = alternating_seconds(
            [lambda: list(sum_kept([table], N_SAMPLES, _rng())), lambda: _swap(table)]
        )
        yield Row("randomization totals", "numpy, matrix product", kept, peer, 5, None)


def _bootstrap(table: FloatArray) -> FloatArray:
    draws = _rng().choice(len(table), size=(N_SAMPLES, len(table)))
    counts = np.array([np.bincount(row, minlength=len(table)) for row in draws], dtype=np.float64)
    return counts @ table


def _swap(table: FloatArray) -> FloatArray:
    return _rng().integers(2, size=(N_SAMPLES, len(table)), dtype=bool).astype(np.float64) @ table


def _rng() -> np.random.Generator:
    return np.random.default_rng(12345)
