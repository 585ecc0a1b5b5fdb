"""PERM-BOTH within groups: the fast way gives what exchanging scores one by one gives."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tertium.kernels.threads import use_threads
from tertium.stats.agreement import pairwise_accuracy
from tertium.stats.correlation import (
    Grouping,
    average_over_groups,
    kendall_b,
    kendall_c,
    pearson,
    red_tau,
    spearman,
)
from tertium.stats.metric_tests import permute_by_group, permute_scores, standardise
from tertium.values import FloatArray

COEFFICIENTS = {
    "pearson": pearson,
    "kendall": kendall_b,
    "red": red_tau,
    "accuracy": pairwise_accuracy,
    "spearman": spearman,
    "kendall-c": kendall_c,
}
GROUPINGS: tuple[Grouping, ...] = ("item", "system", "none")


def make_scores(
    shape: tuple[int, int], *, rounded: int | None, seed: int = 7
) -> tuple[FloatArray, FloatArray]:
    """Human scores with gaps, and three metrics; rounding makes ties, also between metrics and of whole groups."""
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(size=shape), 1)
    human[rng.random(shape) < 0.15] = np.nan
    metrics = np.nan_to_num(human) + rng.normal(size=(3, *shape))
    if shape[1] > 5:
        human[:, 3] = 1.0  # a constant group
        human[1:, 4] = np.nan  # a group of one
        metrics[:, :, 5] = 0.5
    return human, metrics if rounded is None else np.round(metrics, rounded)


def both_ways(
    name: str, human: FloatArray, metrics: FloatArray, n_samples: int, by: Grouping
) -> tuple[FloatArray, FloatArray]:
    cells = ~np.isnan(human).reshape(-1)

    def statistic(rows: FloatArray) -> FloatArray:
        whole = np.full((*rows.shape[:-1], human.size), np.nan)
        whole[..., cells] = rows
        return average_over_groups(
            COEFFICIENTS[name], human, whole.reshape(*rows.shape[:-1], *human.shape), by=by
        )

    known = metrics.reshape(len(metrics), -1)[:, cells]
    expected = permute_scores(known, statistic, n_samples, np.random.default_rng(3))
    return permute_by_group(name, human, metrics, n_samples, np.random.default_rng(3), by=by), expected.null


@pytest.mark.slow
@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("rounded", [None, 0])
@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize(
    ("shape", "n_samples"),
    [
        ((3, 12), 200),
        ((6, 6), 50),
        ((8, 12), 40),
        ((12, 12), 30),
        ((14, 12), 30),
        ((70, 12), 10),
        ((4, 150), 10),
    ],
)
def test_mixtures_of_the_core_are_mixtures_made_one_by_one(
    name: str, rounded: int | None, by: Grouping, shape: tuple[int, int], n_samples: int
) -> None:
    got, expected = both_ways(name, *make_scores(shape, rounded=rounded), n_samples, by)
    # sums of some hundred terms in another order; the table of all mixtures rounds a little more
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-10 if by == "item" else 1e-12)
    assert np.ptp(expected) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", COEFFICIENTS)
@settings(deadline=None, max_examples=40)
@given(
    st.tuples(st.integers(1, 15), st.integers(1, 9)),
    st.sampled_from(GROUPINGS),
    st.sampled_from([None, 0, 1]),
    st.integers(0, 2**32 - 1),
)
def test_groups_of_any_shape_agree(
    name: str, shape: tuple[int, int], by: Grouping, rounded: int | None, seed: int
) -> None:
    human, metrics = make_scores(shape, rounded=rounded, seed=seed)
    human[0, 0] = 0.5  # at least one judgment
    values = np.sort(standardise(metrics[:, ~np.isnan(human)]).reshape(-1))
    gaps = np.diff(values)
    assume(np.all((gaps == 0) | (gaps > 1e-6)))  # else the rounding of two metrics decides what is a tie
    got, expected = both_ways(name, human, metrics, 5, by)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("by", GROUPINGS)
def test_a_metric_and_its_copy_never_differ(name: str, by: Grouping) -> None:
    human, metrics = make_scores((14, 12), rounded=1)
    metrics[1] = metrics[0]
    got, _ = both_ways(name, human, metrics, 20, by)
    np.testing.assert_allclose(got[0], 0, atol=1e-12)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_neither_threads_nor_blocks_change_a_digit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    human, metrics = make_scores((20, 15), rounded=1)

    def null(threads: int) -> FloatArray:
        with use_threads(threads):
            return permute_by_group(name, human, metrics, 300, np.random.default_rng(3), by="system")

    alone = null(1)
    np.testing.assert_array_equal(alone, null(3))
    monkeypatch.setattr("tertium.stats.resampling._BLOCK_VALUES", 20_000)
    np.testing.assert_array_equal(alone, null(2))


def test_one_metric_has_no_pair_to_test() -> None:
    human, metrics = make_scores((5, 12), rounded=None)
    got, _ = both_ways("spearman", human, metrics[:1], 10, "item")
    assert got.shape == (0, 10)
