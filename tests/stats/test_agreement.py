"""Accuracy on pairs, ties and soft accuracy, held against mt-metrics-eval."""

from typing import Any

import numpy as np
import pytest

from tertium.stats import agreement
from tertium.stats.agreement import (
    approximate_soft_accuracy,
    calibrate_ties,
    pairs_in_groups,
    pairwise_accuracy,
    sign_flip_p,
    soft_pairwise_accuracy,
)
from tertium.stats.correlation import Grouping, average_over_groups
from tertium.stats.metric_resamples import bootstrap_soft_accuracy
from tertium.values import FloatArray

METRICS = ("metric1", "metric2")
GROUPINGS: dict[str, Grouping] = {"none": "none", "sys": "system", "item": "item"}


@pytest.mark.parametrize("metric", METRICS)
def test_accuracy_is_the_share_of_agreeing_pairs(
    metric: str, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    agreeing, pairs = mtme_results[metric]["agreement"]
    value = pairwise_accuracy(mtme_scores["gold"].ravel(), mtme_scores[metric].ravel())
    assert value == agreeing / pairs


@pytest.mark.parametrize("epsilon", [0.05, 0.2])
@pytest.mark.parametrize("metric", METRICS)
def test_accuracy_with_a_tie_threshold_equals_mt_metrics_eval(
    metric: str, epsilon: float, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    value = pairwise_accuracy(mtme_scores["gold"].ravel(), mtme_scores[metric].ravel(), epsilon=epsilon)
    assert value == pytest.approx(mtme_results[metric][f"kv_acc23_eps{epsilon}"], abs=1e-15)


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("metric", METRICS)
def test_calibrated_ties_equal_mt_metrics_eval(
    metric: str, by: str, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    calibrated = calibrate_ties(mtme_scores["gold"], mtme_scores[metric], by=GROUPINGS[by])
    accuracy, epsilon = mtme_results[metric][f"tiesopt_acc23_{by}"]
    assert calibrated.accuracy == pytest.approx(accuracy, abs=1e-13)
    assert calibrated.epsilon == epsilon


@pytest.mark.parametrize("by", ["none", "item", "system"])
def test_no_threshold_beats_the_calibrated_one(by: Grouping) -> None:
    rng = np.random.default_rng(7)
    human = rng.integers(0, 4, size=(6, 9)).astype(float)
    human[2, 3] = human[0, 8] = np.nan
    metric = human + rng.normal(size=human.shape).round(1)
    metric[np.isnan(human)] = 0.0
    accuracy, epsilon = calibrate_ties(human, metric, by=by)

    def at(threshold: float) -> float:
        def accuracies(h: FloatArray, m: FloatArray) -> FloatArray:
            return pairwise_accuracy(h, m, epsilon=threshold)

        return float(average_over_groups(accuracies, human, metric, by=by))

    gaps = np.unique(np.abs(metric.ravel()[:, None] - metric.ravel()[None, :]))
    assert at(epsilon) == pytest.approx(accuracy, abs=1e-12)
    assert accuracy == pytest.approx(max(at(float(gap)) for gap in gaps), abs=1e-12)


def test_calibration_without_a_pair_is_nan() -> None:
    assert np.isnan(calibrate_ties(np.array([[1.0, np.nan]]), np.ones((1, 2))).accuracy)


def test_every_group_weighs_the_same() -> None:
    human = np.array([[1.0, 2.0, 3.0], [4.0, np.nan, np.nan], [5.0, np.nan, 6.0]])
    pairs = pairs_in_groups(human, by="system")
    assert pairs.weights.tolist() == [1 / 6] * 3 + [1 / 2]
    assert pairs.first.tolist() == [0, 0, 1, 6] and pairs.second.tolist() == [1, 2, 2, 8]  # noqa: PT018


def test_a_sample_of_pairs_stands_for_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "_MAX_PAIRS", 20_000)
    rng = np.random.default_rng(1)
    human = rng.normal(size=(1, 1000))
    metric = human + rng.normal(size=human.shape)
    pairs = pairs_in_groups(human, rng=rng)
    assert len(pairs.first) == 20_000
    assert not np.any(pairs.first == pairs.second)
    exact = float(pairwise_accuracy(human[0], metric[0]))
    assert calibrate_ties(human, metric, pairs=pairs).accuracy == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("metric", METRICS)
def test_soft_accuracy_is_near_mt_metrics_eval_where_ties_are_common(
    metric: str, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    # 12 segments with round scores: many flips are exactly as far apart as the systems, and there the
    # other tool's single precision decides at random
    value = soft_pairwise_accuracy(mtme_scores["gold"], mtme_scores[metric])
    assert value == pytest.approx(mtme_results[f"one_minus_pce_{metric}"][0], abs=0.015)


def test_sign_flips_are_those_of_mt_metrics_eval() -> None:
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(4, 50)) + np.array([[0.0], [0.1], [0.2], [0.8]])
    flips = np.rint(np.random.default_rng(4).random(size=(1000, 50), dtype=np.float32)) * 2 - 1
    for a in range(4):
        for b in range(4):
            gaps = scores[a] - scores[b]
            expected = np.mean([np.sum(row * gaps) >= np.sum(gaps) - 1e-9 for row in flips])
            assert sign_flip_p(scores)[a, b] == expected


def test_soft_accuracy_of_people_with_themselves_is_1() -> None:
    scores = np.random.default_rng(0).normal(size=(3, 30))
    assert soft_pairwise_accuracy(scores, scores) == 1.0
    assert np.isnan(soft_pairwise_accuracy(scores[:1], scores[:1]))


def test_normal_p_values_give_nearly_the_same_soft_accuracy() -> None:
    rng = np.random.default_rng(5)
    human = rng.normal(size=(6, 400)) + np.linspace(0, 0.4, 6)[:, None]
    metrics = human + rng.normal(size=(3, 6, 400)) * np.array([0.5, 1.0, 3.0])[:, None, None]
    exact = [soft_pairwise_accuracy(human, metric) for metric in metrics]
    np.testing.assert_allclose(approximate_soft_accuracy(human, metrics), exact, atol=0.01)


def test_resamples_of_soft_accuracy_lie_around_the_observed_value() -> None:
    rng = np.random.default_rng(6)
    human = rng.normal(size=(5, 100)) + np.linspace(0, 0.5, 5)[:, None]
    metrics = human + rng.normal(size=(2, 5, 100))
    drawn = bootstrap_soft_accuracy(human, metrics, 50, np.random.default_rng(0))
    observed = [soft_pairwise_accuracy(human, metric) for metric in metrics]
    assert drawn.shape == (2, 50)
    assert np.all((drawn >= 0) & (drawn <= 1))
    np.testing.assert_allclose(drawn.mean(axis=1), observed, atol=0.005)  # values above 1 are cut off
