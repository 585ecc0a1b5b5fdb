"""Subtitles, and the documents of mt-metrics-eval."""

from pathlib import Path

import pytest

from tertium.corpus import read_columns, read_corpus
from tertium.errors import InputError

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Where are you</i>
going?

2
00:00:03,000 --> 00:00:04,000 X1:100
{\\an8}- Home &amp; away.
"""
VTT = """WEBVTT - a talk

NOTE made by hand

intro
00:01.000 --> 00:02.500 align:start
<v Ann>Where are you going?

00:00:03.000 --> 00:00:04.000
- Home &amp; <c.loud>away</c>.
"""


@pytest.mark.parametrize(
    ("name", "text"), [("a.srt", SRT), ("a.vtt", VTT), ("a.srt", SRT.replace("\n", "\r\n"))]
)
def test_a_cue_is_a_segment_without_times_and_markup(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    corpus = read_corpus([str(path)], [(None, str(path))])
    assert list(corpus.target_texts) == ["Where are you going?", "- Home & away."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n00:01 -> 00:02\nHello\n", "a.srt has no subtitles; a cue begins with a line 00:00:01,000 -->"),
        ("1\n00:01 --> soon\nHello\n", "a.srt: line 2 is not a line of times such as"),
    ],
)
def test_files_without_valid_times_are_rejected(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.srt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_corpus([str(path)], [(None, str(path))])


def test_documents_of_mt_metrics_eval_are_columns(tmp_path: Path) -> None:
    path = tmp_path / "he-en.docs"
    path.write_text("news\tanimals.1\nnews\tanimals.1\nchat\ttalk.2\n")
    assert read_columns(str(path), 3) == {
        "domain": ["news", "news", "chat"],
        "document": ["animals.1", "animals.1", "talk.2"],
    }
    path.write_text("news\tanimals.1\nnews\n")
    with pytest.raises(InputError, match="line 2 has 1 fields, but it needs a domain and a document"):
        read_columns(str(path), 2)


def test_a_segment_with_line_breaks_is_one_segment(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"doc_id": "a", "hypothesis": "One.\\n\\nTwo.", "reference": "One.\\nTwo."}\n')
    corpus = read_corpus([str(path)], [(None, str(path))])
    assert len(corpus) == 1
    assert corpus.systems["a"][0] == "One.\n\nTwo."
