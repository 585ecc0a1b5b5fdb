"""Every public function with every wrong kind of argument: it works, or raises one of our errors in one line.

The functions and their parameters come from `tertium.__all__`, so a new one is tried as well; it only needs a call that
works in `CALLS`. Python's own TypeError for a missing or an unknown parameter is the only other error.
"""

import contextlib
import importlib.util
import inspect
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tertium
from hostile.commands import write_inputs
from tertium.errors import TertiumError

pytestmark = pytest.mark.slow


class Broken:
    """An object that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("not even this works")


def make_frame() -> Any:
    """Make a data frame; None where pandas is not installed."""
    if importlib.util.find_spec("pandas") is None:
        return None
    return importlib.import_module("pandas").DataFrame({"a": [1, 2], "b": [3, 4]})


VALUES: Mapping[str, Callable[[], Any]] = {
    "None": lambda: None,
    "1": lambda: 1,
    "1.5": lambda: 1.5,
    "nan": lambda: float("nan"),
    "10**400": lambda: 10**400,
    "True": lambda: True,
    "empty text": lambda: "",
    "nul": lambda: "\0",
    "surrogate": lambda: "\ud800",
    "[1]": lambda: [1],
    "[]": list,
    "[[1]]": lambda: [["x"], [1]],
    "[None]": lambda: [None],
    "[bytes]": lambda: [b"x"],
    "{}": dict,
    "{'a': 1}": lambda: {"a": 1},
    "set": lambda: {1},
    "0-d array": lambda: np.array(3.0),
    "0-d array of text": lambda: np.array("x"),
    "1-d array": lambda: np.array([]),
    "2-d array": lambda: np.zeros((2, 2)),
    "structured array": lambda: np.zeros(2, dtype=[("a", int)]),
    "float64": lambda: np.float64(0.5),
    "data frame": make_frame,
    "bytes": lambda: b"abc",
    "folder": lambda: Path("folder"),
    "path with nul": lambda: Path("\0"),
    "generator": lambda: (each for each in [1]),
    "object": object,
    "type": lambda: list[int],
    "broken": Broken,
}

JUDGED = {
    "references": "whole.txt",
    "hypotheses": ["aurora.txt", "boreas.txt", "cirrus.txt", "delta.txt"],
    "human": "human.tsv",
}
FILES = {"references": "ref.txt", "metrics": "wer", "samples": 10}

CALLS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "Accumulator": ({"metrics": "wer"},),
    "Corpus": ({"references": [["x"], ["y"]], "systems": {"a": ["x", "y"]}},),
    "JudgedData": ({name: tuple(np.atleast_1d(value).tolist()) for name, value in JUDGED.items()},),
    "ResourceChoice": ({},),
    "align": ({"hypotheses": Path("joined.txt"), "references": Path("ref.txt")},),
    "cite": ({"metrics": "bleu"},),
    "compare": ({"inputs": "a.txt", "second": "b.txt", **FILES}, {"inputs": "ab.run"}),
    "doctor": ({"files": ["a.txt"], "references": "ref.txt"},),
    "explain": ({"hypothesis": "a b", "references": "a c", "metrics": "wer"},),
    "gate": (
        {"new": "a.txt", "against": "b.txt", "references": "ref.txt", "metrics": "wer"},
        {"new": "a.txt", "against": "b.txt", "references": "ref.txt", "rules": "rules.toml"},
    ),
    "history": ({"runs": ["b.run", "ab.run"], "system": "b"},),
    "human": (
        {"judgments": "human.tsv", "samples": 10},
        {"judgments": "human.tsv", "plan": True, "difference": 2.0},
    ),
    "list_data": ({},),
    "list_languages": ({},),
    "list_metrics": ({},),
    "mbr": ({"candidates": [["a b", "a c", "b"]]}, {"candidates": "candidates.txt", "per_source": 2}),
    "meta": ({**JUDGED, "metrics": "wer", "samples": 10},),
    "open_run": ({"path": "ab.run"},),
    "pairwise": ({"hypotheses": ["a b", "c"], "references": ["a"]},),
    "paraphrases.convert": ({"source": "paraphrases.txt", "target": "out/p.paraphrases"},),
    "parse": ({"file": "a.txt"},),
    "plan": ({"inputs": "ab.run"},),
    "read_corpus": ({"references": ["ref.txt"], "hypotheses": [(None, "a.txt")]},),
    "report": ({"inputs": "ab.run", "samples": 10},),
    "rerun": ({"path": "ab.run"},),
    "score": (
        {"hypotheses": {"a": ["x y", "y z"]}, "references": ["x y", "y"], "metrics": "wer"},
        {"hypotheses": {"a": Path("a.txt")}, "references": Path("ref.txt"), "metrics": "wer"},
        {"hypotheses": ["x y z"], "references": ["x y", "z"], "align": True, "metrics": "wer"},
    ),
    "score_sets": ({"places": "sets", "metrics": "wer", "samples": 10},),
    "segments": ({"inputs": "ab.run"},),
    "select": ({"outputs": ["a.txt", "b.txt"], "references": "ref.txt", "segments": 3},),
    "show": ({"path": "ab.run", "samples": 10},),
    "tune": (
        {**JUDGED, "metric": "chrf", "options": "beta=1"},
        {**JUDGED, "metric": "chrf", "over": "beta=1"},
    ),
    "use_progress": ({"listener": print},),
    "vectors.convert": ({"source": "vectors.txt", "target": "out/v.vectors"},),
    "vectors.info": ({"file": "vectors.txt"},),
    "vectors.train": ({"corpus": "ref.txt", "output": "out/t.vectors", "dimension": 2, "epochs": 1},),
}
"""Calls that work, by function."""

# Values that start clusters.
_LEFT_ALONE = {"engine", "scheduler", "workers"}


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in tertium.__all__:
        value = getattr(tertium, name)
        if isinstance(value, ModuleType):
            functions = ((each, getattr(value, each)) for each in value.__all__)
            yield from ((f"{name}.{each}", found) for each, found in functions if inspect.isfunction(found))
        elif callable(value) and value is not TertiumError:
            yield name, value


FUNCTIONS = {name: function for name, function in public_functions() if name != "vectors.load_vectors"}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A working folder with all files that the calls name."""
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("wrong")
        patch.setenv("TERTIUM_CACHE", str(place / "cache"))
        patch.chdir(place)
        write_inputs(place)
        (place / "rules.toml").write_text('[[rule]]\nmetric = "wer"\nnot_worse = 5\n')
        for run, systems in {"ab": "ab", "b": "b"}.items():
            scored = tertium.score(
                {system: Path(f"{system}.txt") for system in systems}, Path("ref.txt"), "wer"
            )
            scored.save(f"{run}.run")
        yield


