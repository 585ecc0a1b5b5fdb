"""Edits: as many edits as the distance, every word once, told in order."""

from hypothesis import given
from hypothesis import strategies as st

from reference.edits import levenshtein
from tertium.kernels.edits import trace_edits
from tertium.metrics.lexical._word_edits import count_edits, describe_edits, link_edits

WORDS = st.lists(st.sampled_from("abcd"), max_size=80)


@given(a=WORDS, b=WORDS)
def test_there_are_as_many_edits_as_the_distance(a: list[str], b: list[str]) -> None:
    counts = count_edits(trace_edits(a, b))
    assert counts["substitutions"] + counts["deletions"] + counts["insertions"] == levenshtein(a, b)


@given(a=WORDS, b=WORDS)
def test_edits_visit_every_word_once_in_order(a: list[str], b: list[str]) -> None:
    edits = trace_edits(a, b)
    assert [edit.i for edit in edits if edit.i is not None] == list(range(len(a)))
    assert [edit.j for edit in edits if edit.j is not None] == list(range(len(b)))


def test_links_join_matches_and_substitutions_only() -> None:
    assert link_edits(trace_edits("abc", "axcd")) == [
        (0, 0, "match"), (1, 1, "substitution"), (2, 2, "match"),
    ]  # fmt: skip


def test_runs_of_one_kind_share_a_line() -> None:
    words = ["the", "old", "cat", "sat"], ["the", "cat", "sat", "down", "now"]
    assert describe_edits(trace_edits(*words), *words) == [
        "keep     the", "delete   old", "keep     cat sat", "insert   down now",
    ]  # fmt: skip
