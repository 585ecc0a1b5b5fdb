"""Lists after options: where they end."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest

from metaeval.conftest import folder
from tertium.cli.click_builder import DeclaredCommand
from tertium.commands.base.command_line import CommandBase
from tertium.commands.base.request import Request, Strings
from tertium.declarations import Opt

__all__ = ["folder"]

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821


@dataclass(frozen=True)
class ToyRequest(Request[None]):
    """A command with an argument and a list."""

    folder: Annotated[str | None, Opt("A folder.", "Input", is_argument=True)] = None
    metrics: Annotated[Strings, Opt("Metrics.", "Metrics", flags=("-m", "--metrics"))] = ()
    form: Annotated[str | None, Opt("A format.", "Output", flags=("-f", "--form"))] = None


class ToyCommand(CommandBase):
    request = ToyRequest


command = DeclaredCommand("toy", ToyCommand)


@pytest.mark.parametrize(
    ("arguments", "folder_given", "metrics"),
    [
        (["-m", "a", "b"], None, ["a", "b"]),
        (["-m", "a", "b", "HERE"], "HERE", ["a", "b"]),
        (["-m", "a", "HERE", "b"], "HERE", ["a", "b"]),
        (["HERE", "-m", "a", "b"], "HERE", ["a", "b"]),
        (["HERE", "-m", "a", "HERE"], "HERE", ["a", "HERE"]),
        (["-m", "HERE", "a"], None, ["HERE", "a"]),
        (["--metrics=a", "b", "HERE"], "HERE", ["a", "b"]),
        (["-m", "a", "-f", "x", "HERE"], "HERE", ["a"]),
        (["-m", "a", "-q", "HERE", "-m", "b"], "HERE", ["a", "b"]),
        (["-m", "a", "--", "HERE"], "HERE", ["a"]),
    ],
)
def test_a_folder_behind_a_list_is_the_folder_that_is_lacking(
    tmp_path: Path, arguments: list[str], folder_given: str | None, metrics: list[str]
) -> None:
    here = [argument.replace("HERE", str(tmp_path)) for argument in arguments]
    given = command.make_context("x", here).params
    assert given["folder"] == (folder_given and str(tmp_path))
    assert given["metrics"] == tuple(metric.replace("HERE", str(tmp_path)) for metric in metrics)


@pytest.mark.parametrize(
    "arguments",
    [
        ("meta", "-s", "system:pearson", "-m", "bleu,wer", "{folder}", "--test", "none"),
        ("meta", "-m", "bleu", "wer", "{folder}", "--test", "none"),
        ("tune", "-m", "bleu", "--over", "max_ngram_order=1,2", "-s", "system:pearson", "{folder}"),
        ("tune", "-m", "bleu", "--option", "lowercase", "{folder}"),
    ],
)
def test_every_command_finds_its_folder_behind_a_list(
    tertium: Tertium, folder: Path, arguments: tuple[str, ...]
) -> None:
    run = tertium(*(argument.replace("{folder}", str(folder)) for argument in arguments), "-q")
    assert (run.code, run.err) == (0, "")
