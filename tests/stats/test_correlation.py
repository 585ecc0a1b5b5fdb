"""Coefficients that equal scipy's and mt-metrics-eval's, and the tables of the 2003 paper."""

from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from reference.pair_counts import count_pairs_slowly
from tertium.stats.correlation import (
    Coefficient,
    Grouping,
    average_over_groups,
    average_ranks,
    count_distinct,
    count_pairs,
    kendall_b,
    kendall_c,
    pearson,
    rank_correlation,
    red_tau,
    spearman,
)
from tertium.values import FloatArray

STATISTICS: dict[str, Coefficient] = {"Pearson": pearson, "Spearman": spearman, "Kendall": kendall_b}
GROUPINGS: dict[str, Grouping] = {"none": "none", "sys": "system", "item": "item"}

# few values, so that ties are common; lengths past the one at which the algorithm changes
SCORES = st.one_of(st.integers(2, 12), st.integers(120, 140)).flatmap(
    lambda n: st.tuples(
        *(st.lists(st.integers(-3, 12).map(lambda i: i / 4), min_size=n, max_size=n) for _ in range(2))
    )
)


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("metric", ["metric1", "metric2"])
def test_grouped_coefficients_equal_mt_metrics_eval(
    name: str, by: str, metric: str, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    value = average_over_groups(STATISTICS[name], mtme_scores["gold"], mtme_scores[metric], by=GROUPINGS[by])
    assert value == pytest.approx(mtme_results[metric][f"{name}_{by}"][0], abs=1e-13)


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("name", ["Pearson", "Kendall"])
@pytest.mark.parametrize("metric", ["metric1", "metric2"])
def test_missing_judgments_are_left_out_as_in_mt_metrics_eval(
    name: str, by: str, metric: str, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    gold = mtme_scores["gold_with_none"]
    value = average_over_groups(STATISTICS[name], gold, mtme_scores[metric], by=GROUPINGS[by])
    assert value == pytest.approx(mtme_results[metric][f"{name}_{by}_withNone"][0], abs=1e-13)


@pytest.mark.parametrize("metric", ["metric1", "metric2"])
def test_kendall_c_equals_mt_metrics_eval(
    metric: str, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    value = kendall_c(mtme_scores["gold"].ravel(), mtme_scores[metric].ravel())
    assert value == pytest.approx(mtme_results[metric]["kv_c"], abs=1e-13)


@pytest.mark.slow
@given(SCORES)
def test_coefficients_equal_scipy(pair: tuple[list[float], list[float]]) -> None:
    human, metric = map(np.array, pair)
    if len(set(pair[0])) == 1 or len(set(pair[1])) == 1:
        assert np.isnan([pearson(human, metric), spearman(human, metric), kendall_b(human, metric)]).all()
        return
    assert pearson(human, metric) == pytest.approx(scipy.stats.pearsonr(human, metric)[0], abs=1e-12)
    assert spearman(human, metric) == pytest.approx(scipy.stats.spearmanr(human, metric)[0], abs=1e-12)
    tau_b, tau_c = (scipy.stats.kendalltau(human, metric, variant=kind)[0] for kind in "bc")
    assert kendall_b(human, metric) == pytest.approx(tau_b, abs=1e-12)
    assert kendall_c(human, metric) == pytest.approx(tau_c, abs=1e-12)


@pytest.mark.slow
@given(SCORES, st.sampled_from([0.0, 0.25, 0.6]))
def test_pairs_are_counted_as_one_by_one(pair: tuple[list[float], list[float]], epsilon: float) -> None:
    counts = count_pairs(*map(np.array, pair), epsilon=epsilon)
    assert tuple(int(count) for count in counts) == count_pairs_slowly(*pair, epsilon)


@pytest.mark.slow
@given(SCORES, st.data())
def test_unjudged_scores_take_no_part_in_pair_counts(
    pair: tuple[list[float], list[float]], data: st.DataObject
) -> None:
    human, metric = (np.array(side) for side in pair)
    human[data.draw(st.sets(st.integers(0, len(human) - 1)).map(sorted))] = np.nan
    assert tuple(map(int, count_pairs(human, metric))) == count_pairs_slowly(human.tolist(), pair[1])


def test_rows_are_independent_of_one_another() -> None:
    rng = np.random.default_rng(0)
    human, metrics = rng.normal(size=(7, 20)), rng.normal(size=(3, 7, 20)).round(1)
    for statistic in (pearson, spearman, kendall_b, kendall_c, red_tau):
        whole = statistic(human, metrics)
        one_by_one = [[float(statistic(h, m)) for h, m in zip(human, rows, strict=True)] for rows in metrics]
        np.testing.assert_allclose(whole, one_by_one, rtol=0, atol=1e-14)


@pytest.mark.parametrize("statistic", [pearson, spearman, kendall_b, kendall_c, red_tau])
@pytest.mark.parametrize(
    "human",
    [
        pytest.param([1.0, 1.0, 1.0], id="constant"),
        pytest.param([0.1, 0.1, np.nan], id="constant where judged"),
        pytest.param([1.0, np.nan, np.nan], id="one score"),
        pytest.param([np.nan] * 3, id="no score"),
    ],
)
def test_a_coefficient_that_does_not_exist_is_nan(statistic: Coefficient, human: list[float]) -> None:
    assert np.isnan(statistic(np.array(human), np.array([0.1, 0.2, 0.3])))


def test_a_constant_metric_has_no_correlation_however_its_mean_is_rounded() -> None:
    assert np.isnan(pearson(np.arange(10.0), np.full(10, 0.1)))


def test_red_tau_leaves_ties_out() -> None:
    human, metric = np.array([1.0, 2.0, 3.0, 3.0]), np.array([1.0, 1.0, 2.0, 0.0])
    assert red_tau(human, metric) == (2 - 2) / 4


# Leusch, Ueffing & Ney (2003), Table 4: systems best first by each measure, and the printed coefficient.
TABLE_4 = {
    "PER": ("143972568", 0.52),
    "WER": ("194372658", 0.32),
    "invWER": ("149372568", 0.42),
    "BLEU": ("143562798", 0.80),
    "avgBLEU": ("149357628", 0.33),
}


@pytest.mark.parametrize("measure", TABLE_4)
def test_rank_correlation_is_the_one_of_the_inversion_paper(measure: str) -> None:
    order, printed = TABLE_4[measure]
    human = np.arange(9.0, 0.0, -1.0)
    metric = np.array([9.0 - order.index(str(system)) for system in range(1, 10)])
    assert round(float(rank_correlation(human, metric)), 2) == printed


def test_average_ranks_put_unjudged_scores_last() -> None:
    assert average_ranks(np.array([np.nan, 2.0, 1.0, 2.0])).tolist() == [4.0, 2.5, 1.0, 2.5]


def test_distinct_values_are_counted_without_nan() -> None:
    assert count_distinct(np.array([[1.0, 1.0, 2.0], [np.nan, 3.0, np.nan]])).tolist() == [2, 1]
