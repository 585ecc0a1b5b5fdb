"""No label, number or verdict is silently wrong: mistakes that once changed a result without a word."""

import csv
import io
import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.cli.main import main
from tertium.engines.jobs import PartResult
from tertium.errors import InputError, OptionError
from tertium.files.archive import MANIFEST, write_archive

REFERENCE = [f"the cat number {n} sat on the mat in house {n % 7}" for n in range(40)]
GOOD = [line.replace("cat", "cat" if n % 3 else "dog") for n, line in enumerate(REFERENCE)]
POOR = [line.replace("sat on the mat", "lay") for line in REFERENCE]


class Command:
    """Runs commands in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._capture = monkeypatch, capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._patch.setattr(sys, "argv", ["tertium", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = self._capture.readouterr()
        assert "Traceback" not in captured.err
        return int(ended.value.code or 0), captured.out, captured.err


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": REFERENCE, "good": GOOD, "poor": POOR}.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return Command(monkeypatch, capsys)


FILES = ("-r", "ref.txt", "-i", "good.txt", "poor.txt")


class TestScale:
    def test_a_gate_reads_its_numbers_on_the_scale_of_the_runs(self, run: Command) -> None:
        for name in ("good", "poor"):
            files = ("-r", "ref.txt", "-i", f"{name}.txt")
            run("score", *files, "-m", "bleu", "--scale", "1", "--save", f"{name}.run")
        code, out, _ = run(
            "gate", "poor.run", "--against", "good.run", "--metric", "bleu", "--at-least", "0.60"
        )
        assert code == 3, out
        score = float(run("score", "-r", "ref.txt", "-i", "poor.txt", "--scale", "1", "--score-only")[1])
        assert f"{score:.4f}; at least 0.6 is required" in out
        code, out, _ = run(
            "gate", "poor.run", "--against", "good.run", "--metric", "bleu", "--at-least", f"{score - 0.01}"
        )
        assert code == 0, out

    def test_a_margin_is_on_the_same_scale(self, run: Command) -> None:
        verdicts = {}
        for scale, margin in (("1", "0.3"), ("100", "30")):
            for name in ("good", "poor"):
                files = ("-r", "ref.txt", "-i", f"{name}.txt")
                run("score", *files, "--scale", scale, "--save", f"{name}{scale}.run")
            gate = ("gate", f"poor{scale}.run", "--against", f"good{scale}.run", "--metric", "bleu")
            code, out, _ = run(*gate, "--not-worse", margin, "-f", "json")
            verdicts[scale] = (code, json.loads(out)["findings"][0]["verdict"])
            assert json.loads(out)["findings"][0]["gain"] * 100 / int(scale) < -10
        assert verdicts["1"] == verdicts["100"]

    def test_runs_with_two_scales_need_a_word(self, run: Command) -> None:
        run("score", "-r", "ref.txt", "-i", "good.txt", "--scale", "1", "--save", "good.run")
        run("score", "-r", "ref.txt", "-i", "poor.txt", "--save", "poor.run")
        gate = ("gate", "poor.run", "--against", "good.run", "--metric", "bleu", "--at-least", "0.4")
        code, _, err = run(*gate)
        assert (code, err.count("\n")) == (2, 1)
        assert "were saved with different scales" in err
        assert "give --scale" in err
        assert run(*gate, "--scale", "1")[0] in (0, 3)

    def test_a_fraction_on_the_scale_of_100_is_warned_about(self, run: Command) -> None:
        gate = ("gate", "poor.txt", "--against", "good.txt", "-r", "ref.txt", "--metric", "bleu")
        code, _, err = run(*gate, "--at-least", "0.4")
        assert code == 0
        assert "requires 0.4 on a scale of 0 to 100; for a scale of 0 to 1 give --scale 1" in err


class TestColumns:
    OURS = ("system", "metric", "score", "segments", "ci_low", "ci_high", "p_value", "summary")

    @pytest.mark.parametrize("name", OURS)
    def test_a_column_with_one_of_our_names_keeps_its_values(self, run: Command, name: str) -> None:
        values = ["macro" if n % 2 else "micro" for n in range(len(REFERENCE))]
        Path("columns.tsv").write_text("\n".join([name, *values]) + "\n")
        by = ("score", *FILES, "--columns", "columns.tsv", "--by", name, "--ci", "--samples", "20")
        _, out, _ = run(*by, "-f", "csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        assert len(next(csv.reader(io.StringIO(out)))) == len(set(next(csv.reader(io.StringIO(out)))))
        assert {row["system"] for row in rows} == {"good", "poor"}
        assert {row["metric"] for row in rows} == {"bleu"}
        assert all(0 <= float(row["score"]) <= 100 for row in rows)
        found = [(row[f"column:{name}"], row["summary"], row["system"]) for row in rows]
        assert len(found) == len(set(found)) == 8
        assert {(value, summary) for value, summary, _ in found} == {
            ("macro", ""),
            ("micro", ""),
            ("macro", "macro"),
            ("micro", "micro"),
        }
        data = json.loads(run(*by, "-f", "json")[1])
        assert {row["system"] for row in data["scores"]} == {"good", "poor"}
        text = run(*by)[1]
        assert "macro (all values)" in text
        assert "micro (all values)" in text

    def test_other_columns_keep_their_names(self, run: Command) -> None:
        Path("columns.tsv").write_text("\n".join(["domain", *("ab"[n % 2] for n in range(40))]) + "\n")
        out = run("score", *FILES, "--columns", "columns.tsv", "--by", "domain", "-f", "csv")[1]
        assert out.splitlines()[0] == "domain,segments,summary,system,metric,score"


class TestNumbers:
    def test_large_integers_are_not_merged(self, run: Command) -> None:
        ids = [str(9007199254740992 + n) for n in range(40)]
        Path("columns.tsv").write_text("\n".join(["number", *ids]) + "\n")
        where = ("score", *FILES, "--columns", "columns.tsv", "--where")
        assert json.loads(run(*where, "number=9007199254740993", "-f", "json")[1])["segments"] == 1
        assert json.loads(run(*where, "number>=9007199254740993", "-f", "json")[1])["segments"] == 39

    @pytest.mark.parametrize("value", ["1_0", "٥", "nan", "inf", "0x1f"])
    def test_only_decimal_numbers_are_compared(self, run: Command, value: str) -> None:
        Path("columns.tsv").write_text("\n".join(["number", *([value, "5"] * 20)]) + "\n", encoding="utf-8")
        where = ("score", *FILES, "--columns", "columns.tsv", "--where")
        code, _, err = run(*where, "number>3")
        assert (code, err.count("\n")) == (1, 1)
        assert "which is not a number" in err
        assert run(*where, f"number>{value}")[0] == 2
        assert json.loads(run(*where, "number=10,number!=5", "-f", "json")[1] or "{}") == {}

    @pytest.mark.parametrize("value", ["5_2", "٥", "inf", "1e400", "9" * 5000])
    def test_judgments_and_scores_are_decimal_numbers_too(self, run: Command, value: str) -> None:
        Path("human.tsv").write_text(
            f"system\tsegment\tscore\ngood\t1\t{value}\npoor\t1\t3\n", encoding="utf-8"
        )
        code, _, err = run("meta", *FILES, "-m", "wer", "--human", "human.tsv")
        assert (code, err.count("\n")) == (1, 1)
        assert "human.tsv" in err
        assert "line 2" in err
        lines = "".join(f"{value if n == 3 else n}\n" for n in range(40))
        Path("other.txt").write_text(lines, encoding="utf-8")
        code, _, err = run("score", "-r", "ref.txt", "-i", "good.txt", "--scores", "x=other.txt")
        assert (code, err.count("\n")) == (1, 1)
        assert "line 4" in err


@pytest.mark.parametrize("metric", ["nist", "std:mass=idf", "bleu"])
def test_show_says_where_a_subset_has_other_scores_than_score(run: Command, metric: str) -> None:
    Path("columns.tsv").write_text("\n".join(["domain", *("ab"[n % 2] for n in range(40))]) + "\n")
    files = (*FILES, "--columns", "columns.tsv", "-m", metric)
    assert run("score", *files, "--save", "all.run")[0] == 0
    _, out, err = run("show", "all.run", "--where", "domain=a", "-f", "csv", "--full")
    _, other, _ = run("score", *files, "--where", "domain=a", "-f", "csv", "--full")
    shown, scored = ([row["score"] for row in csv.DictReader(io.StringIO(text))] for text in (out, other))
    assert ("learnt from all 40 segments" in err) == (shown != scored) == (metric != "bleu")


class TestParts:
    def test_a_part_under_the_name_of_another_is_computed_again(self, run: Command) -> None:
        resumed = ("score", *FILES, "-m", "bleu,wer", "--resume", "parts", "--batch-size", "10", "-f", "json")
        expected = run(*resumed)[1]
        parts = sorted(Path("parts").glob("*.part"))
        assert len(parts) == 4
        before = parts[0].read_bytes()
        shutil.copy(parts[1], parts[0])
        assert run(*resumed)[1] == expected
        assert parts[0].read_bytes() == before

    def test_the_checksum_of_a_part_covers_its_name(self) -> None:
        saved = PartResult((1, 1), (2,)).to_bytes("one")
        assert PartResult.from_bytes(saved, "one").n_references == (1, 1)
        with pytest.raises(InputError, match="damaged"):
            PartResult.from_bytes(saved, "other")


Change = Callable[[dict[str, Any]], None]


def _set(*path: Any) -> Change:
    """Make a change of a manifest: the keys down to a value, and the new value."""
    *keys, last, value = path

    def change(manifest: dict[str, Any]) -> None:
        inner: Any = manifest
        for key in keys:
            inner = inner[key]
        inner[last] = value

    return change


def _raise_totals(manifest: dict[str, Any]) -> None:
    for record in manifest["metrics"]:
        record["totals"][0] = [2 * number for number in record["totals"][0]]


FORGED: dict[str, Change] = {
    "totals": _raise_totals,
    "totals of text": _set("metrics", 0, "totals", 0, 0, "1_0"),
    "scale": _set("settings", "view", "scale", 7),
    "alpha": _set("settings", "view", "alpha", "0.05"),
    "samples": _set("settings", "view", "samples", 10**12),
    "seed": _set("settings", "view", "seed", 1.5),
    "paired": _set("settings", "view", "paired", "x"),
    "view": _set("settings", "view", []),
    "lowercase": _set("settings", "lowercase", "no"),
    "metrics": _set("settings", "metrics", [1]),
    "direction": _set("metrics", 0, "higher_is_better", False),
    "test set": _set("test_set", "0" * 64),
    "references": _set("n_references", [1, 9]),
    "range": _set("n_references", [2, 1]),
    "segments": _set("n_segments", 39),
    "float count": _set("n_segments", 40.0),
    "role": _set("files", 0, "role", None),
    "path": _set("files", 0, "path", 3),
    "checksum": _set("files", 0, "sha256", []),
    "option": _set("metrics", 0, "options", "tokenizer", 3),
    "resource": _set("metrics", 0, "resources", {"x": 3}),
    "preset": _set("metrics", 0, "preset", 1),
    "system": _set("systems", 0, None),
    "column": _set("columns", ["nothing"]),
    "command": _set("command", {}),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=list(FORGED))
def test_every_command_refuses_a_forged_run_in_the_same_words(run: Command, change: Change) -> None:
    run("score", *FILES, "-m", "bleu", "--save", "sound.run")
    with zipfile.ZipFile("sound.run") as file:
        members = {name: file.read(name) for name in file.namelist()}
    manifest = json.loads(members.pop(MANIFEST))
    change(manifest)
    write_archive("forged.run", manifest, members)
    commands = [
        ("show", "forged.run"),
        ("show", "forged.run", "-f", "csv"),
        ("show", "forged.run", "-t", "run"),
        ("show", "forged.run", "-t", "inputs"),
        ("show", "forged.run", "-t", "metrics"),
        ("rerun", "forged.run"),
        ("compare", "forged.run"),
        ("gate", "forged.run#good", "--against", "sound.run#poor", "--metric", "bleu"),
        ("report", "forged.run", "-o", "page.html"),
    ]
    said = set()
    for command in commands:
        code, out, err = run(*command)
        assert (code, out, err.count("\n")) == (1, "", 1), command
        said.add(err)
    assert len(said) == 1, said
    assert "forged.run is damaged" in said.pop()
    with pytest.raises(InputError, match="is damaged"):
        tertium.open_run("forged.run")


@pytest.mark.parametrize("name", ["ter", "TER", "wer"])
def test_scores_of_a_metric_that_we_know_have_its_direction(run: Command, name: str) -> None:
    Path("scores.tsv").write_text(
        "system\tsegment\tscore\n"
        + "".join(f"{system}\t{n + 1}\t{value}\n" for system, value in (("good", 10), ("poor", 50)) for n in range(40))
    )  # fmt: skip
    _, out, err = run("score", *FILES, "-m", "bleu", "--scores", f"{name}=scores.tsv", "-f", "json")
    facts = {each["label"]: each for each in json.loads(out)["metrics"]}
    assert facts[name]["higher_is_better"] is False
    assert f"{name}: lower is better, as for our metric of that name" in err
    _, out, err = run("score", *FILES, "-m", "bleu", "--scores", "comet=scores.tsv", "-f", "json")
    assert json.loads(out)["metrics"][1]["higher_is_better"] is True


@pytest.mark.parametrize(
    ("hypotheses", "message"),
    [
        ({None: ["a"]}, "the names of systems must be strings, not None"),
        ({3: ["a"]}, "the names of systems must be strings, not 3"),
        ({b"a": ["a"]}, "the names of systems must be strings"),
        ({("a",): ["a"], "b": ["a"]}, "the names of systems must be strings"),
    ],
)
def test_names_of_systems_are_strings(hypotheses: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tertium.score(hypotheses, ["a"])


@pytest.mark.parametrize("option", ["samples", "n_trials"])
def test_work_without_end_is_refused_at_once(option: str) -> None:
    function: Any = tertium.score if option == "samples" else tertium.tune
    given = (["a"], ["a"]) if option == "samples" else ("nowhere", "bleu")
    with pytest.raises(OptionError, match=rf"{option}= must be a whole number, at least 1 and at most"):
        function(*given, **{option: 10**10})


def test_a_gate_decides_at_a_tiny_level(run: Command) -> None:
    for name in ("ref", "good", "poor"):
        Path(f"{name}.txt").write_text(Path(f"{name}.txt").read_text() * 10)
    gate = ("gate", "poor.txt", "--against", "good.txt", "-r", "ref.txt", "--metric", "bleu")
    code, _, err = run(*gate, "--alpha", "1e-8", "-q")
    assert (code, err) == (3, "")


class TestMessages:
    def test_a_tiny_alpha_is_named_as_given(self, run: Command) -> None:
        code, _, err = run("score", *FILES, "--ci", "--alpha", "1e-300")
        assert (code, err.count("\n")) == (2, 1)
        assert "1e-300" in err
        assert "1.0 " not in err

    def test_twins_of_a_name_are_told_apart(self, run: Command) -> None:
        code, _, err = run("score", "-r", "ref.txt", "-i", "caf\u00e9=good.txt", "x=poor.txt", "--paired",
                           "bootstrap", "--baseline", "cafe\u0301")  # fmt: skip
        assert (code, err.count("\n")) == (2, 1)
        assert "caf<U+00E9> instead of cafe<U+0301>" in err

    @pytest.mark.parametrize("encoding", ["utf-32", "utf-16", "utf-32-be", "utf-16-le"])
    def test_the_encoding_of_a_text_is_named(self, run: Command, encoding: str) -> None:
        mark = "\ufeff" if encoding == "utf-32-be" else ""
        data = (mark + "\n".join(GOOD)).encode(encoding)
        Path("odd.txt").write_bytes(data)
        code, _, err = run("score", "-r", "ref.txt", "-i", "odd.txt")
        if encoding == "utf-16-le":
            assert "NUL characters: the file is UTF-16 or UTF-32" in err
        else:
            assert (code, err.count("\n")) == (1, 1)
            assert f"iconv -t UTF-8 -f {encoding.upper()[:6]}" in err

    @pytest.mark.parametrize(
        ("name", "text"),
        [("x.jsonl", '{"ref": "a", "n": %s}'), ("x.toml", "[[rule]]\nmetric = 'bleu'\nat_least = %s")],
    )
    def test_a_number_of_thousands_of_digits_is_no_reason_for_advice_on_python(
        self, run: Command, name: str, text: str
    ) -> None:
        Path(name).write_text(text % ("9" * 10_000) + "\n")
        command = (
            ("gate", "poor.txt", "--against", "good.txt", "-r", "ref.txt", "--rules", name)
            if name.endswith("toml")
            else ("score", "-r", name, "-i", "good.txt")
        )
        code, _, err = run(*command)
        assert (code, err.count("\n")) == (1, 1)
        assert "a number has more than 4300 digits" in err
        assert "sys." not in err

    @pytest.mark.parametrize("version", ["**", "[", "?", "../x", "/", "", "a" * 5000])
    def test_the_version_of_a_spacy_model_is_no_pattern(self, run: Command, version: str) -> None:
        Path("model").mkdir()
        Path("model/meta.json").write_text(json.dumps({"version": version, "lang": "en"}))
        for arguments in (("score", *FILES, "-m", "red"), ("parse", "good.txt")):
            code, _, err = run(*arguments, "--parser", "./model")
            assert (code, err.count("\n")) == (1, 1)


class TestRecordedPaths:
    """A run names files that its user did not name: they are not opened if they never end."""

    @staticmethod
    def forge(change: Change) -> None:
        with zipfile.ZipFile("sound.run") as file:
            members = {name: file.read(name) for name in file.namelist()}
        manifest = json.loads(members.pop(MANIFEST))
        change(manifest)
        write_archive("forged.run", manifest, members)

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
    @pytest.mark.parametrize("path", ["/dev/zero", "/dev/urandom", "fifo", "link"])
    @pytest.mark.parametrize("place", ["reference", "system", "vectors", "trees", "calibration", "metrics"])
    def test_a_device_or_a_pipe_is_not_read(self, run: Command, place: str, path: str) -> None:
        import os  # noqa: PLC0415 - Unix only

        os.mkfifo("fifo")
        Path("link").symlink_to("/dev/zero")
        run("score", *FILES, "-m", "bleu", "--save", "sound.run")
        changes = {
            "reference": _set("files", 0, "path", path),
            "system": _set("files", 1, "path", path),
            "vectors": _set("settings", "resources", "vectors", path),
            "trees": _set("settings", "resources", "trees", [path]),
            "calibration": _set("settings", "view", "calibration", path),
            "metrics": _set("settings", "metrics", [f"bleu@./{path}" if path == "link" else f"bleu@{path}"]),
        }
        if place == "metrics" and path == "fifo":
            pytest.skip("a preset whose name has no slash is not a file")
        self.forge(changes[place])
        commands = {
            "calibration": ("show", "forged.run"),
            "vectors": ("compare", "forged.run#good", "poor.txt"),
        }
        code, _, err = run(*commands.get(place, ("rerun", "forged.run")))
        assert (code, err.count("\n")) == (1, 1), err
        assert "device" in err

    def test_a_file_larger_than_the_memory_is_not_read(self, run: Command) -> None:
        run("score", *FILES, "-m", "bleu", "--save", "sound.run")
        with Path("huge.txt").open("wb") as file:
            file.truncate(1 << 43)
        self.forge(_set("files", 0, "path", "huge.txt"))
        code, _, err = run("rerun", "forged.run")
        assert (code, err.count("\n")) == (1, 1)
        assert "huge.txt, which the run records, is larger than the memory" in err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
@pytest.mark.parametrize("path", ["/dev/zero", "/dev/full", "/dev/random"])
def test_a_device_without_an_end_is_refused_everywhere(run: Command, path: str) -> None:
    commands = [
        ("score", "-r", path, "-i", "good.txt"),
        ("score", "-r", "ref.txt", "-i", path),
        ("score", "-r", "ref.txt", "-i", "good.txt", "--scores", f"x={path}"),
        ("gate", "poor.txt", "--against", "good.txt", "-r", "ref.txt", "--rules", path),
        ("meta", *FILES, "--human", path, "-m", "wer"),
        ("doctor", path),
        ("parse", path),
        ("vectors", "info", path),
        ("show", path),
    ]
    for command in commands:
        code, _, err = run(*command)
        assert (code in (1, 2), err.count("\n")) == (True, 1), (command, err)
        assert "device" in err
    assert run("score", "-r", "ref.txt", "-i", "/dev/null")[0] == 1
