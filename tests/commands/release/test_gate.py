"""`tertium gate` from argv to exit code."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tertium.presentation.tables import FORMATS

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821
Write = Callable[[str, str], str]
ROOT = Path(__file__).parents[3] / "examples" / "data"
REFERENCE, AURORA, BOREAS, EMBER = (
    ROOT / name
    for name in ("reference.en.txt", "systems/aurora.txt", "systems/boreas.txt", "systems/ember.txt")
)
BETTER = ("gate", AURORA, "--against", EMBER, "-r", REFERENCE, "-q")
WORSE = ("gate", EMBER, "--against", AURORA, "-r", REFERENCE, "-q")
CLOSE = ("gate", AURORA, "--against", BOREAS, "-r", REFERENCE, "-q")


@pytest.mark.parametrize("metric", ["bleu", "ter"], ids=["higher is better", "lower is better"])
@pytest.mark.parametrize("rule", [(), ("--not-worse", "0.5")], ids=["weak", "margin"])
def test_the_exit_code_is_the_verdict(tertium: Tertium, metric: str, rule: tuple[str, ...]) -> None:
    passed = tertium(*BETTER, "--metric", metric, *rule)
    assert (passed.code, passed.err) == (0, "")
    assert passed.out.startswith("PASS: aurora against ember")
    failed = tertium(*WORSE, "--metric", metric, *rule)
    assert (failed.code, failed.err) == (3, "")
    assert failed.out.startswith("FAIL: ember against aurora")


def test_what_is_undecided_fails_unless_the_rule_says_otherwise(tertium: Tertium) -> None:
    rule = ("--metric", "bleu", "--not-worse", "1")
    run = tertium(*CLOSE, *rule)
    assert run.code == 3
    assert "not certain; allowed −1; about 1," in run.out
    assert "BLEU 44.10 → 44.80: probably not worse than allowed (+0.70; 95 % interval −" in run.out
    assert "one-sided tests over 200 segments, taken as independent" in run.out
    assert tertium(*CLOSE, *rule, "--undecided", "pass").code == 0


@pytest.mark.parametrize(
    ("metric", "level", "code"), [("bleu", 40, 0), ("bleu", 50, 3), ("ter", 50, 0), ("ter", 40, 3)]
)
def test_a_score_can_be_asked_for(tertium: Tertium, metric: str, level: int, code: int) -> None:
    assert tertium(*CLOSE, "--metric", metric, "--at-least", str(level)).code == code


def test_a_column_of_another_name_is_suggested(tertium: Tertium, write: Write) -> None:
    columns = write("columns.tsv", "domain\n" + "news\n" * 200)
    run = tertium(*CLOSE, "--metric", "bleu", "--by", "domian", "--columns", columns)
    assert run.code == 2
    assert "no segment has a column 'domian'; did you mean domain?" in run.err


def test_the_same_output_passes(tertium: Tertium) -> None:
    run = tertium("gate", f"new={AURORA}", "--against", AURORA, "-r", REFERENCE, "-q", "--metric", "bleu", "--not-worse", "0")  # fmt: skip
    assert run.code == 0
    assert "BLEU 44.80 → 44.80, the same on every segment" in run.out


def test_a_file_of_rules_is_applied_rule_by_rule(tertium: Tertium, write: Write) -> None:
    write("columns.tsv", "domain\n" + "news\n" * 100 + "chat\n" * 99 + "mail\n")
    rules = write(
        "gate.toml",
        """
        [[rule]]
        metric = "bleu"
        not_worse = 0.5
        at_least = 30
        [[rule]]
        metric = "ter"
        not_significantly_worse = true
        by = "domain"
        undecided = "pass"
        """,
    )
    run = tertium(*BETTER, "--rules", rules, "--columns", "columns.tsv", "-f", "json")
    assert run.code == 0
    data = json.loads(run.out)
    assert data["passes"] is True
    assert [(each["rule"], each["subset"], each["verdict"]) for each in data["findings"]] == [
        ("level", "", "pass"),
        ("not worse", "", "pass"),
        ("not significantly worse", "domain=news", "pass"),
        ("not significantly worse", "domain=chat", "pass"),
        ("not significantly worse", "domain=mail", "undecided"),
    ]
    failed = tertium(*WORSE, "--rules", rules, "--columns", "columns.tsv", "-f", "json")
    assert failed.code == 3


@pytest.mark.parametrize("form", [*FORMATS, "junit", "github"])
def test_every_format_is_written(tertium: Tertium, form: str, tmp_path: Path) -> None:
    path = tmp_path / "out"
    run = tertium(*WORSE, "--metric", "bleu", "-f", form, "-o", path)
    assert (run.code, run.out) == (3, "")
    assert "bleu" in path.read_text(encoding="utf-8")
    assert tertium(*WORSE, "--metric", "bleu", "-f", form).out == path.read_text(encoding="utf-8")


def test_build_servers_can_read_it(tertium: Tertium) -> None:
    junit = tertium(*WORSE, "--metric", "bleu", "-f", "junit").out
    assert ET.fromstring(junit.encode()).attrib["failures"] == "1"
    assert tertium(*WORSE, "--metric", "bleu", "-f", "github").out.startswith("::error title=tertium gate%3A bleu::BLEU 44.80 → 21.12 (−23.68), significantly worse. bleu: segments that cost most: ")  # fmt: skip


@pytest.fixture
def runs(tertium: Tertium, tmp_path: Path) -> tuple[Path, Path]:
    """A run of aurora and boreas, and one of ember that lacks ter."""
    two, one = tmp_path / "two.run", tmp_path / "one.run"
    score = ("score", "-r", REFERENCE, "-q", "-i")
    assert tertium(*score, AURORA, BOREAS, "-m", "bleu,ter", "--save", two).code == 0
    assert tertium(*score, EMBER, "-m", "bleu", "--save", one).code == 0
    return two, one


def test_runs_are_gated_without_references(tertium: Tertium, runs: tuple[Path, Path]) -> None:
    two, one = runs
    rule = ("--metric", "bleu", "--not-worse", "0.5", "-q")
    assert tertium("gate", f"{two}#aurora", "--against", one, *rule).code == 0
    assert tertium("gate", one, "--against", f"{two}#aurora", *rule).code == 3
    mixed = tertium("gate", EMBER, "--against", f"{two}#aurora", *rule).out
    assert mixed.splitlines()[:-1] == tertium(*WORSE, *rule).out.splitlines()[:-1]
    assert mixed.splitlines()[-1] == f"see: tertium compare '{two}#aurora' {EMBER}"


def test_runs_of_different_lengths_are_named_as_such(
    tertium: Tertium, runs: tuple[Path, Path], tmp_path: Path
) -> None:
    for path in (REFERENCE, EMBER):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[:180]
        (tmp_path / path.name).write_text("".join(lines), encoding="utf-8")
    short = tmp_path / "short.run"
    tertium("score", "-r", tmp_path / REFERENCE.name, "-q", "-i", tmp_path / EMBER.name, "--save", short)
    run = tertium("gate", short, "--against", runs[1], "--metric", "bleu", "-q")
    assert run.code == 1
    assert "has 200 segments and short 180" in run.err


def test_segments_can_be_selected(tertium: Tertium, runs: tuple[Path, Path]) -> None:
    rule = ("--metric", "bleu", "--not-worse", "0.5", "-q", "-f", "json")
    gate = ("gate", runs[1], "--against", f"{runs[0]}#aurora", *rule)
    (whole,), (long,) = (
        json.loads(tertium(*gate, *more).out)["findings"] for more in ((), ("--where", "length>20"))
    )
    assert 50 < long["segments"] < whole["segments"] == 200
    lengths = [len(line.split()) for line in REFERENCE.read_text(encoding="utf-8").splitlines()]
    assert all(lengths[number - 1] > 20 for number in long["costliest_segments"])
    assert len(long["costliest_segments"]) == 3


def test_all_reports_are_written_in_one_call(
    tertium: Tertium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = tmp_path / "step.md"
    step.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))
    files = ("--junit", tmp_path / "gate.xml", "--summary", tmp_path / "gate.md", "--github")
    run = tertium(*WORSE, "--metric", "bleu", *files)
    assert run.code == 3
    assert run.out.startswith("FAIL: ember against aurora\n")
    assert "\n::error title=tertium gate%3A bleu::BLEU" in run.out
    assert ET.parse(tmp_path / "gate.xml").getroot().attrib["failures"] == "1"
    assert (tmp_path / "gate.md").read_text(encoding="utf-8").startswith("### FAIL: ember against aurora")
    assert step.read_text(encoding="utf-8") == "before\n"
    tertium(*WORSE, "--metric", "bleu")
    assert step.read_text(encoding="utf-8").startswith("before\n### FAIL: ember against aurora")


def test_mistakes_about_runs_are_named(tertium: Tertium, runs: tuple[Path, Path]) -> None:
    two, one = runs
    many = tertium("gate", two, "--against", one, "--metric", "bleu", "-q")
    assert many.code == 2
    assert f"holds 2 systems: aurora, boreas; choose one with {two}#SYSTEM" in many.err
    lacking = tertium("gate", f"{two}#aurora", "--against", one, "--metric", "ter", "-q")
    assert lacking.code == 1
    assert "do not both have the metric ter; they share bleu" in lacking.err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ((), 2, "a gate needs a rule"),
        (("--not-worse", "1"), 2, "a gate needs a rule"),
        (("--metric", "beu"), 2, "did you mean bleu?"),
        (("--metric", "bleu", "--not-worse", "-1"), 2, "--not-worse"),
        (("--metric", "bleu", "--not-worse", "nan"), 2, "'nan' is not a number"),
        (
            ("--metric", "bleu", "--by", "domain"),
            2,
            "no segment has a column 'domain'; there are no columns; give them with --columns",
        ),
        (("--metric", "bleu", "--undecided", "maybe"), 2, "--undecided"),
        (("--metric", "bleu", "--rules", "x.toml"), 2, "not both"),
        (("--alpha", "0.01", "--rules", "x.toml"), 2, "--alpha belongs in the file"),
        (("--by", "domain", "--rules", "x.toml"), 2, "--by belongs in the file"),
        (("--rules", "none.toml"), 1, "none.toml"),
        (("--metric", "bleu", "-o", "none/out.txt"), 1, "there is no folder"),
    ],
)
def test_mistakes_are_one_line(tertium: Tertium, options: tuple[str, ...], code: int, message: str) -> None:
    run = tertium(*CLOSE, *options)
    assert run.code == code
    assert message in run.err
    assert run.err.count("\n") == 1
    assert run.out == ""


METRIC = '[[rule]]\nmetric = "bleu"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule]\n", "gate.toml is not TOML: "),
        ("", "gate.toml has no rule; write [[rule]]"),
        ("rule = 3\n", "gate.toml has no rule"),
        ("rule = []\n", "gate.toml has no rule"),
        ('[rule]\nmetric = "bleu"\n', "gate.toml has no rule"),
        (METRIC + "at_least = 3\n[rules]\n", "gate.toml: unknown key 'rules'; rules are tables [[rule]]"),
        (METRIC + "not_wrse = 3\n", "gate.toml: rule 1 (line 1) has an unknown key 'not_wrse'; did you mean not_worse?"),
        (METRIC + "zzz = 3\n", "unknown key 'zzz'; choose from metric, not_significantly_worse, not_worse"),
        ("[[rule]]\nnot_worse = 3\n", "gate.toml: rule 1 (line 1) has no metric"),
        (METRIC + 'not_worse = "0.3"\n', "not_worse must be a number, at least 0, not '0.3'"),
        (METRIC + "not_worse = true\n", "not_worse must be a number, at least 0, not True"),
        (METRIC + "not_significantly_worse = 1\n", "not_significantly_worse must be true or false, not 1"),
        (METRIC + "at_least = 3\nby = 4\n", "by must be a string, not 4"),
        (METRIC + 'at_least = 3\nundecided = "maybe"\n', "undecided must be fail or pass, not 'maybe'"),
        (METRIC + "at_least = 3\nalpha = 2\n", "alpha must be a number, at least 1e-09 and below 1, not 2"),
        (METRIC + "at_least = nan\n", "at_least must be a number, not nan"),
        (METRIC + "not_worse = -0.1\n", "not_worse must be a number, at least 0, not -0.1"),
        ("\n" + METRIC, "gate.toml: rule 1 (line 2): the rule for bleu asks for nothing"),
        (METRIC + "not_worse = 1\nnot_significantly_worse = true\n", "the rules for bleu contradict"),
        (METRIC + "not_worse = 1\n" + METRIC + "not_worse = 2\n", "gate.toml: rules 1 and 2 for bleu contradict or repeat each other"),
        ('rule = [{metric = "bleu", at_lest = 3}]\n', "gate.toml: rule 1 has an unknown key 'at_lest'; did you mean at_least?"),
    ],
)  # fmt: skip
def test_mistakes_in_a_file_of_rules_are_one_line(
    tertium: Tertium, write: Write, text: str, message: str
) -> None:
    run = tertium(*CLOSE, "--rules", write("gate.toml", text))
    assert run.code == 1
    assert message in run.err
    assert run.err.count("\n") == 1
    assert run.out == ""


def test_several_metrics_must_all_keep_the_rule(tertium: Tertium) -> None:
    run = tertium(*WORSE, "--metric", "bleu,ter", "--not-worse", "0.5", "-f", "json")
    assert run.code == 3
    assert "bleu" in run.out
    assert "ter" in run.out


def test_an_option_that_takes_one_value_is_refused_twice(tertium: Tertium) -> None:
    run = tertium(*BETTER, "--metric", "bleu", "--not-worse", "3", "--metric", "ter", "--not-worse", "2")
    assert run.code == 2
    assert "--not-worse was given twice" in run.err


def write_judge(folder: Path, body: str) -> str:
    """A program whose answers have an id; returns the metric."""
    path = folder / "judge.py"
    lines = (
        "import json, sys, zlib",
        "for line in sys.stdin:",
        "    each = json.loads(line)",
        f"    score = {body}",
        '    print(json.dumps({"id": each["id"], "score": score}))',
    )
    path.write_text("\n".join(lines) + "\n")
    return f"command:{sys.executable} {path}"


def test_a_judge_without_scores_decides_nothing(tertium: Tertium, tmp_path: Path) -> None:
    judge = write_judge(tmp_path, "None")
    run = tertium(*CLOSE, "--metric", judge, "--not-worse", "0.5", "-f", "json")
    found = json.loads(run.out)
    assert run.code == 3
    (finding,) = found["findings"]
    assert (found["passes"], finding["verdict"], finding["segments"]) == (False, "undecided", 0)
    assert "of 200 segments, there is no score for 200 of boreas, 200 of aurora" in finding["message"]
    text = tertium(*CLOSE, "--metric", judge, "--not-worse", "0.5")
    assert text.code == 3
    assert text.out.startswith("FAIL: aurora against boreas")


def test_a_judge_with_gaps_is_compared_on_common_segments(tertium: Tertium, tmp_path: Path) -> None:
    body = 'None if zlib.crc32(each["hypothesis"].encode()) % 5 == 0 else len(each["hypothesis"]) % 37'
    judge = write_judge(tmp_path, body)
    run = tertium(*CLOSE, "--metric", judge, "--not-worse", "30")
    assert run.code == 0
    assert " on the 123 of 200 segments that both systems have a score for (" in run.out
    assert "one-sided tests over 123 segments, taken as independent" in run.out


def test_documents_are_tested_where_a_column_names_them(tertium: Tertium, write: Write) -> None:
    columns = write("columns.tsv", "doc_id\n" + "".join(f"d{i // 5}\n" for i in range(200)))
    rule = ("--metric", "bleu", "--not-worse", "30", "--columns", columns)
    found = json.loads(tertium(*CLOSE, *rule, "-f", "json").out)["findings"][0]
    assert (found["units"], found["n_units"], found["segments"]) == ("documents", 40, 200)
    assert "one-sided tests over 40 documents" in tertium(*CLOSE, *rule).out
    alone = json.loads(tertium(*CLOSE, *rule, "--resample", "segment", "-f", "json").out)["findings"][0]
    assert (alone["units"], alone["n_units"]) == ("segments, taken as independent", 200)
    assert alone["low"] != found["low"]


def test_few_documents_are_explained(tertium: Tertium, write: Write) -> None:
    columns = write("columns.tsv", "document\n" + "".join(f"d{i // 25}\n" for i in range(200)))
    run = tertium(*CLOSE, "--metric", "bleu", "--not-worse", "30", "--columns", columns)
    assert run.code == 3
    assert "8 documents are too few for a test, which needs 10; --resample segment takes segments" in run.out


ALONE = ("gate", AURORA, "-r", REFERENCE, "-q", "--metrics")


@pytest.mark.parametrize(
    ("rule", "verdict", "finding"),
    [
        (("bleu", "--at-least", "40"), "PASS", "BLEU 44.80 (95 % interval 42.31 to 47.30); at least 40 is required\n"),
        (("bleu", "--at-least", "44"), "PASS", "at least 44 is required; another test set of this size could decide otherwise\n"),
        (("bleu", "--at-least", "45"), "FAIL", "at least 45 is required; another test set of this size could decide otherwise\n"),
        (("bleu", "--at-least", "50"), "FAIL", "BLEU 44.80 (95 % interval 42.31 to 47.30); at least 50 is required\n"),
        (("ter", "--at-most", "50"), "PASS", "TER 42.15 (95 % interval 39.64 to 44.69); at most 50 is required\n"),
        (("ter", "--at-most", "30"), "FAIL", "at most 30 is required\n"),
        (("bleu", "--at-least", "0.4", "--scale", "1"), "PASS", "BLEU 0.4480 (95 % interval 0.4231 to 0.4730); at least 0.4"),
    ],
)  # fmt: skip
def test_a_score_is_required_without_a_system_in_use(
    tertium: Tertium, rule: tuple[str, ...], verdict: str, finding: str
) -> None:
    run = tertium(*ALONE, *rule)
    assert run.code == {"PASS": 0, "FAIL": 3}[verdict]
    assert run.out.startswith(f"{verdict}: aurora\n")
    assert finding in run.out
    assert run.err == ""


def test_the_interval_of_a_required_score_is_about_that_of_the_bootstrap(tertium: Tertium) -> None:
    shown = tertium("score", "-r", REFERENCE, "-i", AURORA, "-m", "bleu", "--ci", "-f", "json", "-q")
    score = json.loads(shown.out)["systems"][0]["scores"]["bleu"]
    found = tertium(*ALONE, "bleu", "--at-least", "40", "-f", "json")
    text = json.loads(found.out)["findings"][0]["message"].partition("interval ")[2].partition(")")[0]
    low, high = map(float, text.split(" to "))
    # the jackknife and the bootstrap estimate the same standard error
    assert low == pytest.approx(score["ci_low"], abs=0.5)
    assert high == pytest.approx(score["ci_high"], abs=0.5)


def test_a_gate_without_a_system_in_use_names_the_worst_segments(tertium: Tertium) -> None:
    failed = tertium(*ALONE, "bleu", "--at-least", "50")
    command = failed.out.partition("see: tertium ")[2].split()
    assert command[0] == "segments"
    assert tertium(*command, "-q").code == 0
    written = tertium(*ALONE, "bleu", "--at-least", "50", "-f", "json")
    found = json.loads(written.out)
    assert (found["new"], found["base"]) == ("aurora", None)
    assert found["findings"][0]["gain"] is None
    assert found["findings"][0]["new"] == pytest.approx(44.80, abs=0.005)


@pytest.mark.parametrize("rule", [(), ("--not-worse", "0.3"), ("--at-least", "40", "--not-worse", "0.3")])
def test_a_comparison_needs_a_system_in_use(tertium: Tertium, rule: tuple[str, ...]) -> None:
    run = tertium(*ALONE, "bleu", *rule)
    assert run.code == 2
    assert "the rule for bleu compares the new system with the one in use: give --against BASE, or" in run.err
    assert run.err.count("\n") == 1


def test_one_segment_has_no_interval(tertium: Tertium, write: Write) -> None:
    one = write("one.txt", "the cat sat on the mat\n")
    run = tertium("gate", one, "-r", one, "-m", "bleu", "--at-least", "40", "-q")
    assert "BLEU 100.00; at least 40 is required\n" in run.out


def test_a_run_without_the_metric_is_named(tertium: Tertium, runs: tuple[Path, Path]) -> None:
    run = tertium("gate", runs[1], "-m", "ter", "--at-most", "40")
    assert run.code == 1
    assert f"{runs[1]} does not have the metric ter; it has bleu" in run.err
