"""The distinct ids of a token column."""

from hypothesis import given
from hypothesis import strategies as st

from tertium.text import Texts


@given(st.lists(st.text(alphabet="ab ", max_size=6)))
def test_the_distinct_ids_are_those_that_occur_in_order(texts: list[str]) -> None:
    tokens = Texts(texts).tokens("none")
    assert tokens.distinct.tolist() == sorted(set(tokens.ids.tolist()))
