"""`tertium score` from argv to exit code."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU as PEER_BLEU

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

REFERENCES = ["The cat sat on the mat.", "It rained all day in Paris.", "He bought a new car yesterday."]
GOOD = ["The cat sat on a mat.", "It rained all day in Paris.", "He bought a new car."]
BAD = ["A dog ran.", "It was raining in Paris the whole day.", "Yesterday car new."]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "systems").mkdir()
    for name, lines in {"ref": REFERENCES, "systems/good": GOOD, "systems/bad": BAD}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_tsv_is_a_long_table_in_full_precision(tertium: Tertium, files: Path) -> None:
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "-m", "bleu,wer", "-f", "tsv"
    )
    rows = list(csv.reader(io.StringIO(run.out), delimiter="\t"))
    assert run.code == 0
    assert rows[0] == ["system", "metric", "score"]
    assert [row[:2] for row in rows[1:]] == [["good", "bleu"], ["good", "wer"]]
    assert float(rows[1][2]) == pytest.approx(PEER_BLEU().corpus_score(GOOD, [REFERENCES]).score, rel=1e-13)


def test_labels_are_the_text_the_user_gave(tertium: Tertium, files: Path) -> None:
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "-f", "csv",
        "-m", "wer,bleu:smooth_method=floor,smooth_value=0.2,per",
    )  # fmt: skip
    rows = list(csv.reader(io.StringIO(run.out)))
    assert [row[1] for row in rows[1:]] == ["wer", "bleu:smooth_method=floor,smooth_value=0.2", "per"]


def test_several_files_may_follow_one_option(tertium: Tertium, files: Path) -> None:
    paths = sorted((files / "systems").glob("*.txt"))
    spread = tertium("score", "-i", *paths, "-r", files / "ref.txt", "-m", "wer", "per", "-f", "tsv")
    pattern = tertium(
        "score", "-i", files / "systems/*.txt", "-r", files / "ref.txt", "-m", "wer,per", "-f", "tsv"
    )
    assert spread.out == pattern.out
    assert [line.split("\t")[0] for line in spread.out.splitlines()[1:]] == ["bad", "bad", "good", "good"]


def test_a_system_may_be_named(tertium: Tertium, files: Path) -> None:
    run = tertium("score", "-r", files / "ref.txt", "-i", f"mine={files}/systems/good.txt", "-f", "tsv")
    assert run.out.splitlines()[1].startswith("mine\tbleu\t")


def test_segments_are_counted_from_one(tertium: Tertium, files: Path) -> None:
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", files / "systems/bad.txt",
        "-m", "wer,bleu", "--segments", "-f", "tsv",
    )  # fmt: skip
    rows = [line.split("\t") for line in run.out.splitlines()]
    assert rows[0] == ["system", "segment", "metric", "score"]
    assert len(rows) == 1 + 2 * 3 * 2
    assert rows[1][:3] == ["good", "1", "wer"]
    assert float(rows[2][3]) == pytest.approx(
        PEER_BLEU(effective_order=True).sentence_score(GOOD[0], [REFERENCES[0]]).score
    )


def test_json_has_one_schema_for_one_and_many_systems(tertium: Tertium, files: Path) -> None:
    one, many = (
        json.loads(tertium("score", "-r", files / "ref.txt", "-i", *systems, "-f", "json", "--segments").out)
        for systems in ([files / "systems/good.txt"], sorted((files / "systems").glob("*")))
    )
    assert one["schema_version"] == 2
    assert one.keys() == many.keys()
    assert [system["name"] for system in many["systems"]] == ["bad", "good"]
    assert isinstance(one["systems"][0]["scores"]["bleu"]["score"], float)
    assert len(one["systems"][0]["segments"]["bleu"]) == 3
    assert one["metrics"][0]["signature"].startswith("bleu|nrefs:1|")


def test_intervals_and_p_values_stand_beside_the_score(tertium: Tertium, files: Path) -> None:
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", files / "systems/bad.txt", "-m", "wer",
        "-f", "tsv", "--ci", "--paired", "sacrebleu-bootstrap", "--samples", "50", "--baseline", "bad", "--seed", "1",
    )  # fmt: skip
    header, good, bad = (line.split("\t") for line in run.out.split("\n")[:3])
    assert header == ["system", "metric", "score", "ci_low", "ci_high", "p_value"]
    assert float(good[3]) <= float(good[2]) <= float(good[4])
    assert 0 < float(good[5]) <= 1
    assert bad[5] == ""


@pytest.mark.parametrize("form", ["text", "md", "latex"])
def test_tables_for_people_show_the_best_and_the_signature(tertium: Tertium, files: Path, form: str) -> None:
    run = tertium(
        "score",
        "-r",
        files / "ref.txt",
        "-i",
        files / "systems/*.txt",
        "-m",
        "wer",
        "-f",
        form,
        "--signatures",
    )
    assert run.code == 0
    assert {"text": "*9.52", "md": "*9.52", "latex": "\\textbf{9.52}"}[form] in run.out
    assert "too few segments for tests" in run.out
    assert "nrefs:1" in run.out.replace("\\", "")
    assert "\x1b" not in run.out


def test_the_scale_of_the_papers_is_an_option(tertium: Tertium, files: Path) -> None:
    scores = [
        float(tertium("score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "-f", "tsv", *scale).out.split("\t")[-1])
        for scale in ([], ["--scale", "1"])
    ]  # fmt: skip
    assert scores[1] == pytest.approx(scores[0] / 100)


def test_lower_case_and_tokenizer_reach_every_metric(tertium: Tertium, files: Path) -> None:
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "-m", "wer,bleu", "--lowercase",
        "--tokenizer", "char", "-f", "json",
    )  # fmt: skip
    for metric in json.loads(run.out)["metrics"]:
        assert "case:lc" in metric["signature"]
        assert "tok:char" in metric["signature"]


def test_the_language_chooses_the_tokenizer(tertium: Tertium, files: Path) -> None:
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "-l", "en-zh", "-f", "json"
    )
    assert "tok:zh" in json.loads(run.out)["metrics"][0]["signature"]


def test_several_references_count_per_segment(tertium: Tertium, files: Path) -> None:
    rows = [{"refs": [text, other]} for text, other in zip(REFERENCES, GOOD, strict=True)]
    rows[0]["refs"].pop()
    path = files / "refs.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    run = tertium("score", "-r", path, "-i", files / "systems/good.txt", "-m", "wer", "-f", "json")
    document = json.loads(run.out)
    assert document["references"] == {"min": 1, "max": 2}
    assert document["systems"][0]["scores"]["wer"]["details"]["edits"] == 1


def test_an_output_file_is_written_whole(tertium: Tertium, files: Path) -> None:
    target = files / "scores.tsv"
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "-f", "tsv", "-o", target
    )
    assert run.out == ""
    assert target.read_text(encoding="utf-8").startswith("system\tmetric\tscore\n")
    assert [path.name for path in files.iterdir() if path.name.startswith(".")] == []


def test_a_failed_run_leaves_no_output_file(tertium: Tertium, files: Path) -> None:
    target = files / "scores.tsv"
    run = tertium("score", "-r", files / "nowhere.txt", "-i", files / "systems/good.txt", "-o", target)
    assert run.code == 1
    assert not target.exists()


def test_suspicious_input_is_named_in_one_line(tertium: Tertium, files: Path) -> None:
    lines = [f"Sentence number {i} speaks of topic {i * 7 % 50} and nothing else." for i in range(60)]
    (files / "long.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (files / "shifted.txt").write_text("\n".join(["Extra line.", *lines[:-1]]) + "\n", encoding="utf-8")
    loud = tertium("score", "-r", files / "long.txt", "-i", files / "shifted.txt", "-f", "tsv")
    quiet = tertium("score", "-q", "-r", files / "long.txt", "-i", files / "shifted.txt", "-f", "tsv")
    assert loud.code == quiet.code == 0
    assert loud.err.count("\n") == 1
    assert "shift" in loud.err
    assert quiet.err == ""


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-r", "{f}/ref.txt", "-i", "{f}/short.txt"], 1, "short.txt has 2 lines but "),
        (["-r", "{f}/ref.txt", "-i", "{f}/nowhere.txt"], 1, "nowhere.txt"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems"], 1, "/systems/* would be 2 texts) has 6 lines but"),
        (["-r", "{f}/ref.txt", "-i", "{f}/latin1.txt"], 1, "latin1.txt"),
        (["-r", "{f}/empty.txt", "-i", "{f}/empty.txt"], 1, "empty.txt"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "{f}/systems/good.txt"], 1, "good"),
        (["-r", "{f}/ref.txt", "-i", "{f}/none/*.txt"], 1, "no file matches"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "-m", "beu"], 2, "did you mean bleu"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "-m", "bleu:max_ngram_order=x"], 2, "whole number"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "--tokenizer", "13"], 2, "did you mean 13a"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "--paired", "bootstrap"], 2, "two systems"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "--baseline", "x"], 2, "--paired"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/*.txt", "--paired", "bootstrap", "--baseline", "x"], 2, "'x'"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "-f", "xml"], 2, "xml"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "-j", "0"], 2, "0"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "-o", "{f}"], 1, "directory"),
        (["-r", "{f}/ref.txt", "-i", "{f}/systems/good.txt", "-o", "{f}/no/where.txt"], 1, "cannot write"),
        (["-i", "{f}/systems/good.txt"], 2, "--ref"),
        (["-r", "{f}/nan.jsonl#ref", "-i", "{f}/systems/good.txt"], 1, "nan.jsonl"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line_on_stderr(
    tertium: Tertium, files: Path, arguments: list[str], code: int, message: str
) -> None:
    (files / "short.txt").write_text("a\nb\n", encoding="utf-8")
    (files / "empty.txt").write_text("", encoding="utf-8")
    (files / "latin1.txt").write_bytes("caf\xe9\n".encode("latin-1") * 3)
    (files / "nan.jsonl").write_text('{"ref": NaN}\n' * 3, encoding="utf-8")
    run = tertium("score", *(argument.format(f=files) for argument in arguments))
    assert (run.code, run.out) == (code, "")
    assert run.err.startswith("tertium: ")
    assert run.err.count("\n") == 1
    assert message in run.err


def test_names_of_metrics_may_be_written_as_papers_write_them(tertium: Tertium, files: Path) -> None:
    arguments = ("score", "-r", files / "ref.txt", "-i", files / "systems/*.txt", "-f", "tsv")
    written = tertium(*arguments, "-m", "BLEU,chrF++,WER").out
    plain = tertium(*arguments, "-m", "bleu,chrf:word_order=2,wer").out
    assert [row.split("\t")[2] for row in written.splitlines()] == [
        row.split("\t")[2] for row in plain.splitlines()
    ]
    assert "\tchrF++\t" in written


def test_only_numbers_for_scripts(tertium: Tertium, files: Path) -> None:
    run = tertium(
        "score", "-r", files / "ref.txt", "-i", files / "systems/*.txt", "-m", "wer,per", "--score-only"
    )
    rows = [[float(number) for number in row.split("\t")] for row in run.out.splitlines()]
    assert [len(row) for row in rows] == [2, 2]


def test_systems_are_sorted_by_a_metric(tertium: Tertium, files: Path) -> None:
    arguments = ("score", "-r", files / "ref.txt", "-i", files / "systems/*.txt", "-m", "wer")
    names = [
        row.split("\t")[0] for row in tertium(*arguments, "--sort", "wer", "-f", "tsv").out.splitlines()[1:]
    ]
    assert names == ["good", "bad"]
    refused = tertium(*arguments, "--sort", "bleu")
    assert refused.code == 2
    assert "--sort bleu: no such metric; there are wer" in refused.err


def test_systems_that_cannot_be_told_apart_share_a_letter(tertium: Tertium) -> None:
    data = Path(__file__).parents[3] / "examples/data"
    out = tertium("score", "-r", data / "reference.en.txt", "-i", data / "systems/*.txt").out
    assert "*44.80 a" in out
    assert "44.10 a" in out
    assert "separating them would take about 8,600 more segments" in out


def test_too_few_segments_get_no_letters_and_a_reason(tertium: Tertium, files: Path) -> None:
    out = tertium("score", "-r", files / "ref.txt", "-i", files / "systems/*.txt").out
    assert "too few segments for tests" in out
    assert " a\n" not in out


def test_full_records_carry_what_a_table_shows(tertium: Tertium, files: Path) -> None:
    given = ("score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", files / "systems/bad.txt")
    rows = list(csv.DictReader(io.StringIO(tertium(*given, "-f", "csv", "--full").out)))
    assert [row["system"] for row in rows] == ["good", "bad"]
    assert float(rows[0]["ci_low"]) <= float(rows[0]["score"]) <= float(rows[0]["ci_high"])
    assert rows[0]["signature"].startswith("bleu|nrefs:1|bs:1000|seed:12345|")
    assert [row["is_best"] for row in rows] == ["true", "false"]
    assert "ci_low" not in tertium(*given, "-f", "csv").out
    segments = tertium(*given, "--segments", "-f", "tsv", "--full").out.splitlines()
    assert segments[0].split("\t") == ["system", "segment", "metric", "score", "signature"]
    assert "|eff:yes|" in segments[1]
    assert "bs:" not in segments[1]


def test_full_records_are_written_only_where_there_are_some(tertium: Tertium, files: Path) -> None:
    run = tertium("score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "--full")
    assert (run.code, run.err) == (2, "tertium: --full requires --format csv, tsv or json\n")


def test_a_name_that_begins_a_formula_is_guarded_on_demand(tertium: Tertium, files: Path) -> None:
    evil = files / "=1+1.txt"
    evil.write_text("\n".join(GOOD) + "\n", encoding="utf-8")
    given = ("score", "-r", files / "ref.txt", "-i", f"+evil={evil}", "-f")
    assert "\n+evil,bleu," in tertium(*given, "csv").out
    assert "\n'+evil,bleu," in tertium(*given, "safe-csv").out


def test_a_log_shows_how_far_resampling_is(
    tertium: Tertium, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.commands.base.output.LOG_PATIENCE", 0.0)
    texts = ("score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "-f", "json")
    given = (*texts, "--ci")
    assert "resampling: 1,000 of 1,000" in tertium(*given).err
    assert "resampling" not in tertium(*texts, "--score-only").err
    assert tertium(*given, "-q").err == ""


def test_details_of_one_system_are_the_parts_of_its_score(tertium: Tertium, files: Path) -> None:
    run = tertium("score", "-r", files / "ref.txt", "-i", files / "systems/good.txt", "--details", "-q")
    assert run.code == 0
    assert "parts of BLEU" in run.out
    assert "resampling:" not in run.out


def test_a_chart_is_drawn_beside_the_table(tertium: Tertium, files: Path) -> None:
    texts = ("-r", files / "ref.txt", "-i", files / "systems/good.txt", files / "systems/bad.txt")
    assert tertium("score", *texts, "-q", "--chart", files / "scores.svg").code == 0
    assert (files / "scores.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--segments --by length", "give either --segments or --by, not both"),
        ("--segments --group x=good,bad", "give either --segments or --group, not both"),
        ("--score-only --segments", "give either --score-only or --segments, not both"),
        ("--score-only --ci", "give either --score-only or --ci, not both"),
        ("--group x=good,bad --calibration wmt10-15", "--group cannot be combined with --calibration"),
        ("--documents talk", "--documents requires --align or --unit document"),
    ],
)
def test_a_table_rejects_options_of_another(
    tertium: Tertium, files: Path, options: str, message: str
) -> None:
    outputs = (files / "systems/good.txt", files / "systems/bad.txt")
    run = tertium("score", "-r", files / "ref.txt", "-i", *outputs, *options.split())
    assert (run.code, run.err) == (2, f"tertium: {message}\n")


def test_a_project_file_may_ask_for_intervals_that_numbers_do_not_show(
    tertium: Tertium, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    Path("tertium.toml").write_text("ci = true\n", encoding="utf-8")
    run = tertium("score", "-r", "ref.txt", "-i", "systems/good.txt", "-m", "wer", "--score-only")
    assert run.code == 0
    assert len(run.out.split()) == 1


def test_a_metric_that_a_set_cannot_have_names_the_set(tertium: Tertium, files: Path) -> None:
    folder = files / "suite" / "en-de" / "systems"
    folder.mkdir(parents=True)
    for path in (folder.parent / "ref.txt", folder / "a.txt"):
        path.write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    run = tertium("score", files / "suite", "-m", "chrf,beu")
    assert run.code == 2
    assert "unknown metric 'beu'" in run.err
    assert "en-de" in run.err
