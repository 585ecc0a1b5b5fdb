"""Unusual combinations end with a result or one line, and equivalent commands give equal numbers.

`TERTIUM_COMMANDS=5000` tries more than an ordinary test run, as `make fuzz` does, and other ones each time.
"""

import gzip
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hostile.combinations import METRICS, make_results, run_trial, trials
from hostile.commands import write_inputs
from hostile.forked import run_command
from hostile.test_commands import N_COMMANDS, SECONDS, Inputs, complaints

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("combinations")
    write_inputs(made)
    for name, systems in (("ab", ["a.txt", "b.txt"]), ("b", ["b.txt"])):
        words = ["score", "-r", "ref.txt", "-i", *systems, "-m", "bleu,wer", "--columns", "columns.tsv"]
        assert run_command([*words, "--save", f"{name}.run"], made).code == 0
    return made


def _seed() -> int:
    return random.SystemRandom().randrange(10**6) if N_COMMANDS else 1


def test_an_unusual_combination_gives_a_result_or_one_line(folder: Path) -> None:
    seed, results, failures = _seed(), make_results(folder), []
    inputs = Inputs(folder)
    for _, trial in zip(range(N_COMMANDS or 80), trials(random.Random(seed), results), strict=False):
        ended = run_trial(trial, folder, seconds=SECONDS)
        wrong = complaints(trial.words, ended)
        if trial.surroundings == "broken pipe":  # nobody reads a message
            wrong = [each for each in wrong if each != "fails without a message"]
        wrong += [f"changes {name}" for name in inputs.find_changed([])]
        wrong += [f"leaves {path.name}" for path in folder.rglob(".tertium-*")]
        if wrong:
            failures.append((trial, wrong, ended.stderr[-600:]))
    assert failures == [], f"seed {seed}"


Variant = Callable[[Path, list[str]], list[str]]


def _as_lines(folder: Path, words: list[str]) -> list[str]:
    """Give the texts as JSON lines."""
    for name in ("ref", "a", "b"):
        lines = (folder / f"{name}.txt").read_text("utf-8").splitlines()
        text = "".join(json.dumps({name: line}) + "\n" for line in lines)
        (folder / f"out/{name}.jsonl").write_text(text, encoding="utf-8")
    return [f"out/{word[:-4]}.jsonl#{word[:-4]}" if word.endswith(".txt") else word for word in words]


def _as_gzip(folder: Path, words: list[str]) -> list[str]:
    for name in ("ref", "a", "b"):
        (folder / f"out/{name}.txt.gz").write_bytes(gzip.compress((folder / f"{name}.txt").read_bytes()))
    return [f"out/{word}.gz" if word.endswith(".txt") else word for word in words]


def _with_returns(folder: Path, words: list[str]) -> list[str]:
    """Give the texts with carriage returns and a byte order mark."""
    for name in ("ref", "a", "b"):
        content = (folder / f"{name}.txt").read_bytes().replace(b"\n", b"\r\n")
        (folder / f"out/{name}.txt").write_bytes(b"\xef\xbb\xbf" + content)
    return [f"out/{word}" if word.endswith(".txt") else word for word in words]


def _reversed(_: Path, words: list[str]) -> list[str]:
    return ["b.txt" if word == "a.txt" else "a.txt" if word == "b.txt" else word for word in words]


def _in_parts(folder: Path, words: list[str]) -> list[str]:
    shutil.rmtree(folder / "out/equal", ignore_errors=True)
    return [*words, "--resume", "out/equal", "--batch-size", "5"]


VARIANTS: dict[str, Variant] = {
    "JSON lines": _as_lines,
    "gzip": _as_gzip,
    "carriage returns": _with_returns,
    "other order": _reversed,
    "one thread": lambda _, words: [*words, "--threads", "1"],
    "three threads": lambda _, words: [*words, "--threads", "3"],
    "parts": _in_parts,
    "no cache": lambda _, words: [*words, "-q"],
}


def _scores(folder: Path, words: list[str]) -> dict[str, Any]:
    ended = run_command(words, folder, seconds=SECONDS)
    assert ended.code == 0, (words, ended.stderr)
    return {each["name"]: each["scores"] for each in json.loads(ended.stdout)["systems"]}


def test_equivalent_commands_give_equal_scores(folder: Path) -> None:
    rng, failures = random.Random(seed := _seed()), []
    for _ in range((N_COMMANDS or 30) // 10):
        metrics = ",".join(dict.fromkeys(rng.choices([each for each in METRICS if "," not in each], k=3)))
        words = ["score", "-r", "ref.txt", "-i", "a.txt", "b.txt", "-m", metrics, "-f", "json"]
        expected = _scores(folder, words)
        failures += [
            (name, words)
            for name in rng.sample(list(VARIANTS), 3)
            if _scores(folder, VARIANTS[name](folder, words)) != expected
        ]
        ended = run_command([*words, "--save", "out/equal.run"], folder)
        assert ended.code == 0, ended.stderr
        if _scores(folder, ["show", "out/equal.run", "-f", "json"]) != expected:
            failures.append(("show", words))
    assert failures == [], f"seed {seed}"
