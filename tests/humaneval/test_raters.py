"""Agreement of raters: Krippendorff's α equals the package of that name; split halves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.humaneval.raters import AlphaLevel, krippendorff_alpha, split_half

_ = np.nan
# Raters × units. Values of krippendorff 0.9.0: alpha(table, level_of_measurement="interval") and "ordinal".
KRIPPENDORFF_2011 = [
    [_, _, _, _, _, 3, 4, 1, 2, 1, 1, 3, 3, _, 3],
    [1, _, 2, 1, 3, 3, 4, 3, _, _, _, _, _, _, _],
    [_, _, 2, 1, 3, 4, 4, _, 2, 1, 1, 3, 3, _, 4],
]
DIRECT_ASSESSMENT = [
    [71, 50, _, 88, 93, 64, _, 77],
    [66, 41, 59, 90, _, 70, 35, _],
    [_, 62, 70, 81, 88, _, 44, 69],
]


def alpha_of(table: list[list[float]], level: AlphaLevel) -> float:
    """Compute α of a table (raters, units)."""
    values = np.array(table, dtype=float)
    raters, units = np.nonzero(~np.isnan(values))
    return krippendorff_alpha(values[raters, units], units, level=level)


@pytest.mark.parametrize(
    ("table", "interval", "ordinal"),
    [
        (KRIPPENDORFF_2011, 0.8108448928121059, 0.8067214199413153),
        (DIRECT_ASSESSMENT, 0.8588027391208306, 0.7978283350568769),
    ],
    ids=["Krippendorff 2011", "direct assessment"],
)
def test_alpha_equals_the_krippendorff_package(
    table: list[list[float]], interval: float, ordinal: float
) -> None:
    """Incomplete tables with units that have one value."""
    assert alpha_of(table, "interval") == pytest.approx(interval, abs=1e-12)
    assert alpha_of(table, "ordinal") == pytest.approx(ordinal, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 4)), min_size=4, max_size=80))
def test_alpha_equals_its_definition(values: list[tuple[int, int]]) -> None:
    """One minus the observed over the expected disagreement, by all pairs."""
    units, scores = (
        np.array([unit for unit, _ in values]),
        np.array([score for _, score in values], dtype=float),
    )
    groups = [scores[units == unit] for unit in np.unique(units)]
    groups = [group for group in groups if len(group) > 1]
    pooled = np.concatenate(groups) if groups else np.empty(0)
    n = len(pooled)
    observed = sum(np.square(np.subtract.outer(group, group)).sum() / (len(group) - 1) for group in groups)
    expected = np.square(np.subtract.outer(pooled, pooled)).sum() / (n - 1) if n else 0.0
    found = krippendorff_alpha(scores, units)
    if expected == 0:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(1 - observed / expected, abs=1e-9)


def test_perfect_agreement_is_one_and_no_overlap_is_undefined() -> None:
    """The limits of α."""
    assert krippendorff_alpha(np.array([1.0, 1.0, 5.0, 5.0]), np.array([0, 0, 1, 1])) == 1
    assert np.isnan(krippendorff_alpha(np.array([1.0, 2.0]), np.array([0, 1])))
    assert np.isnan(krippendorff_alpha(np.array([3.0, 3.0]), np.array([0, 0])))


def test_halves_of_raters_agree_as_far_as_they_share_a_signal() -> None:
    """With equal variance of signal and noise, halves of two raters correlate at 2/3."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(2000, 1)) + rng.normal(size=(2000, 4))
    halves = split_half(table, rng)
    assert halves.correlation == pytest.approx(2 / 3, abs=0.03)
    assert halves.reliability == pytest.approx(0.8, abs=0.03)


def test_halves_of_disjoint_raters_are_undefined() -> None:
    """No row has judgments in both halves."""
    assert np.isnan(
        split_half(np.array([[1.0, np.nan], [np.nan, 2.0]]), np.random.default_rng(0)).correlation
    )
