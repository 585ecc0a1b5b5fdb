"""Code that a file names never runs unasked: every option of a project file, and every file that a command reads."""

import json
import os
import tomllib
from collections.abc import Sequence

import pytest

from hostile.commands import BASES, LOADED
from hostile.unasked import (
    CODE,
    FILE,
    METRICS,
    PARSER,
    PROGRAM,
    Unasked,
    change_run,
    change_texts,
    fake_packages,
)
from tertium.declarations import CommandOption

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Unasked:
    return Unasked(tmp_path_factory.mktemp("unasked"))


@pytest.fixture(autouse=True)
def packages(monkeypatch: pytest.MonkeyPatch, place: Unasked) -> None:
    fake_packages(monkeypatch)
    (place.folder / "tertium.toml").unlink(missing_ok=True)


def without(words: Sequence[str], option: CommandOption) -> list[str]:
    """Leave out an option and its value, and those that exclude it, so that the project file sets it."""
    flags = {*option.flags, *(("-m", "--option") if option.opt.excludes else ())}
    places = [i for i, word in enumerate(words) if word in flags]
    return [word for i, word in enumerate(words) if not any(i in (at, at + 1) for at in places)]


def toml(name: str, value: str) -> str:
    return f"{name} = {json.dumps(value)}\n"


def takes_text(option: CommandOption) -> bool:
    """Whether any text is a value of an option that, as declared, names no code and writes no file."""
    is_open = not (option.choices or option.is_flag or {int, float} & set(option.alternatives))
    return (
        is_open
        and option.code is None
        and option.access not in ("write", "update")
        and not option.opt.is_argument
    )


NAMING = [
    pytest.param(command, option, id=f"{command} {option.name}")
    for command, loaded in LOADED.items()
    for option in loaded.options.values()
    if option.code is not None and not option.opt.is_argument
]
OTHERS = [
    pytest.param(command, id=command)
    for command, loaded in LOADED.items()
    if any(map(takes_text, loaded.options.values()))
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "option"), NAMING)
def test_a_project_file_runs_no_code_without_consent(
    command: str, option: CommandOption, place: Unasked
) -> None:
    words = [*command.split(), *without(BASES[command][0], option)]
    assert option.code is not None
    for value in CODE[option.code]:
        for head in ("", f"[{json.dumps(command)}]\n"):
            place.write("tertium.toml", head + toml(option.name, value))
            ended = place.run(words)
            said = ended.stderr.decode()
            assert not place.mark.exists(), value
            if "@" not in value:  # otherwise the message is about the preset
                assert ended.code == 1, (value, said)
                assert said.startswith("tertium: tertium.toml would run "), value
                assert said.endswith("; if you trust it, pass --config tertium.toml or --programs\n"), value
                assert said.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "consent", [["--programs"], ["--config", "tertium.toml"]], ids=["programs", "config"]
)
@pytest.mark.parametrize(
    ("command", "option"),
    [each for each in NAMING if str(each.id).endswith((" metrics", " metric"))],
)
def test_with_consent_the_same_project_file_runs_it(
    command: str, option: CommandOption, consent: list[str], place: Unasked
) -> None:
    """So the commands above do reach the code."""
    place.write("tertium.toml", toml(option.name, FILE))
    place.run([*command.split(), *without(BASES[command][0], option), *consent])
    if command in ("segments", "report", "plan", "history"):  # a run has its metrics
        return
    assert place.mark.exists()


@pytest.mark.slow
@pytest.mark.parametrize("command", OTHERS)
def test_no_other_option_of_a_project_file_runs_code(command: str, place: Unasked) -> None:
    for option in LOADED[command].options.values():
        if takes_text(option):
            for value in (FILE,) if option.names_file else (FILE, PROGRAM):
                place.write("tertium.toml", f"[{json.dumps(command)}]\n{toml(option.name, value)}")
                ended = place.run([*command.split(), *without(BASES[command][0], option)])
                assert not place.mark.exists(), (option.name, value)
                assert ended.code in (0, 1, 2, 3), (option.name, value, ended.stderr)


