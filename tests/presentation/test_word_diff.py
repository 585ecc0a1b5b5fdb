"""Words that differ from the reference are marked, and nothing else changes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.presentation.segment_tables import mark_words, write_marks

texts = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "marked"),
    [
        ("a b", "a b", "a b"),
        ("a x y b", "a b", "a [-x y-] b"),
        ("a b", "a x b y", "a {+x+} b {+y+}"),
        ("a x b", "a y b", "a [-x-] {+y+} b"),
        ("", "a b", "{+a b+}"),
        ("a", "", "[-a-]"),
        ("", "", ""),
        ("我们去那里。", "我们在这里。", "我们[-去那-]{+在这+}里。"),
        ("用 Python 写", "用 C 写", "用 [-Python-] {+C+} 写"),
        ("ที่นี่", "ที่นั่น", "ที่[-นี่-]{+นั่น+}"),
    ],
)
def test_words_are_marked(hypothesis: str, reference: str, marked: str) -> None:
    assert write_marks(mark_words(hypothesis, reference)) == marked


def read(marked: str, *, without: str) -> list[str]:
    """Read one side of a marked text: the words without those in marks of this kind."""
    words, inside = [], ""
    for word in marked.split():
        for mark in ("[-", "{+"):
            inside = mark if word.startswith(mark) else inside
        if inside != without:
            words.append(word.strip("[-]{+}"))
        inside = "" if word.endswith(("-]", "+}")) else inside
    return words


@settings(max_examples=300, deadline=None)
@given(texts, texts)
def test_both_texts_can_be_read_from_the_marks(hypothesis: str, reference: str) -> None:
    marked = write_marks(mark_words(hypothesis, reference))
    assert read(marked, without="{+") == hypothesis.split()
    assert read(marked, without="[-") == reference.split()
