"""The Poisson bootstrap: numpy's Philox, the right distribution, and sums that no partition changes."""

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.kernels.resampling import PoissonSums, poisson_weights, sum_poisson
from tertium.kernels.threads import use_threads
from tertium.values import FloatArray

SEED = 12345


def weights_of_numpy(sample: int, n_segments: int, seed: int) -> FloatArray:
    """Draw the weights of a sample's first segments with numpy's Philox and scipy's Poisson quantiles."""
    key = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    words: list[int] = []
    for block in range(-(-n_segments // 8)):
        # numpy counts one up before it draws, and so begins one block earlier
        counter = (block + (sample << 64) - 1) % 2**256
        generator = np.random.Philox(key=key, counter=counter)
        for word in generator.random_raw(4).tolist():
            words += [word & 0xFFFFFFFF, word >> 32]
    shares = (np.array(words[:n_segments]) + 0.5) / 2**32
    return np.asarray(scipy.stats.poisson.ppf(shares, 1))


@pytest.mark.parametrize("sample", [0, 1, 77])
def test_weights_are_poisson_numbers_of_numpys_philox(sample: int) -> None:
    weights = poisson_weights(sample + 1, 0, 500, seed=SEED)[sample]
    np.testing.assert_array_equal(weights, weights_of_numpy(sample, 500, SEED))


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 40))
def test_a_weight_depends_on_the_segments_number_and_not_on_where_a_batch_begins(start: int, n: int) -> None:
    whole = poisson_weights(3, 0, start + n, seed=SEED)
    np.testing.assert_array_equal(poisson_weights(3, start, n, seed=SEED), whole[:, start:])


def test_weights_are_distributed_as_poisson_of_mean_one() -> None:
    weights = poisson_weights(200, 0, 5000, seed=SEED)
    counts = np.bincount(weights.astype(int).ravel(), minlength=8)[:8]
    expected = scipy.stats.poisson.pmf(np.arange(8), 1) * weights.size
    # eight cells: beyond 24.3 lies one case in a thousand
    assert np.sum((counts - expected) ** 2 / expected) < 24.3
    assert abs(np.corrcoef(weights[0], weights[1])[0, 1]) < 4 / math.sqrt(5000)
    assert abs(np.corrcoef(weights[0, 1:], weights[0, :-1])[0, 1]) < 4 / math.sqrt(5000)


def test_other_seeds_draw_other_weights() -> None:
    drawn = [poisson_weights(2, 0, 64, seed=seed).tobytes() for seed in (0, 1, 2**64, 2**64 + 1)]
    assert len(set(drawn)) == 4


@pytest.mark.slow
@pytest.mark.parametrize(
    "table",
    [
        pytest.param(np.random.default_rng(1).integers(-9, 9, (3000, 4)) * 1.0, id="whole numbers"),
        pytest.param(
            np.random.default_rng(1).integers(2**44, 2**46, (3000, 2)) * 1.0, id="large whole numbers"
        ),
        pytest.param(np.random.default_rng(1).integers(-40_000, 40_000, (3000, 2)) * 1.0, id="of 17 bits"),
        pytest.param(
            np.concatenate([np.random.default_rng(1).normal(size=(1500, 3)), np.ones((1500, 20))], axis=1)[
                :, ::-1
            ],
            id="whole numbers beside fractions",
        ),
        pytest.param(np.random.default_rng(1).normal(size=(1500, 3)), id="fractions"),
        pytest.param(np.ldexp(np.random.default_rng(1).normal(size=(40, 2)), 800), id="large"),
        pytest.param(np.random.default_rng(1).normal(size=(40, 2)) * 5e-324, id="the smallest"),
        pytest.param(
            np.ldexp(np.random.default_rng(1).normal(size=(60, 2)), np.arange(-600, 600, 10).reshape(60, 2)),
            id="of all sizes",
        ),
        pytest.param(np.zeros((20, 2)), id="nothing but zeros"),
    ],
)
def test_sums_are_the_exact_weighted_sums_rounded_once(table: FloatArray) -> None:
    (totals,) = sum_poisson([table], 5, seed=SEED)
    weights = poisson_weights(5, 0, len(table), seed=SEED)
    for row, sample in zip(totals, weights, strict=True):
        for total, column in zip(row, table.T, strict=True):
            exact = sum(Fraction(w) * Fraction(x) for w, x in zip(sample, column.tolist(), strict=True))
            assert total == float(exact)


