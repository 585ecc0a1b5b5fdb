"""`tertium align` and `tertium score --align`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium as package

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

REFERENCE = ["The river rose quickly.", "Two bridges were closed.", "Schools reopen on Tuesday."]
OUTPUT = ["The river quickly rose.", "Two bridges closed.", "Schools open on Tuesday again."]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("\n".join(REFERENCE) + "\n")
    Path("hyp.txt").write_text("\n".join(OUTPUT) + "\n")
    Path("stream.txt").write_text(" ".join(OUTPUT) + "\n")
    return tmp_path


@pytest.mark.usefixtures("files")
def test_the_cut_output_is_written(tertium: Tertium) -> None:
    run = tertium("align", "-r", "ref.txt", "-i", "stream.txt", "--write", "cut.txt")
    assert (run.code, run.err) == (0, "")
    assert Path("cut.txt").read_text().splitlines() == OUTPUT
    assert "uncertain" in run.out


@pytest.mark.usefixtures("files")
def test_several_outputs_are_written_into_a_folder(tertium: Tertium) -> None:
    assert tertium("align", "-r", "ref.txt", "-i", "hyp.txt", "b=stream.txt", "--write", "cut").code == 0
    assert [path.name for path in sorted(Path("cut").iterdir())] == ["b.txt", "hyp.txt"]
    assert Path("cut/b.txt").read_text() == Path("cut/hyp.txt").read_text()


@pytest.mark.usefixtures("files")
def test_an_input_is_never_overwritten(tertium: Tertium) -> None:
    before = Path("stream.txt").read_text()
    assert tertium("align", "-r", "ref.txt", "-i", "stream.txt", "--write", "stream.txt").code in (1, 2)
    assert Path("stream.txt").read_text() == before


@pytest.mark.usefixtures("files")
def test_every_cut_can_be_shown(tertium: Tertium) -> None:
    run = tertium("align", "-r", "ref.txt", "-i", "stream.txt", "--table", "segments", "-f", "json")
    rows = json.loads(run.out)["segments"]
    assert [row["text"] for row in rows] == OUTPUT
    assert rows[0]["margin"] is None
    assert rows[1]["margin"] > 1


@pytest.mark.usefixtures("files")
def test_scores_of_cut_outputs_say_so(tertium: Tertium) -> None:
    run = tertium("score", "-r", "ref.txt", "-i", "stream.txt", "--align", "-m", "bleu,wer", "--signatures")
    assert "bleu|nrefs:1|align:words|" in run.out
    assert "outputs were re-segmented to match the references" in run.out
    plain = tertium("score", "-r", "ref.txt", "-i", "hyp.txt", "-m", "wer", "--score-only")
    assert (
        plain.out
        == tertium("score", "-r", "ref.txt", "-i", "stream.txt", "--align", "-m", "wer", "--score-only").out
    )
    assert "align" not in tertium("score", "-r", "ref.txt", "-i", "hyp.txt", "--signatures").out


@pytest.mark.usefixtures("files")
def test_a_run_of_cut_outputs_can_be_repeated(tertium: Tertium) -> None:
    run = tertium(
        "score", "-r", "ref.txt", "-i", "stream.txt", "-m", "wer", "--align", "--save", "run.tertium"
    )
    assert run.code == 0
    assert tertium("rerun", "run.tertium").code == 0
    assert "|align:words|" in tertium("show", "run.tertium", "--signatures").out


@pytest.mark.usefixtures("files")
def test_sentences_are_counted_by_system_and_shown_by_group(tertium: Tertium) -> None:
    Path("merged.txt").write_text(
        "The river rose quickly, two bridges were closed.\nSchools reopen on Tuesday.\nMore tomorrow.\n"
    )
    align = ("align", "-r", "ref.txt", "-i", "merged.txt", "-f", "json")
    (row,) = json.loads(tertium(*align, "--table", "sentences").out)["rows"]
    assert (row["merged"], row["added"], row["sentences"], row["output"]) == (1, 1, 3, 3)
    groups = json.loads(tertium(*align, "-t", "groups").out)["rows"]
    assert [group["change"] for group in groups] == ["merged", "equal", "added"]


@pytest.mark.usefixtures("files")
def test_an_output_in_another_language_is_compared_by_vectors(tertium: Tertium) -> None:
    Path("source.txt").write_text("Die Katze trinkt Milch. Morgen fahren wir mit dem Zug nach Berlin.\n")
    Path("out.txt").write_text("The cat drinks milk.\nTomorrow we take the train to Berlin.\n")
    run = tertium(
        "align",
        "-r",
        "source.txt",
        "-i",
        "out.txt",
        "-t",
        "groups",
        "--similar",
        "multilingual",
        "-f",
        "json",
    )
    assert [group["change"] for group in json.loads(run.out)["rows"]] == ["equal", "equal"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--table sentences --tokens whitespace", "--tokens is for cuts: leave out --table sentences"),
        ("--table groups --boundaries 0", "--boundaries is for cuts: leave out --table groups"),
        ("--table groups --write cut.txt", "--write writes cuts: leave out --table groups"),
        (
            "--table sentences --similar spelling",
            "--similar spelling is for cuts; sentences are compared by words or vectors",
        ),
    ],
)
@pytest.mark.usefixtures("files")
def test_options_of_cuts_do_not_apply_to_sentences(tertium: Tertium, options: str, message: str) -> None:
    run = tertium("align", "-r", "ref.txt", "-i", "hyp.txt", *options.split())
    assert (run.code, run.err) == (2, f"tertium: {message}\n")


@pytest.mark.usefixtures("files")
def test_a_run_of_whole_documents_can_be_repeated(tertium: Tertium) -> None:
    Path("columns.tsv").write_text("document\na\na\nb\n")
    tertium("score", "-r", "ref.txt", "-i", "hyp.txt", "--columns", "columns.tsv", "--unit", "document",
            "--save", "run.tertium")  # fmt: skip
    assert tertium("rerun", "run.tertium").code == 0


@pytest.mark.usefixtures("files")
def test_segments_without_text_are_reported(tertium: Tertium) -> None:
    Path("short.txt").write_text("The river rose quickly.\n")
    run = tertium("score", "-r", "ref.txt", "-i", "short.txt", "--align")
    assert "warning: short: 2 of 3 segments received no text: segments 2, 3" in run.err
    assert "2 of 3 segments received no text" in tertium("align", "-r", "ref.txt", "-i", "short.txt").err


@pytest.mark.usefixtures("files")
def test_whole_documents_are_scored(tertium: Tertium) -> None:
    Path("columns.tsv").write_text("document\na\na\nb\n")
    run = tertium("score", "-r", "ref.txt", "-i", "hyp.txt", "--columns", "columns.tsv", "--unit", "document",
                  "--signatures")  # fmt: skip
    assert "|unit:document|" in run.out
    assert "whole documents were scored" in run.out
    assert run.out.count("2 segments") == 1
    cut = tertium("score", "-r", "ref.txt", "-i", "stream.txt", "--columns", "columns.tsv", "--unit", "document",
                  "--align", "--score-only")  # fmt: skip
    joined = tertium("score", "-r", "ref.txt", "-i", "hyp.txt", "--columns", "columns.tsv", "--unit", "document",
                     "--score-only")  # fmt: skip
    assert cut.out == joined.out


@pytest.mark.usefixtures("files")
def test_bad_input_is_one_line(tertium: Tertium) -> None:
    Path("empty.txt").write_text("")
    Path("blank.txt").write_text("\n\n")
    for arguments, message in (
        (["-r", "ref.txt", "-i", "empty.txt"], "empty.txt has no lines: there is nothing to score"),
        (["-r", "ref.txt", "-i", "blank.txt"], "blank.txt is empty: there is nothing to align"),
        (["-r", "blank.txt", "-i", "hyp.txt"], "the references are blank: there is nothing to align"),
        (
            ["-r", "ref.txt", "-i", "hyp.txt", "--documents", "talk"],
            "no column 'talk' with documents in the references",
        ),
        (["-i", "hyp.txt"], "--ref FILE"),
        (["-r", "ref.txt"], "--hyp FILE"),
    ):
        run = tertium("align", *arguments)
        assert run.code in (1, 2)
        assert message in run.err
        assert run.err.count("\n") == 1


def test_texts_in_python_need_not_have_equal_lengths() -> None:
    found = package.align([" ".join(OUTPUT)], REFERENCE)
    assert list(found["system"].texts) == OUTPUT
    result = package.score({"a": [" ".join(OUTPUT)], "b": OUTPUT}, REFERENCE, "wer", align=True)
    assert result["wer"]["a"].value == result["wer"]["b"].value
    assert "|align:words|" in result["wer"]["a"].signature


@pytest.mark.usefixtures("files")
def test_vectors_without_any_of_the_words_change_no_cut(tertium: Tertium) -> None:
    Path("vectors.txt").write_text("unknown 1 0\n")
    texts = ("align", "-r", "ref.txt", "-i", "stream.txt", "--write", "cut.txt")
    assert tertium(*texts, "--similar", "vectors.txt").code == 0
    assert Path("cut.txt").read_text().splitlines() == OUTPUT
