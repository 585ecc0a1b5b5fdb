"""Exact sums: correctly rounded, whatever the order, the partition and the machine that adds them."""

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tertium.errors import InputError
from tertium.kernels.sums import ExactSums, sum_rows
from tertium.values import FloatArray

ANY_FINITE = st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=True)

tables = hnp.arrays(np.float64, st.tuples(st.integers(0, 40), st.integers(1, 4)), elements=ANY_FINITE)


def rounded_sum(values: FloatArray) -> float:
    total = sum(map(Fraction, values.tolist()), Fraction(0))
    try:
        return float(total)  # Python rounds a fraction to the nearest double, ties to even
    except OverflowError:
        return math.inf if total > 0 else -math.inf


@settings(deadline=None)
@given(tables)
def test_a_sum_is_the_exact_sum_rounded_once(table: FloatArray) -> None:
    assert sum_rows(table).tolist() == [rounded_sum(column) for column in table.T]


@settings(deadline=None)
@given(st.integers(1, 3000), st.integers(-300, 300), st.integers(0, 600), st.integers(0, 2**32 - 1))
def test_long_columns_of_any_range_equal_fsum(n: int, exponent: int, spread: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    exponents = np.clip(exponent + rng.integers(0, spread + 1, size=(n, 2)), -1070, 900)
    table = np.ldexp(rng.normal(size=(n, 2)), exponents)
    assert sum_rows(table).tolist() == [math.fsum(column) for column in table.T]


@settings(deadline=None)
@given(tables, st.randoms(use_true_random=False), st.integers(1, 5))
def test_neither_order_nor_partition_changes_a_bit(table: FloatArray, random: Any, n_parts: int) -> None:
    whole = ExactSums(table.shape[1])
    whole.add(table)
    shuffled = table[random.sample(range(len(table)), len(table))]
    parts = [ExactSums(table.shape[1]) for _ in range(n_parts)]
    for part, rows in zip(parts, np.array_split(shuffled, n_parts), strict=True):
        part.add(rows)
    merged = ExactSums.from_bytes(parts[0].to_bytes())
    for part in parts[1:]:
        merged.merge(pickle.loads(pickle.dumps(part)))
    assert merged.to_bytes() == whole.to_bytes()
    np.testing.assert_array_equal(merged.totals(), whole.totals())
    assert merged.n_rows == len(table)


@pytest.mark.parametrize(
    ("values", "total"),
    [
        pytest.param([], 0.0, id="nothing"),
        pytest.param([1e16, 1.0, -1e16], 1.0, id="what cancels leaves no trace"),
        pytest.param([1e308, 1e308, -1e308], 1e308, id="a sum may pass the largest double on its way"),
        pytest.param([1e308, 1e308], math.inf, id="a sum beyond the largest double is infinite"),
        pytest.param([-1.7e308, -1.7e308], -math.inf, id="and below the lowest"),
        pytest.param([5e-324] * 3, 1.5e-323, id="the smallest numbers"),
        pytest.param([2.0**53, 1.0], 2.0**53, id="a tie goes to the even number"),
        pytest.param([2.0**53, 1.0, 5e-324], 2.0**53 + 2, id="a trace above a tie goes up"),
        pytest.param([-(2.0**53), -1.0, -5e-324], -(2.0**53) - 2, id="or down"),
        pytest.param([0.1] * 10, 1.0, id="tenths"),
        pytest.param([math.inf, 1.0], math.inf, id="infinity stays"),
        pytest.param([-math.inf, 1e308], -math.inf, id="minus infinity stays"),
        pytest.param([math.inf, -math.inf], math.nan, id="infinity minus infinity is no number"),
        pytest.param([math.nan, 1.0], math.nan, id="what is no number stays none"),
        pytest.param([-0.0, -0.0], 0.0, id="zero has no sign"),
    ],
)
def test_sums_of_hand_made_cases(values: list[float], total: float) -> None:
    column = np.array(values).reshape(-1, 1)
    for rows in (column, column[::-1]):
        np.testing.assert_array_equal(sum_rows(rows), [total])
    assert math.copysign(1, sum_rows(column)[0]) == math.copysign(1, total) or math.isnan(total)


def test_special_values_survive_bytes_and_merging() -> None:
    sums, other = ExactSums(2), ExactSums(2)
    sums.add(np.array([[math.inf, 1.0]]))
    other.add(np.array([[-math.inf, math.nan]]))
    assert ExactSums.from_bytes(sums.to_bytes()).totals().tolist() == [math.inf, 1.0]
    sums.merge(other)
    assert np.isnan(sums.totals()).all()


def test_tables_of_systems_are_summed_one_by_one() -> None:
    tables = np.random.default_rng(0).normal(size=(3, 50, 4))
    np.testing.assert_array_equal(sum_rows(tables), [sum_rows(table) for table in tables])
    assert sum_rows(tables[:, :, ::2]).tolist() == sum_rows(tables)[:, ::2].tolist()


def test_whole_numbers_give_whole_sums() -> None:
    table = np.random.default_rng(0).integers(-(2**40), 2**40, size=(5000, 3)).astype(float)
    np.testing.assert_array_equal(sum_rows(table), table.astype(np.int64).sum(axis=0))


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(lambda saved: b"", "not exact sums", id="nothing"),
        pytest.param(lambda saved: b"X" + saved[1:], "not exact sums", id="another file"),
        pytest.param(lambda saved: saved[:-1], "damaged", id="cut"),
        pytest.param(lambda saved: saved + b"\0", "damaged", id="too long"),
        pytest.param(
            lambda saved: saved[:4] + b"\xff" * 8 + saved[12:], "damaged", id="another number of columns"
        ),
    ],
)
def test_bytes_of_something_else_are_refused(damage: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ExactSums.from_bytes(damage(ExactSums(3).to_bytes()))


def test_rows_and_sums_of_another_width_are_refused() -> None:
    with pytest.raises(InputError, match=r"rows must have 3 columns; the array has shape \(2, 4\)"):
        ExactSums(3).add(np.zeros((2, 4)))
    with pytest.raises(InputError, match="sums of 4 columns cannot be merged with sums of 3"):
        ExactSums(3).merge(ExactSums(4))


@given(st.lists(st.lists(st.floats(), min_size=2, max_size=2), max_size=20), st.integers(1, 5))
def test_added_arrays_are_the_array_of_all_rows(rows: list[list[float]], n_parts: int) -> None:
    whole, parts = ExactSums(2), [ExactSums(2) for _ in range(n_parts)]
    for number, row in enumerate(rows):
        whole.add(np.array([row]))
        parts[number % n_parts].add(np.array([row]))
    added = ExactSums.from_array(
        np.sum([part.to_array() for part in parts], axis=0, dtype=np.int64), n_rows=len(rows)
    )
    assert added.to_bytes() == whole.to_bytes()


@pytest.mark.parametrize("array", [np.zeros((2, 70), np.int64), np.zeros((2, 71)), np.zeros(71, np.int64)])
def test_an_array_of_another_shape_or_type_is_no_sum(array: np.ndarray) -> None:
    with pytest.raises(InputError, match=r"sums must be integers, \(columns, 71\)"):
        ExactSums.from_array(array, n_rows=1)
