"""Programs as metrics: what they read and print, what may go wrong, and what is kept when it does."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.commands.base.scoring import ScoreRequest, ScoreResult
from tertium.corpus import CorpusFiles
from tertium.corpus.judgments.spans import ErrorSpan
from tertium.errors import ConsentError, InputError, OptionError, ResourceError
from tertium.metrics.external.command import Answer, make_request, parse_answer

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")

SOURCE = ["eins zwei", "drei", "vier vier", "fünf"]
ONE = ["one two", "three", "four four four", "five"]
TWO = ["one", "three", "four four", "five five"]
REFERENCE = ["one two", "three", "four four", "five"]

COUNT = """\
import json, sys
with open("calls.txt", "a") as calls:
    for line in sys.stdin:
        asked = json.loads(line)
        calls.write(asked["hypothesis"] + "\\n")
        print(len(asked["hypothesis"].split()))
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    return tmp_path


def write(name: str, code: str) -> str:
    """Write a Python program and return the label of its metric."""
    path = Path(name)
    path.write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
    path.chmod(0o755)
    return f"command:./{name}"


def score(label: str, **options: Any) -> ScoreResult:
    given: dict[str, Any] = {"references": REFERENCE, "source": SOURCE, **options}
    return tertium.score({"one": ONE, "two": TWO}, metrics=label, **given)


def test_a_judge_in_shell_gets_json_and_prints_numbers(folder: Path) -> None:
    path = folder / "judge.sh"
    path.write_text(
        '#!/bin/sh\nwhile read -r line; do echo "$line" >> seen; echo "${#line}"; done\n', encoding="utf-8"
    )
    path.chmod(0o755)
    result = score("command:./judge.sh")
    seen = [json.loads(line) for line in (folder / "seen").read_text(encoding="utf-8").splitlines()]
    assert seen[0] == {
        "id": seen[0]["id"],
        "hypothesis": "one two",
        "source": "eins zwei",
        "references": ["one two"],
    }
    assert len({request["id"] for request in seen}) == len(seen) == 7  # "three" is scored once
    assert result.segments("command:./judge.sh")["one"][0] == float(
        len(json.dumps(seen[0], ensure_ascii=False))
    )
    signature = result.evaluation.signature("command:./judge.sh")
    assert signature.startswith("command|nrefs:1|src:yes|program:judge.sh[")


def test_the_judge_of_the_page_runs(folder: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "programs.md"
    code = page.read_text(encoding="utf-8").partition("$ cat judge.sh\n")[2].partition("$ chmod")[0]
    (folder / "judge.sh").write_text(code, encoding="utf-8")
    (folder / "judge.sh").chmod(0o755)
    outputs = ['an "internationalization" of conversations', "short\\name words", "", "an autobiographer"]
    result = tertium.score({"one": outputs}, metrics="command:./judge.sh,texts=output", source=SOURCE)
    assert result.segments("command:./judge.sh,texts=output")["one"] == [2, 0, 0, 1]
    assert '"id": ' in code


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ({"references": None}, {"source"}),
        ({"source": None}, {"references"}),
        ({"label": ",texts=source"}, {"source"}),
        ({"label": ",texts=output"}, set()),
        ({"label": ",texts=references"}, {"references"}),
    ],
    ids=str,
)
def test_a_program_gets_the_texts_that_there_are(options: dict[str, Any], keys: set[str]) -> None:
    label = write(
        "keys.py", 'import json, sys\nfor line in sys.stdin: open("seen", "a").write(line); print(0)\n'
    )
    score(label + options.pop("label", ""), **options)
    seen = json.loads(Path("seen").read_text(encoding="utf-8").splitlines()[0])
    assert set(seen) - {"id", "hypothesis"} == keys


def test_a_missing_text_is_reported_before_the_program_starts() -> None:
    label = write("count.py", COUNT)
    with pytest.raises(OptionError, match="command reads the source: give it with source="):
        score(f"{label},texts=source", source=None)
    assert not Path("calls.txt").exists()


