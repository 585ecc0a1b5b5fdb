"""`tertium compare` from argv to exit code."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium import compare
from tertium.metrics import InvWER
from tertium.presentation.tables import FORMATS

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821
ROOT = Path(__file__).parents[3] / "examples" / "data"
REFERENCE, AURORA, BOREAS, EMBER = (
    ROOT / name
    for name in ("reference.en.txt", "systems/aurora.txt", "systems/boreas.txt", "systems/ember.txt")
)
COMPARE = ("compare", AURORA, EMBER, "-r", REFERENCE, "-q", "--samples", "200")


@pytest.fixture
def run_file(tertium: Tertium, tmp_path: Path) -> Path:
    path = tmp_path / "all.run"
    saved = tertium(
        "score", "-r", REFERENCE, "-i", AURORA, BOREAS, EMBER, "-m", "bleu,ter", "--save", path, "-q"
    )
    assert saved.code == 0
    return path


def test_the_answer_goes_first_and_every_table_follows(tertium: Tertium) -> None:
    run = tertium(*COMPARE, "-m", "bleu,ter", "-s", ROOT / "source.de.txt", "-n", "2")
    assert run.code == 0
    assert "aurora is significantly better than ember on both metrics" in run.out
    for title in (
        "BLEU: segments with the most influence in favour of ember",
        "BLEU: segments with the most influence in favour of aurora",
        "n-grams that ember gets right more often",
        "recall of the references' words",
        "edits that turn outputs into references",
        "BLEU by kind of segment",
        "TER by kind of segment",
        "segments on which metrics disagree most (positive: ember is better)",
    ):
        assert title in run.out
    for mark in ("[-", "-]", "{+", "+}", "source ", "hardest quarter", "substitutions"):
        assert mark in run.out


def test_lower_is_better_reads_naturally(tertium: Tertium) -> None:
    (metric,) = json.loads(tertium(*COMPARE, "-m", "ter", "-f", "json").out)["metrics"]
    assert metric["scores"][0] < metric["scores"][1]
    assert metric["difference"] > 0 > metric["gain"]
    assert metric["gain_interval"][0] < metric["gain"] < metric["gain_interval"][1] < 0
    row = next(line for line in tertium(*COMPARE, "-m", "ter").out.splitlines() if line.startswith("TER ↓"))
    assert row.endswith("aurora is better")


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_written(tertium: Tertium, form: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    run = tertium(*COMPARE, "-f", form, "-o", path)
    assert (run.code, run.out) == (0, "")
    assert "bleu" in path.read_text(encoding="utf-8").lower()


def test_records_and_data_say_the_same(tertium: Tertium) -> None:
    data = json.loads(tertium(*COMPARE, "-m", "bleu,ter", "-f", "json").out)
    rows = list(csv.DictReader(io.StringIO(tertium(*COMPARE, "-m", "bleu,ter", "-f", "csv").out)))
    assert data["systems"] == ["aurora", "ember"]
    assert [row["metric"] for row in rows] == ["bleu", "ter"]
    for row, metric in zip(rows, data["metrics"], strict=True):
        assert float(row["gain"]) == pytest.approx(metric["gain"])
        assert len(metric["influence"]) == data["segments"] == 200
    ter = data["metrics"][1]
    for edits, score in zip(data["edits"], ter["scores"], strict=True):
        total = sum(edits[kind] for kind in ("insertions", "deletions", "substitutions", "shifts"))
        assert 100 * total / edits["n_words"] == pytest.approx(score)


@pytest.mark.slow
def test_a_run_says_what_files_say(tertium: Tertium, run_file: Path) -> None:
    files = tertium(*COMPARE, "-m", "bleu,ter", "-f", "csv")
    run = tertium("compare", run_file, "--systems", "aurora", "ember", "-q", "--samples", "200", "-f", "csv")
    assert run.out == files.out
    both = tertium("compare", f"{run_file}#aurora", EMBER, "-q", "--samples", "200", "-f", "csv")
    assert both.out == files.out


def test_one_system_of_two_runs_can_be_compared(tertium: Tertium, tmp_path: Path) -> None:
    for path, output in (("old.run", AURORA), ("new.run", EMBER)):
        tertium(
            "score", "-r", REFERENCE, "-i", f"ours={output}", "--save", tmp_path / path, "-q", "--no-texts"
        )
    run = tertium("compare", tmp_path / "old.run", tmp_path / "new.run", "-q", "-f", "json")
    assert json.loads(run.out)["systems"] == ["ours@old", "ours@new"]
    assert json.loads(run.out)["edits"] == []
    assert tertium("compare", tmp_path / "old.run", tmp_path / "new.run", "-q").code == 0


@pytest.mark.slow
def test_columns_make_buckets(tertium: Tertium, write: Callable[[str, str], str]) -> None:
    values = ["news"] * 100 + ["chat"] * 99 + ["mail"]
    columns = write("columns.tsv", "domain\n" + "\n".join(values) + "\n")
    run = tertium(*COMPARE, "--columns", columns, "--by", "domain", "-f", "json")
    buckets = json.loads(run.out)["metrics"][0]["buckets"]
    found = {bucket["name"]: bucket for bucket in buckets if bucket["kind"] == "domain"}
    assert {name: each["n_segments"] for name, each in found.items()} == {"news": 100, "chat": 99, "mail": 1}
    assert found["mail"]["p_adjusted"] is None
    assert found["news"]["p_adjusted"] is not None


@pytest.mark.parametrize("n", [1, 3])
def test_few_segments_are_compared_but_not_tested(
    tertium: Tertium, write: Callable[[str, str], str], n: int
) -> None:
    for name, text in (("ref.txt", "the cat sat\n"), ("a.txt", "the cat\n"), ("b.txt", "the cat sat\n")):
        write(name, text * n)
    run = tertium("compare", "a.txt", "b.txt", "-r", "ref.txt", "-m", "wer", "-q")
    assert run.code == 0
    assert "too few" in run.out
    assert json.loads(tertium("compare", "a.txt", "b.txt", "-r", "ref.txt", "-q", "-f", "json").out)["metrics"][0]["p_value"] is None  # fmt: skip


def test_equal_outputs_cannot_be_told_apart(tertium: Tertium) -> None:
    run = tertium("compare", AURORA, f"again={AURORA}", "-r", REFERENCE, "-m", "bleu,ter", "-q")
    assert run.code == 0
    assert "no significant difference between aurora and again" in run.out
    assert "in favour of" not in run.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("compare",), 2, "Missing argument"),
        (("compare", AURORA, AURORA, "-r", REFERENCE), 1, "two systems are named 'aurora'"),
        (("compare", AURORA, "-r", REFERENCE), 2, "two systems or more are compared, not 1"),
        (("compare", AURORA, BOREAS, EMBER, "-r", REFERENCE, "--line", "3"), 2, "--line shows two systems"),
        (
            ("compare", AURORA, BOREAS, EMBER, "-r", REFERENCE, "-t", "ngrams"),
            2,
            "compares two systems, not 3",
        ),
        ((*COMPARE, "--source-words"), 2, "--source-words reads the source: give it with --src FILE"),
        ((*COMPARE, "--frequencies", "none.tsv"), 1, "no such file: 'none.tsv'"),
        ((*COMPARE, "--systems", "aurora", "embr"), 2, "did you mean ember?"),
        ((*COMPARE, "--systems", "aurora", "aurora"), 2, "compared with itself"),
        ((*COMPARE, "--by", "domain"), 2, "there are no columns; give them with --columns FILE"),
        (("compare", AURORA, BOREAS), 2, "bleu reads references: give them with --ref FILE"),
        (("compare", "none.run", BOREAS), 1, "no such file: 'none.run'"),
        ((*COMPARE, "-m", "beu"), 2, "did you mean bleu?"),
        ((*COMPARE, "--alpha", "1"), 2, "--alpha"),
        ((*COMPARE, "-n", "0"), 2, "-n"),
    ],
)
def test_mistakes_are_one_line(
    tertium: Tertium, arguments: tuple[str | Path, ...], code: int, message: str
) -> None:
    run = tertium(*arguments)
    assert run.code == code
    assert message in run.err
    assert run.err.count("\n") == 1
    assert run.out == ""


def test_a_metric_that_a_run_lacks_is_named(tertium: Tertium, run_file: Path) -> None:
    run = tertium("compare", run_file, "--systems", "aurora", "ember", "-m", "chrf", "-q")
    assert run.code == 1
    assert "lacks the metric chrf; it has bleu, ter" in run.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("scores", "metric,first,second,difference,gain,gain_low,gain_high,p_value"),
        ("segments", "table,segment,influence,who,text"),
        ("ngrams", "table,ngram,first,second"),
        ("words", "table,frequency,words,first,second"),
        ("edits", "table,edits,first,first_rate,second,second_rate"),
        ("kinds", "table,kind,value,n_segments,first,second,p_adjusted"),
        ("disagreements", "table,segment,bleu,ter"),
    ],
)
def test_each_table_can_be_had_alone_and_as_csv(tertium: Tertium, table: str, columns: str) -> None:
    run = tertium(*COMPARE, "-m", "bleu,ter", "-n", "2", "--table", table, "-f", "csv")
    assert run.code == 0
    head, *rows = csv.reader(io.StringIO(run.out))
    assert ",".join(head) == columns
    assert rows


def test_the_table_of_segments_repeats_the_number_in_every_record(tertium: Tertium) -> None:
    run = tertium(*COMPARE, "-m", "bleu", "-n", "1", "-t", "segments", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(run.out)))
    assert {row["who"] for row in rows} == {"reference", "aurora", "ember"}
    assert all(row["segment"] and row["influence"] for row in rows)


@pytest.mark.slow
def test_inversions_are_counted_where_invwer_is_a_metric(tertium: Tertium) -> None:
    asked, unasked = (
        json.loads(tertium(*COMPARE, "-m", metric, "-f", "json").out)["edits"][1]["inversions"]
        for metric in ("invwer:lowercase=yes,tokenizer=none", "wer")
    )
    metric = InvWER(tokenizer="none", lowercase=True)
    outputs, references = (path.read_text(encoding="utf-8").splitlines() for path in (EMBER, REFERENCE))
    told = (
        metric.explain(*pair).facts
        for pair in zip(outputs, ([reference] for reference in references), strict=True)
    )
    assert unasked is None
    assert asked == sum(int(facts["inversions"]) for facts in told)


def test_html_marks_words_by_tags_and_json_has_all_that_tables_show(tertium: Tertium) -> None:
    page = tertium(*COMPARE, "-m", "bleu", "-n", "1", "-f", "html").out
    assert "<del>" in page
    assert "<ins>" in page
    assert '<td style="text-align:left">[-' not in page
    data = json.loads(tertium(*COMPARE, "-m", "bleu,ter", "-n", "3", "-f", "json").out)
    (win, *_) = data["metrics"][0]["wins"]
    assert win["outputs"]["ember"].split() == [
        word for tone, text in win["marked"]["ember"] if tone != "missing" for word in text.split()
    ]
    assert len(data["metrics"][0]["losses"]) == len(data["disagreements"]) == 3
    assert len(data["metrics"][1]["segment_gains"]) == 200


def test_a_terminal_shows_colours_unless_no_color_is_set(
    tertium: Tertium, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = tertium(*COMPARE, "-m", "bleu", "-n", "1", "-t", "segments").out
    monkeypatch.setenv("NO_COLOR", "1")
    plain = tertium(*COMPARE, "-m", "bleu", "-n", "1", "-t", "segments").out
    assert "\x1b[32m{+" in coloured
    assert "\x1b[32m" not in plain
    assert "{+" in plain
    assert max(map(len, plain.splitlines())) <= 120 + 20  # bold and dim stay


def test_case_and_tokenizer_are_chosen_as_for_score(tertium: Tertium) -> None:
    options = ("--lowercase", "--tokenizer", "intl")
    run = tertium(*COMPARE, "-m", "bleu", *options, "-f", "json")
    scored = tertium(
        "score", "-r", REFERENCE, "-i", AURORA, EMBER, "-m", "bleu", *options, "--score-only", "-q"
    )
    (row,) = json.loads(run.out)["metrics"]
    assert row["scores"] == list(map(float, scored.out.split()))
    result = compare(
        str(AURORA), str(EMBER), references=[str(REFERENCE)], metrics="bleu", tokenizer="intl", lowercase=True
    )
    assert "|case:lc|" in result.evaluation.signature("bleu")
    assert "|tok:intl|" in result.evaluation.signature("bleu")


MANY = (
    "compare",
    AURORA,
    BOREAS,
    EMBER,
    "-r",
    REFERENCE,
    "-s",
    ROOT / "source.de.txt",
    "-q",
    "--samples",
    "200",
)


def test_many_systems_are_compared_in_every_group(tertium: Tertium) -> None:
    run = tertium(*MANY, "-m", "bleu,ter", "--pos", "--source-words", "-n", "1")
    assert run.code == 0
    for title in (
        "BLEU by length",
        "TER by difficulty",
        "BLEU by source word (22 words tested)",
        "recall of the references' words, by part of speech",
        "edits that turn outputs into references, per 100 words",
        "segments on which BLEU differs most",
    ):
        assert title in run.out
    noun = next(line for line in run.out.splitlines() if line.startswith("NOUN"))
    assert noun.split()[2:8] == ["81.89", "a", "73.21", "b", "62.47", "c"]


def test_groups_of_many_systems_are_data_too(tertium: Tertium, tmp_path: Path) -> None:
    counts = tmp_path / "counts.tsv"
    counts.write_text("the\t5000\nof\t900\nwas\t40\nfirst\t3\n")
    asked = (*MANY, "-m", "bleu", "--frequencies", counts)
    found = json.loads(tertium(*asked, "-f", "json").out)
    assert found["systems"] == ["aurora", "boreas", "ember"]
    assert [row["letters"] for row in found["metrics"][0]["systems"]] == ["a", "a", "b"]
    labels = {row["label"] for row in found["labels"] if "frequency" in row["table"]}
    assert labels == {"never", "1–10", "11–100", "101–1,000", "more than 1,000"}
    rows = list(csv.DictReader(io.StringIO(tertium(*asked, "-t", "labels", "-f", "csv").out)))
    assert {"table", "label", "n", "system", "score", "letters", "p_value", "example"} == set(rows[0])
    assert {row["system"] for row in rows} == {"aurora", "boreas", "ember"}


def test_labels_of_two_systems_follow_the_usual_tables(tertium: Tertium) -> None:
    run = tertium(*COMPARE, "--pos", "-t", "labels")
    assert "by part of speech" in run.out
    assert "NOUN" in run.out
    assert "by part of speech" not in tertium(*COMPARE).out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("the\t5\nof\tmany\n", "line 2: 'of\\tmany' is not a word, a tab and a whole number"),
        ("", "has no words"),
    ],
)
def test_wrong_frequencies_are_one_line(tertium: Tertium, tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text(content)
    run = tertium(*COMPARE, "--frequencies", path)
    assert run.code == 1
    assert message in run.err
    assert run.err.count("\n") == 1


def test_trees_give_the_parts_of_speech_of_other_languages(tertium: Tertium, tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_text("Der Hund bellt\n" * 30)
    (tmp_path / "a.txt").write_text("Der Hund schläft\n" * 30)
    (tmp_path / "b.txt").write_text("Die Katze bellt\n" * 30)
    rows = [(1, "Der", "der", "DET", 2), (2, "Hund", "Hund", "NOUN", 3), (3, "bellt", "bellen", "VERB", 0)]
    tree = "".join(
        f"{i}\t{word}\t{lemma}\t{tag}\t_\t_\t{head}\tdep\t_\t_\n" for i, word, lemma, tag, head in rows
    )
    (tmp_path / "ref.conllu").write_text((tree + "\n") * 30)
    files = [tmp_path / name for name in ("a.txt", "b.txt", "ref.txt", "ref.conllu")]
    run = tertium(
        "compare", *files[:2], "-r", files[2], "--pos", "--trees", files[3], "-t", "labels", "-f", "csv", "-q"
    )
    assert run.code == 0, run.err
    scores = {
        (row["table"], row["label"]): (row["a"], row["b"]) for row in csv.DictReader(io.StringIO(run.out))
    }
    by_tag = {label: tuple(map(float, pair)) for (_, label), pair in scores.items()}
    assert by_tag == {"DET": (100.0, 0.0), "NOUN": (100.0, 0.0), "VERB": (0.0, 100.0)}


@pytest.mark.parametrize(
    ("table", "header"),
    [
        ("scores", "metric,system,score,letters"),
        ("labels", "table,label,n,system,score,letters,p_value,example"),
        ("edits", "system,edits,per_100_words"),
        ("segments", "segment,text_of,score,text"),
    ],
)
def test_every_table_of_many_systems_is_written_as_records(tertium: Tertium, table: str, header: str) -> None:
    run = tertium(
        "compare", AURORA, BOREAS, EMBER, "-r", REFERENCE, "-q", "--samples", "100", "-t", table, "-f", "csv"
    )
    assert run.code == 0
    assert run.out.splitlines()[0].startswith(header)


@pytest.fixture
def bare_run(tertium: Tertium, tmp_path: Path) -> Path:
    """A run that was saved without its texts."""
    path = tmp_path / "bare.run"
    saved = tertium(
        "score", "-r", REFERENCE, "-i", AURORA, BOREAS, EMBER, "-m", "ter", "--save", path, "--no-texts", "-q"
    )
    assert saved.code == 0
    return path


def test_runs_without_texts_are_compared_by_their_scores(bare_run: Path) -> None:
    many, two = compare(bare_run, samples=100), compare(bare_run, systems=["boreas", "ember"], samples=100)
    assert repr(many) == "<CompareManyResult: aurora, boreas, ember>"
    assert repr(two) == "<CompareResult: boreas and ember, 1 metrics>"
    for result in (many, two):
        assert result.edits == {}
        assert "edits" not in str(result)
    assert two.words == []
    assert two.ngrams == ([], [])


@pytest.mark.parametrize(
    ("option", "message"),
    [("--pos", "--pos reads references"), ("--source-words", "--source-words reads the source")],
)
def test_a_text_that_a_run_lacks_is_named(
    tertium: Tertium, bare_run: Path, option: str, message: str
) -> None:
    run = tertium("compare", bare_run, option)
    assert run.code == 2
    assert message in run.err


def test_a_parser_for_parts_of_speech_is_not_one_for_the_metrics(tertium: Tertium) -> None:
    run = tertium(*COMPARE, "-m", "ter", "--pos", "-t", "labels")
    assert run.code == 0
    assert "by part of speech" in run.out
