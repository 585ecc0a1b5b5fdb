"""`tertium score` with large inputs: what streams, what is written as it comes, what is refused."""

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

REFERENCES = ["The cat sat on the mat.", "It rained all day in Paris.", "He bought a new car yesterday."]
GOOD = ["The cat sat on a mat.", "It rained all day in Paris.", "He bought a new car."]
BAD = ["A dog ran.", "It was raining in Paris the whole day.", "Yesterday car new."]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, lines in {"ref": REFERENCES, "bad": BAD, "good": GOOD}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def given(files: Path) -> list[object]:
    return [
        "score",
        "-r",
        files / "ref.txt",
        "-i",
        files / "bad.txt",
        files / "good.txt",
        "-m",
        "bleu,wer",
        "-q",
    ]


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.evaluation.resampling.POISSON_FROM", 2)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("more", [[], ["--sort", "bleu", "--scale", "1"]])
def test_segments_stream_the_rows_that_memory_gives(
    tertium: Tertium, given: list[object], form: str, more: list[str]
) -> None:
    whole = tertium(*given, "--segments", "-f", form, *more)
    assert whole.code == 0
    assert len(whole.out.splitlines()) == 1 + 2 * 3 * 2
    for size in (1, 2, 3):
        assert tertium(*given, "--segments", "-f", form, *more, "--batch-size", size).out == whole.out


def test_sorted_segments_keep_their_systems(tertium: Tertium, given: list[object]) -> None:
    plain, ordered = (
        {tuple(row) for row in csv.reader(io.StringIO(tertium(*given, "--segments", "-f", "csv", *more).out))}
        for more in ([], ["--sort", "bleu"])
    )
    assert plain == ordered
    shown = tertium(*given, "--segments", "-f", "json", "--sort", "bleu").out
    systems = {each["name"]: each["segments"]["wer"] for each in json.loads(shown)["systems"]}
    assert systems["good"][1] == 0 < systems["bad"][1]


@pytest.mark.parametrize("batch_size", [[], ["--batch-size", "2"]])
def test_segments_go_into_parquet_and_json_lines(
    tertium: Tertium, given: list[object], files: Path, batch_size: list[str]
) -> None:
    rows = list(csv.DictReader(io.StringIO(tertium(*given, "--segments", "-f", "csv").out)))
    expected = [{**row, "segment": int(row["segment"]), "score": float(row["score"])} for row in rows]
    target = files / "out.parquet"
    assert tertium(*given, "--segments", "-f", "parquet", "-o", target, *batch_size).code == 0
    assert pq.read_table(target).to_pylist() == expected
    lines = tertium(*given, "--segments", "-f", "jsonl", *batch_size).out.splitlines()
    assert [json.loads(line) for line in lines] == expected
    assert sorted(path.name for path in files.iterdir()) == ["bad.txt", "good.txt", "out.parquet", "ref.txt"]


