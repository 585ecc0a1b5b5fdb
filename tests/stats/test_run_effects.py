"""The test with runs and segments as random keeps its level."""

import numpy as np
import pytest

from tertium.stats.run_effects import RunSample, jackknife_variance, measure_interaction
from tertium.stats.run_effects import test_run_means as compare_runs


def test_the_jackknife_of_a_mean_is_its_variance() -> None:
    values = np.random.default_rng(1).normal(size=50)
    without = (values.sum() - values) / 49
    assert jackknife_variance(values.mean() - without) == pytest.approx(values.var(ddof=1) / 50)


def test_a_hand_computed_case() -> None:
    """V = 2/2 + 8/2 + 4 = 9; df = 81 / (1/1 + 16/1 + 16/9) = 4.313."""
    found = compare_runs(RunSample((1.0, 3.0)), RunSample((6.0, 10.0)), 4.0, 10)
    assert found.difference == 6.0
    assert found.error == pytest.approx(3.0)
    assert found.degrees == pytest.approx(81 / (1 + 16 + 16 / 9))
    stats = pytest.importorskip("scipy.stats")
    assert found.p_value == pytest.approx(2 * stats.t.sf(2.0, found.degrees))


def test_a_system_with_one_run_borrows_the_variance() -> None:
    """s² = 2 over two runs; V = 2 · (1/2 + 1) + 1 = 4; df = 16 / (9/1 + 1/9)."""
    found = compare_runs(RunSample((1.0, 3.0)), RunSample((6.0,)), 1.0, 10)
    assert found.variance_of_runs == pytest.approx(3.0)
    assert found.degrees == pytest.approx(16 / (9 + 1 / 9))


def test_without_any_variance_equal_means_are_equal() -> None:
    assert compare_runs(RunSample((1.0, 1.0)), RunSample((1.0, 1.0)), 0.0, 5).p_value == 1.0
    assert compare_runs(RunSample((1.0, 1.0)), RunSample((2.0, 2.0)), 0.0, 5).p_value == 0.0


@pytest.mark.parametrize(
    ("runs", "sd_runs"), [((3, 3), 1.0), ((3, 3), 0.1), ((5, 2), 0.5), ((3, 1), 1.0), ((4, 4), 0.0)]
)
def test_the_false_alarm_rate_is_near_the_level(runs: tuple[int, int], sd_runs: float) -> None:
    """At the 5 % level, 3.5 to 7 % in 3,000 trials of each case; the most with two or fewer runs that vary much."""
    rng = np.random.default_rng(3)
    n, alarms, trials = 100, 0, 1000
    for _ in range(trials):
        segments = rng.normal(0, 5, size=(2, n))  # each system's own segment effects
        samples, influences = [], []
        for r, effects in zip(runs, segments, strict=True):
            values = rng.normal(0, sd_runs, size=(r, 1)) + effects + rng.normal(0, 3, size=(r, n))
            own = values.mean(axis=1, keepdims=True)
            influence = own - (values.sum(axis=1, keepdims=True) - values) / (n - 1)
            samples.append(RunSample(tuple(own.ravel().tolist()), measure_interaction(influence)))
            influences.append(influence.mean(axis=0))
        found = compare_runs(samples[0], samples[1], jackknife_variance(influences[1] - influences[0]), n)
        alarms += found.p_value < 0.05
    assert 0.02 < alarms / trials < 0.09


def test_one_run_has_no_deviation() -> None:
    assert RunSample((1.0,)).deviation is None
    assert RunSample((1.0, 3.0)).deviation == pytest.approx(2**0.5)
