"""References in columns equal references in a list per segment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.text import References
from tertium.values import Corpus, ReferenceStreams, count_references

ROWS = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[st.text(max_size=3)] * n), min_size=1))


@given(ROWS)
def test_streams_read_like_a_list_of_groups(rows: list[tuple[str, ...]]) -> None:
    streams = ReferenceStreams([list(column) for column in zip(*rows, strict=True)])
    assert streams == rows
    assert list(streams) == rows
    assert [streams[i] for i in range(len(rows))] == rows
    assert streams[1:] == rows[1:]
    assert count_references(streams) == count_references(rows)


@given(ROWS)
def test_a_corpus_of_streams_has_the_tokens_of_one_of_groups(rows: list[tuple[str, ...]]) -> None:
    streams = ReferenceStreams([list(column) for column in zip(*rows, strict=True)])
    one, other = References(streams), References(rows)
    assert one.offsets.tolist() == other.offsets.tolist()
    assert one.tokens().ids.tolist() == other.tokens().ids.tolist()
    assert list(Corpus(streams, {}).target_texts) == list(Corpus(rows, {}).target_texts)


def test_streams_of_another_length_than_the_outputs_are_refused() -> None:
    with pytest.raises(InputError, match="system 'a' has 1 segments but the references have 2"):
        Corpus(ReferenceStreams([["x", "y"]]), {"a": ["x"]})


def test_streams_show_their_size_and_not_their_texts() -> None:
    assert (
        repr(ReferenceStreams([["a"] * 1200, ["b"] * 1200]))
        == "<ReferenceStreams: 1,200 segments, 2 for each>"
    )
