"""`tertium score` on many test sets, from the scores to the page."""

import gc
import json
import shutil
import weakref
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tertium import score_sets
from tertium.corpus import CorpusFiles
from tertium.values import Corpus

LINES = [f"the cat number {k} sat on the mat ." for k in range(60)]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for pair in ("de-en", "fr-en"):
        folder = tmp_path / "suite" / pair / "systems"
        folder.mkdir(parents=True)
        (folder.parent / "ref.txt").write_text("\n".join(LINES) + "\n")
        for name, word in {"one": "sat", "other": "sits"}.items():
            (folder / f"{name}.txt").write_text("\n".join(LINES).replace("sat", word) + "\n")
    return tmp_path / "suite"


def test_a_folder_is_saved_shown_and_computed_again(tertium: Any, suite: Path, tmp_path: Path) -> None:
    run = tmp_path / "all.run"
    scored = tertium("score", suite, "-m", "chrf", "--save", run)
    assert scored.code == 0
    assert "average" in scored.out
    assert tertium("show", run).out == scored.out
    assert tertium("show", f"{run}#de-en").out.startswith("system")
    assert tertium("rerun", run).out.startswith("identical: all 4 scores")
    assert tertium("show", run, "-t", "segments").code == 2


def test_manifests_and_several_pairs_need_no_other_command(tertium: Any, suite: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "suite.tsv"
    rows = [f"{pair}\tone\tsuite/{pair}/systems/one.txt\tsuite/{pair}/ref.txt" for pair in ("de-en", "fr-en")]
    manifest.write_text("\n".join(["test_set\tsystem\tfile\treference", *rows]) + "\n")
    assert "fr-en" in tertium("score", manifest, "-m", "wer").out
    assert "fr-en" in tertium("score", "-t", suite, "-l", "de-en,fr-en", "-m", "wer").out
    assert "de-en" not in tertium("score", suite, "-l", "fr-en", "-m", "wer").out


def test_a_saved_run_does_not_depend_on_who_saves_it(tertium: Any, suite: Path, tmp_path: Path) -> None:
    run, saved = tmp_path / "all.run", tmp_path / "python.run"
    scored = tertium("score", suite, "-m", "chrf", "--save", run, "--autorank")
    assert scored.code == 0
    command = read_manifest(run)["test_sets"][0]["manifest"]["command"]
    score_sets(suite, "chrf", autorank=True).save(saved, command=command)
    assert saved.read_bytes() == run.read_bytes()


def read_manifest(run: Path) -> Any:
    with zipfile.ZipFile(run) as archive:
        return json.loads(archive.read("manifest.json"))


def test_the_texts_of_one_test_set_are_in_memory_at_a_time(
    tertium: Any, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        shutil.copytree(suite / "de-en", suite / f"set{number}")
    alive, most = list[weakref.ref[Corpus]](), 0
    read = CorpusFiles.read

    def count(files: CorpusFiles) -> Corpus:
        nonlocal most
        gc.collect()
        corpus = read(files)
        alive.append(weakref.ref(corpus))
        most = max(most, sum(one() is not None for one in alive))
        return corpus

    monkeypatch.setattr(CorpusFiles, "read", count)
    assert tertium("score", suite, "-m", "chrf").code == 0
    assert most == 2  # the corpus of the previous test set is dropped when the next one is scored


def test_equal_warnings_of_many_test_sets_are_one_line(tertium: Any, suite: Path) -> None:
    shutil.copy(suite / "de-en" / "ref.txt", suite / "de-en" / "systems" / "one.txt")
    for number in range(4):
        shutil.copytree(suite / "de-en", suite / f"set{number}")
    run = tertium("score", suite, "-m", "chrf")
    warnings = [line for line in run.err.splitlines() if "equals the reference" in line]
    assert warnings == [
        "tertium: warning: de-en: the output of one equals the reference: check the files (similar on 5 more test sets)"
    ]


@pytest.mark.slow
def test_the_page_of_a_run_holds_every_test_set(tertium: Any, suite: Path, tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    run, page = tmp_path / "all.run", tmp_path / "all.html"
    tertium("score", suite, "-m", "chrf", "--save", run)
    assert tertium("report", run, "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert text.count('<script type="text/plain" id="set-') == 2
    assert tertium("report", run, "--human", page, "-o", tmp_path / "x.html").code == 2
    assert tertium("report", run, "--system", "one", "-o", tmp_path / "x.html").code == 2
    judged = tertium("report", f"{run}#de-en", "--history", run, "-o", tmp_path / "x.html")
    assert "choose one" in judged.err


def test_mistakes_are_one_line(tertium: Any, suite: Path, tmp_path: Path) -> None:
    for arguments, message in (
        (("score", suite, "--save", suite / "de-en" / "ref.txt"), "is an input of this command"),
        (("score", suite, "--no-texts"), "--no-texts requires --save FILE.run"),
        (("score", suite, "-l", "xx-yy"), "there is no test set for xx-yy"),
        (("score", "-l", "de-en,fr-en"), "give a folder, a manifest, or test sets with --test-set SET"),
        (
            ("score", suite, "-m", "wer", "--batch-size", "9", "--save", tmp_path / "x.run"),
            "--save needs all",
        ),
    ):
        result = tertium(*arguments)
        assert result.code in (1, 2)
        assert message in result.err
        assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        "-t A -t B",
        "-t A B",
        "-tA -tB",
        "--test-set A --test-set B",
        "--test-set=A --test-set=B",
        "-q --test-set=A -t B",
        "-t A --language=de-en,fr-en",
        "-t A -lde-en,fr-en",
        "A",
        "-q A",
        "-m chrf A",
        "A -m chrf B",
        "-l de-en A",
        "-l de-en,fr-en -t A",
    ],
)
def test_many_sets_are_recognised_however_the_options_are_written(
    tertium: Any, suite: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(suite.parent)
    shutil.copytree(suite, "A")
    shutil.copytree(suite, "B")
    run = tertium("score", *arguments.split())
    assert run.code == 0, run.err
    assert "mean rank" in run.out


@pytest.mark.parametrize(
    "arguments", ["-r ref -i out", "-r ref.txt -i out", "-t A -l de-en", "-t A -l de-en -m chrf"]
)
def test_folders_that_are_values_of_options_are_no_test_sets(
    tertium: Any, suite: Path, monkeypatch: pytest.MonkeyPatch, arguments: str
) -> None:
    monkeypatch.chdir(suite.parent)
    shutil.copytree(suite, "A")
    shutil.copytree(suite, "chrf")
    Path("ref").mkdir()
    Path("out").mkdir()
    for name in ("ref/1.txt", "out/1.txt", "ref.txt"):
        Path(name).write_text("\n".join(LINES) + "\n")
    run = tertium("score", *arguments.split())
    assert run.code == 0, run.err
    assert "mean rank" not in run.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("A -r ref.txt", "--ref is for a single test set"),
        ("A --ci", "--ci is for a single test set"),
        ("A --by domain", "--by is for a single test set"),
        ("A --unit document", "--unit is for a single test set"),
        ("A --segments", "--segments is for a single test set"),
        ("A --chart x.svg", "--chart is for a single test set"),
        ("-t A B --signatures", "--signatures is for a single test set"),
        ("A -f jsonl", "--format jsonl is for a single test set"),
        ("A -i out.txt", "--hyp requires --test-set SET"),
        ("-t A -l de-en --autorank", "--autorank is for many test sets"),
    ],
)
def test_an_option_that_does_not_apply_is_one_line(
    tertium: Any, suite: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(suite.parent)
    shutil.copytree(suite, "A")
    shutil.copytree(suite, "B")
    run = tertium("score", *arguments.split())
    assert (run.code, run.out, run.err) == (2, "", f"tertium: {message}\n")


def test_defaults_of_a_project_file_that_do_not_apply_are_left_out(
    tertium: Any, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(suite.parent)
    Path("tertium.toml").write_text('metrics = "wer"\npaired = "bootstrap"\nci = true\n')
    run = tertium("score", suite)
    assert run.code == 0
    assert "--paired of the project file does not apply here and is left out" in run.err
    assert "WER" in run.out


def test_outputs_may_be_a_file_and_a_folder(
    tertium: Any, suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(suite / "de-en")
    Path("parts").mkdir()
    for name in ("mine.txt", "parts/1.txt"):
        Path(name).write_bytes(Path("ref.txt").read_bytes())
    run = tertium("score", "-r", "ref.txt", "-i", "mine.txt", "parts", "-m", "wer", "--score-only")
    assert run.out.splitlines() == ["0.0", "0.0"]
