"""Runs, files, or both become one evaluation of one test set."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.commands.base.runs import is_run
from tertium.commands.base.scored_inputs import load_scored
from tertium.errors import InputError, OptionError, UnknownNameError

pytest.importorskip("pyarrow")

Write = Callable[[str, str | bytes], str]
REFERENCES = ["the cat sat on the mat", "it rains", "we meet at noon"]
OLD = ["the cat sat on a mat", "it rains", "we meet"]
NEW = ["the cat sat on the mat", "it snows", "at noon we meet"]


@pytest.fixture
def files(write: Write) -> None:
    for name, lines in {"ref.txt": REFERENCES, "old.txt": OLD, "new.txt": NEW}.items():
        write(name, "\n".join(lines) + "\n")


def save(path: str, metrics: str = "wer,chrf", *, texts: bool = True, **systems: list[str]) -> None:
    tertium.score(systems, REFERENCES, metrics).save(path, texts=texts)


def test_a_file_is_scored_as_the_run_was_without_any_option(files: None) -> None:
    save("base.run", "wer:lowercase=yes,chrf:beta=3", old=OLD)
    found = load_scored(["base.run", "new.txt"])
    expected = tertium.score({"old": OLD, "new": NEW}, REFERENCES, "wer:lowercase=yes,chrf:beta=3")
    assert found.evaluation.systems == ("old", "new")
    assert found.names == (("old",), ("new",))
    for metric in expected.evaluation.metrics:
        np.testing.assert_array_equal(
            found.evaluation.tables[metric.label], expected.tables.tables[metric.label]
        )
        np.testing.assert_array_equal(
            found.evaluation.totals(metric.label), expected.evaluation.totals(metric.label)
        )
    assert found.corpus is not None
    assert found.corpus.systems == {"old": OLD, "new": NEW}


def test_files_alone_are_scored_with_references(files: None) -> None:
    found = load_scored(["new.txt", "x=old.txt"], references=["ref.txt"], metrics=["wer,per"])
    assert found.evaluation.systems == ("new", "x")
    assert list(found.evaluation.tables) == ["wer", "per"]


def test_names_follow_the_order_of_the_inputs(files: None) -> None:
    save("base.run", old=OLD)
    assert load_scored(["new.txt", "base.run"]).names == (("new",), ("old",))


def test_systems_of_one_name_are_told_apart_by_their_runs(files: None) -> None:
    save("a.run", same=OLD, other=NEW)
    save("b.run", same=NEW)
    found = load_scored(["a.run", "late=b.run"])
    assert found.names == (("same@a", "other"), ("same@late",))
    assert found.corpus is not None
    assert found.corpus.systems["same@late"] == NEW


def test_one_system_of_a_run_may_be_chosen(files: None) -> None:
    save("a.run", one=OLD, two=NEW)
    assert load_scored(["a.run#two"]).evaluation.systems == ("two",)
    with pytest.raises(UnknownNameError, match="did you mean two"):
        load_scored(["a.run#tow"])


def test_runs_without_texts_are_joined_without_a_corpus(files: None) -> None:
    save("a.run", texts=False, one=OLD)
    save("b.run", two=NEW)
    found = load_scored(["a.run", "b.run"])
    assert found.evaluation.systems == ("one", "two")
    assert found.corpus is None


def test_a_file_beside_a_run_without_texts_needs_references(files: None) -> None:
    save("a.run", texts=False, one=OLD)
    with pytest.raises(OptionError, match=r"reads references: give them with references=FILE"):
        load_scored(["a.run", "new.txt"])
    found = load_scored(["a.run", "new.txt"], references=["ref.txt"])
    assert found.evaluation.systems == ("one", "new")


def test_other_test_sets_are_refused_with_the_first_segment(files: None) -> None:
    save("a.run", one=OLD)
    tertium.score({"two": NEW}, [REFERENCES[0], "it pours", "x"], "wer").save("b.run")
    with pytest.raises(InputError, match=r"a and b were scored on different test sets.*segment 2 differ"):
        load_scored(["a.run", "b.run"])


def test_a_metric_computed_in_two_ways_is_refused(files: None) -> None:
    save("a.run", "wer", one=OLD)
    tertium.score({"two": NEW}, REFERENCES, "wer", lowercase=True).save("b.run")
    with pytest.raises(InputError, match=r"wer was computed in two ways: a has case:mixed, b has case:lc"):
        load_scored(["a.run", "b.run"])


def test_metrics_that_not_all_have_are_left_out_with_a_note(files: None) -> None:
    save("a.run", "wer,chrf", one=OLD)
    save("b.run", "chrf,per", two=NEW)
    found = load_scored(["a.run", "b.run"])
    assert list(found.evaluation.tables) == ["chrf"]
    assert [note.split(" is left out")[0] for note in found.notes] == ["wer of a", "per of b"]
    with pytest.raises(InputError, match="b lacks the metric wer; it has chrf, per"):
        load_scored(["a.run", "b.run"], metrics=["wer"])


def test_runs_that_share_no_metric_are_refused(files: None) -> None:
    save("a.run", "wer", one=OLD)
    save("b.run", "per", two=NEW)
    with pytest.raises(InputError, match="no metric was computed everywhere: a has wer; b has per"):
        load_scored(["a.run", "b.run"])


def test_columns_come_from_a_file_or_from_runs(files: None, write: Write) -> None:
    corpus = tertium.Corpus([[text] for text in REFERENCES], {"s": OLD}, columns={"domain": ["a", "b", "a"]})
    tertium.score(corpus, metrics="wer").save("a.run", texts=False)
    assert load_scored(["a.run"]).columns == {"domain": ["a", "b", "a"]}
    write("more.tsv", "year\n1\n2\n3\n")
    assert load_scored(["a.run"], columns="more.tsv").columns["year"] == ["1", "2", "3"]


def test_a_zip_file_of_any_name_is_taken_for_a_run(files: None, tmp_path: Path) -> None:
    save("a.run", one=OLD)
    Path("a.run").rename("b.zip")
    assert is_run("b.zip")
    assert not is_run("new.txt")
    assert load_scored(["b.zip"]).evaluation.systems == ("one",)


def test_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to compare"):
        load_scored([])


@pytest.mark.parametrize(
    ("hypotheses", "references", "place", "path"),
    [
        ("out.txt", ["a"], "hypotheses", "'out.txt'"),
        ({"one": "out.txt", "two": ["a"]}, ["a"], r"hypotheses\['one'\]", "'out.txt'"),
        (["a"], "ref.txt", "references", "'ref.txt'"),
        ("word " * 20, ["a"], "hypotheses", "…"),
    ],
)
def test_a_path_that_is_a_string_is_explained(
    hypotheses: Any, references: Any, place: str, path: str
) -> None:
    message = rf"^{place} must be a list of strings, not a single string; a file is given as pathlib\.Path\({path}\)$"
    with pytest.raises(InputError, match=message):
        tertium.score(hypotheses, references)


TEXTS = {"A": ["the cat", "a dog"], "B": ["the cat", "the dog"]}


def test_scores_in_memory_are_those_of_a_file(tmp_path: Path) -> None:
    given: dict[str, Any] = {"COMET": {"B": np.array([0.5, 0.6]), "A": [0.8, 0.7]}}
    file = tmp_path / "comet.tsv"
    file.write_text("A\tB\n0.8\t0.5\n0.7\t0.6\n", encoding="utf-8")
    found = tertium.score(TEXTS, TEXTS["A"], "chrf", scores=given)
    read = tertium.score(TEXTS, TEXTS["A"], "chrf", scores=f"COMET={file}")
    assert list(found) == ["chrf", "COMET"]
    assert found.segments("COMET") == read.segments("COMET") == {"A": [0.8, 0.7], "B": [0.5, 0.6]}
    found.save(tmp_path / "a.run")
    assert tertium.open_run(tmp_path / "a.run")["COMET"] == found["COMET"]
    gaps = tertium.score(
        TEXTS, TEXTS["A"], scores={"TER": {"A": [1, None], "B": [2, float("nan")]}}, lower="TER"
    )
    assert gaps["TER"]["A"].value == 1.0
    assert not gaps.evaluation.metric("TER").higher_is_better


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            {"M": {"A": [1, 2]}},
            r"scores\['M'\] has no scores of system 'B' \(it has A\); give a list of scores for every system$",
        ),
        (
            {"M": {"A": [1, 2, 3], "B": [1, 2]}},
            r"scores\['M'\]: \['A'\]\[2\] is a score of segment 3, but there are 2",
        ),
        ({"M": {"A": [1, "x"], "B": [1, 2]}}, r"scores\['M'\]: \['A'\]\[1\] holds 'x', not a finite number"),
        ({"M": [1, 2]}, r"scores\['M'\] must be a mapping from systems to lists of scores, not \[1, 2\]"),
        ({"M": {"A": 3, "B": [1, 2]}}, r"scores\['M'\]\['A'\] must be a list of scores, not 3"),
        (3, "scores must be a string or a list of strings, not 3"),
    ],
)
def test_wrong_scores_in_memory_are_one_line(scores: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tertium.score(TEXTS, TEXTS["A"], scores=scores)
