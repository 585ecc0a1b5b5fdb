"""Every command that prints a result has every format."""

from collections.abc import Iterator

import click
import pytest

from tertium.cli.main import cli, find_commands
from tertium.presentation.tables import FILE_FORMATS, FORMATS

TREES_ONLY = ("parse",)  # CoNLL-U is its format


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(cli)
    for name in find_commands():
        command = cli.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from ((f"{name} {part}", each) for part, each in command.commands.items())
        else:
            yield name, command


@pytest.mark.parametrize(("name", "command"), [pytest.param(*item, id=item[0]) for item in commands()])
def test_a_command_that_prints_a_result_has_every_format(name: str, command: click.Command) -> None:
    choices = [option.type.choices for option in command.params if "--format" in option.opts]  # type: ignore[attr-defined]
    writes_a_file = name in (*TREES_ONLY, "report", "vectors convert", "vectors train", "paraphrases convert")
    more = {"gate": ("junit", "github"), "score": ("jsonl", "parquet")}.get(name, ())
    if name != "tune":  # its output file is a preset
        more = (*FILE_FORMATS, *more)
    assert choices == ([] if writes_a_file else [(*FORMATS, *more)])
