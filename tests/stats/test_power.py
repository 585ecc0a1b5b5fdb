"""The power of a test equals what simulation measures."""

import numpy as np
import pytest

from tertium.errors import OptionError
from tertium.stats.significance import detectable_difference, power_of, units_for


@pytest.mark.parametrize(("difference", "deviation"), [(0.5, 10.0), (2.0, 15.0), (-1.0, 8.0)])
def test_units_for_a_difference_have_the_power(difference: float, deviation: float) -> None:
    n = units_for(difference, deviation)
    assert power_of(difference, deviation, n) == pytest.approx(0.8, abs=0.002)
    assert power_of(difference, deviation, n - 1) < power_of(difference, deviation, n)
    assert detectable_difference(deviation, n) == pytest.approx(abs(difference), rel=0.002)


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_a_simulated_paired_test_has_the_power(power: float) -> None:
    """2,000 trials: the standard error of 0.8 is 0.009, so 0.035 is about four of them."""
    rng = np.random.default_rng(7)
    n = units_for(0.3, 2.0, power=power)
    gains = rng.normal(0.3, 2.0, size=(2000, n))
    z = gains.mean(axis=1) / (gains.std(axis=1, ddof=1) / np.sqrt(n))
    assert np.mean(np.abs(z) > 1.96) == pytest.approx(power, abs=0.035)


def test_more_tests_need_more_units() -> None:
    assert units_for(0.5, 10.0, alpha=0.05 / 10) > 1.5 * units_for(0.5, 10.0)


def test_without_a_difference_the_power_is_the_level() -> None:
    assert power_of(0.0, 3.0, 100, alpha=0.01) == pytest.approx(0.01)
    assert power_of(0.0, 0.0, 100) == 0.05
    assert power_of(1.0, 0.0, 100) == 1.0


@pytest.mark.parametrize("difference", [0.0, 1e-200])
def test_no_number_of_units_shows_nothing(difference: float) -> None:
    with pytest.raises(OptionError):
        units_for(difference, 10.0)
