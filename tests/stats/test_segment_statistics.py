"""Accuracy with ties, pairwise differences and relative rankings, against slow definitions."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.metaeval.agreement import parse_statistic
from tertium.metaeval.agreement_statistics import ScoreStatistic
from tertium.stats.agreement import calibrate_ties, decide_ties, pairs_in_groups, pairwise_accuracy
from tertium.stats.correlation import average_over_groups, difference_pearson
from tertium.stats.human import ranking_kendall, relative_rankings
from tertium.stats.metric_resamples import (
    bootstrap_calibrated_ties,
    bootstrap_differences,
    bootstrap_statistic,
)
from tertium.stats.metric_tests import (
    find_clusters,
    p_better,
    permute_calibrated_ties,
    permute_differences,
    permute_scores,
)
from tertium.values import FloatArray


def incomplete(
    seed: int, n_metrics: int = 3, shape: tuple[int, int] = (5, 12)
) -> tuple[FloatArray, FloatArray]:
    """Human scores with ties and gaps, and metrics of growing noise."""
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 5, size=shape).astype(float)
    human[rng.random(shape) < 0.2] = np.nan
    noise = np.linspace(0.5, 3, n_metrics)[:, None, None] * rng.normal(size=(n_metrics, *shape))
    return human, np.nan_to_num(human) + noise


def slow_pdp(human: FloatArray, metric: FloatArray) -> float:
    """Pearson's r over the differences of all ordered pairs of outputs of a segment."""
    gaps = [
        (human[i, s] - human[j, s], metric[i, s] - metric[j, s])
        for s in range(human.shape[1])
        for i in range(len(human))
        for j in range(len(human))
        if i != j and not np.isnan(human[i, s] + human[j, s])
    ]
    return float(np.corrcoef(np.array(gaps).T)[0, 1])


@given(st.integers(0, 2**32))
def test_pdp_is_pearsons_r_over_all_differences_inside_segments(seed: int) -> None:
    human, metrics = incomplete(seed)
    expected = [slow_pdp(human, metric) for metric in metrics]
    np.testing.assert_allclose(difference_pearson(human, metrics), expected, atol=1e-12)


def test_pdp_ignores_what_all_outputs_of_a_segment_share() -> None:
    human, metrics = incomplete(3)
    shift = np.random.default_rng(1).normal(size=(1, human.shape[1])) * 50
    np.testing.assert_allclose(
        difference_pearson(human + shift, metrics - shift), difference_pearson(human, metrics), atol=1e-9
    )


def test_the_fast_test_of_pdp_equals_the_generic_one() -> None:
    human, metrics = incomplete(5, 4)
    judged = ~np.isnan(human)

    def compute(rows: FloatArray) -> FloatArray:
        scores = np.zeros((*rows.shape[:-1], *human.shape))
        scores[..., judged] = rows
        return difference_pearson(human, scores)

    generic = permute_scores(metrics[:, judged], compute, 60, np.random.default_rng(2))
    fast = permute_differences(human, metrics, 60, np.random.default_rng(2))
    np.testing.assert_allclose(fast, generic.null, atol=1e-9)


def test_resamples_of_pdp_are_those_of_the_generic_bootstrap() -> None:
    human, metrics = incomplete(6)
    fast = bootstrap_differences(human, metrics, 400, np.random.default_rng(1))
    slow = bootstrap_statistic(difference_pearson, human, metrics, 400, np.random.default_rng(1))
    np.testing.assert_allclose(fast.mean(axis=1), slow.mean(axis=1), atol=0.03)  # other draws
    np.testing.assert_allclose(fast.std(axis=1), slow.std(axis=1), atol=0.03)


@pytest.mark.parametrize("epsilon", [0.0, 0.7])
def test_a_fixed_threshold_is_used_for_every_pair(epsilon: float) -> None:
    human, metrics = incomplete(1)
    decided = decide_ties(human, metrics[0], pairs_in_groups(human, by="item"), epsilon)

    def accuracy(h: FloatArray, m: FloatArray) -> FloatArray:
        return pairwise_accuracy(h, m, epsilon=epsilon)

    assert decided.epsilon == epsilon
    assert decided.accuracy == pytest.approx(
        float(average_over_groups(accuracy, human, metrics[0], by="item"))
    )


def test_a_held_out_threshold_does_not_depend_on_its_own_fold() -> None:
    human, metrics = incomplete(2, shape=(6, 40))
    pairs = pairs_in_groups(human, by="item")
    decided = decide_ties(human, metrics[0], pairs, "held-out")
    folds = np.random.default_rng(0).permutation(40) % 5
    changed = metrics[0].copy()
    changed[:, folds == 2] *= 100
    again = decide_ties(human, changed, pairs, "held-out")
    own = folds[pairs.first % 40] == 2
    np.testing.assert_array_equal(again.thresholds[own], decided.thresholds[own])
    assert len(np.unique(decided.thresholds)) <= 5
    assert decided.accuracy <= calibrate_ties(human, metrics[0], pairs=pairs).accuracy + 1e-12


