"""Lengths of texts in scripts with and without spaces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.text.tokenizers import count_length, has_no_spaces, mean_lengths


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("", 0), ("one two  three .", 4), ("um café – déjà", 4), ("我们在这里", 5), ("我们，在这里。", 5),
        ("我们用 Python 3 写。", 6), ("カタカナとひらがな", 9), ("コーヒー", 4), ("ที่นี่", 2), ("한국어 문장", 2), ("مرحبا بكم", 2),
    ],
)  # fmt: skip
def test_words_are_counted_and_characters_where_no_spaces_are_written(text: str, length: int) -> None:
    assert count_length(text) == length


@given(st.text(st.characters(max_codepoint=0x2FF)))
def test_spaced_scripts_are_cut_at_white_space(text: str) -> None:
    assert count_length(text) == len(text.split())


def test_several_references_have_their_mean_length() -> None:
    assert mean_lengths([["a b", "a b c d"], ["我们"]]).tolist() == [3.0, 2.0]


def test_a_few_foreign_words_do_not_make_a_text_unspaced() -> None:
    assert not has_no_spaces([["a 我"], ["b"], ["c"]])
    assert has_no_spaces([["我们"], ["b"], ["在"]])
