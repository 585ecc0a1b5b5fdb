"""Student's t distribution beside printed tables, closed forms and SciPy."""

from math import atan, inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.stats.student import SMALLEST_P, student_p, student_tail_quantile

# Two-sided 10 %, 5 % and 1 % points: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
PRINTED = {
    1: (6.314, 12.706, 63.657),
    2: (2.920, 4.303, 9.925),
    3: (2.353, 3.182, 5.841),
    4: (2.132, 2.776, 4.604),
    5: (2.015, 2.571, 4.032),
    10: (1.812, 2.228, 3.169),
    30: (1.697, 2.042, 2.750),
    100: (1.660, 1.984, 2.626),
    inf: (1.645, 1.960, 2.576),
}

# t, degrees of freedom, and 2 * scipy.stats.t.sf(t, degrees) of SciPy 1.17.1.
FROM_SCIPY = [
    (0.3, 0.5, 0.84485915213),
    (6.0, 0.5, 0.26130937747),
    (1.0, 1, 0.5),
    (6.0, 1, 0.105136913423),
    (2.5, 2, 0.129611720222),
    (6.0, 2, 0.0266714732154),
    (2.5, 2.7, 0.0970794144429),
    (6.0, 2.7, 0.0124373682981),
    (2.5, 3, 0.0877066470081),
    (6.0, 6, 0.000964535194415),
    (2.5, 12.5, 0.0272232578634),
    (6.0, 40, 4.72645513279e-07),
    (2.5, 1000, 0.0125785678011),
    (0.3, 100_000, 0.76417777919),
    (6.0, 100_000, 1.9799294556e-09),
    (2.5, 10_000_000, 0.0124193465366),
]


@pytest.mark.parametrize("degrees", PRINTED)
def test_printed_critical_values_have_their_p_values(degrees: float) -> None:
    # The third decimal of a critical value is rounded, which moves p by less than 0.1 %.
    np.testing.assert_allclose(student_p(PRINTED[degrees], degrees), [0.10, 0.05, 0.01], rtol=1e-3)


@pytest.mark.parametrize(("t", "degrees", "expected"), FROM_SCIPY)
def test_p_values_equal_those_that_scipy_gave(t: float, degrees: float, expected: float) -> None:
    assert float(student_p(t, degrees)) == pytest.approx(expected, rel=1e-9)


@given(t=st.floats(0, 1e6))
@example(t=0.0)
def test_one_and_two_degrees_of_freedom_have_closed_forms(t: float) -> None:
    # 1 − t / √(2 + t²), written without a difference of nearly equal numbers
    two = 2 / (sqrt(2 + t * t) * (sqrt(2 + t * t) + t))
    assert float(student_p(t, 1)) == pytest.approx(1 - 2 / pi * atan(t), abs=1e-10)
    assert float(student_p(t, 2)) == pytest.approx(max(two, SMALLEST_P), rel=1e-11)


@pytest.mark.slow
@given(t=st.floats(-50, 50), degrees=st.floats(0.5, 1e5))
@example(t=2.0**-24, degrees=32.0)  # 1 - x has no digits left
def test_p_values_equal_those_of_scipy(t: float, degrees: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    expected = max(2 * stats.t.sf(abs(t), degrees), SMALLEST_P)
    assert float(student_p(t, degrees)) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("degrees", [1, 2.5, 49, 1e6, inf])
def test_p_is_1_without_a_difference_and_smallest_for_an_endless_one(degrees: float) -> None:
    np.testing.assert_array_equal(student_p([0.0, inf, -inf, 1e200], degrees), [1, *[SMALLEST_P] * 3])


def test_the_normal_distribution_takes_over_without_a_step() -> None:
    t = np.linspace(0, 6, 50)
    np.testing.assert_allclose(student_p(t, 0.999e9), student_p(t, 1.001e9), rtol=1e-6)


@given(p_value=st.floats(SMALLEST_P, 1 - 1e-6), degrees=st.floats(1, 1e6))
@example(p_value=0.5, degrees=1.0)
@example(p_value=SMALLEST_P, degrees=1.0)
@example(p_value=0.025, degrees=1e5)
def test_a_quantile_has_its_tail(p_value: float, degrees: float) -> None:
    t = student_tail_quantile(p_value, degrees)
    half = float(student_p(t, degrees)) / 2
    assert (half if t >= 0 else 1 - half) == pytest.approx(p_value, rel=1e-9)


@pytest.mark.parametrize("degrees", [degrees for degrees in PRINTED if degrees != inf])
def test_quantiles_are_the_printed_critical_values(degrees: float) -> None:
    found = [student_tail_quantile(p_value, degrees) for p_value in (0.05, 0.025, 0.005)]
    assert found == pytest.approx(PRINTED[degrees], abs=5.01e-4)


def test_no_difference_is_large_enough_for_a_p_value_that_is_not_distinguished() -> None:
    assert student_tail_quantile(SMALLEST_P / 2, 100) == inf


def test_the_search_for_a_quantile_ends_below_one_degree_of_freedom() -> None:
    """It is cut off after 16 steps, from below: the value has more than the wanted tail."""
    t = student_tail_quantile(1e-10, 0.2)
    assert 0 < t < inf
    assert student_p(t, 0.2) / 2 > 1e-10