def test_answers_are_kept_by_content_and_program() -> None:
    label = write("count.py", COUNT)
    first = score(label)
    assert len(Path("calls.txt").read_text(encoding="utf-8").splitlines()) == 7
    assert score(label).render("json") == first.render("json")
    assert len(Path("calls.txt").read_text(encoding="utf-8").splitlines()) == 7
    write("count.py", COUNT + "# changed\n")
    assert score(label).evaluation.signature(label) != first.evaluation.signature(label)
    assert len(Path("calls.txt").read_text(encoding="utf-8").splitlines()) == 14


def test_without_a_cache_every_call_starts_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    label = write("count.py", COUNT)
    assert score(label)[label] == score(label)[label]
    assert (
        len(Path("calls.txt").read_text(encoding="utf-8").splitlines()) == 16
    )  # three also for the second system


def test_batches_and_processes_change_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    label = write("count.py", COUNT)
    whole = score(label)
    for options in ("batch=1", "batch=2,processes=3", "processes=2"):
        other = score(f"{label},{options}")
        assert other.evaluation.signature(f"{label},{options}") == whole.evaluation.signature(label)
        assert list(other.segments(f"{label},{options}").values()) == list(whole.segments(label).values())


def test_objects_may_answer_in_any_order() -> None:
    label = write(
        "reverse.py",
        "import json, sys\n"
        "asked = [json.loads(line) for line in sys.stdin]\n"
        'for item in asked[::-1]: print(json.dumps({"id": item["id"], "score": len(item["hypothesis"])}))\n',
    )
    assert score(label).segments(label)["one"] == [len(text) for text in ONE]


def test_segments_without_a_score_are_counted() -> None:
    label = write(
        "gaps.py",
        "import json, sys\n"
        'for line in sys.stdin: print("null" if "three" in line else len(json.loads(line)["hypothesis"].split()))\n',
    )
    result = score(label)
    assert result[label]["one"].value == pytest.approx((2 + 3 + 1) / 3)
    assert str(result.segments(label)["one"][1]) == "nan"
    assert any(
        "of 4 segments, there is no score for 1 of one, 1 of two" in warning for warning in result.warnings
    )
    assert json.loads(result.by_segment().render("json"))["systems"][0]["segments"][label][1] is None


def test_lower_may_be_better() -> None:
    label = write("count.py", COUNT) + ",lower=yes"
    metric = score(label).evaluation.metric(label)
    assert not metric.higher_is_better


def test_a_program_that_fails_now_and_then_is_tried_again() -> None:
    label = write(
        "flaky.py",
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        '    text = json.loads(line)["hypothesis"]\n'
        '    if "four" in text and not os.path.exists("failed"):\n'
        '        open("failed", "w").close(); sys.exit("overloaded")\n'
        "    print(len(text.split()))\n",
    )
    assert score(label).segments(label)["one"] == [2, 1, 3, 1]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ('sys.exit("no more tokens")', r"it ended with exit code 1 \(no more tokens\)"),
        ("break", "it ended with exit code 0 before it answered"),
        ('print("good")', r"it printed 'good': print a number, or a JSON object with \"score\""),
        ('print("true")', "it printed 'true': the score True is not a number"),
        ('print("{}")', 'the JSON object has no "score"'),
        ("print(10**400)", "the score 10000000000000000000… is too large"),
        ("print(1e308)", r"the score 1e\+308 is too large; print null if there is none"),
        ("print(-1e51)", r"the score -1e\+51 is too large"),
        ('print(json.dumps({"id": asked["id"], "score": float("inf")}))', "the score inf is too large"),
        ("print('-Infinity')", "the score -inf is too large"),
        ('print(\'{"id":\' + "[" * 100_000)', 'print a number, or a JSON object with "score"'),
        (
            'print(\'{"score": 1, "spans": [{"start": 1, "end": 99}]}\')',
            "error span at 1:99, but the text has 14",
        ),
        ('print(\'{"score": 1, "spans": [{"start": "a"}]}\')', 'needs whole numbers "start" and "end"'),
        ('print(\'{"score": 1, "id": "x"}\')', "which answers no line"),
    ],
)
def test_a_failed_line_is_named_and_the_others_are_kept(code: str, message: str) -> None:
    program = (
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        '    if "four four four" in line and not os.path.exists("fixed"):\n'
        f"        {code}\n"
        "        continue\n"
        '    open("calls.txt", "a").write(line)\n'
        '    print(json.dumps({"id": asked["id"], "score": len(asked["hypothesis"].split())}))\n'
    )
    label = write("broken.py", program) + ",retries=1"
    with pytest.raises(ResourceError, match=message) as failure:
        score(label)
    assert "failed on the output 'four four four'" in str(failure.value)
    assert "; kept: 2 answers" in str(failure.value)
    Path("fixed").touch()
    Path("calls.txt").unlink()
    assert score(label).segments(label)["one"] == [2, 1, 3, 1]
    assert '"hypothesis": "one two"' not in Path("calls.txt").read_text(encoding="utf-8")