def test_segments_are_written_whole_or_not_at_all(tertium: Tertium, given: list[object], files: Path) -> None:
    (files / "good.txt").write_bytes(b"The cat\nIt\n\xff\xfe\n")
    run = tertium(*given, "--segments", "-f", "csv", "-o", files / "out.csv", "--batch-size", "1")
    assert run.code == 1
    assert "is not UTF-8" in run.err
    assert not (files / "out.csv").exists()
    assert not [path for path in files.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    "options, message",
    [
        (
            ["--batch-size", "2", "--by", "length"],
            "--batch-size scores the texts in parts, but --by needs all",
        ),
        (
            ["--resume", "x", "--where", "length>2"],
            "--resume scores the texts in parts, but --where needs all",
        ),
        (["--batch-size", "2", "--resample", "document"], "--resample needs all of them in memory"),
        (["--batch-size", "2", "--save", "x.run"], "--save needs all of them in memory"),
        (["--batch-size", "2", "--segments"], "--segments --format text needs all .* or choose --format csv"),
        (["--batch-size", "2", "--segments", "-f", "json"], "--segments --format json needs all"),
        (["--workers", "2"], "--workers requires --engine dask"),
        (
            ["--engine", "dask", "--workers", "2", "--scheduler", "tcp://x:1"],
            "either --workers or --scheduler",
        ),
        (["-f", "jsonl"], "--format jsonl requires --segments"),
        (["--segments", "-f", "parquet"], "--format parquet requires --output FILE"),
    ],
)
def test_what_a_stream_cannot_give_is_refused_in_one_line(
    tertium: Tertium,
    given: list[object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    run = tertium(*given, *options)
    assert run.code == 2
    assert run.err.count("\n") == 1
    assert re.search(message, run.err), run.err
    assert not (tmp_path / "x").exists()


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize(
    "more", [[], ["--ci"], ["--full", "-f", "csv"], ["--paired", "bootstrap"], ["--score-only"]]
)
def test_every_view_of_a_stream_is_that_of_memory(
    tertium: Tertium, given: list[object], more: list[str]
) -> None:
    streamed = tertium(*given, *more, "--batch-size", "1")
    assert streamed.code == 0
    assert streamed.out == tertium(*given, *more, "--where", "length>0").out


@pytest.mark.usefixtures("few_are_many")
def test_randomization_of_a_stream_names_the_other_test(tertium: Tertium, given: list[object]) -> None:
    run = tertium(*given, "--paired", "randomization")
    assert run.code == 2
    assert "--paired bootstrap does not" in run.err


@pytest.mark.usefixtures("few_are_many")
def test_large_inputs_fall_back_to_memory_for_what_needs_it(tertium: Tertium, given: list[object]) -> None:
    assert tertium(*given, "--by", "length").code == 0
    assert tertium(*given, "--segments", "-f", "json").code == 0


@pytest.mark.usefixtures("few_are_many")
def test_standard_input_is_read_into_memory(
    tertium: Tertium, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = ["score", "-r", files / "ref.txt", "-m", "wer", "-f", "json"]
    expected = tertium(*given, "-i", f"stdin={files}/good.txt").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((files / "good.txt").read_bytes())))
    assert tertium(*given, "-i", "-").out == expected
    refused = tertium(*given, "-i", "-", "--batch-size", "2")
    assert refused.code == 2
    assert "standard input can be read only once" in refused.err


def test_files_of_different_length_are_refused_before_anything_is_scored(
    tertium: Tertium, given: list[object], files: Path
) -> None:
    (files / "good.txt").write_text("a\nb\n")
    whole, streamed = (tertium(*given, *more) for more in ([], ["--batch-size", "1"]))
    assert whole.code == streamed.code == 1
    assert whole.err == streamed.err
    assert "good.txt has 2 lines but" in whole.err


@pytest.mark.slow
# The kernel's own measure: what getrusage says of a child begins with what its parent had.
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_200000_segments_stream_by_themselves_in_little_memory(tmp_path: Path) -> None:
    for name, word in (("ref", "cat"), ("hyp", "dog")):
        lines = (f"the {word if i % 3 else 'cat'} sat on mat number {i}\n" for i in range(200_000))
        (tmp_path / f"{name}.txt").write_text("".join(lines))
    program = (
        "import pathlib, re, sys\nfrom tertium.cli.main import main\n"
        "try:\n    main()\nfinally:\n    text = pathlib.Path('/proc/self/status').read_text()\n"
        "    print(re.search(r'VmHWM:\\s*(\\d+)', text)[1], file=sys.stderr)"
    )
    arguments = [
        "score",
        "-r",
        "ref.txt",
        "-i",
        "hyp.txt",
        "-m",
        "wer",
        "--ci",
        "--samples",
        "20",
        "-f",
        "json",
        "-q",
    ]
    command = [sys.executable, "-c", program, *arguments, "-j", "1", "--batch-size", "20000"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)
    result = json.loads(run.stdout)
    assert result["segments"] == 200_000
    assert "bs:poisson|samples:20" in result["metrics"][0]["signature"]
    assert result["systems"][0]["scores"]["wer"]["score"] == pytest.approx(100 / 7 * 133_333 / 200_000)
    assert int(run.stderr.split()[-1]) < 250_000  # kilobytes
