"""Tests between metrics: Williams and PERM-BOTH against mt-metrics-eval, fast paths against slow ones."""

import sys
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.stats

from tertium.errors import InputError, MissingExtraError
from tertium.stats.agreement import pairwise_accuracy
from tertium.stats.correlation import average_over_groups, kendall_b, pearson, spearman
from tertium.stats.human import Comparisons, ranking_kendall
from tertium.stats.metric_resamples import bootstrap_pearson, bootstrap_rankings, bootstrap_statistic
from tertium.stats.metric_tests import (
    Permutations,
    average_permutations,
    find_significant,
    p_better,
    permute_marks,
    permute_pearson,
    permute_rankings,
    permute_scores,
    select_metrics,
    williams_matrix,
    williams_p,
)
from tertium.stats.resampling import draw_swaps
from tertium.values import FloatArray


def noisy_metrics(shape: tuple[int, ...], noise: list[float]) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(5)
    human = rng.normal(size=shape)
    return human, np.array([human + level * rng.normal(size=shape) for level in noise])


def test_williams_equals_mt_metrics_eval(
    mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    metrics = np.stack([mtme_scores["metric1"].ravel(), mtme_scores["metric2"].ravel()])
    p = williams_matrix(mtme_scores["gold"].ravel(), metrics)
    assert p[0, 1] == pytest.approx(mtme_results["williams_one"][0], rel=1e-9)
    assert p[0, 1] + p[1, 0] == pytest.approx(1.0)
    assert williams_p(0.8, 0.6, 0.5, 30) == pytest.approx(
        mtme_results["williams_raw"]["r12=.8,r13=.6,r23=.5,n=30"]
    )


def test_williams_refuses_three_systems() -> None:
    with pytest.raises(InputError, match="at least 4 scores of each metric, not 3"):
        williams_p(0.9, 0.5, 0.4, 3)


def test_williams_cannot_tell_copies_apart() -> None:
    assert williams_p(0.7, 0.7, 1.0, 10) == 0.5


@pytest.mark.parametrize(("statistic", "key"), [(pearson, "perm_both_pearson_seed0_k200"), (kendall_b, None)])
def test_perm_both_finds_what_mt_metrics_eval_finds(
    statistic: Any, key: str | None, mtme_scores: dict[str, FloatArray], mtme_results: dict[str, Any]
) -> None:
    gold = mtme_scores["gold"].ravel()
    metrics = np.stack([mtme_scores["metric1"].ravel(), mtme_scores["metric2"].ravel()])
    test = permute_scores(metrics, lambda m: statistic(gold, m), 200, np.random.default_rng(0))
    p = p_better(test)
    assert p[0, 1] == 1 / 201  # no exchange was as far apart, where the other tool says 0
    assert p[1, 0] == 1.0
    if key is not None:
        assert test.observed[0] - test.observed[1] == pytest.approx(mtme_results[key][1], abs=1e-13)


def test_fast_pearson_equals_the_slow_exchange() -> None:
    human, metrics = noisy_metrics((80,), [0.5, 0.9, 1.5])
    fast = permute_pearson(human, metrics, 50, np.random.default_rng(2))
    slow = permute_scores(metrics, lambda m: pearson(human, m), 50, np.random.default_rng(2))
    np.testing.assert_allclose(fast.null, slow.null, rtol=0, atol=1e-12)
    np.testing.assert_allclose(fast.observed, slow.observed, rtol=0, atol=1e-15)


@pytest.mark.parametrize("year", [2012, 2014])
def test_fast_ranking_test_equals_the_slow_exchange(year: int) -> None:
    rng = np.random.default_rng(8)
    human, metrics = noisy_metrics((5, 40), [0.5, 1.0, 1.0])
    metrics[1] = metrics[1].round()  # a metric with many ties
    segments, first = rng.integers(40, size=300), rng.integers(5, size=300)
    second = (first + rng.integers(1, 5, size=300)) % 5
    preferences = np.sign(human[first, segments] - human[second, segments]) * (rng.random(300) < 0.8)
    judged = Comparisons(*(c.astype(np.int32) for c in (segments, first, second, preferences)))
    fast = permute_rankings(judged, metrics, 20, np.random.default_rng(3), year=year)
    np.testing.assert_allclose(fast.null, slow_ranking_null(judged, metrics, 20, year), rtol=0, atol=1e-12)
    np.testing.assert_allclose(fast.observed, ranking_kendall(judged, metrics, year=year), atol=1e-15)


def slow_ranking_null(judged: Comparisons, metrics: FloatArray, n_samples: int, year: int) -> FloatArray:
    decided = judged.decided()
    n_segments = metrics.shape[2]
    cells = np.unique(
        np.concatenate([side * n_segments + decided.segments for side in (decided.first, decided.second)])
    )
    flat = metrics.reshape(len(metrics), -1)
    means, spreads = (getattr(flat[:, cells], name)(axis=1, keepdims=True) for name in ("mean", "std"))
    standard = (flat - means) / spreads
    (swaps,) = draw_swaps(len(cells), n_samples, np.random.default_rng(3))
    rows = []
    for a, b in combinations(range(len(metrics)), 2):
        for kept in swaps:
            keeps = np.ones(flat.shape[1])
            keeps[cells] = kept
            mixed = [keeps * standard[x] + (1 - keeps) * standard[y] for x, y in ((a, b), (b, a))]
            taus = [ranking_kendall(judged, scores.reshape(metrics.shape[1:]), year=year) for scores in mixed]
            rows.append(float(taus[0] - taus[1]))
    return np.array(rows).reshape(-1, n_samples)


def test_a_much_better_metric_is_found_and_equal_ones_are_not() -> None:
    human, metrics = noisy_metrics((400,), [0.3, 1.0, 1.0])
    p = p_better(permute_pearson(human, metrics, 500, np.random.default_rng(0)))
    assert p[0, 1] < 0.01
    assert p[0, 2] < 0.01
    assert 0.05 < p[1, 2] < 0.95


def test_perm_both_keeps_its_level() -> None:
    rng = np.random.default_rng(11)
    n_found = 0
    for _ in range(200):
        human = rng.normal(size=30)
        metrics = human + rng.normal(size=(2, 30))
        n_found += p_better(permute_pearson(human, metrics, 99, rng))[0, 1] <= 0.05
    # 200 trials at 5 %: beyond 22 lies less than one in a thousand
    assert scipy.stats.binom.cdf(n_found, 200, 0.05) < 0.999


@pytest.mark.slow
def test_pooled_accuracy_keeps_its_level_and_power_where_scales_differ_between_language_pairs() -> None:
    """Scores are standardised within each language pair."""
    rng = np.random.default_rng(8)

    def p_value(noise: float) -> float:
        parts = []
        for _ in range(3):
            human = rng.normal(size=10)
            errors = rng.normal(size=(2, 10)) * [[1.0], [noise]]
            scales, shifts = np.exp(rng.normal(size=(2, 1))), rng.normal(size=(2, 1)) * 5
            accuracy = partial(pairwise_accuracy, human)
            parts.append(permute_scores(shifts + scales * (human + errors), accuracy, 99, rng))
        return float(p_better(average_permutations(parts))[0, 1])

    equal, worse = (np.array([p_value(noise) for _ in range(200)]) for noise in (1.0, 3.0))
    assert np.mean(equal <= 0.05) == pytest.approx(0.05, abs=0.04)  # standard error 0.015
    assert np.mean(worse <= 0.05) > 0.4


def test_identical_metrics_are_never_told_apart() -> None:
    human, metrics = noisy_metrics((30,), [0.5])
    twice = np.concatenate([metrics, metrics])
    for test in (
        permute_pearson(human, twice, 50, np.random.default_rng(0)),
        permute_scores(twice, lambda m: spearman(human, m), 50, np.random.default_rng(0)),
    ):
        assert p_better(test).tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_marks_are_exchanged_pair_by_pair() -> None:
    marks = np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 0.0, 0.0, 1.0]])
    weights = np.full(4, 0.25)
    test = permute_marks(marks, weights, 30, np.random.default_rng(1))
    (swaps,) = draw_swaps(4, 30, np.random.default_rng(1))
    first = swaps * marks[0] + (1 - swaps) * marks[1]
    second = swaps * marks[1] + (1 - swaps) * marks[0]
    np.testing.assert_allclose(test.null[0], (first - second) @ weights)
    assert test.observed.tolist() == [0.75, 0.5]


