"""Hostile commands and calls: a result or one line, no traceback, no crash, no hang, and no input changed.

`TERTIUM_COMMANDS=5000` tries more than an ordinary test run, as `make fuzz` does, and other ones each time.
"""

import json
import os
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hostile.clean import outcome
from hostile.commands import BASES, LOADED, hostile_commands, write_inputs
from hostile.forked import Finished, run_command, run_forked
from tertium.declarations import options_of

N_COMMANDS = int(os.environ.get("TERTIUM_COMMANDS", "0"))
SECONDS = 60  # of processor time
_TOO_LONG = (None, -signal.SIGXCPU, -signal.SIGKILL)
VERDICTS = ("gate", "doctor")  # whose exit code is the result
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs forks")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hostile")
    write_inputs(made)
    for name, systems in (("ab", ["a.txt", "b.txt"]), ("b", ["b.txt"])):
        words = ["score", "-r", "ref.txt", "-i", *systems, "-m", "bleu,wer", "--columns", "columns.tsv"]
        assert run_command([*words, "--save", f"{name}.run"], made).code == 0
    return made


class Inputs:
    """The files that were there at first; a command may overwrite only a file that it names once, as its output."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.contents = {
            path: path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and path.relative_to(folder).parts[0] != "out"
        }
        self.state = self._state()

    def find_changed(self, words: list[str]) -> list[str]:
        """Return the inputs that a command changed; restore every file."""
        changed = [path for path, state in self._state().items() if state != self.state[path]]
        for path in changed:
            path.write_bytes(self.contents[path])
        self.state = self._state() if changed else self.state
        named = [os.path.realpath(self.folder / word) for word in words if word and "\0" not in word]
        return [path.name for path in changed if named.count(os.path.realpath(path)) != 1]

    def _state(self) -> dict[Path, object]:
        return {
            path: (path.exists() and (path.stat().st_size, path.stat().st_mtime_ns)) for path in self.contents
        }


def complaints(words: list[str], ended: Finished) -> list[str]:
    """List what is wrong with the end of a command."""
    said = ended.stderr.decode(errors="replace")
    lines = said.splitlines()
    found = []
    if ended.code not in (0, 1, 2, 3):
        found.append("took too long" if ended.code in _TOO_LONG else f"ended with {ended.code}")
    if any(not line.startswith("tertium: ") for line in lines):
        found.append("prints something that is not a message")
    if any(not line.isprintable() or len(line) > 3_000 for line in lines):
        found.append("prints control characters or a very long line")
    if ended.code == 2 and sum("note:" not in line and "warning:" not in line for line in lines) != 1:
        found.append("does not explain a usage error in one line")
    if ended.code in (1, 3) and not lines and not ended.stdout and words[0] not in VERDICTS:
        found.append("fails without a message")
    if ended.code == 0 and words[-2:] == ["-f", "json"] and ended.stdout:
        json.loads(ended.stdout, parse_constant=lambda name: found.append(f"{name} in JSON"))
    return found


def try_all(commands: Iterator[list[str]], n: int, folder: Path) -> list[tuple[list[str], list[str], bytes]]:
    inputs, failures = Inputs(folder), []
    for _, words in zip(range(n), commands, strict=False):
        ended = run_command(words, folder, seconds=SECONDS)
        wrong = complaints(words, ended)
        wrong += [f"changes {name}" for name in inputs.find_changed(words)]
        wrong += [f"leaves {path.name}" for path in folder.rglob(".tertium-*")]
        if wrong:
            failures.append((words, wrong, ended.stderr[-600:]))
    return failures


def test_the_commands_work_before_they_are_spoilt(folder: Path) -> None:
    for name, bases in BASES.items():
        for words in bases:
            ended = run_command([*name.split(), *words], folder)
            assert ended.code == 0 or name in VERDICTS, (name, words, ended.stderr)
    assert set(BASES) == set(LOADED), "BASES in commands.py needs a working example of every command"


def test_a_hostile_command_gives_a_result_or_one_line(folder: Path) -> None:
    seed = random.SystemRandom().randrange(10**6) if N_COMMANDS else 1
    assert try_all(hostile_commands(random.Random(seed)), N_COMMANDS or 120, folder) == [], f"seed {seed}"


class _Text(str):
    __slots__ = ()


ODD: list[Callable[[], Any]] = [
    lambda: None, lambda: True, lambda: 0, lambda: -1, lambda: 2**70, lambda: 0.5, lambda: float("nan"), lambda: 1j, lambda: "",
    lambda: "a\nb\x1b[31m", lambda: "\ud800", lambda: b"a", list, lambda: [None], lambda: [[]], lambda: ["a.txt", 3], dict, lambda: {"a": 1},
    lambda: {None: ["x"]}, set, object, lambda: len, lambda: np.zeros(3), lambda: np.float64("nan"), lambda: np.int64(3), lambda: Path("a.txt"),
    lambda: (x for x in "ab"), lambda: _Text("a.txt"), lambda: range(3), lambda: np.array(["a b"]), lambda: ["a b"] * 3, lambda: "x" * 5_000,
    type("Evil", (), {"__repr__": lambda _: "\n" * 9}), lambda: Ellipsis, lambda: NotImplemented, lambda: bytearray(b"x"),
]  # fmt: skip


def hostile_calls(rng: random.Random) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield requests without end: the values of a valid command, and an odd one for one of its options."""
    pairs = [(name, each) for name, loaded in LOADED.items() for each in options_of(loaded.kind.request)]
    while True:
        rng.shuffle(pairs)
        for name, option in pairs:
            values = LOADED[name].make_context(name, list(BASES[name][0])).params
            request = LOADED[name].kind.request
            valid = {each.name: values[each.name] for each in options_of(request) if each.name in values}
            yield name, request, {**valid, option.name: rng.choice(ODD)()}


def test_a_hostile_call_gives_a_result_or_an_error_of_ours(folder: Path) -> None:
    seed = random.SystemRandom().randrange(10**6) if N_COMMANDS else 1
    failures = []
    for _, (name, request, values) in zip(
        range(N_COMMANDS or 120), hostile_calls(random.Random(seed)), strict=False
    ):

        def call(request: Any = request, values: dict[str, Any] = values) -> None:
            outcome(lambda: request(**values).run())

        ended = run_forked(call, folder, seconds=SECONDS)
        if ended.code != 0:
            failures.append((name, values, ended.stderr[-800:]))
    assert failures == [], f"seed {seed}"
