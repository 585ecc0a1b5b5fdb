"""`tertium explain`: pairs on the command line, lines of files, JSON, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium import Corpus, TertiumError, explain

Tertium = Callable[..., Any]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    texts = {"system.txt": "a b\nb a c\n", "one.txt": "a b\na b c\n", "two.txt": "x\na b\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "system.txt", tmp_path / "one.txt", tmp_path / "two.txt"


def test_a_pair_is_explained(tertium: Tertium) -> None:
    run = tertium("explain", "-m", "invwer", "at noon we meet", "we meet at noon")
    assert run.code == 0
    assert "invwer = 25.00" in run.out
    assert "swap two blocks" in run.out
    assert "[⟨[at/at noon/noon] [we/we meet/meet]⟩]" in run.out


def test_metrics_have_options_and_stand_one_below_the_other(tertium: Tertium) -> None:
    run = tertium("explain", "-m", "wer,invwer:inversion=0.5", "b a", "a b")
    assert "wer = 100.00" in run.out
    assert "invwer = 25.00" in run.out


@pytest.mark.parametrize("texts", [("", "a b"), ("a b", ""), ("", "")])
def test_an_empty_text_is_explained(tertium: Tertium, texts: tuple[str, str]) -> None:
    run = tertium("explain", "-m", "bleu", *texts)
    assert run.code == 0
    assert "bleu = 0.00" in run.out


def test_further_references_are_taken(tertium: Tertium) -> None:
    run = tertium("explain", "-m", "wer", "a b", "x", "a b")
    assert "wer = 0.00" in run.out
    assert "nearest reference  2" in run.out


def test_a_metric_that_reads_the_output_alone_needs_no_second_text(tertium: Tertium) -> None:
    run = tertium("explain", "-m", "repetition", "on and on and on and on and")
    assert run.out.startswith("repetition = 0.00")
    run = tertium("explain", "-m", "repetition,wer", "a")
    assert run.code == 2
    assert "a reference is missing" in run.err


def test_the_text_that_a_metric_reads_has_its_own_name(tertium: Tertium) -> None:
    run = tertium("explain", "-m", "markup,repetition,wer", "<b>a", "<b>c", "-s", "<b>x")
    names = [line.split()[0] for line in run.out.splitlines() if line.startswith("  ")]
    shown = [name for name in names if name in ("hypothesis", "reference", "source")]
    assert shown == ["hypothesis", "source", "hypothesis", "hypothesis", "reference"]
    records = tertium("explain", "-m", "markup", "<b>a", "-s", "<b>x", "-f", "csv").out
    assert "1,markup,source,,1,,,<b>x" in records
    (told,) = json.loads(tertium("explain", "-m", "markup", "a", "-s", "x", "-f", "json").out)["explanations"]
    assert (told["source"], told["reference"]) == (["x"], [])


def test_a_line_of_files_is_explained(tertium: Tertium, files: tuple[Path, ...]) -> None:
    system, one, two = files
    run = tertium("explain", "-m", "ter", "-i", system, "-r", one, "-r", two, "--line", "2", "-f", "json")
    (told,) = json.loads(run.out)["explanations"]
    assert told["metric"] == "ter"
    assert told["hypothesis"] == ["b", "a", "c"]
    assert told["score"] == pytest.approx(100 * 1 / 2.5)
    assert told["steps"][0].startswith("shift")


def test_several_systems_are_explained(tertium: Tertium, files: tuple[Path, ...]) -> None:
    system, one, two = files
    run = tertium("explain", "-m", "wer", "-i", system, "-i", two, "-r", one, "-n", "1", "-f", "json")
    assert [told["hypothesis"] for told in json.loads(run.out)["explanations"]] == [["a", "b"], ["x"]]


def test_output_goes_to_a_file(tertium: Tertium, tmp_path: Path) -> None:
    run = tertium("explain", "a", "b", "-o", tmp_path / "out.txt")
    assert run.out == ""
    assert (tmp_path / "out.txt").read_text(encoding="utf-8").startswith("invwer = 100.00")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["only one"], 2, "a reference is missing"),
        ([], 2, "a hypothesis and a reference are missing"),
        (["-m", "invwer:inversion=-1", "a", "b"], 2, "inversion must be a number at least 0"),
        (["-m", "invwr", "a", "b"], 2, "did you mean invwer?"),
        (["-n", "1", "a", "b"], 2, "not both"),
        (["-n", "1"], 2, "files need all of --hyp"),
    ],
)
def test_mistakes_are_one_line(tertium: Tertium, arguments: list[str], code: int, message: str) -> None:
    run = tertium("explain", *arguments)
    assert run.code == code
    assert message in run.err
    assert run.err.count("\n") == 1


def test_a_line_beyond_the_files_is_refused(tertium: Tertium, files: tuple[Path, ...]) -> None:
    run = tertium("explain", "-i", files[0], "-r", files[1], "--line", "3")
    assert run.code == 1
    assert run.err == "tertium: there is no segment 3: the files have 2\n"


def test_a_matrix_is_drawn_into_a_picture(tertium: Tertium, tmp_path: Path) -> None:
    target = tmp_path / "std.svg"
    run = tertium("explain", "-m", "std", "the cat", "a dog", "--heatmap", target, "--matrix", "flow")
    assert run.code == 0
    assert target.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("name", ["picture.txt", "no/where.svg"])
def test_a_picture_that_cannot_be_written_is_one_line(tertium: Tertium, tmp_path: Path, name: str) -> None:
    run = tertium("explain", "-m", "std", "the cat", "a dog", "--heatmap", tmp_path / name)
    assert run.code in (1, 2)
    assert run.err.count("\n") == 1


def test_a_matrix_is_drawn_with_the_vectors_given(tertium: Tertium, tmp_path: Path) -> None:
    vectors = tmp_path / "two.txt"
    vectors.write_text("2 2\nholiday 1 0\nvacation 0.8 0.6\n", encoding="utf-8")
    picture = tmp_path / "std.svg"
    arguments = ["-m", "std", "--vectors", str(vectors), "--heatmap", str(picture), "vacation", "holiday"]
    run = tertium("explain", *arguments)
    assert run.code == 0
    assert "vacation" in run.out
    svg = picture.read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert ">0.12</text>" in svg  # 0.6 · (1 − 0.8)


def test_a_heat_map_of_several_explanations_is_refused(tertium: Tertium, tmp_path: Path) -> None:
    run = tertium("explain", "-m", "mas,has", "--heatmap", str(tmp_path / "x.svg"), "a", "b")
    assert run.code == 2
    assert "one metric and one system, not 2" in run.err


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["wer", "ter", "meteor", "red", "redp", "invwer", "std"])
def test_a_metric_with_links_a_tree_or_a_matrix_has_a_picture(
    tertium: Tertium, tmp_path: Path, metric: str
) -> None:
    picture = tmp_path / "why.svg"
    run = tertium("explain", "-m", metric, "we meet at noon", "at noon we meet", "--picture", picture)
    assert (run.code, run.err) == (0, "")
    assert all(f">{word}<" in picture.read_text(encoding="utf-8") for word in ("we", "meet", "at", "noon"))


@pytest.mark.parametrize("metric", ["bleu", "chrf", "beer", "nist", "ribes", "character", "per"])
def test_systems_are_named_whatever_the_metric(
    tertium: Tertium, files: tuple[Path, ...], metric: str
) -> None:
    system, one, two = files
    run = tertium("explain", "-m", metric, "-i", system, f"other={two}", "-r", one, "--line", "2")
    assert run.code == 0
    assert f"system: {metric} = " in run.out
    assert f"other: {metric} = " in run.out


def test_explanations_are_counted_and_listed() -> None:
    found = explain("we meet at noon", "at noon we meet", "wer,ter")
    assert len(found) == 2
    assert [explanation.metric for explanation in found] == ["wer", "ter"]


@pytest.mark.parametrize(
    ("hypothesis", "message"), [(None, "is missing"), (7, "must be a text or a corpus, not 7")]
)
def test_what_is_not_a_text_is_rejected(hypothesis: object, message: str) -> None:
    with pytest.raises(TertiumError, match=message):
        explain(hypothesis, "at noon we meet")  # type: ignore[arg-type]


def test_a_corpus_is_explained_as_its_texts_are() -> None:
    corpus = Corpus([["at noon we meet"]], {"a": ["we meet at noon"]})
    assert str(explain(corpus, metrics="wer")) == str(explain("we meet at noon", "at noon we meet", "wer"))
