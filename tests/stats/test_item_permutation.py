"""PERM-BOTH within segments: the fast way gives what exchanging scores one by one gives."""

from functools import partial

import numpy as np
import pytest

from tertium.stats.agreement import pairwise_accuracy
from tertium.stats.correlation import average_over_groups, kendall_b, pearson, red_tau
from tertium.stats.item_permutation import can_permute_by_item, permute_by_item
from tertium.stats.permutation import permute_scores
from tertium.types import FloatArray

COEFFICIENTS = {"pearson": pearson, "kendall": kendall_b, "red": red_tau, "accuracy": pairwise_accuracy}


def make_scores(n_systems: int, *, rounded: int | None) -> tuple[FloatArray, FloatArray]:
    """Human scores with gaps, and three metrics; rounding makes ties, also between metrics and of whole segments."""
    rng = np.random.default_rng(7)
    human = np.round(rng.normal(size=(n_systems, 12)), 1)
    human[rng.random(human.shape) < 0.15] = np.nan
    human[:, 3] = 1.0
    human[1:, 4] = np.nan
    metrics = np.nan_to_num(human) + rng.normal(size=(3, n_systems, 12))
    metrics[:, :, 5] = 0.5
    return human, metrics if rounded is None else np.round(metrics, rounded)


def slowly(
    name: str, human: FloatArray, metrics: FloatArray, n_samples: int
) -> tuple[FloatArray, FloatArray]:
    cells = ~np.isnan(human).reshape(-1)

    def statistic(rows: FloatArray) -> FloatArray:
        whole = np.full((*rows.shape[:-1], human.size), np.nan)
        whole[..., cells] = rows
        return average_over_groups(
            COEFFICIENTS[name], human, whole.reshape(*rows.shape[:-1], *human.shape), by="item"
        )

    known = metrics.reshape(len(metrics), -1)[:, cells]
    expected = permute_scores(known, statistic, n_samples, np.random.default_rng(3))
    got = permute_by_item(name, human, metrics, statistic, n_samples, np.random.default_rng(3))
    np.testing.assert_array_equal(got.observed, expected.observed)
    return got.null, expected.null


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("rounded", [None, 0])
@pytest.mark.parametrize(("n_systems", "n_samples"), [(3, 200), (8, 40), (12, 30)])
def test_mixtures_looked_up_are_mixtures_made(
    name: str, rounded: int | None, n_systems: int, n_samples: int
) -> None:
    got, expected = slowly(name, *make_scores(n_systems, rounded=rounded), n_samples)
    # a sum of some hundred terms in another order
    np.testing.assert_allclose(got, expected, atol=1e-10)
    assert np.ptp(expected) > 0


def test_a_metric_and_its_copy_never_differ() -> None:
    human, metrics = make_scores(5, rounded=1)
    metrics[1] = metrics[0]
    for name, coefficient in COEFFICIENTS.items():
        statistic = partial(coefficient, human.reshape(-1)[~np.isnan(human).reshape(-1)])
        null = permute_by_item(name, human, metrics, statistic, 50, np.random.default_rng(3)).null
        np.testing.assert_allclose(null[0], 0, atol=1e-12)


def test_many_systems_and_other_coefficients_are_left_to_the_slow_way() -> None:
    assert can_permute_by_item("kendall", np.zeros((12, 3)))
    assert not can_permute_by_item("kendall", np.zeros((13, 3)))
    assert not can_permute_by_item("spearman", np.zeros((3, 3)))
