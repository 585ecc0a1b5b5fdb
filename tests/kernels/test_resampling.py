"""Sums over resamples: numpy's draws bit by bit, and the same digits for any threads and blocks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.draws import add_kept_in_order, add_weighted_in_order, draw_counts, draw_kept
from tertium.errors import InputError, OptionError
from tertium.kernels import resampling
from tertium.kernels.resampling import count_gaps, sum_kept, sum_resamples
from tertium.kernels.threads import use_threads
from tertium.values import FloatArray

SEED = 12345
DRAWS: list[tuple[Any, Callable[..., Any]]] = [(sum_resamples, draw_counts), (sum_kept, draw_kept)]
IN_ORDER: list[tuple[Any, Callable[..., Any], Callable[..., float]]] = [
    (sum_resamples, draw_counts, add_weighted_in_order),
    (sum_kept, draw_kept, add_kept_in_order),
]
# counts, those that 16 bits just hold or do not, fractions, and numbers that nothing whole is exact beside
NUMBERS: list[Callable[[np.random.Generator, int], Any]] = [
    lambda rng, n: rng.integers(-50, 400, n),
    lambda rng, n: rng.choice(
        [0, 1, 900, 32_767, -32_767, -32_768, 32_768], n, p=[0.3, 0.3, 0.2, 0.05, 0.05, 0.05, 0.05]
    ),
    lambda rng, n: rng.choice([3, 2.0**31, 2.0**45], n, p=[0.9, 0.08, 0.02]),
    lambda rng, n: rng.normal(size=n),
    lambda rng, n: np.where(rng.random(n) < 0.004, 0.1, rng.integers(0, 900, n)),
    lambda rng, n: np.where(rng.random(n) < 0.02, 1e250, -0.0),
]

# below and above a word, a panel, a tile; column counts below and above a strip
sizes = st.tuples(
    st.integers(1, 600), st.integers(1, 70), st.sampled_from([1, 2, 15, 16, 17, 95, 96, 97, 130])
)


def sums_of(draw: Any, tables: list[FloatArray], n_samples: int, rng: np.random.Generator) -> FloatArray:
    return np.concatenate(list(draw(tables, n_samples, rng)))


@pytest.mark.parametrize(("draw", "slowly"), DRAWS)
@settings(deadline=None)
@given(sizes, st.integers(0, 3))
def test_sums_are_those_of_numpys_draws_and_the_generator_ends_where_numpys_does(
    draw: Any, slowly: Any, size: tuple[int, int, int], n_drawn_before: int
) -> None:
    n_rows, n_samples, n_columns = size
    table = np.random.default_rng(SEED).integers(-50, 50, (n_rows, n_columns)).astype(float)
    ours, theirs = np.random.default_rng(SEED), np.random.default_rng(SEED)
    for rng in (ours, theirs):
        rng.integers(10, size=n_drawn_before)  # an odd number leaves half a word behind
    sums = sums_of(draw, [table], n_samples, ours)
    np.testing.assert_array_equal(sums, slowly(n_rows, n_samples, theirs).astype(np.float64) @ table)
    assert ours.bit_generator.state == theirs.bit_generator.state


@pytest.mark.parametrize(("draw", "slowly", "add_in_order"), IN_ORDER)
@settings(deadline=None, max_examples=60)
@given(
    st.integers(1, 700),
    st.lists(st.sampled_from(range(len(NUMBERS))), min_size=1, max_size=40),
    st.integers(0, 99),
)
def test_columns_of_all_kinds_side_by_side_have_the_digits_of_a_sum_in_order(
    draw: Any, slowly: Any, add_in_order: Any, n_rows: int, kinds: list[int], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    table = np.array([NUMBERS[kind](rng, n_rows) for kind in kinds], dtype=np.float64).T
    sums = sums_of(draw, [table], 5, np.random.default_rng(seed))
    for sample, weights in enumerate(slowly(n_rows, 5, np.random.default_rng(seed))):
        for column in range(len(kinds)):
            assert sums[sample, column] == add_in_order(weights, table[:, column])


@pytest.mark.parametrize(("draw", "slowly", "add_in_order"), IN_ORDER)
def test_fractions_among_whole_numbers_are_added_in_order(draw: Any, slowly: Any, add_in_order: Any) -> None:
    rng = np.random.default_rng(SEED)
    table = rng.integers(0, 40, (9000, 60)).astype(float)
    table[24:48] = rng.random((24, 60))
    sums = sums_of(draw, [table], 3, np.random.default_rng(SEED))
    for sample, weights in enumerate(slowly(9000, 3, np.random.default_rng(SEED))):
        assert [add_in_order(weights, column) for column in table.T] == sums[sample].tolist()


@pytest.mark.parametrize(("draw", "slowly"), DRAWS)
def test_many_samples_of_few_rows_are_those_of_numpy(draw: Any, slowly: Any) -> None:
    """Enough of them for numbers to be drawn again, and for a group of samples to be full."""
    for n_rows in (3, 1500):
        table = np.random.default_rng(SEED).integers(-50, 50, (n_rows, 2)).astype(float)
        ours, theirs = np.random.default_rng(SEED), np.random.default_rng(SEED)
        sums = sums_of(draw, [table], 1100, ours)
        np.testing.assert_array_equal(sums, slowly(n_rows, 1100, theirs).astype(np.float64) @ table)
        assert ours.bit_generator.state == theirs.bit_generator.state


@pytest.mark.parametrize(("draw", "slowly"), DRAWS)
@pytest.mark.parametrize("n_rows", [8192, 8193, 32_760, 33_000, 70_001])
def test_chunks_of_rows_are_put_together(draw: Any, slowly: Any, n_rows: int) -> None:
    table = np.random.default_rng(SEED).integers(-50, 50, (n_rows, 3)).astype(float)
    sums = sums_of(draw, [table], 35, np.random.default_rng(SEED))
    weights = slowly(n_rows, 35, np.random.default_rng(SEED)).astype(np.float64)
    np.testing.assert_array_equal(sums, weights @ table)


@pytest.mark.parametrize(("draw", "slowly"), DRAWS)
def test_fractions_agree_with_a_matrix_product(draw: Any, slowly: Any) -> None:
    table = np.random.default_rng(SEED).random((20_000, 7))
    sums = sums_of(draw, [table], 40, np.random.default_rng(SEED))
    weights = slowly(20_000, 40, np.random.default_rng(SEED)).astype(np.float64)
    np.testing.assert_allclose(sums, weights @ table, rtol=1e-12)


@pytest.mark.parametrize("draw", [sum_resamples, sum_kept])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_no_number_of_threads_changes_a_digit(draw: Any, threads: int) -> None:
    table = np.random.default_rng(SEED).normal(size=(40_000, 20))
    with use_threads(1):
        alone = sums_of(draw, [table], 200, np.random.default_rng(SEED))
    with use_threads(threads):
        together = sums_of(draw, [table], 200, np.random.default_rng(SEED))
    np.testing.assert_array_equal(alone, together)


@pytest.mark.parametrize("draw", [sum_resamples, sum_kept])
@pytest.mark.parametrize("working_bytes", [1, 300, 3_000])
def test_no_size_of_blocks_changes_a_digit(
    draw: Any, working_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = np.random.default_rng(SEED).normal(size=(101, 20))
    whole, in_blocks = np.random.default_rng(SEED), np.random.default_rng(SEED)
    expected = sums_of(draw, [table], 75, whole)
    monkeypatch.setattr(resampling, "_WEIGHT_BYTES", working_bytes)
    monkeypatch.setattr(resampling, "_SUM_BYTES", working_bytes)
    blocks = list(draw([table], 75, in_blocks))
    assert len(blocks) > 1
    np.testing.assert_array_equal(np.concatenate(blocks), expected)
    assert whole.bit_generator.state == in_blocks.bit_generator.state


@pytest.mark.parametrize("draw", [sum_resamples, sum_kept])
def test_tables_side_by_side_have_the_sums_they_have_alone(draw: Any) -> None:
    rng = np.random.default_rng(SEED)
    tables = [rng.normal(size=(300, k)) for k in (10, 90, 3, 40)]
    together = sums_of(draw, tables, 50, np.random.default_rng(SEED))
    alone = [sums_of(draw, [table], 50, np.random.default_rng(SEED)) for table in tables]
    np.testing.assert_array_equal(together, np.concatenate(alone, axis=1))


def test_a_slice_of_a_larger_table_is_read_as_it_is() -> None:
    whole = np.random.default_rng(SEED).normal(size=(200, 6))
    part = whole[:, ::2]
    np.testing.assert_array_equal(
        sums_of(sum_resamples, [part], 10, np.random.default_rng(SEED)),
        sums_of(sum_resamples, [part.copy()], 10, np.random.default_rng(SEED)),
    )


@pytest.mark.parametrize("draw", [sum_resamples, sum_kept])
def test_what_cannot_be_drawn_is_refused_before_anything_is_read(draw: Any) -> None:
    rng = np.random.default_rng(SEED)
    with pytest.raises(InputError, match="no segments"):
        draw([np.zeros((0, 3))], 10, rng)
    with pytest.raises(OptionError, match="at least 1, not 0"):
        draw([np.zeros((4, 3))], 0, rng)


def test_another_generator_is_refused() -> None:
    with pytest.raises(OptionError, match=r"default generator \(PCG64\), not MT19937"):
        list(sum_resamples([np.zeros((4, 3))], 10, np.random.Generator(np.random.MT19937(1))))


def test_tables_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="a row per segment"):
        list(sum_resamples([np.zeros((4, 3)), np.zeros((5, 3))], 10, np.random.default_rng(SEED)))


@settings(deadline=None)
@given(st.integers(1, 7), st.integers(1, 200), st.integers(0, 2**32 - 1))
def test_gaps_of_pairs_are_counted_as_one_by_one(n_systems: int, n_samples: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, (n_systems, n_samples)) / 2
    means, thresholds = rng.integers(0, 6, n_systems) / 2, rng.integers(0, 5, (n_systems, n_systems)) / 2
    thresholds, roundings = thresholds + thresholds.T, np.full((n_systems, n_systems), 0.5)
    beyond, apart = count_gaps(scores, means, thresholds, roundings)
    for a in range(n_systems):
        for b in range(n_systems):
            gaps = scores[a] - scores[b]
            is_beyond = np.abs(gaps - (means[a] - means[b])) > thresholds[a, b]
            assert beyond[a, b] == (np.count_nonzero(is_beyond) if a != b else 0)
            assert apart[a, b] == np.count_nonzero(np.abs(gaps) > 0.5)
