"""The assignment kernel against scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from tertium.errors import InputError
from tertium.kernels.embedding import solve_assignments
from tertium.kernels.threads import use_threads


@settings(max_examples=150, deadline=None)
@given(
    rows=st.integers(1, 100),
    columns=st.integers(1, 100),
    whole=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_the_sum_is_scipys(rows: int, columns: int, whole: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    weights = (
        rng.integers(-2, 3, (rows, columns)).astype(float) if whole else rng.normal(size=(rows, columns))
    )
    totals, (match,) = solve_assignments([weights])
    best = weights[linear_sum_assignment(weights, maximize=True)].sum()
    assert totals[0] == pytest.approx(best, abs=1e-9)
    matched = match[match >= 0]
    assert len(set(matched.tolist())) == len(matched) == min(rows, columns)
    assert weights[np.flatnonzero(match >= 0), matched].sum() == pytest.approx(totals[0], abs=1e-9)


def test_a_batch_does_not_depend_on_threads() -> None:
    rng = np.random.default_rng(1)
    problems = [rng.random(rng.integers(1, 20, 2)) for _ in range(300)]
    with use_threads(1):
        one, _ = solve_assignments(problems)
    with use_threads(3):
        three, _ = solve_assignments(problems)
    np.testing.assert_array_equal(one, three)


def test_no_matrix_is_refused() -> None:
    with pytest.raises(InputError, match="problem 1: weights must be a matrix"):
        solve_assignments([[1.0, 2.0]])


def test_no_problem_is_no_problem() -> None:
    totals, matches = solve_assignments([])
    assert totals.size == 0
    assert matches == []


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e301])
@pytest.mark.parametrize("shape", [(1, 1), (3, 70), (70, 3)])
def test_weights_that_cannot_be_added_up_are_refused(value: float, shape: tuple[int, int]) -> None:
    weights = np.ones(shape)
    weights[-1, -1] = value
    with pytest.raises(InputError, match="problem 2: weights must be finite and at most 1e300, not"):
        solve_assignments([np.ones((2, 2)), weights])


def test_large_weights_have_an_answer() -> None:
    totals, (match,) = solve_assignments([[[-1e300, 1e300], [1e300, -1e300]]])
    assert match.tolist() == [1, 0]
    assert totals[0] == 2e300
