"""Words are cut into their cheapest pieces, and words that are written alike have forms that are alike."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.unigram import cheapest_price, ways_to_cut
from tertium.kernels.strings import UnigramPieces, form_vectors

LETTERS = "aбß猫"


@settings(deadline=None)  # the textbook tries every way
@given(
    st.dictionaries(st.text(LETTERS, min_size=1, max_size=3), st.integers(1, 20), max_size=12),
    st.lists(st.text(LETTERS + "x", max_size=6), max_size=3),
)
def test_no_way_to_cut_a_word_is_cheaper(prices: dict[str, int], words: list[str]) -> None:
    pieces = list(prices)
    rows, offsets = UnigramPieces(pieces, [float(price) for price in prices.values()]).cut(words)
    unknown = max(prices.values(), default=0) + 10.0
    assert len(offsets) == len(words) + 1
    for i, word in enumerate(words):
        cut = [pieces[row] for row in rows[offsets[i] : offsets[i + 1]]]
        least = cheapest_price(word, prices, unknown)
        assert (least, cut) in list(ways_to_cut(word, prices, unknown))


def test_a_long_word_is_cut_in_linear_time() -> None:
    rows, _ = UnigramPieces(["aa", "a"], [1.0, 3.0]).cut(["a" * 100_001])
    assert len(rows) == 50_001


@pytest.mark.parametrize(("pieces", "prices"), [(["a", "a"], [1.0, 2.0]), (["a"], [])])
def test_a_table_that_does_not_fit_is_refused(pieces: list[str], prices: list[float]) -> None:
    with pytest.raises(ValueError, match="piece"):
        UnigramPieces(pieces, prices)


def test_forms_have_length_one_and_equal_words_equal_forms() -> None:
    forms = form_vectors(["Haus", "дом", "家", "", "Haus"], orders=(2, 3), width=64)
    np.testing.assert_allclose(np.linalg.norm(forms, axis=1), 1.0, rtol=1e-6)
    np.testing.assert_array_equal(forms[0], forms[4])


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [("машину", "машина", "корова"), ("Haustür", "Haustüren", "Regen"), ("كتاب", "كتابه", "سيارة")],
)
def test_words_written_alike_have_like_forms(word: str, near: str, far: str) -> None:
    forms = form_vectors([word, near, far], orders=(2, 3), width=128)
    assert forms[0] @ forms[1] > 0.5 > forms[0] @ forms[2]


def test_forms_are_the_same_everywhere() -> None:
    """The hash is part of the vectors' identity: these numbers may never change."""
    form = form_vectors(["ab"], orders=(2, 2), width=8)[0]
    np.testing.assert_allclose(form, np.array([1, 0, -1, 0, 0, 0, 0, -1]) / np.sqrt(3), atol=1e-6)