def test_average_over_language_pairs_sees_what_no_single_one_sees() -> None:
    parts = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        human = rng.normal(size=40)
        metrics = human + np.array([[0.8], [1.3]]) * rng.normal(size=(2, 40))
        parts.append(permute_pearson(human, metrics, 300, rng))
    alone = [p_better(part)[0, 1] for part in parts]
    assert p_better(average_permutations(parts))[0, 1] < min(0.05, float(np.median(alone)))


def test_significant_pairs_follow_the_test() -> None:
    p = p_better(Permutations(np.array([0.9, 0.89, 0.5]), np.array([[0.02] * 9, [0.0] * 9, [0.0] * 9])))
    pairs = find_significant(np.array([0.9, 0.89, 0.5]), p, alpha=0.11)
    assert pairs.tolist() == [[False, False, True], [False, False, True], [True, True, False]]


def test_bootstrap_spreads_around_the_coefficient() -> None:
    human, metrics = noisy_metrics((200,), [0.5, 2.0])
    drawn = bootstrap_statistic(pearson, human, metrics, 300, np.random.default_rng(0))
    assert drawn.shape == (2, 300)
    theory = (1 - pearson(human, metrics) ** 2) / np.sqrt(200)  # for normal scores
    np.testing.assert_allclose(drawn.std(axis=1), theory, rtol=0.25)
    np.testing.assert_allclose(drawn.mean(axis=1), pearson(human, metrics), atol=0.02)