def test_the_best_threshold_looks_better_than_it_is_for_a_metric_without_information() -> None:
    rng = np.random.default_rng(4)
    human, noise = rng.integers(0, 2, size=(4, 30)).astype(np.float64), rng.normal(size=(40, 4, 30))
    pairs = pairs_in_groups(human, by="item")
    optimal, held_out = (
        np.mean([decide_ties(human, metric, pairs, rule).accuracy for metric in noise])
        for rule in ("optimal", "held-out")
    )
    assert optimal > held_out + 0.01


def test_resampled_accuracy_finds_the_best_threshold_of_each_resample() -> None:
    human, metrics = incomplete(8, shape=(4, 10))
    drawn = bootstrap_calibrated_ties(human, metrics, 20, np.random.default_rng(3), rule="optimal")
    judged = np.flatnonzero((~np.isnan(human)).sum(axis=0) > 1)
    rng = np.random.default_rng(3)
    for sample in range(20):
        rows = judged[rng.integers(len(judged), size=len(judged))]
        for metric, value in zip(metrics, drawn[:, sample], strict=True):
            expected = calibrate_ties(human[:, rows], metric[:, rows], by="item").accuracy
            assert value == pytest.approx(expected, abs=1e-12)


def test_darr_counts_pairs_that_differ_by_25_points_and_ties_as_discordant() -> None:
    human = np.array([[90.0, 10.0, 50.0], [65.0, 40.0, 30.0], [64.0, np.nan, 20.0]])
    metric = np.array([[3.0, 1.0, 2.0], [2.0, 1.0, 2.0], [4.0, 9.0, 1.0]])
    # segment 1: 90 > 65 agrees, 90 > 64 does not; 2: 40 > 10 is tied; 3: 50 > 20 agrees
    assert float(ranking_kendall(relative_rankings(human), metric, year=2012)) == pytest.approx(0.0)


@pytest.mark.parametrize("metric", ["metric1", "metric2"])
def test_darr_equals_mt_metrics_eval(
    metric: str, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    gold, scores = (mtme_scores[name].reshape(-1, 1) for name in ("gold", metric))
    value = float(ranking_kendall(relative_rankings(gold), scores, year=2012))
    assert value == pytest.approx(mtme_results[metric]["kendall_like_25"][0], abs=1e-12)


def test_clusters_follow_the_rule_of_the_metrics_tasks() -> None:
    rng = np.random.default_rng(9)
    for _ in range(50):
        scores = rng.random(8)
        p = rng.random((8, 8)) ** 3
        order = np.argsort(-scores)
        expected, first, cluster = {}, 0, 1
        for place, metric in enumerate(order):  # mt-metrics-eval's rule over the sorted matrix of p-values
            if any(p[other, metric] < 0.05 for other in order[first:place]):
                cluster, first = cluster + 1, place
            expected[int(metric)] = cluster
        assert find_clusters(scores, p) == [expected[i] for i in range(8)]


def test_the_spec_names_the_tie_threshold() -> None:
    assert str(parse_statistic("segment:acc-eq:item:held-out")) == "segment:acc-eq:item:held-out"
    assert str(parse_statistic("segment:acc-eq:item:0.50")) == "segment:acc-eq:item:0.5"
    statistic = parse_statistic("segment:acc-eq:item:0.5").statistic
    assert isinstance(statistic, ScoreStatistic)
    human, metrics = incomplete(1)
    assert statistic.threshold(human, metrics[0], "item") == 0.5
    assert len(list(combinations(range(3), 2))) == len(
        permute_differences(human, metrics, 1, np.random.default_rng())
    )


def test_the_test_of_accuracy_with_ties_finds_the_better_metric() -> None:
    human, metrics = incomplete(9, shape=(6, 60))
    tested = permute_calibrated_ties(human, metrics, 200, np.random.default_rng(0), by="item")
    expected = [calibrate_ties(human, metric, by="item").accuracy for metric in metrics]
    np.testing.assert_allclose(tested.observed, expected, atol=1e-12)
    assert tested.null.shape == (3, 200)
    p = p_better(tested)
    assert p[0, 2] < 0.05 < p[2, 0]


def test_resampled_accuracy_keeps_a_threshold_that_was_given() -> None:
    human, metrics = incomplete(8, shape=(4, 10))
    drawn = bootstrap_calibrated_ties(human, metrics, 5, np.random.default_rng(3), rule=0.5)
    judged = np.flatnonzero((~np.isnan(human)).sum(axis=0) > 1)
    rng = np.random.default_rng(3)
    for sample in range(5):
        rows = judged[rng.integers(len(judged), size=len(judged))]
        for metric, value in zip(metrics, drawn[:, sample], strict=True):
            pairs = pairs_in_groups(human[:, rows], by="item")
            expected = decide_ties(human[:, rows], metric[:, rows], pairs, 0.5).accuracy
            assert value == pytest.approx(expected, abs=1e-12)
