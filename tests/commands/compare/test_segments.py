"""`tertium segments` and `compare --line` from argv to exit code."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tertium as library
from tertium.commands.compare.segments import parse_lines
from tertium.errors import InputError, OptionError, UnknownNameError

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

REFERENCES = ["the cat sat on the mat", "a dog barked loudly", "it rained all day", "we went home"]
OLD = ["the cat sat on the mat", "a dog", "it all rained day", "x"]
NEW = ["the cat sat on mat", "a dog barked", "it rained all day", "we went home"]


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": REFERENCES, "old": OLD, "new": NEW}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "c.tsv").write_text("domain\nnews\ntalk\nnews\ntalk\n")
    return tmp_path


FILES = ("-r", "ref.txt", "-i", "old.txt", "new.txt", "-m", "wer,chrf", "--columns", "c.tsv")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_the_worst_outputs_of_all_systems_come_first(tertium: Tertium, texts: Path) -> None:
    found = rows(tertium("segments", *FILES, "--worst", "2", "-f", "csv").out)
    assert [(row["segment"], row["system"], row["output"]) for row in found] == [
        ("4", "old", "x"),
        ("2", "old", "a dog"),
    ]
    assert [float(row["wer"]) for row in found] == [100.0, 50.0]
    assert found[0]["reference"] == "we went home"
    assert found[0]["domain"] == "talk"


def test_the_best_come_first_if_asked(tertium: Tertium, texts: Path) -> None:
    found = rows(tertium("segments", *FILES, "--best", "1", "--systems", "new", "-f", "csv").out)
    assert [row["segment"] for row in found] == ["3"]


def test_conditions_hold_for_metrics_and_columns(tertium: Tertium, texts: Path) -> None:
    given = (*FILES, "--where", "wer>0,domain=talk,length<4", "-f", "csv")
    assert [(row["segment"], row["system"]) for row in rows(tertium("segments", *given).out)] == [
        ("4", "old")
    ]
    found = rows(tertium("segments", *FILES, "--where", "system=new,wer=0", "-f", "csv").out)
    assert [row["segment"] for row in found] == ["3", "4"]


def test_segments_are_sorted_by_a_metric_or_a_column(tertium: Tertium, texts: Path) -> None:
    def order(name: str) -> list[str]:
        given = (*FILES, "--systems", "new", "--sort", name, "-f", "csv")
        return [row["segment"] for row in rows(tertium("segments", *given).out)]

    assert order("wer") == ["2", "1", "3", "4"]
    assert order("-wer") == ["3", "4", "1", "2"]
    assert order("length") == ["4", "2", "3", "1"]
    assert order("domain") == ["1", "3", "2", "4"]


def test_differences_are_positive_where_the_second_system_is_better(tertium: Tertium, texts: Path) -> None:
    given = (*FILES, "--systems", "old", "new", "--differences")
    found = json.loads(tertium("segments", *given, "--worst", "1", "-f", "json").out)["segments"]
    assert [row["segment"] for row in found] == [1]
    assert found[0]["gains"]["wer"] == pytest.approx(-100 / 6)
    assert found[0]["outputs"] == {"old": OLD[0], "new": NEW[0]}
    shown = rows(tertium("segments", *given, "--where", "wer>0", "-f", "csv").out)
    assert [row["segment"] for row in shown] == ["2", "3", "4"]
    assert float(shown[2]["wer gain"]) == 100.0


def test_the_text_marks_words_against_the_nearest_reference(tertium: Tertium, texts: Path) -> None:
    (texts / "other.txt").write_text("\n\n\nx\n")
    found = tertium("segments", "-r", "ref.txt", "other.txt", "-i", "old.txt", "new.txt", "--line", "4").out
    assert "reference 2" in found
    assert "100.00  old          x\n" in found
    assert "segment" in found


def test_compare_shows_one_line(tertium: Tertium, texts: Path) -> None:
    found = tertium("compare", "old.txt", "new.txt", "-r", "ref.txt", "-m", "wer", "--line", "2")
    assert found.code == 0
    assert "a dog {+barked loudly+}" in found.out
    assert "+25.00" in found.out
    wrong = tertium("compare", "old.txt", "new.txt", "-r", "ref.txt", "--line", "5")
    assert wrong.code == 1
    assert "there is no segment 5: the texts have 4" in wrong.err


def test_a_run_without_texts_shows_scores(tertium: Tertium, texts: Path) -> None:
    tertium("score", *FILES, "--save", "a.run", "--no-texts", "-q")
    found = tertium("segments", "a.run", "--worst", "1")
    assert found.code == 0
    assert "the texts are not known" in found.out


def test_python_gives_the_same(texts: Path) -> None:
    result = library.score({"old": OLD, "new": NEW}, REFERENCES, "wer")
    found = library.segments(result, worst=2)
    assert [(segment.number, segment.systems) for segment in found.segments] == [(4, ("old",)), (2, ("old",))]
    assert len(found) == 2


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"systems": "odl"}, UnknownNameError, "no system 'odl'; did you mean old"),
        ({"differences": True, "systems": "old"}, OptionError, "two systems are compared, not 1"),
        ({"worst": 1, "best": 1}, OptionError, "give either worst= or best=, not both"),
        ({"worst": 0}, OptionError, "worst= must be a whole number"),
        ({"sort": "bleu"}, UnknownNameError, "no column 'bleu'"),
        ({"where": "bleu<3"}, UnknownNameError, "no column 'bleu'"),
        ({"where": "wer<x"}, OptionError, "only numbers can be compared"),
        ({"where": "wer>900"}, InputError, "no segment fulfils wer>900"),
        ({"lines": "0"}, InputError, "there is no segment 0: the texts have 4"),
        ({"lines": "2-9"}, InputError, "there is no segment 2-9"),
        ({"lines": "9" * 5000}, InputError, "there is no segment 999"),
        ({"lines": "two"}, OptionError, "'two' is not the number of a segment"),
        ({"lines": "4-2"}, InputError, "there is no segment 4-2"),
    ],
    ids=str,
)
def test_mistakes_are_named(options: dict[str, object], error: type[Exception], message: str) -> None:
    result = library.score({"old": OLD, "new": NEW}, REFERENCES, "wer")
    with pytest.raises(error, match=message):
        library.segments(result, **options)  # type: ignore[arg-type]


def test_nothing_to_show_is_a_usage_error(tertium: Tertium, texts: Path) -> None:
    assert tertium("segments").code == 2


def test_missing_scores_come_last() -> None:
    from tertium.commands.compare.segments import _Outputs  # noqa: PLC0415

    outputs = _Outputs.__new__(_Outputs)
    outputs.labels = ("x",)
    outputs._quality = lambda _: np.array([2.0, np.nan, 1.0])  # type: ignore[assignment]
    chosen = np.arange(3)
    assert outputs.rank("x", chosen, is_reversed=False).tolist() == [2, 0, 1]
    assert outputs.rank("x", chosen, is_reversed=True).tolist() == [0, 2, 1]


def test_lines_are_numbers_and_ranges() -> None:
    assert parse_lines(["1, 3-4", "2"], 4) == [0, 2, 3, 1]


OLD_SEGMENTS = ("segments", *FILES, "--systems", "old", "-q")
ANNOTATIONS = (
    '{"system": "old", "segment": 1, "score": 50, "rater": "anna", "error_spans":'
    ' [{"start": 0, "end": 3, "severity": "major"}, {"start": 4, "end": 6, "severity": "minor"}]}\n'
    '{"system": "old", "segment": 1, "score": 70, "rater": "ben", "error_spans":'
    ' [{"start_i": "missing", "end_i": "missing", "severity": "major", "category": "omission"}]}\n'
)


def test_error_spans_of_raters_are_shown_below_the_output(tertium: Tertium, texts: Path) -> None:
    """One line per rater, marked with signs as well as colours."""
    (texts / "spans.jsonl").write_text(ANNOTATIONS)
    run = tertium(*OLD_SEGMENTS, "--line", "1", "--human", "spans.jsonl")
    assert run.code == 0
    marked = next(line for line in run.out.splitlines() if "anna (50)" in line)
    assert "[!" in marked
    assert "[~" in marked
    assert "[!missing: omission!]" in next(line for line in run.out.splitlines() if "ben (70)" in line)


def test_json_lists_the_error_spans(tertium: Tertium, texts: Path) -> None:
    """By system, with positions."""
    (texts / "spans.jsonl").write_text(ANNOTATIONS)
    run = tertium(*OLD_SEGMENTS, "--line", "1", "--human", "spans.jsonl", "-f", "json")
    (segment,) = json.loads(run.out)["segments"]
    assert [each["rater"] for each in segment["annotations"]["old"]] == ["anna", "ben"]
    assert segment["annotations"]["old"][0]["spans"][0]["end"] == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("system\tsegment\tscore\nold\t1\t5\n", "has no error spans"),
        (ANNOTATIONS.replace('"old"', '"other"'), "judges none of these outputs"),
        (ANNOTATIONS.replace('"end": 3', '"end": 3000'), "line 1 has an error span at 0:3000"),
    ],
)
def test_annotations_that_do_not_fit_are_refused(
    tertium: Tertium, texts: Path, content: str, message: str
) -> None:
    """One line that names the file."""
    name = "spans.jsonl" if content.startswith("{") else "spans.tsv"
    (texts / name).write_text(content)
    run = tertium(*OLD_SEGMENTS, "--line", "1", "--human", name)
    assert run.code == 1
    assert message in run.err


def test_compare_shows_the_error_spans_of_a_segment(tertium: Tertium, texts: Path) -> None:
    """Below the output of the judged system."""
    (texts / "spans.jsonl").write_text(ANNOTATIONS)
    arguments = ("compare", "old.txt", "new.txt", "-r", "ref.txt", "-m", "chrf", "--human", "spans.jsonl")
    assert "anna (50)" in tertium(*arguments, "--line", "1").out
    assert "--human requires --line N" in tertium(*arguments).err
