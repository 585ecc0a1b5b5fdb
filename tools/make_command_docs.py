"""Write docs/commands.md from the help of the commands. Run: python tools/make_command_docs.py"""

from collections.abc import Iterator
from pathlib import Path

import click

import tertium.diagnosis.examination  # noqa: F401 - declares all kinds of problems
from tertium.cli.main import cli
from tertium.diagnosis.finding import KINDS

TARGET = Path(__file__).parent.parent / "docs" / "commands.md"
INTRODUCTION = """# Commands

Every command with every option, as `tertium COMMAND --help` shows it. Exit codes: 0, 1 for input that cannot be used, 2 for wrong usage, 3 for a gate that fails
or a run that cannot be reproduced.
"""
FOOT = "\n---\n\n*Made from the program's own help by `make docs`.*\n"
WIDTH = 100


def render_page() -> str:
    """Render all commands, each with its options."""
    return INTRODUCTION + "".join(f"\n{section}" for section in _sections(cli, ("tertium",))) + FOOT


def _sections(command: click.Command, names: tuple[str, ...]) -> Iterator[str]:
    context = click.Context(command, info_name=" ".join(names), terminal_width=WIDTH, max_content_width=WIDTH)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            if found is not None and not found.hidden:
                yield from _sections(found, (*names, name))
    else:
        checks = f"\n{_render_checks()}" if names[-1] == "doctor" else ""
        yield f"## {' '.join(names)}\n\n```text\n{command.get_help(context).rstrip()}\n```\n{checks}"


def _render_checks() -> str:
    """Render the table of the problems that `tertium doctor` finds."""
    rows = [f"| `{code}` | {kind.severity} | {kind.help} |" for code, kind in sorted(KINDS.items())]
    return "\n".join(["| code | severity | problem |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    TARGET.write_text(render_page(), encoding="utf-8")