def test_a_skipped_segment_shifts_no_score(folder: Path) -> None:
    path = folder / "judge.sh"
    path.write_text(
        '#!/bin/sh\nwhile read -r line; do case "$line" in *three*) ;; *) echo ${#line};; esac; done\n',
        encoding="utf-8",
    )
    path.chmod(0o755)
    message = "printed 3 answers for 4 lines: print one answer for each line, with its id"
    for _ in range(2):  # nothing is kept
        with pytest.raises(ResourceError, match=message):
            score("command:./judge.sh")


def test_a_segment_answered_twice_is_an_error() -> None:
    program = (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        '    print(json.dumps({"id": json.loads(line)["id"], "score": 1}))\n'
        '    print(json.dumps({"id": json.loads(line)["id"], "score": 2}))\n'
    )
    label = write("twice.py", program)
    for _ in range(2):
        with pytest.raises(
            ResourceError, match=r"twice.py\[.*it printed .*2\}', a second answer with this id"
        ):
            tertium.score(["a"], ["a"], metrics=f"{label},retries=0")


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("command", "command needs a program: write command:PROGRAM"),
        ("command:./none.sh", r"the program ./none.sh does not exist"),
        ("command:./plain.txt", r"the program ./plain.txt is not executable: run 'chmod \+x'"),
        ("command:'open", "cannot be split into words"),
        ("command:./garbled", "cannot be started"),
        ("command:./count.py,lowr=yes", "command has no option 'lowr'; did you mean lower"),
    ],
)
def test_mistakes_are_one_line(label: str, message: str) -> None:
    write("count.py", COUNT)
    Path("plain.txt").write_text("x", encoding="utf-8")
    Path("garbled").write_text("no first line", encoding="utf-8")
    Path("garbled").chmod(0o755)
    with pytest.raises((ResourceError, OptionError, LookupError), match=message):
        score(label)


def test_an_explanation_shows_what_the_program_said() -> None:
    label = write(
        "judge.py",
        "import json, sys\n"
        "for line in sys.stdin: print(json.dumps({'score': 3, 'explanation': 'a wrong word',\n"
        "    'spans': [{'start': 4, 'end': 9, 'severity': 'Major', 'category': 'Accuracy'}]}))\n",
    )
    told = tertium.explain("The house falls.", (), label, source="Die Maus fällt.").only
    assert told.score == 3
    assert list(told.steps) == ["a wrong word", "major accuracy: 'house' (characters 4 to 9)"]


