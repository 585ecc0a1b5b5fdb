"""Raters brought to one scale, judgments averaged, systems scored."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats.human import average_judgments, find_outliers, normalise_raters, rank_sum_p, score_systems


def test_each_rater_has_mean_0_and_variance_1() -> None:
    rng = np.random.default_rng(0)
    raters = rng.integers(0, 5, size=200).astype(np.int32)
    scores = rng.normal(size=200) * (raters + 1) + 10 * raters
    normalised = normalise_raters(scores, raters).scores
    for rater in range(5):
        own = normalised[raters == rater]
        assert own.mean() == pytest.approx(0.0, abs=1e-12)
        assert own.var() == pytest.approx(1.0)


def test_a_rater_with_one_judgment_is_named_and_left_out() -> None:
    result = normalise_raters(np.array([1.0, 2.0, 7.0, 3.0, 3.0]), np.array([0, 0, 1, 2, 2], dtype=np.int32))
    assert result.single.tolist() == [1]
    assert result.constant.tolist() == [2]
    np.testing.assert_equal(result.scores, [-1.0, 1.0, np.nan, np.nan, np.nan])


def test_a_constant_rater_is_found_however_the_mean_is_rounded() -> None:
    assert normalise_raters(np.full(10, 0.1), np.zeros(10, dtype=np.int32)).constant.tolist() == [0]


def test_judgments_of_a_cell_are_averaged_if_there_are_enough() -> None:
    scores, cells = np.array([1.0, 3.0, 5.0, np.nan]), np.array([0, 0, 2, 2])
    np.testing.assert_equal(average_judgments(scores, cells, 4), [2.0, np.nan, 5.0, np.nan])
    np.testing.assert_equal(average_judgments(scores, cells, 3, at_least=2), [2.0, np.nan, np.nan])


def test_judgments_may_weigh_differently() -> None:
    means = average_judgments(np.array([1.0, 3.0]), np.array([0, 0]), 1, weights=np.array([3.0, 1.0]))
    assert means.tolist() == [(3 * 1 + 1 * 3) / 4]


def test_system_scores_can_be_weighted_by_length() -> None:
    segments = np.array([[1.0, 4.0, np.nan], [np.nan] * 3])
    np.testing.assert_equal(score_systems(segments), [2.5, np.nan])
    np.testing.assert_equal(score_systems(segments, np.array([1.0, 2.0, 9.0])), [(1 + 8) / 3, np.nan])


@given(
    st.lists(st.integers(0, 6), min_size=8, max_size=40), st.lists(st.integers(0, 6), min_size=8, max_size=40)
)
def test_the_rank_sum_test_equals_scipy(first: list[int], second: list[int]) -> None:
    stats = pytest.importorskip("scipy.stats")
    a, b = np.array(first, dtype=float), np.array(second, dtype=float)
    if len({*first, *second}) == 1:
        assert rank_sum_p(a, b) == 1.0
        return
    expected = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=False).pvalue
    assert rank_sum_p(a, b) == pytest.approx(expected, abs=1e-12)


def test_the_rank_sum_test_leaves_out_missing_scores() -> None:
    a, b = np.array([1.0, np.nan, 2.0, 3.0]), np.array([2.0, 4.0, 5.0, np.nan])
    assert rank_sum_p(a, b) == rank_sum_p(a[[0, 2, 3]], b[:3])
    assert rank_sum_p(a, np.full(3, np.nan)) == 1.0


def test_nothing_is_an_outlier_without_scores_or_without_spread() -> None:
    assert find_outliers(np.array([np.nan, np.nan])).tolist() == [False, False]
    assert find_outliers(np.array([1.0, 1.0, 1.0, 9.0])).tolist() == [False] * 4
