"""The curve of people's agreement finds what made the data, rises, and its error is that of the textbook."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats.agreement_curve import (
    BETWEEN_TEST_SETS,
    CEILING,
    AgreementCurve,
    calibration_error,
    errors_by_chance,
    fit_curve,
    weigh_pairs,
)

TRUTH = AgreementCurve(scale=1.5, shape=0.8)


def draw(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    sizes = rng.gamma(1.0, 2.0, n)
    return sizes, rng.random(n) < TRUTH(sizes)


def test_a_fit_to_many_pairs_finds_the_curve_that_made_them() -> None:
    sizes, agreed = draw(20_000, 1)
    found = fit_curve(sizes, agreed, np.ones(len(sizes)))
    at = np.array([0.1, 0.5, 1.0, 3.0, 8.0])
    assert np.abs(found(at) - TRUTH(at)).max() < 0.02
    assert found.deviation == pytest.approx(BETWEEN_TEST_SETS, abs=0.01)


def test_few_pairs_have_a_wider_interval() -> None:
    sizes, agreed = draw(20, 1)
    found = fit_curve(sizes, agreed, np.ones(20))
    assert found.deviation > BETWEEN_TEST_SETS + 0.02


def test_weights_choose_whose_agreement_counts() -> None:
    sizes = np.tile([1.0, 2.0, 4.0], 100)
    agreed = np.arange(300) < 150  # the first half always agrees, the second never
    first = fit_curve(sizes, agreed, np.where(np.arange(300) < 150, 1.0, 0.0))
    second = fit_curve(sizes, agreed, np.where(np.arange(300) < 150, 0.0, 1.0))
    assert first(np.array(4.0)) > 0.95
    assert second(np.array(4.0)) == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("n_systems", [2, 3, 10, 30])
def test_the_pairs_of_a_test_set_count_as_its_independent_differences(n_systems: int) -> None:
    n_pairs = n_systems * (n_systems - 1) // 2
    assert n_pairs * weigh_pairs(n_pairs) == pytest.approx(n_systems - 1)


@given(st.floats(0.01, 100), st.floats(0.3, 3), st.floats(1, 3), st.floats(0, 1000), st.floats(0, 1000))
def test_a_larger_difference_is_never_worth_less(
    scale: float, shape: float, margin: float, a: float, b: float
) -> None:
    curve = AgreementCurve(scale, shape, margin=margin)
    low, high = curve(np.array(sorted([a, b])))
    assert 0.5 <= low <= high <= CEILING + 1e-12


@given(st.floats(0.51, 0.97))
def test_reach_is_the_inverse_of_the_curve(share: float) -> None:
    curve = AgreementCurve(1.7, 0.8, margin=1.5)
    size = curve.reach(share)
    assert size is not None
    assert curve(np.array(size)) == pytest.approx(share, abs=1e-9)


def test_no_difference_is_certain() -> None:
    assert AgreementCurve(1.0, 1.0).reach(CEILING) is None


def test_a_margin_asks_for_larger_differences() -> None:
    plain, cautious = AgreementCurve(1.0, 1.0), AgreementCurve(1.0, 1.0, margin=1.5)
    assert cautious(np.array(3.0)) == pytest.approx(float(plain(np.array(2.0))))
    assert cautious.bounds(np.array(3.0)) == plain.bounds(np.array(3.0))


@given(st.floats(0.01, 20), st.floats(0, 1))
def test_the_interval_contains_the_curve_without_margin(size: float, deviation: float) -> None:
    curve = AgreementCurve(2.0, 0.9, deviation)
    low, high = curve.bounds(np.array(size))
    assert low <= curve(np.array(size)) <= high


def test_intervals_contain_the_curves_of_most_test_sets() -> None:
    rng = np.random.default_rng(1)
    own = [AgreementCurve(2.0 * float(np.exp(shift)), 1.0) for shift in rng.normal(0, 0.5, 2_000)]
    low, high = AgreementCurve(2.0, 1.0, 0.5).bounds(np.array(3.0))
    inside = [low <= curve(np.array(3.0)) <= high for curve in own]
    assert np.mean(inside) == pytest.approx(0.8, abs=0.03)


def test_the_calibration_error_is_the_gap_between_promised_and_seen_in_each_bin() -> None:
    promised = np.array([0.55, 0.65, 0.85, 0.95])
    assert calibration_error(promised, np.array([True, False, True, False]), n_bins=2) == pytest.approx(
        (abs(0.6 - 0.5) + abs(0.9 - 0.5)) / 2
    )


def test_true_promises_have_only_the_error_of_chance() -> None:
    sizes, agreed = draw(5_000, 3)
    promised = TRUTH(sizes)
    draws = np.random.default_rng(1).random((200, len(promised))) < promised
    mean, high = errors_by_chance(promised, draws)
    assert calibration_error(promised, agreed) < high
    assert mean < high < 2 * mean
