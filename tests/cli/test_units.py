"""Inline codes, units and faults in every command that shows them; other metrics read the same text as before."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium as package
from tertium.corpus import read_corpus
from tertium.metrics import Markup
from tertium.text.codes import InlineCode

pytest.importorskip("lxml")

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

UNITS = [
    ("u1", 'Click <g id="1">here</g> now<x id="2"/>', "Klicken Sie jetzt hier"),
    ("u2", 'Save <ph id="1"/> and <ph id="2"/>', '<ph id="2"/> und <ph id="1"/> speichern'),
    ("u3", "A third text", "Ein dritter Text"),
    ("u4", '<bpt id="1">&lt;b&gt;</bpt>Bold<ept id="1">&lt;/b&gt;</ept>', "Fett"),
]
LOST = [3, 0, 0, 2]  # faults of each unit


def write_xliff(path: Path, units: list[tuple[str, str, str]] = UNITS) -> Path:
    body = "".join(
        f'<trans-unit id="{name}"><source>{source}</source><target>{target}</target></trans-unit>'
        for name, source, target in units
    )
    path.write_text(
        f'<xliff version="1.2"><file original="a" datatype="x"><body>{body}</body></file></xliff>',
        encoding="utf-8",
    )
    return path


def without_codes(text: str) -> str:
    return re.sub("<bpt.*?</bpt>|<ept.*?</ept>|<[^>]*>", "", text)


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    return write_xliff(tmp_path / "ours.xlf")


def faults_of(out: str, system: str = "ours") -> list[float]:
    (found,) = [each for each in json.loads(out)["systems"] if each["name"] == system]
    details = found["scores"]["markup"]["details"]
    return [details[name] for name in ("faults", "items", "faulty_segments", "segments")]


ALL = [5.0, 7.0, 2.0, 4.0]


def test_lost_codes_are_faults_of_every_way_to_score(tertium: Tertium, tmp_path: Path, ours: Path) -> None:
    run = tmp_path / "ours.run"
    common = ("-i", ours, "-s", ours, "-m", "markup", "-f", "json", "-q")
    assert faults_of(tertium("score", *common, "--save", run).out) == ALL
    assert faults_of(tertium("show", run, "-f", "json").out) == ALL
    assert faults_of(tertium("score", *common, "--threads", "2").out) == ALL
    assert faults_of(tertium("score", *common, "-r", ours, "--where", "length<100").out) == ALL
    assert faults_of(tertium("score", *common, "-r", ours, "--unit", "document").out) == [5.0, 7.0, 1.0, 1.0]
    assert tertium("rerun", run).code == 0
    pair = (ours, "--against", f"old={ours}", "-s", ours, "--metric", "markup")
    assert tertium("gate", *pair, "--at-least", "100").code == 3


def test_python_reads_the_codes_too(ours: Path) -> None:
    corpus = read_corpus([], [(None, str(ours))], str(ours))
    assert corpus.sources is not None
    score = Markup().corpus_score(corpus.systems["ours"], source=corpus.sources)
    assert [score.details[name] for name in ("faults", "items")] == ALL[:2]
    assert package.score(corpus, metrics="markup").table.columns[0].cells[0].score == score.value
    again = package.score({"ours": corpus.systems["ours"]}, source=list(corpus.sources), metrics="markup")
    assert again.table.columns[0].cells[0].score == score.value
    one = Markup().sentence_score(corpus.systems["ours"][0], source=corpus.sources[0])
    assert one.details["faults"] == LOST[0]


@pytest.mark.parametrize("metrics", ["bleu,chrf,ter,wer,cer,eed", "length,numerals,language,repetition"])
def test_other_metrics_score_the_same_text_with_and_without_codes(
    tertium: Tertium, tmp_path: Path, ours: Path, metrics: str
) -> None:
    plain = [(name, without_codes(source), without_codes(target)) for name, source, target in UNITS]
    (tmp_path / "plain").mkdir()
    other = write_xliff(tmp_path / "plain" / "ours.xlf", plain)
    commands = [("score", "-r", each, "-i", each, "-s", each, "-m", metrics, "-q") for each in (ours, other)]
    for form in ("json", "csv"):
        coded, uncoded = (tertium(*command, "-f", form, "--segments").out for command in commands)
        assert coded == uncoded


def test_segments_list_the_faults_with_the_ids_of_units(tertium: Tertium, tmp_path: Path, ours: Path) -> None:
    run = tmp_path / "ours.run"
    tertium("score", "-i", ours, "-s", ours, "-m", "markup", "--save", run, "-q")
    for given in ((run,), (ours, "-s", ours, "-m", "markup", "-q")):
        shown = tertium("segments", *given).out
        assert "1 (u1)" in shown
        assert 'markup   missing item: <x id="2"/>' in shown
        assert "markup: faults in 2 of 4 segments of ours" in shown
        rows = list(csv.DictReader(io.StringIO(tertium("segments", *given, "-f", "csv").out)))
        by_id = {row["id"]: row["faults"] for row in rows}
        assert by_id["u4"] == 'markup: missing item: <bpt id="1"/>; markup: missing item: <ept id="1"/>'
        assert by_id["u2"] == ""
    worst = json.loads(tertium("segments", run, "--where", "markup<100", "-f", "json").out)["segments"]
    assert [len(each["faults"]["ours"]["markup"]) for each in worst] == [LOST[0], LOST[3]]


def test_two_systems_have_their_own_faults(tertium: Tertium, tmp_path: Path, ours: Path) -> None:
    fixed = write_xliff(tmp_path / "fixed.xlf", [(name, source, source) for name, source, _ in UNITS])
    given = (ours, fixed, "-s", ours, "-m", "markup", "-q", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(tertium("segments", *given, "--differences").out)))
    by_id = {row["id"]: row for row in rows}
    assert by_id["u1"]["faults ours"].startswith("markup: missing item")
    assert not any(row["faults fixed"] for row in rows)
    rows = list(csv.DictReader(io.StringIO(tertium("segments", *given).out)))
    assert {row["system"] for row in rows if row["faults"]} == {"ours"}


def test_the_table_of_scores_counts_faulty_segments(tertium: Tertium, ours: Path) -> None:
    table = tertium("score", "-i", ours, "-s", ours, "-m", "markup,length", "-q").out
    assert re.search(r"ours +28\.57 \(2 of 4\) +100\.00 \(0 of 4\)", table)
    assert "in brackets the segments with faults" in table
    others = tertium("score", "-i", ours, "-r", ours, "-m", "bleu", "-q").out
    assert "brackets" not in others


def test_the_page_lists_the_faults(tertium: Tertium, tmp_path: Path, ours: Path) -> None:
    page = tmp_path / "page.html"
    assert tertium("report", ours, "-s", ours, "-m", "markup", "-o", page, "-q").code == 0
    section = page.read_text(encoding="utf-8").partition('<section id="faults"')[2].partition("</section>")[0]
    assert section.count("missing item") == 2 * sum(LOST)  # as text, and as the value to sort by
    assert ">u4<" in section
    assert "markup: faults in 2 of 4 segments of ours" in section
    tertium("report", ours, "-r", ours, "-m", "chrf", "-o", page, "-q")
    assert '<section id="faults"' not in page.read_text(encoding="utf-8")


def test_a_run_without_texts_lists_no_faults(tertium: Tertium, tmp_path: Path, ours: Path) -> None:
    run = tmp_path / "ours.run"
    tertium("score", "-i", ours, "-s", ours, "-m", "markup", "--save", run, "--no-texts", "-q")
    shown = tertium("segments", run).out
    assert "missing item" not in shown
    assert "the texts are not known" in shown


def test_faults_of_terms_need_the_glossary(tertium: Tertium, tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("the contract\n")
    (tmp_path / "o.txt").write_text("der Zettel\n")
    (tmp_path / "g.csv").write_text("source,target\ncontract,Vertrag\n")
    given = (tmp_path / "o.txt", "-s", tmp_path / "s.txt", "-m", f"terms:{tmp_path}/g.csv", "-q")
    assert "missing term: Vertrag for contract" in tertium("segments", *given).out
    run = tmp_path / "o.run"
    tertium("score", "-i", *given, "--save", run)
    assert "unknown fault: a run does not have the glossary" in tertium("segments", run).out


def test_damaged_codes_of_a_run_are_reported(
    tertium: Tertium, tmp_path: Path, ours: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "ours.run"
    monkeypatch.setattr(InlineCode, "format", lambda _: "begin\tph")
    tertium("score", "-i", ours, "-s", ours, "-m", "markup", "--save", run, "-q")
    found = tertium("segments", run)
    assert (found.code, found.out) == (1, "")
    assert found.err.startswith(f"tertium: {run} is damaged (inline codes: ")
    assert len(found.err.splitlines()) == 1


def doctor(tertium: Tertium, *arguments: str | Path) -> list[dict[str, object]]:
    findings: list[dict[str, object]] = json.loads(tertium("doctor", *arguments, "-f", "json").out)[
        "findings"
    ]
    return findings


def test_the_doctor_reads_units(tertium: Tertium, tmp_path: Path, ours: Path) -> None:
    clean = tertium("doctor", "-s", ours, "-i", ours)
    assert "no problems found in 2 files (8 segments)" in clean.out
    units = [*UNITS[:3], ("u4", UNITS[3][1], "Tom &amp;amp; Jerry")]
    bad = write_xliff(tmp_path / "bad.xlf", units[::-1])
    found = {str(each["code"]): each["ids"] for each in doctor(tertium, "-r", ours, "-i", bad)}
    assert found["html-entities"] == ["u4"]
    assert found["identical-to-reference"] == ["u1", "u2", "u3"]  # sorted by the ids of the references
    assert "segment u4: HTML entities" in tertium("doctor", bad).out


def test_the_doctor_reports_other_ids(tertium: Tertium, tmp_path: Path, ours: Path) -> None:
    other = write_xliff(tmp_path / "other.xlf", [*UNITS[:3], ("u5", *UNITS[3][1:])])
    found = doctor(tertium, "-r", ours, "-i", other)
    assert [each["code"] for each in found] == ["other-units"]
    assert "lacks segment 'u4'" in str(found[0]["problem"])


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.xlsx", "t.tmx"])
def test_the_doctor_reads_the_texts_of_tables(tertium: Tertium, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    rows = [("source", "hyp"), ("A, b", "A &amp;amp; b"), ("Second text", "Zweiter Text")]
    if name == "t.xlsx":
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for row in [*rows[:1], ("A, b", "A &amp; b"), rows[2]]:
            book.active.append(row)
        book.save(path)
    elif name == "t.tmx":
        units = "".join(
            f'<tu><tuv xml:lang="en"><seg>{source}</seg></tuv><tuv xml:lang="de"><seg>{target}</seg></tuv></tu>'
            for source, target in rows[1:]
        )
        path.write_text(f'<tmx version="1.4"><header srclang="en"/><body>{units}</body></tmx>')
    else:
        mark, quote = (",", '"') if name == "t.csv" else ("\t", "")
        path.write_text("".join(f"{quote}{source}{quote}{mark}{target}\n" for source, target in rows))
    codes = [each["code"] for each in doctor(tertium, path)]
    assert codes == ["html-entities"]
    assert "2 segments" in tertium("doctor", path).out or "2 rows" in tertium("doctor", path).out or "2 lines" in tertium("doctor", path).out  # fmt: skip


def test_the_doctor_reads_other_suffixes_only_on_request(tertium: Tertium, tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("A text\n")
    refused = tertium("doctor", path)
    assert refused.code == 1
    assert "--input-format text" in refused.err
    assert tertium("doctor", path, "--input-format", "text").code == 0
