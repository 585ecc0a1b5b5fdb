"""The memory of large arrays is used again, but only after nobody can see them any more."""

import numpy as np

from tertium.kernels.strings import Vocabulary, tokenize_texts
from tertium.values import TokenColumn

SIZES = (40_000, 5_000, 60_000, 40_000, 20_000)


def _tokens(size: int) -> TokenColumn:
    return tokenize_texts([f"{i} {i + 1} {i + 2}" for i in range(size)], "none", Vocabulary())


def test_arrays_that_are_held_stay_as_they_are_while_others_come_and_go() -> None:
    held = [_tokens(size) for size in SIZES]
    for size in SIZES:
        _tokens(size)  # given back at once
    for size, tokens in zip(SIZES, held, strict=True):
        assert np.array_equal(tokens.ids.reshape(size, 3), np.arange(size)[:, None] + np.arange(3))


def test_memory_that_was_used_before_shows_nothing_of_it() -> None:
    first = [_tokens(size).ids.tolist() for size in SIZES]
    assert [_tokens(size).ids.tolist() for size in SIZES] == first


def test_a_slice_keeps_the_whole_array_from_being_used_again() -> None:
    part = _tokens(50_000).ids[1000:2000]
    expected = part.tolist()
    for _ in range(3):
        _tokens(50_000).ids[:] = -1
    assert part.tolist() == expected
