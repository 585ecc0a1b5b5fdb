"""Sums and resamples beside numpy: the same sums, the same draws, the same totals."""

from collections.abc import Callable, Iterator

import numpy as np

from harness import Row, Sample, best_seconds
from tertium.kernels import use_threads
from tertium.kernels.poisson import sum_poisson
from tertium.kernels.resampling import sum_kept, sum_resamples
from tertium.kernels.sums import sum_rows
from tertium.types import FloatArray

__all__ = ["measure"]

# three systems under three metrics have some 90 statistics
N_SEGMENTS, N_COLUMNS, N_SAMPLES = 50_000, 90, 100


def measure(sample: Sample) -> Iterator[Row]:  # noqa: ARG001 - statistics are drawn, not made of text
    """Sum a million rows, and sum over a tenth of the usual number of resamples."""
    rng = np.random.default_rng(1)
    fractions = rng.random((1_000_000, 10))
    table = rng.integers(0, 50, (N_SEGMENTS, N_COLUMNS)).astype(np.float64)
    with use_threads(1):
        ours, theirs = best_seconds(lambda: sum_rows(fractions)), best_seconds(lambda: fractions.sum(axis=0))
        yield Row("exact sums of a million rows", "numpy, inexact", ours, theirs, 0.5)
        yield _compare(
            "bootstrap totals", lambda: list(sum_resamples([table], N_SAMPLES, _rng())), _bootstrap, table
        )
        yield _compare(
            "Poisson totals", lambda: list(sum_poisson([table], N_SAMPLES, seed=1)), _bootstrap, table
        )
        yield _compare(
            "randomization totals", lambda: list(sum_kept([table], N_SAMPLES, _rng())), _swap, table
        )


def _compare(
    job: str, ours: Callable[[], object], theirs: Callable[[FloatArray], object], table: FloatArray
) -> Row:
    peer = best_seconds(lambda: theirs(table), repeats=1)
    return Row(job, "numpy, a matrix product", best_seconds(ours), peer, 10)


def _bootstrap(table: FloatArray) -> FloatArray:
    draws = _rng().choice(len(table), size=(N_SAMPLES, len(table)))
    counts = np.array([np.bincount(row, minlength=len(table)) for row in draws], dtype=np.float64)
    return counts @ table


def _swap(table: FloatArray) -> FloatArray:
    return _rng().integers(2, size=(N_SAMPLES, len(table)), dtype=bool).astype(np.float64) @ table


def _rng() -> np.random.Generator:
    return np.random.default_rng(12345)
