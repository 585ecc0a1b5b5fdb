"""Resampling of a test set: the totals of random resamples, and confidence intervals of scores.

Statistics are additive, so the totals of a resample are the sums of the rows of its segments. All draws use the
same random numbers as a single call in sacreBLEU 2.6, but in blocks, so that a million segments fit in memory.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import floor, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, OptionError
from tertium.kernels.elementary import erfc
from tertium.kernels.resampling import sum_kept, sum_resamples
from tertium.stats.analysis import DEFAULT_ALPHA
from tertium.stats.student import student_tail_quantile
from tertium.values import FloatArray

_BLOCK_VALUES = 2**26  # 64 MB

_BITS_PER_WORD = 32  # numpy takes random booleans from 32-bit words

Groups = npt.NDArray[np.intp]
"""The number of the group of each cell, from 0; the cells of a group are drawn and exchanged together."""


def draw_swaps(
    n_segments: int, n_samples: int, rng: "np.random.Generator"
) -> Iterator[npt.NDArray[np.bool_]]:
    """Draw the segments that two systems keep in approximate randomization; they exchange all other segments.

    The generator advances as by `rng.integers(2, size=(n_samples, n_segments), dtype=bool)` while the blocks are
    consumed: consume all of them before drawing other numbers.

    Yields
    ------
    NDArray
        (samples of this block, segments).
    """
    return _swap_blocks(n_segments, _block_sizes(n_segments, n_samples), rng)


def resampled_totals(tables: FloatArray, n_samples: int, rng: "np.random.Generator") -> FloatArray:
    """Sum the statistics of every system over each bootstrap resample.

    The generator advances as by `rng.choice(segments, size=(n_samples, segments))`.

    Parameters
    ----------
    tables
        Statistics, (systems, segments, k). Tables of several metrics may be concatenated along the last axis.

    Returns
    -------
    FloatArray
        Totals, (systems, samples, k). Sums of whole numbers are exact.
    """
    return _by_system(sum_resamples(list(tables), n_samples, rng), tables.shape)


def kept_totals(tables: FloatArray, n_samples: int, rng: "np.random.Generator") -> FloatArray:
    """Sum the statistics of every system over the segments that it keeps in approximate randomization.

    The generator advances as by `rng.integers(2, size=(n_samples, segments), dtype=bool)`; the rest is as in
    `resampled_totals`.
    """
    return _by_system(sum_kept(list(tables), n_samples, rng), tables.shape)


class Interval(NamedTuple):
    """The mean of resampled scores, and the bounds of their confidence interval."""

    mean: FloatArray
    low: FloatArray
    high: FloatArray


def confidence_interval(scores: FloatArray, *, level: float = 1 - DEFAULT_ALPHA) -> Interval:
    """Compute the percentile interval of resampled scores, (..., samples).

    At the 95 % level 1/40 of the samples is outside on each side, as in sacreBLEU, which prints half of `high - low`
    after ±.
    """
    if not 0 < level < 1:
        raise OptionError(f"level must be between 0 and 1, not {level}")
    ordered = np.sort(scores, axis=-1)
    n_samples = ordered.shape[-1]
    # 1e-9: (1 - 0.9) / 2 is a little less than 1/20 because of rounding, and 20 samples must have one outside
    n_outside = min(floor(n_samples * (1 - level) / 2 + 1e-9), (n_samples - 1) // 2)
    return Interval(ordered.mean(axis=-1), ordered[..., n_outside], ordered[..., n_samples - n_outside - 1])


@cache
def expand_level(level: float, n_units: int) -> float:
    """Return the level at which the percentile interval of few units contains the score with the probability `level`.

    The percentile interval of n units is too narrow: its standard error lacks the factor √(n / (n − 1)), and its width is that
    of a normal distribution instead of Student's t (Hesterberg, 2015, "What Teachers Should Know About the Bootstrap",
    the expanded percentile interval).

    >>> [round(expand_level(0.95, n), 3) for n in (6, 15, 50, 1000)]
    [0.995, 0.974, 0.958, 0.95]
    """
    size = student_tail_quantile((1 - level) / 2, n_units - 1) * sqrt(n_units / (n_units - 1))
    return 1 - float(erfc(size / sqrt(2)))


def standard_error(scores_a: FloatArray, scores_b: FloatArray) -> FloatArray:
    """Estimate the standard error of the difference of two systems from their scores on the same resamples, (..., samples)."""
    return np.asarray(np.std(scores_a - scores_b, axis=-1, ddof=1))


def _by_system(blocks: Iterable[FloatArray], shape: tuple[int, ...]) -> FloatArray:
    n_systems, _, n_statistics = shape
    totals = np.concatenate(list(blocks)).reshape(-1, n_systems, n_statistics)
    return np.ascontiguousarray(np.swapaxes(totals, 0, 1))


def _block_sizes(n_segments: int, n_samples: int) -> Sequence[int]:
    if n_segments < 1:
        raise InputError("no segments to resample: the table of statistics is empty")
    if n_samples < 1:
        raise OptionError(f"the number of resamples must be at least 1, not {n_samples:,}")
    n_rows = max(1, _BLOCK_VALUES // n_segments)
    n_full, n_left = divmod(n_samples, n_rows)
    return [n_rows] * n_full + [n_left] * (n_left > 0)


def _swap_blocks(
    n_segments: int, block_sizes: Sequence[int], rng: "np.random.Generator"
) -> Iterator[npt.NDArray[np.bool_]]:
    n_undrawn = n_segments * sum(block_sizes)
    carried = np.empty(0, dtype=bool)
    for n_rows in block_sizes:
        n_bits = n_rows * n_segments
        n_words = -((len(carried) - n_bits) // _BITS_PER_WORD)
        # a call discards the rest of its last word, so only the last call may end inside a word
        n_drawn = min(n_words * _BITS_PER_WORD, n_undrawn)
        n_undrawn -= n_drawn
        bits = np.concatenate([carried, rng.integers(2, size=n_drawn, dtype=bool)])
        carried = bits[n_bits:].copy()  # a view would keep the whole block alive
        yield bits[:n_bits].reshape(n_rows, n_segments)


def group_cells(judged: npt.NDArray[np.bool_], units: Groups | None) -> Groups | None:
    """Group the judged cells by system and unit; None if each cell is exchanged alone.

    `judged` is (systems, segments), and `units` has the unit of each segment, such as its document.

    >>> group_cells(np.array([[True, True, False], [True, True, True]]), np.array([0, 0, 1]))
    array([0, 0, 1, 1, 2])
    """
    if units is None or judged.ndim == 1:
        return None
    systems, segments = np.nonzero(judged)
    numbers = systems * (int(units.max()) + 1) + units[segments]
    return number_groups(numbers)


def select_units(units: Groups | None, chosen: npt.NDArray[np.bool_]) -> Groups | None:
    """Return the units of some of the segments, numbered without gaps.

    >>> select_units(np.array([0, 0, 1, 2]), np.array([True, False, False, True]))
    array([0, 1])
    """
    return None if units is None else number_groups(units[chosen])


def number_groups(names: npt.NDArray[Any]) -> Groups:
    """Number equal names equally, from 0 without gaps."""
    return np.unique(names, return_inverse=True)[1].reshape(-1)  # NumPy 2.0 returned another shape


def sum_groups(columns: FloatArray, groups: Groups | None) -> FloatArray:
    """Sum the rows of each group, (cells, k) to (groups, k)."""
    if groups is None:
        return columns
    sums = np.zeros((int(groups.max()) + 1, columns.shape[1]))
    np.add.at(sums, groups, columns)
    return sums
