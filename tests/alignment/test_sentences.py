"""Sentences aligned n to m."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.alignment.sentences import Change, align_document, align_sentences, split_sentences
from tertium.commands.align.align import SentenceCounts
from tertium.diagnosis.pairs import check_pair
from tertium.resources.vectors import load_vectors

REFERENCE = [
    "The council met on Tuesday evening.",
    "It approved the budget for the new library.",
    "Construction will begin in the autumn.",
    "Residents had asked for longer opening hours.",
    "The mayor promised to consider their wishes.",
]


def changes(output: list[str]) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    return [(group.change, group.reference, group.output) for group in align_sentences(REFERENCE, output)]


def test_equal_texts_are_one_to_one() -> None:
    assert changes(REFERENCE) == [("equal", (i, i + 1), (i, i + 1)) for i in range(5)]


def test_merged_and_split_sentences_are_found() -> None:
    output = [
        "The council met on Tuesday evening and approved the budget for the new library.",
        "Construction will begin.",
        "This will be in the autumn.",
        *REFERENCE[3:],
    ]
    assert changes(output) == [
        ("merged", (0, 2), (0, 1)),
        ("split", (2, 3), (1, 3)),
        ("equal", (3, 4), (3, 4)),
        ("equal", (4, 5), (4, 5)),
    ]


def test_dropped_and_added_sentences_are_found() -> None:
    output = [*REFERENCE[:2], *REFERENCE[3:], "Please subscribe to our weekly newsletter for details!"]
    assert ("dropped", (2, 3), (2, 2)) in changes(output)
    assert changes(output)[-1] == ("added", (5, 5), (4, 5))


def test_a_moved_sentence_is_neither_dropped_nor_added() -> None:
    found = changes([*REFERENCE[1:], REFERENCE[0]])
    assert ("moved", (0, 1), (4, 5)) in found
    assert {change for change, _, _ in found} == {"equal", "moved"}


@given(
    references=st.lists(st.text("ab c", max_size=9), max_size=6),
    output=st.lists(st.text("ab c", max_size=9), max_size=6),
)
def test_every_sentence_is_in_exactly_one_group(references: list[str], output: list[str]) -> None:
    groups = align_sentences(references, output)
    assert sorted(i for group in groups for i in range(*group.reference)) == list(range(len(references)))
    assert sorted(j for group in groups for j in range(*group.output)) == list(range(len(output)))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Miller paid 3.50 euros. She left.", ["Dr. Miller paid 3.50 euros.", "She left."]),
        ('"Stop." he said.', ['"Stop." he said.']),
        ("今日は雨です。明日は晴れます。", ["今日は雨です。", "明日は晴れます。"]),
        ("هل وصلت؟ نعم.", ["هل وصلت؟", "نعم."]),
        ("", []),
    ],
)
def test_texts_are_split_at_sentence_ends(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_multilingual_vectors_compare_source_and_output() -> None:
    source = [
        "Die Katze trinkt Milch.",
        "Der König wohnt in einem großen Schloss.",
        "Morgen fahren wir mit dem Zug nach Berlin.",
        "Die Ärzte arbeiten im Krankenhaus.",
    ]
    output = [
        "The cat drinks milk.",
        "Tomorrow we take the train to Berlin.",
        "The doctors work in the hospital.",
    ]
    document = align_document("", source, output, load_vectors("multilingual"))
    assert [group.reference for group in document.groups if group.change == "dropped"] == [(1, 2)]


EXAMPLES = Path(__file__).parents[2] / "examples" / "data"
LINES = (EXAMPLES / "reference.en.txt").read_text(encoding="utf-8").splitlines()
CHANGES: tuple[Change, ...] = ("merged", "split", "dropped", "added", "moved")
NEWS = "Subscribe to our newsletter for more stories like this one every morning."


def damage(lines: list[str]) -> list[str]:
    """Merge 3 lines with their next ones, split 2, drop 3, add 2 and move 2, all far from each other."""
    changed = list(lines)
    changed.insert(190, changed.pop(150))
    changed.insert(140, changed.pop(120))
    for i in (100, 90):
        changed.insert(i, NEWS)
    for i in (80, 70, 60):
        del changed[i]
    for i in (50, 40):
        words = changed[i].split()
        changed[i : i + 1] = [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]
    for i in (30, 20, 10):
        changed[i : i + 2] = [f"{changed[i]} {changed[i + 1]}"]
    return changed


@pytest.mark.parametrize("system", ["aurora", "cirrus", "fathom"])
def test_made_up_faults_are_counted_exactly(system: str) -> None:
    output = (EXAMPLES / "systems" / f"{system}.txt").read_text(encoding="utf-8").splitlines()
    found = align_document("", LINES, damage(output), by_line=True)
    assert [found.count(change) for change in CHANGES] == [3, 2, 3, 2, 2]
    unchanged = align_document("", LINES, output, by_line=True)
    assert [unchanged.count(change) for change in CHANGES] == [0, 0, 0, 0, 0]
    codes = {finding.code for finding in check_pair(damage(output), LINES)}
    assert {f"{change}-lines" for change in CHANGES} <= codes


def test_sentences_that_were_cut_off_or_repeated_are_counted() -> None:
    output = list(LINES)
    for i in (5, 15, 25):
        words = output[i].split()
        output[i] = " ".join(words[: len(words) // 3])
    for i in (35, 45):
        output[i] = " ".join([output[i]] * 3)
    counts = SentenceCounts("system", [align_document("", LINES, output, by_line=True)])
    assert (counts.n_short, counts.n_long, counts.count("dropped"), counts.count("added")) == (3, 2, 0, 0)


def test_the_doctor_reports_lines_that_are_not_one_to_one() -> None:
    output = [REFERENCE[0], f"{REFERENCE[1]} {REFERENCE[2]}", REFERENCE[4]]
    findings = {
        finding.code: finding
        for finding in check_pair(output, REFERENCE, hypothesis_file="hyp", reference_file="ref")
    }
    assert findings["merged-lines"].lines == (2,)
    assert (findings["dropped-lines"].file, findings["dropped-lines"].lines) == ("ref", (4,))
    assert "added-lines" not in findings
