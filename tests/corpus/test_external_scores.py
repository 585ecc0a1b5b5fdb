"""Scores of other tools are read from every format; errors name the place of missing scores."""

import json
from collections.abc import Callable

import numpy as np
import pytest

from tertium.corpus.external_scores import name_scores, read_external_scores
from tertium.errors import InputError

Write = Callable[[str, str | bytes], str]
EXPECTED = [[0.5, 0.25], [-1.0, 1e-3]]

LONG = "system\tsegment\tscore\nb\t2\t1e-3\na\t1\t0.5\na\t2\t0.25\nz\t1\tnan\nb\t1\t-1\n"
UNNUMBERED = "system\tscore\na\t0.5\nb\t-1\nb\t0.001\na\t0.25\n"
WIDE = "a\tb\tother\n0.5\t-1\tx\n0.25\t1e-3\ty\n"
JSONL = (
    '{"system": "a", "score": 0.5}\n{"system": "a", "score": 0.25}\n'
    '{"system": "b", "score": -1}\n{"system": "b", "score": 0.001}\n'
)
MTME = "a\t0.5\na\t0.25\nb\t-1\nb\t0.001\nref\tNone\nref\tNone\n"
COMET = json.dumps(
    {
        "out/a.txt": [{"src": "x", "COMET": 0.5}, {"COMET": 0.25}],
        "out/b.txt": [{"COMET": -1}, {"COMET": 0.001}],
    }
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.tsv", LONG), ("c.tsv", UNNUMBERED), ("c.tsv", WIDE), ("c.jsonl", JSONL), ("c.seg.score", MTME),
        ("c.json", COMET),
    ],
    ids=["long", "unnumbered", "wide", "jsonl", "mtme", "comet"],
)  # fmt: skip
def test_every_format_gives_the_same_scores(write: Write, name: str, content: str) -> None:
    assert read_external_scores(write(name, content), ["a", "b"], 2).tolist() == EXPECTED


@pytest.mark.parametrize(
    ("address", "content"),
    [
        ("c.txt", "0.5\n0.25\n"), ("c.tsv#kiwi", "id\tkiwi\nx\t0.5\ny\t0.25\n"), ("c.tsv", "score\n0.5\n0.25\n"),
        ("c.jsonl#m.x", '{"m": {"x": 0.5}}\n{"m": {"x": 0.25}}\n'), ("c.tsv#k", "system\tk\na\t0.5\na\t0.25\n"),
    ],
)  # fmt: skip
def test_a_single_system_needs_no_name(write: Write, address: str, content: str) -> None:
    write(address.partition("#")[0], content)
    assert read_external_scores(address, ["a"], 2).tolist() == [EXPECTED[0]]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.tsv", "system\tsegment\tscore\na\t1\t0.5\nb\t1\t1\nb\t2\t2\n"),
        ("c.tsv", "system\tscore\na\t0.5\na\tNaN\nb\t1\nb\t2\n"),
        ("c.tsv", "a\tb\n0.5\t1\n\t2\n"),
        ("c.jsonl", '{"a": 0.5, "b": 1}\n{"a": null, "b": 2}\n'),
        ("c.seg.score", "a\t0.5\na\tNone\nb\t1\nb\t2\n"),
        ("c.json", '{"a": [{"COMET": 0.5}, {"COMET": null}], "b": [{"COMET": 1}, {"COMET": 2}]}'),
    ],
    ids=["numbered", "unnumbered", "wide", "jsonl", "mtme", "comet"],
)
def test_a_segment_may_have_no_score(write: Write, name: str, content: str) -> None:
    found = read_external_scores(write(name, content), ["a", "b"], 2)
    np.testing.assert_array_equal(found, [[0.5, np.nan], [1, 2]])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("c.txt", "1\n2\n", "c.txt does not name the system of its scores, but there are 2 systems"),
        ("c.tsv", "system\tscore\na\t1\na\t1\nb\t1\n", "lacks the score of system 'b', segment 2"),
        ("c.tsv", "system\tsegment\tscore\na\t1\t1\na\t1\t1\n", "line 3 gives system 'a', segment 1 a second score"),
        ("c.tsv", "system\tsegment\tscore\na\t1\tinf\n", "line 2 holds 'inf', not a finite number"),
        (
            "c.tsv",
            "system\tsegment\tscore\na\t1\t-1e308\n",
            r"line 2 holds '-1e308', beyond 1e\+30, the largest score; score the segment again",
        ),
        ("c.tsv", "system\tsegment\tscore\na\t1\tx\n", "line 2 holds 'x', not a finite number"),
        ("c.tsv", "system\tsegment\tscore\na\t3\t1\n", "line 2 is a score of segment 3, but there are 2 segments"),
        ("c.tsv", "system\tsegment\tscore\na\t0\t1\n", "line 2 has the segment '0'; segments are numbered 1, 2"),
        ("c.tsv", "system\tsegment\tscore\na\t1\t1\na\t2\t1\n", r"no scores of system 'b' \(it has a\)"),
        ("c.tsv", "system\tvalue\na\t1\n", r"has no column 'score'; it has system, value: choose one with c.tsv#COLUMN"),
        ("c.jsonl", '{"system": ["a"], "score": 1}\n', "c.jsonl#system: line 1 holds a list, not a single value"),
        ("c.tsv", f"system\tsegment\tscore\na\t{'1' * 5000}\t1\n", "segments are numbered 1, 2"),
        ("c.json", "[1]", "is not in COMET's JSON format"),
        ("c.json", "{", "is not JSON"),
        ("c.json", '{"a": [{"x": 1}]}', "a, segment 1 has no 'COMET'"),
        ("c.json", '{"a": [{"COMET": null}]}', "lacks the score of system 'a', segment 2"),
        ("c.json", '{"a": [{"COMET": true}]}', "a, segment 1 holds True"),
        ("c.seg.score", "a\tNone\n", "lacks the score of system 'a', segment 2"),
        ("c.txt.gz", b"1", "gzip|c.txt.gz"),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_place(
    write: Write, name: str, content: str | bytes, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_external_scores(write(name, content), ["a", "b"], 2)


def test_scores_are_named_by_file_or_column(write: Write) -> None:
    for name in ("comet.tsv", "kiwi.seg.score", "bleurt.json"):
        write(name, "x")
    found = [name_scores(file) for file in ("comet.tsv", "kiwi.seg.score", "bleurt.json", "comet.tsv#x")]
    assert found == ["comet", "kiwi", "bleurt", "x"]
