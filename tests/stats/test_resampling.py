"""Draws that follow sacreBLEU's stream of random numbers, and totals that follow from draws."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.significance import estimate_ci

from reference.draws import draw_counts, draw_kept, totals_under
from tertium.errors import InputError, OptionError
from tertium.stats import resampling
from tertium.stats.resampling import (
    confidence_interval,
    draw_swaps,
    kept_totals,
    resampled_totals,
    standard_error,
)

SEED = 12345
MILLION = 1_000_000

sizes = st.tuples(
    st.integers(1, 150),  # segments: fewer and more than a block and a word hold
    st.integers(1, 70),  # samples
    st.integers(1, 700),  # values of a block
)


def swaps_in_blocks(
    n_segments: int, n_samples: int, block_values: int, rng: np.random.Generator
) -> list[npt.NDArray[np.bool_]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "_BLOCK_VALUES", block_values)
        return list(draw_swaps(n_segments, n_samples, rng))


@settings(deadline=None)
@given(sizes)
def test_swaps_in_blocks_equal_one_call_and_leave_the_generator_where_it_does(
    size: tuple[int, int, int],
) -> None:
    n_segments, n_samples, block_values = size
    ours, theirs = np.random.default_rng(SEED), np.random.default_rng(SEED)
    blocks = swaps_in_blocks(n_segments, n_samples, block_values, ours)
    np.testing.assert_array_equal(np.vstack(blocks), draw_kept(n_segments, n_samples, theirs))
    assert ours.bit_generator.state == theirs.bit_generator.state


def test_a_block_over_a_million_segments_stays_within_64_mb() -> None:
    block = next(draw_swaps(MILLION, 1000, np.random.default_rng(SEED)))
    assert block.shape == (67, MILLION)
    assert block.nbytes <= 64 * 2**20


def test_a_row_longer_than_a_block_comes_alone() -> None:
    blocks = swaps_in_blocks(50, 3, 20, np.random.default_rng(SEED))
    assert [block.shape for block in blocks] == [(1, 50)] * 3


def test_a_draw_refuses_an_empty_test_set_before_it_is_read() -> None:
    with pytest.raises(InputError, match="no segments"):
        draw_swaps(0, 10, np.random.default_rng(SEED))


def test_a_draw_refuses_no_samples_before_it_is_read() -> None:
    with pytest.raises(OptionError, match="at least 1, not 0"):
        draw_swaps(10, 0, np.random.default_rng(SEED))


@pytest.mark.parametrize(("totals_of", "draw"), [(resampled_totals, draw_counts), (kept_totals, draw_kept)])
@settings(deadline=None)
@given(
    st.integers(1, 4), st.integers(1, 80), st.integers(1, 5), st.integers(1, 20), st.integers(0, 2**32 - 1)
)
def test_totals_are_the_statistics_of_the_drawn_segments_summed(
    totals_of: Any, draw: Any, n_systems: int, n_segments: int, n_statistics: int, n_samples: int, seed: int
) -> None:
    tables = (
        np.random.default_rng(seed).integers(0, 1000, (n_systems, n_segments, n_statistics)).astype(float)
    )
    totals = totals_of(tables, n_samples, np.random.default_rng(SEED))
    weights = draw(n_segments, n_samples, np.random.default_rng(SEED))
    np.testing.assert_array_equal(totals, totals_under(weights, tables))


def test_metrics_side_by_side_have_the_totals_they_have_alone() -> None:
    one, other = np.random.default_rng(SEED).normal(size=(2, 3, 40, 4))
    together = resampled_totals(np.concatenate([one, other], axis=-1), 25, np.random.default_rng(SEED))
    for table, columns in ((one, together[..., :4]), (other, together[..., 4:])):
        np.testing.assert_array_equal(columns, resampled_totals(table, 25, np.random.default_rng(SEED)))


@settings(deadline=None)
@given(st.integers(1, 2500), st.integers(0, 2**32 - 1))
def test_the_95_percent_interval_is_sacrebleus(n_samples: int, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(30, 1, n_samples)
    mean, half_width = estimate_ci(scores)
    interval = confidence_interval(scores)
    assert interval.mean == mean
    assert 0.5 * (interval.high - interval.low) == half_width


@pytest.mark.parametrize(
    ("n_samples", "level", "n_outside"),
    [
        pytest.param(1000, 0.95, 25, id="sacreBLEU's default"),
        pytest.param(39, 0.95, 0, id="too few for a tail"),
        pytest.param(20, 0.90, 1, id="a tail of one although 1 - 0.9 < 0.1 in binary"),
        pytest.param(1000, 0.99, 5, id="99 percent"),
        pytest.param(10, 0.50, 2, id="quartiles"),
        pytest.param(2, 1e-12, 0, id="bounds never cross"),
    ],
)
def test_the_level_decides_how_many_samples_lie_outside(n_samples: int, level: float, n_outside: int) -> None:
    scores = np.random.default_rng(SEED).permutation(n_samples).astype(np.float64)
    interval = confidence_interval(scores, level=level)
    assert interval.low == n_outside
    assert interval.high == n_samples - 1 - n_outside


def test_intervals_of_many_systems_are_those_of_each() -> None:
    scores = np.random.default_rng(SEED).normal(size=(3, 2, 200))
    together = confidence_interval(scores)
    for place in np.ndindex(3, 2):
        alone = confidence_interval(scores[place])
        assert (together.low[place], together.high[place]) == (alone.low, alone.high)


@pytest.mark.parametrize("level", (0.0, 1.0, 95.0))
def test_a_level_outside_zero_to_one_is_refused(level: float) -> None:
    with pytest.raises(OptionError, match="level must be between 0 and 1"):
        confidence_interval(np.arange(10.0), level=level)


def test_the_bootstrap_standard_error_of_a_mean_is_the_textbooks() -> None:
    rng = np.random.default_rng(SEED)
    segment_scores = rng.normal(size=(2, 500, 1))
    scores = resampled_totals(segment_scores, 4000, rng)[..., 0] / 500
    textbook = np.std(segment_scores[0] - segment_scores[1]) / np.sqrt(500)
    # 4,000 resamples know a standard deviation to about 1/sqrt(8,000) = 1.1 %
    assert standard_error(scores[0], scores[1]) == pytest.approx(textbook, rel=0.05)
