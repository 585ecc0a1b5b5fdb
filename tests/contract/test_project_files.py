"""Every project file that the documentation shows works with every command."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from hostile.commands import BASES, write_inputs
from hostile.forked import run_command

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")
DOCS = sorted(Path(__file__).parents[2].glob("docs/*.md"))
RULES = ["gate", "a.txt", "--against", "b.txt", "-r", "ref.txt", "--rules", "rules.toml"]


def documented() -> Iterator[str]:
    """Yield the project files that console examples write with printf."""
    for page in DOCS:
        for text in re.findall(
            r"^\$ (printf .*) > tertium\.toml$", page.read_text(encoding="utf-8"), re.MULTILINE
        ):
            (_, content) = shlex.split(text)
            yield content.replace("\\n", "\n")


PROJECTS = [
    *documented(),
    'metrics = "chrf"\nsamples = 20\nn-trials = 5\ntokenizer = "13a"\n[gate]\nnot-worse = 0.5\n[cite]\ntest = "bootstrap"\n',
    'seed = 7\nalpha = 0.1\nthreads = 2\nlowercase = true\nvectors = "english"\ndimension = 5\n',
]
COMMANDS = {
    f"{name} {i}": [*name.split(), *words] for name, bases in BASES.items() for i, words in enumerate(bases)
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("project")
    write_inputs(made)
    (made / ".git").mkdir()
    (made / "reference.en.txt").write_bytes((made / "ref.txt").read_bytes())
    (made / "rules.toml").write_text('[[rule]]\nmetric = "bleu"\nat_least = 1\n')
    for name, systems in (("ab", ["a.txt", "b.txt"]), ("b", ["b.txt"])):
        words = ["score", "-r", "ref.txt", "-i", *systems, "-m", "bleu,wer", "--columns", "columns.tsv"]
        assert run_command([*words, "--save", f"{name}.run"], made).code == 0
    return made


def test_the_documentation_shows_a_project_file() -> None:
    assert len(PROJECTS) > 2


@pytest.mark.slow
@pytest.mark.parametrize("words", [*COMMANDS.values(), RULES], ids=[*COMMANDS, "gate rules"])
def test_a_documented_project_file_stops_no_command(words: list[str], folder: Path) -> None:
    (folder / "tertium.toml").write_text("", encoding="utf-8")
    expected = run_command(words, folder)
    for project in PROJECTS:
        (folder / "tertium.toml").write_text(project, encoding="utf-8")
        ended = run_command(words, folder)
        assert ended.code == expected.code, (project, ended.stderr.decode())


def test_the_rules_of_a_gate_override_the_metrics_of_the_project(folder: Path) -> None:
    for project in ('metrics = "chrf"\nalpha = 0.1\n', 'metrics = "chrf"\n[gate]\nrules = "rules.toml"\n'):
        (folder / "tertium.toml").write_text(project, encoding="utf-8")
        ended = run_command(RULES[:-2] if "rules" in project else RULES, folder)
        assert ended.code == 0, ended.stderr.decode()
        assert b"bleu" in ended.stdout
        assert b"--metric" not in ended.stderr


def test_a_typed_metric_overrides_the_rules_of_the_project(folder: Path) -> None:
    (folder / "tertium.toml").write_text('[gate]\nrules = "rules.toml"\n', encoding="utf-8")
    ended = run_command([*RULES[:-2], "--metric", "wer", "--at-most", "100"], folder)
    assert (ended.code, b"wer" in ended.stdout, ended.stderr) == (0, True, b"")


@pytest.mark.parametrize("words", [["cite"], ["score", "-r", "ref.txt", "-i", "a.txt"]])
def test_a_key_that_no_command_knows_stays_an_error(words: list[str], folder: Path) -> None:
    (folder / "tertium.toml").write_text('metrix = "bleu"\n', encoding="utf-8")
    ended = run_command(words, folder)
    assert (ended.code, ended.stderr.count(b"\n")) == (2, 1)
    assert b"there is no option 'metrix'; did you mean metric" in ended.stderr


@pytest.mark.parametrize("key", ["output", "save", "programs", "config", "journal"])
def test_an_option_that_must_be_typed_is_an_error_for_every_command(key: str, folder: Path) -> None:
    (folder / "tertium.toml").write_text(f'{key} = "x"\n', encoding="utf-8")
    for words in (["cite"], ["score", "-r", "ref.txt", "-i", "a.txt"]):
        ended = run_command(words, folder)
        assert (ended.code, ended.stderr.count(b"\n")) == (2, 1)
        assert f"{key!r} can only be given on the command line".encode() in ended.stderr
