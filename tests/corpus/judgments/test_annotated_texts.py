"""Corpora made from annotations that contain the judged outputs."""

import numpy as np
import pytest

from tertium.corpus.judgments.annotated_texts import collect_texts
from tertium.corpus.judgments.readers import SegmentJudgments
from tertium.errors import InputError


def annotate(rows: list[tuple[str, str, str]]) -> SegmentJudgments:
    """Make judgments of system, segment and output."""
    systems, segments, targets = zip(*rows, strict=True)
    n = len(rows)
    return SegmentJudgments(
        "m.tsv", range(2, n + 2), [""] * n, systems, segments, np.zeros(n), documents=["d"] * n, targets=targets,
        sources=[f"source {segment}" for segment in segments],
    )  # fmt: skip


ROWS = [
    ("ref", "1", "a"),
    ("A", "1", "b"),
    ("B", "1", "c"),
    ("ref", "2", "d"),
    ("A", "2", "e"),
    ("B", "2", "f"),
]


def test_judged_references_become_references() -> None:
    """Their judgments are left out, and a note says where the texts come from."""
    corpora, (kept,), notes = collect_texts([annotate(ROWS)])
    corpus = corpora[""]
    assert [list(group) for group in corpus.references] == [["a"], ["d"]]
    assert {name: list(texts) for name, texts in corpus.systems.items()} == {"A": ["b", "e"], "B": ["c", "f"]}
    assert (corpus.segment_ids, corpus.sources) == (["1", "2"], ["source 1", "source 2"])
    assert set(kept.systems) == {"A", "B"}
    assert notes == ["the outputs are those in m.tsv, with ref as reference"]


def test_segments_without_all_outputs_are_left_out_with_a_note() -> None:
    """System B was not judged on segment 2."""
    corpora, (kept,), (note,) = collect_texts([annotate(ROWS[:-1])])
    assert corpora[""].segment_ids == ["1"]
    assert kept.segments == ["1", "1"]
    assert note.endswith("; 1 segments lack an output")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row for row in ROWS if row[0] != "ref"], "has no judged human translation"),
        ([("ref", "1", "a"), ("A", "2", "b")], "no segment with the outputs of all systems"),
    ],
)
def test_annotations_without_reference_or_complete_segments_are_refused(
    rows: list[tuple[str, str, str]], message: str
) -> None:
    """The remedy is to give the texts as files."""
    with pytest.raises(InputError, match=message):
        collect_texts([annotate(rows)])
