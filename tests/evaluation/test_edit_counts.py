"""The edits that a system needs add up to what the translation edit rate counts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.errors import InputError
from tertium.evaluation import text_differences
from tertium.evaluation.text_differences import EditCounts, count_needed_edits
from tertium.values import Corpus

texts = st.lists(st.sampled_from(["a", "b", "c", "d", "E"]), max_size=12).map(" ".join)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.lists(texts, min_size=1, max_size=3), texts), min_size=1, max_size=5))
def test_edits_and_words_add_up_to_ter(rows: list[tuple[list[str], str]]) -> None:
    corpus = Corpus([references for references, _ in rows], {"s": [text for _, text in rows]})
    needs = count_needed_edits(corpus, "s")
    edits, words = evaluate(corpus, parse_metrics(["ter"])).totals("ter")[0]
    assert sum(needs.counts().values()) == edits
    assert needs.n_words == pytest.approx(words)


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        ("a b c", "insertions"),
        ("a b c d e", "deletions"),
        ("a b c x", "substitutions"),
        ("d a b c", "shifts"),
    ],
)
def test_each_kind_of_edit_is_called_by_its_name(output: str, kind: str) -> None:
    needs = count_needed_edits(Corpus([["a b c d"]], {"s": [output]}), "s")
    assert {name: count for name, count in needs.counts().items() if count} == {kind: 1}
    assert needs.rate(1) == 1 / 4


def test_the_nearest_reference_counts() -> None:
    needs = count_needed_edits(Corpus([["x y z w", "a b"]], {"s": ["A b c"]}), "s")
    assert needs == EditCounts(insertions=0, deletions=1, substitutions=0, shifts=0, n_words=3)


def test_no_words_have_no_rate() -> None:
    assert count_needed_edits(Corpus([[""]], {"s": [""]}), "s").rate(0) == 0


def test_swapped_blocks_are_one_inversion() -> None:
    corpus = Corpus([["a b c d"], ["a b", "b a"]], {"s": ["c d a b", "b a"]})
    needs = count_needed_edits(corpus, "s", counts_inversions=True)
    assert needs.inversions == 1  # the second output equals one of its references
    assert needs.counts()["inversions"] == 1


def test_a_pair_too_large_for_the_search_counts_no_inversion(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise InputError("too large")

    monkeypatch.setattr(text_differences, "trace_inversions", refuse)
    needs = count_needed_edits(Corpus([["a b"]], {"s": ["b a"]}), "s", counts_inversions=True)
    assert needs.inversions == 0
