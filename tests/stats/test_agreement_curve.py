"""The curve of people's agreement finds what made the data, rises, and its error is that of the textbook."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats.agreement_curve import (
    AgreementCurve,
    calibration_error,
    errors_by_chance,
    fit_curve,
    resample_curves,
)

TRUTH = AgreementCurve(ceiling=0.92, scale=1.5, shape=1.0)


def draw(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    sizes = rng.gamma(1.0, 2.0, n)
    return sizes, rng.random(n) < TRUTH(sizes)


def test_a_fit_to_many_pairs_finds_the_curve_that_made_them() -> None:
    sizes, agreed = draw(20_000, 1)
    found = fit_curve(sizes, agreed, np.ones(len(sizes)))
    at = np.array([0.1, 0.5, 1.0, 3.0, 8.0])
    assert np.abs(found(at) - TRUTH(at)).max() < 0.02


def test_weights_choose_whose_agreement_counts() -> None:
    sizes = np.tile([1.0, 2.0, 4.0], 100)
    agreed = np.arange(300) < 150  # the first half always agrees, the second never
    first = fit_curve(sizes, agreed, np.where(np.arange(300) < 150, 1.0, 0.0))
    second = fit_curve(sizes, agreed, np.where(np.arange(300) < 150, 0.0, 1.0))
    assert first(np.array(4.0)) > 0.95
    assert second(np.array(4.0)) == pytest.approx(0.5, abs=0.01)


@given(st.floats(0.5, 0.99), st.floats(0.01, 100), st.floats(0.3, 3), st.floats(0, 1000), st.floats(0, 1000))
def test_a_larger_difference_is_never_worth_less(
    ceiling: float, scale: float, shape: float, a: float, b: float
) -> None:
    low, high = AgreementCurve(ceiling, scale, shape)(np.array(sorted([a, b])))
    assert 0.5 <= low <= high <= ceiling + 1e-12


@given(st.floats(0.51, 0.97))
def test_reach_is_the_inverse_of_the_curve(share: float) -> None:
    size = AgreementCurve(0.98, 1.7, 0.8).reach(share)
    assert size is not None
    assert AgreementCurve(0.98, 1.7, 0.8)(np.array(size)) == pytest.approx(share, abs=1e-9)


def test_what_is_above_the_ceiling_is_never_reached() -> None:
    assert AgreementCurve(0.8, 1.0, 1.0).reach(0.8) is None
    assert AgreementCurve(0.5, 1.0, 1.0).reach(0.6) is None


@pytest.mark.slow
def test_intervals_over_test_sets_cover_the_true_curve_mostly() -> None:
    at, inside = np.array([0.5, 2.0, 6.0]), []
    for seed in range(20):
        sizes, agreed = draw(1_000, seed)
        groups = np.arange(1_000) % 20
        drawn = resample_curves(sizes, agreed, np.ones(1_000), groups, n_samples=100, seed=seed)
        low, high = np.quantile([each(at) for each in drawn], [0.025, 0.975], axis=0)
        inside.append((low <= TRUTH(at)) & (TRUTH(at) <= high))
    assert 0.8 <= np.mean(inside) <= 1.0


def test_no_difference_at_all_promises_nothing() -> None:
    found = fit_curve(np.zeros(5), np.array([True] * 5), np.ones(5))
    assert found(np.array([1.0])).tolist() == [0.5]


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
