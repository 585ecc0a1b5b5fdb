"""Kendall's τ over rankings by year, and system scores made of rankings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.stats.human import (
    Comparisons,
    count_wins,
    ranking_kendall,
    win_ratios,
)


def make_comparisons(rows: list[tuple[int, int, int, int]]) -> Comparisons:
    columns = np.array(rows, dtype=np.int32).reshape(-1, 4).T
    return Comparisons(*columns)


# segment, first, second, preference
JUDGED = make_comparisons([(0, 0, 1, 1), (0, 1, 2, -1), (1, 0, 2, 1), (1, 0, 1, 0), (1, 2, 1, 1)])
# concordant, tied, discordant, (human tie), concordant
SCORES = np.array([[3.0, 1.0], [2.0, 2.0], [2.0, 5.0]])


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        pytest.param(2012, (2 - 2) / 4, id="a tie is discordant"),
        pytest.param(2013, (2 - 1) / 3, id="a tie is left out"),
        pytest.param(2014, (2 - 1) / 4, id="a tie counts below only"),
    ],
)
def test_variants_differ_in_the_metrics_tie(year: int, expected: float) -> None:
    assert ranking_kendall(JUDGED, SCORES, year=year) == pytest.approx(expected)


def test_a_metric_that_agrees_with_everybody_has_tau_1() -> None:
    agreeing = np.array([[3.0, 3.0], [1.0, 1.0], [2.0, 2.0]])
    assert [float(ranking_kendall(JUDGED, agreeing, year=year)) for year in (2012, 2013, 2014)] == [1.0] * 3


def test_several_metrics_are_computed_at_once() -> None:
    both = ranking_kendall(JUDGED, np.stack([SCORES, -SCORES]), year=2014)
    assert both.tolist() == [0.25, -0.25]


def test_without_a_decided_comparison_there_is_no_tau() -> None:
    assert np.isnan(ranking_kendall(make_comparisons([(0, 0, 1, 0)]), SCORES, year=2014))


def test_another_year_is_refused() -> None:
    with pytest.raises(
        OptionError, match="WMT 2011 has no variant of Kendall's τ; choose from 2012, 2013, 2014"
    ):
        ranking_kendall(JUDGED, SCORES, year=2011)


def test_win_ratios_by_hand() -> None:
    # 0 beats 1 and 2 and ties with 1; 2 beats 1 twice
    ratios = win_ratios(JUDGED, 4)
    np.testing.assert_allclose(ratios.human_gt, [2 / 2, 0 / 3, 2 / 3, np.nan])
    np.testing.assert_allclose(ratios.human_ge, [3 / 3, 1 / 4, 2 / 3, np.nan])
    np.testing.assert_allclose(ratios.expected_wins, [(1 + 1) / 2, (0 + 0) / 2, (0 + 1) / 2, np.nan])


def test_wins_are_counted_from_either_side() -> None:
    assert count_wins(JUDGED, 3).tolist() == [[0, 1, 1], [0, 0, 0], [0, 2, 0]]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(5, 8), st.integers(-1, 1))))
def test_turning_every_comparison_around_changes_nothing(rows: list[tuple[int, int, int, int]]) -> None:
    turned = make_comparisons([(s, b, a, -p) for s, a, b, p in rows])
    scores = np.random.default_rng(0).integers(0, 4, size=(9, 4)).astype(float)
    for year in (2012, 2013, 2014):
        np.testing.assert_equal(
            ranking_kendall(make_comparisons(rows), scores, year=year),
            ranking_kendall(turned, scores, year=year),
        )
    for ours, theirs in zip(win_ratios(make_comparisons(rows), 9), win_ratios(turned, 9), strict=True):
        np.testing.assert_equal(ours, theirs)