def test_rankings_are_resampled_by_segment() -> None:
    # two segments: a resample has both (τ 0), only the first (τ 1) or only the second (τ -1)
    judged = Comparisons(*(np.array(column, dtype=np.int32) for column in ([0, 1], [0, 0], [1, 1], [1, 1])))
    scores = np.array([[[2.0, 1.0], [1.0, 2.0]]])
    drawn = bootstrap_rankings(judged, scores, 400, np.random.default_rng(0), year=2014)
    assert drawn.shape == (1, 400)
    values, counts = np.unique(drawn, return_counts=True)
    assert values.tolist() == [-1.0, 0.0, 1.0]
    np.testing.assert_allclose(counts / 400, [0.25, 0.5, 0.25], atol=0.08)


def test_the_quick_bootstrap_of_pearson_equals_that_of_any_statistic() -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(50, 10, size=(4, 30))
    human[rng.random(human.shape) < 0.3] = np.nan
    metrics = np.nan_to_num(human, nan=50.0) + rng.normal(0, 20, size=(3, 4, 30)) + 1e6
    statistic = partial(average_over_groups, pearson, by="none")
    slow = bootstrap_statistic(statistic, human, metrics, 50, np.random.default_rng(1))
    fast = bootstrap_pearson(human, metrics, 50, np.random.default_rng(1))
    np.testing.assert_allclose(fast, slow, rtol=1e-9)  # sums in another order


def test_resamples_whose_scores_are_all_the_same_have_no_pearson() -> None:
    human = np.array([[1.0, 2.0]])
    drawn = bootstrap_pearson(human, np.array([[[3.0, 4.0]]]), 40, np.random.default_rng(0))
    assert np.isnan(drawn).any()
    np.testing.assert_allclose(drawn[~np.isnan(drawn)], 1.0)


def test_selected_metrics_keep_their_tests() -> None:
    human, metrics = noisy_metrics((50,), [0.5, 1.0, 2.0, 4.0])
    tested = permute_pearson(human, metrics, 30, np.random.default_rng(0))
    chosen = select_metrics(tested, np.array([0, 2, 3]))
    np.testing.assert_array_equal(chosen.observed, tested.observed[[0, 2, 3]])
    np.testing.assert_array_equal(chosen.null, tested.null[[1, 2, 5]])  # the pairs 0–2, 0–3 and 2–3 of six
    np.testing.assert_array_equal(p_better(chosen), p_better(tested)[np.ix_([0, 2, 3], [0, 2, 3])])


def test_williams_without_scipy_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    with pytest.raises(MissingExtraError, match="Williams' test needs scipy"):
        williams_p(0.8, 0.6, 0.5, 30)
