"""Streams, and cutting them to the segments of references."""

import itertools
import random
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.vectors import HandVectors
from tertium.alignment.cutting import CutOptions, count_control_edits, cut_output
from tertium.alignment.streams import Stream, split_tokens

REFERENCES = [
    "The ferry to the island leaves at nine.",
    "Storm warning for the weekend",
    "Passengers who booked earlier can change their tickets free of charge.",
    "The next ferry is expected on Monday.",
]
OUTPUT = [
    "The ferry to the islands departs at nine.",
    "Storm warning for this weekend",
    "Passengers that have booked before may change tickets for free.",
    "We expect the next ferry on Monday.",
]


def segments(texts: list[str]) -> list[list[str]]:
    return [[text] for text in texts]


@pytest.mark.parametrize("seed", range(5))
def test_moved_line_breaks_are_put_back(seed: int) -> None:
    words = " ".join(OUTPUT).split()
    rng = random.Random(seed)
    breaks = sorted(rng.sample(range(1, len(words)), 4))
    lines = [" ".join(words[start:end]) for start, end in itertools.pairwise([0, *breaks, len(words)])]
    assert list(cut_output(lines, segments(REFERENCES), CutOptions()).texts) == OUTPUT


@given(lines=st.lists(st.text("ab .。\nあไท\u0e34", max_size=12), max_size=5), n=st.integers(1, 4))
def test_cutting_keeps_every_character(lines: list[str], n: int) -> None:
    """No character is lost, added or moved, whatever the script; white space may change."""
    found = cut_output(lines, segments(["a b.", "あい。", "", "b a"][:n]), CutOptions())
    assert len(found.texts) == n
    assert "".join("".join(found.texts).split()) == "".join("".join(lines).split())


@given(lines=st.lists(st.text("ab. あ", max_size=12), max_size=5))
def test_words_are_never_divided(lines: list[str]) -> None:
    found = cut_output(lines, segments(["a b.", "あ", "b a"]), CutOptions(tokens="characters"))
    units = set(Stream.of(lines).units)
    assert all(unit in units for text in found.texts for unit in Stream.of([text]).units)


def test_without_weight_the_edits_are_minimal_and_boundaries_decide_ties() -> None:
    stream = ["the ferry leaves at nine . oh well the next one on monday ."]
    references = segments(["the ferry leaves at nine .", "the next one on monday ."])
    tied = cut_output(stream, references, CutOptions(boundaries=0, tokens="whitespace"))
    assert tied.edits.sum() == 2  # 'oh well' belongs to neither
    assert tied.texts[0] == "the ferry leaves at nine ."
    assert tied.margins.tolist()[0] == inf


def test_without_weight_even_closing_punctuation_may_begin_a_segment() -> None:
    stream, references = ["a b . c"], segments(["a b", ". c"])
    alone = cut_output(stream, references, CutOptions(boundaries=0, tokens="whitespace"))
    assert list(alone.texts) == ["a b", ". c"]
    assert not cut_output(stream, references, CutOptions(tokens="whitespace")).texts[1].startswith(".")


def test_case_is_ignored_unless_requested() -> None:
    assert cut_output(["THE CAT"], segments(["the cat"]), CutOptions()).edits.sum() == 0


def test_scripts_without_spaces_are_cut_between_characters() -> None:
    japanese = ["猫が好きです。犬も", "好きです。雨が降っています。"]
    references = segments(["猫が好きです。", "犬も好きだ。", "雨が降っている。"])
    assert list(cut_output(japanese, references, CutOptions()).texts) == [
        "猫が好きです。",
        "犬も好きです。",
        "雨が降っています。",
    ]


def test_arabic_is_cut_between_words() -> None:
    output = [
        "هل يجوز استعباد أحد؟",
        "لا يجوز استعباد أحد أو استرقاقه، وتحظر تجارة الرقيق.",
        "لكل شخص الحق في حرية الفكر.",
    ]
    references = [
        "هل يجوز استرقاق أي شخص؟",
        "لا يجوز استرقاق أو استعباد أي شخص، ويحظر الاسترقاق.",
        "لكل شخص الحق في حرية التفكير.",
    ]
    assert list(cut_output([" ".join(output)], segments(references), CutOptions()).texts) == output


def test_lines_are_joined_with_a_space_only_between_words() -> None:
    assert Stream.of(["one two", "three"]).text == "one two three"
    assert Stream.of(["犬も", "好きです。"]).text == "犬も好きです。"
    assert Stream.of(["", "  a \t b "]).text == "a b"


def test_closing_punctuation_stays_with_its_character() -> None:
    assert Stream.of(["「はい。」と言う。"]).units[-1] == "う。"
    assert split_tokens("「はい。」", "words") == ["「", "は", "い", "。", "」"]


def test_the_closest_of_several_references_counts() -> None:
    references = [["zzz zzz zzz", "the cat sat"], ["on the mat", "yyy yyy"]]
    found = cut_output(["the cat sat on the mat"], references, CutOptions())
    assert list(found.texts) == ["the cat sat", "on the mat"]
    assert found.edits.tolist() == [0, 0]


def test_similar_spellings_keep_their_segment() -> None:
    stream, references = ["colours grey theatre zebra"], segments(["zebras colors", "gray theater", "zebra"])
    exact = cut_output(stream, references, CutOptions(boundaries=0))
    soft = cut_output(stream, references, CutOptions(boundaries=0, spelling=True))
    assert list(soft.texts) == ["colours", "grey theatre", "zebra"]
    assert exact.error_rate >= 1 - 2 / 5


def test_segments_without_text_are_listed() -> None:
    found = cut_output(
        ["the cat sat."], segments(["the cat sat.", "something else entirely.", "and more."]), CutOptions()
    )
    assert found.empty == [1, 2]
    assert found.describe_empty() == "2 of 3 segments received no text: segments 2, 3"


def test_unrelated_texts_are_no_better_than_their_control() -> None:
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(300)]

    def make() -> list[str]:
        return [" ".join(rng.choice(words, 12)) for _ in range(40)]

    references, unrelated = segments(make()), make()
    related = [text.replace("w1", "v1") for (text,) in references]
    for lines, is_related in ((related, True), (unrelated, False)):
        found = cut_output(lines, references, CutOptions())
        edits, shuffled = count_control_edits(found, references, CutOptions())
        assert (edits < 0.9 * shuffled.min()) == is_related


@pytest.mark.parametrize(
    ("similar", "texts"),
    [("leaves", ["the cat departs", "ten nine"]), ("zebra", ["the cat", "departs ten nine"])],
)
def test_a_word_goes_to_the_segment_with_a_similar_word(similar: str, texts: list[str]) -> None:
    vectors = HandVectors({"departs": [1, 0.1], similar: [1, 0], "ten": [0, 1], "cat": [0, -1]})
    options = CutOptions(boundaries=0, vectors=vectors)
    references = segments(["the cat leaves", "zebra ten nine"])
    assert list(cut_output(["the cat departs ten nine"], references, options).texts) == texts