@pytest.mark.needs("pyarrow")
def test_a_run_shows_its_scores_without_the_program_and_starts_it_only_with_consent(folder: Path) -> None:
    label = write("count.py", COUNT)
    for name, lines in {"one": ONE, "src": SOURCE, "ref": REFERENCE, "other": SOURCE[::-1]}.items():
        Path(f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = CorpusFiles(hypotheses=("one.txt",), source="src.txt")
    before = ScoreRequest(files, metrics=(label,)).run()
    before.save("a.run")
    ScoreRequest(CorpusFiles(hypotheses=("one.txt",), source="other.txt"), metrics=(label,)).run().save(
        "b.run"
    )
    n_calls = len(Path("calls.txt").read_text(encoding="utf-8").splitlines())
    with pytest.raises(ConsentError, match=r"a\.run would run the program \./count\.py; if you trust it"):
        tertium.rerun("a.run")
    assert tertium.rerun("a.run", programs=True).is_identical
    with pytest.raises(ResourceError, match="needs a program"):
        tertium.compare("a.run", "one.txt")
    with pytest.raises(InputError, match=r"different test sets: the texts of segment 1 differ"):
        tertium.compare("a.run", "b.run")
    with pytest.raises(InputError, match=r"different sources|different test sets"):
        tertium.compare("x=a.run", "y=b.run")
    assert len(Path("calls.txt").read_text(encoding="utf-8").splitlines()) == n_calls
    (folder / "count.py").unlink()
    opened = tertium.open_run("a.run")
    assert opened[label]["one"].value == before[label]["one"].value
    assert opened.evaluation.signature(label) == before.evaluation.signature(label)


KILLED = """\
import tertium
hypotheses = [f"text number {i}" for i in range(40)]
tertium.score(hypotheses, hypotheses, metrics="command:./slow.py")
print("finished")
"""


@pytest.mark.slow
def test_a_killed_run_continues_where_it_stopped() -> None:
    write(
        "slow.py",
        "import sys, time\n"
        "for line in sys.stdin:\n"
        '    open("calls.txt", "a").write(line)\n'
        "    print(line[:-2] + ', \"score\": 1}')\n"
        "    time.sleep(0.1)\n",
    )
    process = subprocess.Popen([sys.executable, "-c", KILLED])
    deadline = time.monotonic() + 600
    while not Path("calls.txt").exists() or len(Path("calls.txt").read_bytes().splitlines()) < 20:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    time.sleep(0.5)
    n_before = len(Path("calls.txt").read_bytes().splitlines())
    again = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=True)
    assert "finished" in again.stdout
    n_asked_again = len(Path("calls.txt").read_bytes().splitlines()) - n_before
    assert n_asked_again < 40  # what was printed a second before the end is not asked again


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("3", Answer(3.0)),
        ("-0.5", Answer(-0.5)),
        ("null", Answer(None)),
        ("NaN", Answer(None)),
        ('{"score": 1, "id": "x"}', Answer(1.0)),
        ('{"score": null, "explanation": null, "spans": null}', Answer(None)),
        (
            '{"score": 1, "spans": [{"start": 0, "end": 2, "severity": "minor"}]}',
            Answer(1.0, (ErrorSpan(0, 2, "minor"),)),
        ),
    ],
)
def test_answers_are_parsed(line: str, answer: Answer) -> None:
    assert parse_answer(line) == answer


def test_equal_texts_have_the_same_id() -> None:
    ids = {
        json.loads(make_request(*texts))["id"]
        for texts in [("a", ["b"], None), ("a", ["b"], None), ("a", None, "b"), ("a", ["b", "c"], None)]
    }
    assert len(ids) == 3


def test_spans_must_be_a_list() -> None:
    with pytest.raises(ValueError, match='"spans" must be a list of JSON objects'):
        parse_answer('{"score": 1, "spans": {"start": 0}}')


def test_an_error_without_a_position_is_missing_from_the_output() -> None:
    label = write(
        "judge.py",
        "import json, sys\n"
        "for line in sys.stdin: print(json.dumps({'score': 3, 'spans': [{'start': -1, 'end': -1,\n"
        "    'severity': 'major', 'category': 'omission'}]}))\n",
    )
    told = tertium.explain("The house.", (), label, source="Die Maus fällt.").only
    assert list(told.steps) == ["major omission: missing from the output"]