@settings(deadline=None)
@given(st.integers(1, 200), st.integers(1, 5), st.randoms(use_true_random=False), st.integers(0, 2**32 - 1))
def test_no_order_partition_or_journey_of_the_rows_changes_a_bit(
    n_rows: int, n_parts: int, random: Any, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    table = np.ldexp(rng.normal(size=(n_rows, 3)), rng.integers(-40, 40, size=(n_rows, 3)))
    whole = PoissonSums(7, 3, seed=SEED)
    whole.add(0, table)
    cuts = sorted(random.choices(range(n_rows + 1), k=2 * n_parts))
    batches = [(a, table[a:b]) for a, b in zip([0, *cuts], [*cuts, n_rows], strict=True)]
    random.shuffle(batches)
    parts = [PoissonSums(7, 3, seed=SEED) for _ in range(n_parts)]
    for i, (start, rows) in enumerate(batches):
        parts[i % n_parts].add(start, rows)
    merged = PoissonSums.from_bytes(parts[0].to_bytes())
    for part in parts[1:]:
        merged.merge(pickle.loads(pickle.dumps(part)))
    np.testing.assert_array_equal(merged.totals(), whole.totals())
    assert merged.n_rows == n_rows


def test_no_number_of_threads_changes_a_bit() -> None:
    table = np.random.default_rng(0).normal(size=(5000, 30))
    totals: list[FloatArray] = []
    for threads in (1, 2, 5):
        with use_threads(threads):
            totals += sum_poisson([table[:, :10], table[:, 10:]], 200, seed=SEED)
    np.testing.assert_array_equal(totals[0], totals[1])
    np.testing.assert_array_equal(totals[0], totals[2])


def test_no_size_of_blocks_changes_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(0).normal(size=(500, 3))
    (whole,) = sum_poisson([table], 50, seed=SEED)
    monkeypatch.setattr("tertium.kernels.resampling._WORKING_BYTES", 2000)
    monkeypatch.setattr("tertium.kernels.resampling._BATCH_ROWS", 13)
    blocks = list(sum_poisson([table], 50, seed=SEED))
    assert [len(block) for block in blocks] == [10] * 5
    np.testing.assert_array_equal(np.concatenate(blocks), whole)


def test_what_cannot_be_summed_is_refused() -> None:
    sums = PoissonSums(3, 2, seed=1)
    with pytest.raises(InputError, match=r"rows must have 2 columns; the array has shape \(4, 3\)"):
        sums.add(0, np.zeros((4, 3)))
    with pytest.raises(InputError, match="a statistic is not a finite number, so it cannot be resampled"):
        sums.add(0, np.array([[1.0, np.nan]]))
    with pytest.raises(InputError, match="numbered from 0, but -1 was given"):
        sums.add(-1, np.zeros((4, 2)))
    with pytest.raises(OptionError, match="the seed must not be negative"):
        PoissonSums(3, 2, seed=-1)
    with pytest.raises(OptionError, match="at least 1, not 0"):
        PoissonSums(0, 2, seed=1)


@pytest.mark.parametrize(("n_samples", "n_columns", "seed"), [(4, 2, 1), (3, 1, 1), (3, 2, 2)])
def test_sums_of_another_kind_are_not_merged(n_samples: int, n_columns: int, seed: int) -> None:
    with pytest.raises(InputError, match="differ in their samples, columns or seed"):
        PoissonSums(3, 2, seed=1).merge(PoissonSums(n_samples, n_columns, seed=seed))


def test_damaged_bytes_are_refused() -> None:
    sums = PoissonSums(3, 2, seed=1)
    sums.add(0, np.ones((4, 2)))
    saved = sums.to_bytes()
    for length in range(len(saved)):
        with pytest.raises(InputError, match="Poisson sums"):
            PoissonSums.from_bytes(saved[:length])
    with pytest.raises(InputError, match="something follows"):
        PoissonSums.from_bytes(saved + b"\0")
    with pytest.raises(InputError, match="does not fit"):
        PoissonSums.from_bytes(saved[:4] + b"\xff" * 16 + saved[20:])
