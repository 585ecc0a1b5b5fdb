"""Compact letter displays and rank ranges."""

import re
import time
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tertium.errors import InputError
from tertium.stats.letters import compact_letters, name_letter, rank_ranges
from tertium.values import FloatArray

Matrix = npt.NDArray[np.bool_]


def differ(n: int, *pairs: tuple[int, int]) -> Matrix:
    matrix = np.zeros((n, n), bool)
    for a, b in pairs:
        matrix[a, b] = matrix[b, a] = True
    return matrix


def all_pairs_but(n: int, *pairs: tuple[int, int]) -> Matrix:
    return differ(n, *(set(combinations(range(n), 2)) - set(pairs)))


def letters_of(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z]\d*", text))


@st.composite
def pairs_tested(draw: st.DrawFn) -> tuple[FloatArray, Matrix]:
    n = draw(st.integers(1, 9))
    scores = draw(hnp.arrays(np.float64, n, elements=st.integers(0, 12)))
    matrix = draw(hnp.arrays(np.bool_, (n, n)))
    return scores, matrix | matrix.T


@given(pairs_tested())
def test_two_systems_share_a_letter_if_and_only_if_they_do_not_differ(
    results: tuple[FloatArray, Matrix],
) -> None:
    scores, matrix = results
    found = [letters_of(text) for text in compact_letters(scores, matrix)]
    assert all(found)
    for a, b in combinations(range(len(scores)), 2):
        assert bool(found[a] & found[b]) != matrix[a, b]


@given(pairs_tested())
def test_the_best_system_has_the_letter_a_and_no_letter_is_skipped(
    results: tuple[FloatArray, Matrix],
) -> None:
    scores, matrix = results
    letters = compact_letters(scores, matrix)
    assert letters[int(np.argmax(scores))].startswith("a")
    used = set[str]().union(*map(letters_of, letters))
    assert used == {name_letter(number) for number in range(len(used))}


@given(pairs_tested())
def test_no_letter_could_be_left_out(results: tuple[FloatArray, Matrix]) -> None:
    scores, matrix = results
    found = [letters_of(text) for text in compact_letters(scores, matrix)]
    for letter in set[str]().union(*found):
        without = [letters - {letter} for letters in found]
        shared = (without[a] & without[b] for a, b in combinations(range(len(scores)), 2) if not matrix[a, b])
        assert not (all(shared) and all(without))


@given(pairs_tested())
def test_an_error_rate_has_the_letters_and_ranks_of_its_negative(results: tuple[FloatArray, Matrix]) -> None:
    scores, matrix = results
    assert compact_letters(-scores, matrix, higher_is_better=False) == compact_letters(scores, matrix)
    assert rank_ranges(-scores, matrix, higher_is_better=False) == rank_ranges(scores, matrix)


@pytest.mark.parametrize(
    ("scores", "matrix", "letters"),
    [
        pytest.param([], differ(0), (), id="no system"),
        pytest.param([30], differ(1), ("a",), id="one system"),
        pytest.param([20, 30], differ(2, (0, 1)), ("b", "a"), id="two that differ"),
        pytest.param([20, 30], differ(2), ("a", "a"), id="two that do not"),
        pytest.param([3, 2, 1], differ(3, (0, 2)), ("a", "ab", "b"), id="a chain"),
        pytest.param([4, 3, 2, 1], all_pairs_but(4, (0, 3)), ("a", "b", "c", "a"), id="first and last alike"),
        pytest.param([4, 3, 2, 1], all_pairs_but(4, (1, 2)), ("a", "b", "b", "c"), id="middle pair"),
        pytest.param(
            [5, 4, 3, 2, 1],
            differ(5, (0, 2), (0, 3), (0, 4), (1, 4), (2, 4)),
            ("a", "ab", "b", "bc", "c"),
            id="groups that overlap",
        ),
    ],
)
def test_letters_of_hand_made_cases(scores: list[float], matrix: Matrix, letters: tuple[str, ...]) -> None:
    assert compact_letters(np.array(scores, dtype=float), matrix) == letters


@pytest.mark.parametrize(
    ("matrix", "ranges"),
    [
        pytest.param(differ(3), ((1, 3), (1, 3), (1, 3)), id="no difference supports any rank"),
        pytest.param(all_pairs_but(3), ((1, 1), (2, 2), (3, 3)), id="all different"),
        pytest.param(differ(3, (0, 2)), ((1, 2), (1, 3), (2, 3)), id="a chain"),
    ],
)
def test_rank_ranges_of_hand_made_cases(matrix: Matrix, ranges: tuple[tuple[int, int], ...]) -> None:
    assert rank_ranges(np.array([3.0, 2.0, 1.0]), matrix) == ranges


@given(pairs_tested())
def test_a_rank_range_holds_the_systems_own_rank(results: tuple[FloatArray, Matrix]) -> None:
    scores, matrix = results
    for score, (low, high) in zip(scores, rank_ranges(scores, matrix), strict=True):
        assert 1 <= low <= 1 + np.count_nonzero(scores > score)
        assert len(scores) - np.count_nonzero(scores < score) <= high <= len(scores)


def test_many_systems_in_the_worst_arrangement_take_little_time() -> None:
    # systems in threes that differ within each three only: 3¹⁵ maximal groups, of which few are needed
    n = 45
    matrix = differ(n, *((a, b) for a, b in combinations(range(n), 2) if a // 3 == b // 3))
    begin = time.process_time()
    found = [letters_of(text) for text in compact_letters(np.arange(n, 0.0, -1), matrix)]
    assert time.process_time() - begin < 5
    assert all(bool(found[a] & found[b]) != matrix[a, b] for a, b in combinations(range(n), 2))


@pytest.mark.parametrize(
    ("scores", "matrix"),
    [
        pytest.param([1.0, 2.0], differ(3), id="of another size"),
        pytest.param([1.0, 2.0], np.array([[False, True], [False, False]]), id="not symmetric"),
        pytest.param([1.0, np.nan], differ(2), id="not a number"),
    ],
)
def test_unfit_input_is_rejected(scores: list[float], matrix: Matrix) -> None:
    for function in (compact_letters, rank_ranges):
        with pytest.raises(InputError):
            function(np.array(scores), matrix)
