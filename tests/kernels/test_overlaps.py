"""Shared n-grams: the kernel against multisets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.overlap import count_overlaps as textbook
from tertium.kernels.ngrams import count_overlaps
from tertium.kernels.strings import number_pairs
from tertium.kernels.threads import use_threads
from tertium.text import References, Texts

# Past 64 symbols, with few letters (many repeats) and with many (the hash table's turn).
SEQUENCES = st.one_of(st.lists(st.integers(0, 2), max_size=90), st.lists(st.integers(0, 400), max_size=400))


@given(st.lists(st.tuples(SEQUENCES, SEQUENCES), min_size=1, max_size=4), st.integers(1, 7))
@settings(deadline=None)
def test_counts_equal_the_intersection_of_multisets(
    pairs: list[tuple[list[int], list[int]]], order: int
) -> None:
    hypotheses, references = number_pairs([a for a, _ in pairs], [b for _, b in pairs])
    groups = np.arange(len(pairs) + 1, dtype=np.int64)
    rows = count_overlaps(hypotheses, references, groups, order=order).reshape(len(pairs), order, 3)
    assert rows.tolist() == [[list(map(float, row)) for row in textbook(a, b, order)] for a, b in pairs]


def test_texts_too_varied_for_a_plain_table_are_counted_too() -> None:
    rng = np.random.default_rng(7)
    one = rng.integers(0, 5000, 4000).tolist()
    other = one[100:2500] + rng.integers(0, 5000, 1500).tolist()
    hypotheses, references = number_pairs([one], [other])
    rows = count_overlaps(hypotheses, references, np.array([0, 1]), order=4)
    assert rows.reshape(4, 3).tolist() == [list(map(float, row)) for row in textbook(one, other, 4)]


def test_every_reference_has_a_row_of_its_own() -> None:
    references = References([["ab", "ba", "b"], ["b"]])
    hypotheses = Texts(["ab", "b"], references.vocabulary)
    rows = count_overlaps(hypotheses.characters(), references.characters(), references.offsets, order=2)
    assert rows.tolist() == [[2, 2, 2, 1, 1, 1], [2, 2, 2, 1, 1, 0], [2, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0]]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_counts_do_not_depend_on_threads(threads: int) -> None:
    rng = np.random.default_rng(1)
    sequences = [rng.integers(0, 9, n % 40).tolist() for n in range(600)]
    hypotheses, references = number_pairs(sequences[:300], sequences[300:])
    groups = np.arange(301, dtype=np.int64)
    with use_threads(threads):
        rows = count_overlaps(hypotheses, references, groups, order=6)
    expected = [textbook(a, b, 6) for a, b in zip(sequences[:300], sequences[300:], strict=True)]
    assert rows.tolist() == np.array(expected, dtype=float).reshape(300, 18).tolist()


@pytest.mark.parametrize(
    "length", [1, 63, 64, 65, 127, 128, 129, 191, 193, 255, 256, 257, 300, 385, 449, 512, 513]
)
@pytest.mark.parametrize("symbols", [2, 5, 60])
def test_references_of_every_length_are_counted_alike(length: int, symbols: int) -> None:
    rng = np.random.default_rng(length * symbols)
    for own_length in (0, 1, length // 2, length, length + 70):
        one, other = (rng.integers(0, symbols, size).tolist() for size in (own_length, length))
        rows = count_overlaps(*number_pairs([one], [other]), np.array([0, 1]), order=6)
        assert rows.reshape(6, 3).tolist() == [list(map(float, row)) for row in textbook(one, other, 6)]
