"""`tertium human` from argv to output."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import tertium as library
from tertium.errors import OptionError

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821
Write = Callable[[str, str], str]


def table(n_segments: int = 60) -> str:
    """Write direct assessments of three systems by two raters: A and B are equal, C is worse by 20 points."""
    rng = np.random.default_rng(0)
    lines = ["lp\tsystem\tsegment\tdocument\trater\tscore\tz"]
    for i in range(n_segments):
        for system, level in (("A", 80), ("B", 80), ("C", 60)):
            score = round(level + float(rng.normal(0, 5)), 2)
            lines.append(f"cs-de\t{system}\t{i + 1}\td{i % 20}\tr{i % 2}\t{score}\t{score / 10:.3f}")
    return "\n".join(lines) + "\n"


MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "A\td\t1\t1\tr\tein Haus\ta <v>hose</v>\tAccuracy/Mistranslation\tMajor\n"
    "A\td\t2\t2\tr\tHaus\thouse\tNo-error\tNo-error\n"
    "B\td\t1\t1\tr\tein Haus\ta house\tNo-error\tNo-error\n"
    "B\td\t2\t2\tr\tHaus\t<v>Haus</v>\tAccuracy/Untranslated text\tMinor\n"
)


def test_the_ranking_shows_letters_ranks_and_clusters(tertium: Tertium, write: Write) -> None:
    """A and B share a letter; C has its own."""
    run = tertium("human", write("h.tsv", table()))
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("cs-de: ranking\n")
    assert "180 judgments of 60 segments by 2 raters" in run.out
    assert "Student's t over 20 documents (jackknife), Holm-adjusted over all pairs, level 0.05" in run.out
    assert [line.split()[0] for line in run.out.splitlines()[2:5]][-1] == "C"


def test_json_has_all_pairs_and_variances(tertium: Tertium, write: Write) -> None:
    """What programs need, in full precision."""
    run = tertium("human", write("h.tsv", table()), "-f", "json")
    (evaluation,) = json.loads(run.out)["evaluations"]
    assert (evaluation["pair"], evaluation["method"], evaluation["unit"]) == ("cs-de", "mean", "document")
    letters = {system["system"]: system["letters"] for system in evaluation["systems"]}
    assert letters["A"] == letters["B"] != letters["C"]
    assert len(evaluation["pairs"]) == 3
    assert set(evaluation["variances"]) == {"item", "rater", "residual"}


def test_records_have_a_row_per_system(tertium: Tertium, write: Write) -> None:
    """CSV in full precision, with the bounds of the interval."""
    run = tertium("human", write("h.tsv", table()), "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(run.out)))
    assert [row["system"] for row in rows][-1] == "C"
    assert all(float(row["ci_low"]) < float(row["score"]) < float(row["ci_high"]) for row in rows)


@pytest.mark.parametrize("name", ["ranking", "pairs", "raters", "errors", "spans"])
@pytest.mark.parametrize("form", ["text", "json", "csv", "tsv", "md", "latex", "html"])
def test_every_table_has_every_format(tertium: Tertium, write: Write, name: str, form: str) -> None:
    """MQM has raters and error spans."""
    second = MQM.replace("\tr\t", "\tq\t").partition("\n")[2]
    run = tertium("human", write("m.tsv", MQM + second), "-t", name, "-f", form)
    assert run.code == 0
    assert run.out


def test_another_column_of_scores_can_be_chosen(tertium: Tertium, write: Write) -> None:
    """WMT publishes raw scores and z-scores in one table."""
    run = tertium("human", write("h.tsv", table()), "--score", "z", "-f", "json")
    assert 5 < json.loads(run.out)["evaluations"][0]["systems"][0]["mean"] < 9


def test_an_excluded_rater_is_recorded(tertium: Tertium, write: Write) -> None:
    """Nobody is left out silently."""
    run = tertium("human", write("h.tsv", table()), "--exclude", "r1")
    assert "90 judgments of 30 segments" in run.out
    assert run.err == "tertium: note: without the judgments of r1\n"


def test_own_weights_change_the_scores(tertium: Tertium, write: Write) -> None:
    """A weight of 0 makes minor errors free."""
    weights = write("w.tsv", "major\t8\nminor\t0\nno-error\t0\n")
    run = tertium("human", write("m.tsv", MQM), "--mqm-weights", weights, "-f", "json")
    means = {system["system"]: system["mean"] for system in json.loads(run.out)["evaluations"][0]["systems"]}
    assert means == {"A": -4.0, "B": 0.0}


def test_automatic_spans_are_compared_with_those_of_raters(tertium: Tertium, write: Write) -> None:
    """The judge finds one of two errors."""
    judge = write(
        "j.jsonl",
        '{"system": "A", "segment": 1, "score": 0.2, "error_spans": [{"start": 2, "end": 6, "severity": "major"}]}\n'
        '{"system": "B", "segment": 2, "score": 0.9, "error_spans": []}\n',
    )
    run = tertium("human", write("m.tsv", MQM), "-t", "spans", "--automatic", judge, "-f", "json")
    (found,) = json.loads(run.out)["evaluations"][0]["spans"]
    assert (found["precision"], found["recall"]) == (1.0, 0.5)
    assert found["n_outputs"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--automatic", "m.tsv"), "--automatic requires --table spans"),
        (("--exclude", "x"), "--exclude x is not in these files; there are r"),
        (("-p", "de-en"), "--pairs de-en is not in these files"),
    ],
)
def test_options_that_do_not_fit_are_usage_errors(
    tertium: Tertium, write: Write, arguments: tuple[str, ...], message: str
) -> None:
    """One line that names the flag."""
    run = tertium("human", write("m.tsv", MQM), *arguments)
    assert run.code == 2
    assert message in run.err
    assert run.err.count("\n") == 1


def test_judgments_of_segments_are_needed(tertium: Tertium, write: Write, tmp_path: Path) -> None:
    """Scores of whole systems have neither raters nor error spans."""
    systems = write("human.tsv", "lp\tsystem\tscore\ncs-de\tA\t1\ncs-de\tB\t2\n")
    (tmp_path / "cs-de" / "systems").mkdir(parents=True)
    for name in ("ref.txt", "systems/A.txt", "systems/B.txt"):
        (tmp_path / "cs-de" / name).write_text("x\n")
    run = tertium("human", tmp_path)
    assert run.code == 1
    assert "has no judgments of segments, only of whole systems or rankings" in run.err
    run = tertium("human", write("m.tsv", MQM), "-t", "spans", "--automatic", systems)
    assert run.code == 1
    assert "human.tsv has no judgments of segments, so there are no error spans to compare" in run.err
    run = tertium("human", write("m.tsv", MQM), "-t", "spans", "--automatic", write("h.tsv", table()))
    assert run.code == 1
    assert "h.tsv has no error spans to compare with those of the raters" in run.err
    with pytest.raises(OptionError, match="give a file of human judgments"):
        library.human(())


def test_few_segments_are_ranked_without_tests(tertium: Tertium, write: Write) -> None:
    """The bootstrap would call equal systems different too often; the note says so instead of showing letters."""
    run = tertium("human", write("h.tsv", table(12)), "--test", "bootstrap", "--unit", "segment")
    assert run.code == 0
    assert "too few segments for tests (12)" in run.out
    assert "share a letter" not in run.out


def test_a_clear_winner_needs_no_further_judgments(tertium: Tertium, write: Write) -> None:
    clear = "\n".join(line for line in table().splitlines() if "\tB\t" not in line)
    run = tertium("human", write("h.tsv", f"{clear}\n"))
    assert run.code == 0
    assert "more judgments" not in run.out


def test_errors_without_outputs_are_counted_per_output(tertium: Tertium, write: Write) -> None:
    rows = [
        f'{{"system": "{system}", "segment": {i}, "score": {i}, "rater": "r", "error_spans": {spans}}}\n'
        for system, spans in (("A", "[]"), ("B", '[{"start": 0, "end": 1, "severity": "minor"}]'))
        for i in range(1, 9)
    ]
    run = tertium("human", write("j.jsonl", "".join(rows)), "-t", "errors")
    assert run.code == 0
    assert "errors per judged output" in run.out


def test_a_folder_of_judged_data_brings_its_documents(tertium: Tertium, tmp_path: Path) -> None:
    """LP/columns.tsv names the document of every segment."""
    folder = tmp_path / "data"
    (folder / "cs-de" / "systems").mkdir(parents=True)
    for name in ("ref.txt", "systems/A.txt", "systems/B.txt", "systems/C.txt"):
        (folder / "cs-de" / name).write_text("x\n" * 60)
    columns = "segment\tdocument\n" + "".join(f"{i + 1}\td{i % 15}\n" for i in range(60))
    (folder / "cs-de" / "columns.tsv").write_text(columns)
    (folder / "human.tsv").write_text(table().replace("\tdocument\t", "\tother\t"))
    run = tertium("human", folder)
    assert run.code == 0
    assert "over 15 documents" in run.out


def judged_mqm(n_segments: int = 12) -> str:
    """Write MQM errors of two systems and a reference, with their outputs."""
    lines = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
    for i in range(1, n_segments + 1):
        lines += [
            f"ref\td\t{i}\t{i}\tr\tein Haus {i}\ta house {i}\tNo-error\tNo-error",
            f"A\td\t{i}\t{i}\tr\tein Haus {i}\ta house {i}\tNo-error\tNo-error",
            f"B\td\t{i}\t{i}\tr\tein Haus {i}\ta <v>hose</v> {i}\tAccuracy/Mistranslation\tMajor",
        ]
    return "\n".join(lines) + "\n"


def test_annotations_with_outputs_need_no_other_files_for_meta(tertium: Tertium, write: Write) -> None:
    """The judged reference is the reference."""
    run = tertium("meta", "--human", write("m.tsv", judged_mqm()), "-m", "chrf", "-s", "segment:pearson")
    assert run.code == 0
    assert "the outputs are those in m.tsv, with ref as reference" in run.err


def test_annotations_with_outputs_need_no_other_files_for_the_page(tertium: Tertium, write: Write) -> None:
    """The page has the ranking, the raters and the errors beside the metrics."""
    pytest.importorskip("jinja2")
    run = tertium("report", "--human", write("m.tsv", judged_mqm()), "-m", "chrf", "-o", "page.html", "-q")
    assert run.code == 0
    page = Path("page.html").read_text()
    assert page.count('<table id="judgments-') == 3
    assert "major: accuracy/mistranslation" in page
    assert re.search(r'id="packed-annotations">[A-Za-z0-9+/=]{50,}<', page)


def test_own_weights_reach_meta(tertium: Tertium, write: Write) -> None:
    """If major errors weigh nothing, all outputs have the same human score, and no correlation is defined."""
    path, weights = write("m.tsv", judged_mqm()), write("w.tsv", "major\t0\nno-error\t0\n")
    arguments = ("meta", "--human", path, "-m", "chrf", "-s", "segment:pearson", "-f", "json", "-q")
    assert tertium(*arguments).out != tertium(*arguments, "--mqm-weights", weights).out


def test_one_segment_cannot_be_tested(tertium: Tertium, tmp_path: Path) -> None:
    file = tmp_path / "one.tsv"
    file.write_text("system\tsegment\trater\tscore\na\t1\tr\t5\na\t1\ts\t6\nb\t1\tr\t2\nb\t1\ts\t3\n")
    run = tertium("human", str(file))
    assert (run.code, run.out) == (1, "")
    assert run.err.splitlines()[-1].endswith(
        "has judgments of one segment only, so systems cannot be tested; judge more segments"
    )
    assert "Warning" not in run.err
