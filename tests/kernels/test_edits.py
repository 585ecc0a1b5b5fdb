"""Edit distances against their textbook twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance.Levenshtein import distance as rapidfuzz_distance

from reference.edits import bag_distance, levenshtein
from tertium.errors import InputError
from tertium.kernels.edits import count_bag_errors, count_levenshtein, levenshtein_distances
from tertium.kernels.strings import number_pairs
from tertium.kernels.threads import use_threads

# Past 64 and 128 symbols, where the bit-parallel columns take a second and a third word.
SEQUENCES = st.lists(st.integers(0, 5), max_size=150)


@pytest.mark.slow
@given(a=SEQUENCES, b=SEQUENCES)
def test_levenshtein_equals_the_table(a: list[int], b: list[int]) -> None:
    assert levenshtein_distances([a], [b]).tolist() == [levenshtein(a, b)]


@given(a=SEQUENCES, b=SEQUENCES)
def test_bag_errors_equal_counting(a: list[int], b: list[int]) -> None:
    one, other = number_pairs([a], [b])
    rows = count_bag_errors(one, other, np.array([0, 1]))
    assert rows.tolist() == [[bag_distance(a, b), len(b)]]


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 700])
def test_levenshtein_is_exact_at_word_borders(length: int) -> None:
    rng = np.random.default_rng(length)
    a, b = rng.integers(0, 9, (2, length)).tolist()
    assert levenshtein_distances([a], [b[: length - 3]])[0] == levenshtein(a, b[: length - 3])


@pytest.mark.parametrize("n_symbols", [1, 3, 70, 10**6])
@pytest.mark.parametrize("length", [2047, 2049, 2112, 5000])
def test_levenshtein_of_long_texts_equals_rapidfuzz(length: int, n_symbols: int) -> None:
    """Beyond 2,048 symbols the places of a symbol are listed rather than kept as bits."""
    rng = np.random.default_rng([length, n_symbols])
    a = rng.integers(0, n_symbols, length).tolist()
    b = [*a[100:], *rng.integers(0, n_symbols, 150).tolist()]
    for place in rng.integers(0, len(b), length // 4).tolist():
        b[place] = int(rng.integers(0, n_symbols))
    assert levenshtein_distances([a], [b]).tolist() == [rapidfuzz_distance(a, b)]


def test_the_nearest_reference_counts_and_the_average_length_divides() -> None:
    hypotheses, references = number_pairs(["abcd", "", ""], ["abcx", "a", "bcdefg"])
    rows = count_levenshtein(hypotheses, references, np.array([0, 1, 2, 3]))
    assert rows.tolist() == [[1, 4], [1, 1], [6, 6]]


def test_distances_do_not_depend_on_threads() -> None:
    rng = np.random.default_rng(0)
    first = [rng.integers(0, 9, rng.integers(0, 80)).tolist() for _ in range(1000)]
    second = [rng.integers(0, 9, rng.integers(0, 80)).tolist() for _ in range(1000)]
    results = []
    for threads in (1, 3):
        with use_threads(threads):
            results.append(levenshtein_distances(first, second))
    np.testing.assert_array_equal(results[0], results[1])


def test_equal_symbols_of_different_objects_match() -> None:
    assert levenshtein_distances([["a" + str(1), 1.0, (1, 2)]], [["a1", 1, (1, 2)]])[0] == 0


def test_unhashable_symbols_are_refused() -> None:
    with pytest.raises(InputError, match="hashable"):
        levenshtein_distances([[["a"]]], [["a"]])  # type: ignore[list-item]


def test_a_number_is_no_sequence() -> None:
    with pytest.raises(InputError, match="sequence"):
        levenshtein_distances([3], ["a"])  # type: ignore[list-item]


def test_pairs_of_different_number_are_refused() -> None:
    with pytest.raises(InputError, match="2 against 1"):
        levenshtein_distances(["a", "b"], ["a"])


@pytest.mark.parametrize(
    ("groups", "message"),
    [([0, 2], "offsets"), ([0, 1, 1], "every segment"), ([0, 0, 1], "segments"), ([1, 1], "offsets")],
)
def test_groups_that_do_not_fit_are_refused(groups: list[int], message: str) -> None:
    one, other = number_pairs(["ab"], ["ac"])
    with pytest.raises(ValueError, match=message if len(groups) == 2 else "segment"):
        count_levenshtein(one, other, np.array(groups))


def test_float_ids_are_not_cast_in_silence() -> None:
    one, other = number_pairs(["ab"], ["ac"])
    object.__setattr__(one, "ids", one.ids.astype(np.float64))
    with pytest.raises(TypeError):
        count_levenshtein(one, other, np.array([0, 1]))
