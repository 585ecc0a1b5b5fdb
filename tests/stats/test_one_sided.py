"""The one-sided test of skewed differences: its interval, its laws, and how often it errs."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats.one_sided import SkewedDifference
from tertium.stats.student import SMALLEST_P, student_tail_quantile
from tertium.values import FloatArray


def measure(values: FloatArray) -> SkewedDifference:
    """The mean of values; the influence of each is its distance from the mean of the others, divided by n."""
    n = len(values)
    without = (values.sum() - values) / (n - 1)
    return SkewedDifference.of(float(values.mean()), values.mean() - without)


differences = st.builds(
    SkewedDifference,
    value=st.floats(-5, 5),
    error=st.floats(0.1, 3),
    skewness=st.floats(-6, 6),
    degrees=st.floats(2, 3000),
    n_units=st.integers(10, 3000),
)


def test_a_hand_computed_case() -> None:
    """0 (four times) and −5: mean −1, SE √(5/5) = 1, skewness −1.5, kurtosis 3.25; ν = 4 = min(4, 10 / 2.25)."""
    found = measure(np.array([0.0, 0.0, 0.0, 0.0, -5.0]))
    assert (found.value, found.error, found.skewness, found.degrees) == pytest.approx((-1, 1, -1.5, 4))
    t = 2.13185
    assert found.lower_end(0.05) == pytest.approx(-1 - t - 1.5 * (1 + 2 * t**2) / (6 * sqrt(5)), abs=1e-4)
    assert found.upper_end(0.05) == pytest.approx(-1 + t, abs=1e-4)  # skewness never narrows the interval


def test_long_tails_lower_the_degrees_of_freedom() -> None:
    """±1 (49 times each) and ±7: kurtosis (98 + 4802) / 100 / 1.96² = 12.755; ν = 200 / 11.755."""
    found = measure(np.array([1.0, -1.0] * 49 + [7.0, -7.0]))
    assert found.skewness == pytest.approx(0, abs=1e-12)
    assert found.degrees == pytest.approx(200 / (49 / 1.96**2 - 1))
    assert measure(np.array([1.0, -1.0] * 50)).degrees == 99


def test_the_error_and_skewness_of_a_mean_are_those_of_its_values() -> None:
    values = np.random.default_rng(1).exponential(size=80)
    found = measure(values)
    centred = values - values.mean()
    assert found.error == pytest.approx(values.std(ddof=1) / sqrt(80))
    assert found.skewness == pytest.approx(np.mean(centred**3) / np.mean(centred**2) ** 1.5)


@pytest.mark.slow
@given(difference=differences, alpha=st.floats(1e-8, 0.9))
def test_the_interval_holds_the_limits_that_the_test_does_not_reject(
    difference: SkewedDifference, alpha: float
) -> None:
    low = difference.lower_end(alpha)
    assert difference.test_above(low) == pytest.approx(alpha, rel=1e-6)
    assert difference.turned.test_above(-difference.upper_end(alpha)) == pytest.approx(alpha, rel=1e-6)


@pytest.mark.slow
@given(difference=differences)
def test_p_values_grow_with_the_limit(difference: SkewedDifference) -> None:
    limits = np.linspace(-20, 20, 41)
    assert np.all(np.diff([difference.test_above(limit) for limit in limits]) >= 0)


@pytest.mark.slow
@given(difference=differences, alpha=st.floats(1e-8, 0.9))
def test_the_interval_is_never_narrower_than_students(difference: SkewedDifference, alpha: float) -> None:
    t = student_tail_quantile(alpha, difference.degrees)
    ends = difference.value - difference.lower_end(alpha), difference.upper_end(alpha) - difference.value
    assert min(ends) == pytest.approx(difference.error * t)  # one side is Student's
    assert max(ends) >= min(ends)


def test_without_any_spread_the_difference_is_certain() -> None:
    found = measure(np.full(60, 0.25))
    assert (found.error, found.lower_end(0.05), found.upper_end(0.05)) == (0.0, 0.25, 0.25)
    assert (found.test_above(0.2), found.test_above(0.25)) == (SMALLEST_P, 1.0)


def test_a_level_that_is_not_distinguished_shows_nothing() -> None:
    assert measure(np.arange(60.0)).lower_end(1e-12) == -np.inf


@pytest.mark.slow
@pytest.mark.parametrize(("n", "of_student"), [(50, 0.085), (200, 0.065)])
def test_rare_large_losses_let_few_worse_systems_pass(n: int, of_student: float) -> None:
    """Gains of an exponential distribution with its long tail among the losses, whose mean is at the limit."""
    rng = np.random.default_rng(n)
    found = [measure(-rng.exponential(size=n)) for _ in range(3000)]
    t = student_tail_quantile(0.05, n - 1)
    passed = np.mean([difference.lower_end(0.05) > -1 for difference in found])
    error = sqrt(0.06 * 0.94 / 3000)
    assert np.mean([difference.value - t * difference.error > -1 for difference in found]) == pytest.approx(
        of_student, abs=3 * error
    )
    assert passed <= 0.06 + 2 * error