def test_what_was_typed_needs_no_consent(place: Unasked) -> None:
    place.write("tertium.toml", toml("metrics", PROGRAM) + toml("parser", PARSER))
    files = ["-r", "ref.txt", "-i", "a.txt"]
    assert place.run(["score", *files, "-m", "wer", "--parser", "en_core_web_sm"]).code in (1, 2)
    assert not place.mark.exists()
    place.write("tertium.toml", toml("metrics", FILE))
    assert place.run(["score", *files, "-m", PROGRAM]).code == 0
    assert place.mark.exists()


def test_python_functions_do_not_read_project_files(place: Unasked, monkeypatch: pytest.MonkeyPatch) -> None:
    import tertium  # noqa: PLC0415 - as the tests above run it in children

    monkeypatch.chdir(place.folder)
    place.write("tertium.toml", toml("metrics", FILE))
    place.mark.unlink(missing_ok=True)
    assert tertium.score(["a b"], ["a b"]).evaluation.labels == ("bleu",)
    assert not place.mark.exists()


POISONS: dict[str, str] = {
    "p.toml": f'metric = "{FILE}"\nmetrics = "{FILE}"\n[options]\nprogram = "{PROGRAM}"\ntokenizer = "{PROGRAM}"\n',
    "rules.toml": f'[[rule]]\nmetric = "{PROGRAM}"\nnot_worse = 1\n[[rule]]\nmetric = "{FILE}"\nnot_worse = 1\n',
    "sets.toml": '[[test_set]]\nname = "x"\nreferences = "ref.txt"\nsystems = {a = "a.txt"}\n'
    f'metrics = "{FILE}"\nlanguage = "{PARSER}"\ntokenizer = "{PROGRAM}"\n',
    "sets.tsv": f"test_set\tsystem\tfile\treference\tmetrics\n{FILE}\t{PROGRAM}\ta.txt\tref.txt\t{FILE}\n",
    "columns.tsv": "metrics\ttokenizer\tdomain\n" + f"{FILE}\t{PROGRAM}\t{PARSER}\n" * 12,
    "human.tsv": f"system\tsegment\tscore\tmetric\n{FILE}\t1\t3\t{PROGRAM}\n{PROGRAM}\t1\t4\t{FILE}\n",
    "records.jsonl": (json.dumps({"metrics": FILE, "src": PROGRAM, "ref": FILE, "hyp": PROGRAM}) + "\n") * 12,
    "calibration.json": json.dumps(
        {"format": "tertium-calibration-2", "source": FILE, "metrics": [{"name": FILE, "signatures": [FILE], "pairs": {}}]}
    ),
    "comet.json": json.dumps({FILE: [{"src": PROGRAM, "mt": FILE, "COMET": 0.5}]}),
    "lines.txt": f"{PROGRAM}\n{FILE}\ncomet:./comet\n" * 4,
    "preset.toml": f'metric = "mix"\n[options]\nparts = ["comet:./comet", "{FILE}", "{PROGRAM}"]\nweights = [1, 1, 1]\n',
    "trees.conllu": "".join(f"{i}\t{word}\t{word}\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i, word in enumerate((PROGRAM, FILE), 1)),
}  # fmt: skip
"""Files of every kind that name code wherever they can."""

READING = [
    pytest.param(command, id=command)
    for command, loaded in LOADED.items()
    if any(option.access in ("read", "update") for option in loaded.options.values())
]


@pytest.mark.slow
@pytest.mark.parametrize("command", READING)
def test_no_file_that_a_command_reads_runs_code(command: str, place: Unasked) -> None:
    """Each option that reads gets three of the files, in the place of its own or added."""
    for name, text in POISONS.items():
        place.write(f"bad-{name}", text)
    base = BASES[command][0]
    for option in LOADED[command].options.values():
        if option.access not in ("read", "update") or option.name == "config":
            continue
        number = len(option.name) + len(command)  # another choice for each option
        for name in [*POISONS, *POISONS][number % len(POISONS) :][:3]:
            file = f"bad-{name}"
            replaced = [*base[:-1], file] if base and not base[-1].startswith("-") else [file]
            words = [*without(base, option), option.flags[0], file] if option.flags else replaced
            place.run([*command.split(), *words])
            assert not place.mark.exists(), words


RUNS: dict[str, list[str]] = {
    "segments": ["segments", "forged.run", "-n", "2"],
    "report": ["report", "forged.run", "-o", "out/page.html"],
    "compare an output": ["compare", "forged.run#a", "b.txt", "--samples", "20"],
    "gate": ["gate", "forged.run#a", "--against", "b.txt", "--metric", "bleu", "--not-worse", "50"],
    "rerun": ["rerun", "forged.run"],
}


@pytest.mark.slow
@pytest.mark.parametrize("words", RUNS.values(), ids=list(RUNS))
def test_no_text_in_a_run_is_code(words: list[str], place: Unasked) -> None:
    target = place.folder / "forged.run"
    for changed in change_run(place.folder / "ab.run", target, [FILE, PROGRAM]):
        ended = place.run(words)
        assert not place.mark.exists(), changed
        assert ended.code in (0, 1, 2, 3), (changed, ended.stderr)
        assert b"Traceback" not in ended.stderr, changed


@pytest.mark.slow
def test_no_text_in_the_journal_of_a_search_is_code(place: Unasked) -> None:
    words = ["tune", *BASES["tune"][0], "--journal", "search.journal"]
    assert place.run(words).code == 0
    lines = [json.loads(line) for line in (place.folder / "search.journal").read_text().splitlines()]
    for trial in lines[1:]:
        trial["point"]["tokenizer"] = "13a"
        trial["values"] = {name: dict.fromkeys(pairs, 0.99) for name, pairs in trial["values"].items()}
    for changed, forged in change_texts(lines, [FILE, PROGRAM]):
        place.write("search.journal", "".join(json.dumps(line) + "\n" for line in forged))
        ended = place.run(words)
        assert not place.mark.exists(), changed
        assert ended.code in (0, 1, 2), (changed, ended.stderr)


@pytest.mark.slow
def test_rules_of_a_gate_run_code_only_with_consent(place: Unasked) -> None:
    words = ["gate", "a.txt", "--against", "b.txt", "-r", "ref.txt", "--rules", "rules.toml"]
    for label in METRICS:
        place.write("rules.toml", f"[[rule]]\nmetric = {json.dumps(label)}\nnot_worse = 1\n")
        ended = place.run(words)
        assert not place.mark.exists(), label
        assert (ended.code, ended.stderr.count(b"\n")) == (1, 1), (label, ended.stderr)
    place.write("rules.toml", f"[[rule]]\nmetric = {json.dumps(FILE)}\nnot_worse = 1\n")
    place.run([*words, "--programs"])
    assert place.mark.exists()


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "mix", "command", "comet", "hwcm"])
def test_no_text_in_a_preset_is_code(metric: str, place: Unasked) -> None:
    options = {
        "bleu": {"tokenizer": "13a", "smooth_method": "exp"},
        "mix": {"parts": ["bleu", "wer"], "weights": [0.5, 0.5]},
        "command": {"program": "x"},
        "comet": {"model": "x"},
        "hwcm": {"trees": "x"},
    }
    document = {"metric": metric, "options": options[metric], "resources": {"vectors": "english"}}
    for changed, forged in change_texts(document, [*METRICS, PARSER, "./evil.sh", "./comet"]):
        text = f"metric = {json.dumps(forged['metric'])}\n"
        for table in ("options", "resources"):
            text += f"[{table}]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in forged[table].items())
        assert tomllib.loads(text) == forged
        place.write("forged.toml", text)
        ended = place.run(["score", "-r", "ref.txt", "-i", "a.txt", "-m", f"{metric}@forged.toml"])
        assert not place.mark.exists(), changed
        assert ended.code in (0, 1, 2), (changed, ended.stderr)
        assert b"Traceback" not in ended.stderr, changed