def call(name: str, arguments: Mapping[str, Any]) -> None:
    """Call a function, and use an object that only holds what it is given."""
    made = FUNCTIONS[name](**arguments)
    if isinstance(made, tertium.JudgedData):
        made.read()
    elif isinstance(made, tertium.Corpus):
        tertium.score(made, metrics="wer")
    elif name == "use_progress":
        with made:
            pass


def test_every_public_function_is_tried() -> None:
    assert set(CALLS) == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_calls_work(name: str) -> None:
    for arguments in CALLS[name]:
        call(name, arguments)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_arguments_raise_our_errors_in_one_line(name: str) -> None:
    wrong = []
    for base in CALLS[name]:
        for parameter in inspect.signature(FUNCTIONS[name]).parameters.keys() - _LEFT_ALONE:
            for label, make in VALUES.items():
                said = try_call(name, {**base, parameter: make()})
                if said:
                    wrong.append(f"{name}({parameter}={label}): {said}")
    assert not wrong


def try_call(name: str, arguments: Mapping[str, Any]) -> str:
    """Describe an error that is not ours, or is longer than a line; empty if there is none."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            call(name, arguments)
    except TertiumError as error:
        return "" if str(error).isprintable() else f"a message of several lines: {error}"
    except Exception as error:  # noqa: BLE001 - that is what the test is about
        return f"{type(error).__name__}: {error}"
    return ""
