"""Arguments that several commands share: lists after one option, named files, output files."""

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tertium.errors import InputError
from tertium.files.writing import written_whole

if TYPE_CHECKING:
    from tertium.report.tables.model import Document

__all__ = [
    "ListCommand",
    "check_output",
    "expand_paths",
    "split_system",
    "write_document",
    "write_output",
    "write_picture",
]


class ListCommand(click.Command):
    """A command whose repeatable options take lists, so that `-i systems/*.txt` works.

    A list ends at the next option, or at a folder if the command still lacks the folder it works on.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(self._spread(args)))

    def _spread(self, args: Sequence[str]) -> Iterator[str]:
        """Repeat a repeatable option before each further value that follows it."""
        takers = {
            name: parameter
            for parameter in self.params
            if isinstance(parameter, click.Option) and not parameter.is_flag and not parameter.count
            for name in parameter.opts
        }
        n_lacking = sum(isinstance(parameter, click.Argument) for parameter in self.params)
        current, values = "", 0
        for index, arg in enumerate(args):
            if arg == "--":
                yield from args[index:]
                return
            if arg.startswith("-") and arg != "-" and not (current and values == 0):
                name, equals, _ = arg.partition("=")
                current = name if name in takers else ""
                values = 1 if equals else 0
                yield arg
                continue
            if current and values >= 1 and not takers[current].multiple:
                current = ""
            is_positional = not current or (values >= 1 and n_lacking > 0 and Path(arg).is_dir())
            if is_positional:
                n_lacking -= 1
            elif values >= 1:
                yield current
            values += 1
            yield arg


def expand_paths(arguments: Sequence[str]) -> list[str]:
    """Expand patterns such as `systems/*.txt` that the shell has left alone."""
    paths: list[str] = []
    for argument in arguments:
        is_pattern = any(character in argument for character in "*?[") and not os.path.exists(argument)  # noqa: PTH110
        if not is_pattern:
            paths.append(argument)
            continue
        found = sorted(glob.glob(argument))  # noqa: PTH207 - the pattern may be absolute
        if not found:
            raise InputError(f"no file matches {argument}")
        paths += found
    return paths


def split_system(argument: str) -> tuple[str | None, str]:
    """Split `name=path`; a file that is really called so is taken as a path."""
    name, equals, path = argument.partition("=")
    if not equals or not name or os.path.exists(argument):  # noqa: PTH110
        return None, argument
    return name, path


def check_output(path: str | None) -> None:
    """Say before the work begins if its result could not be written in the end."""
    if path is None or path == "-":
        return
    if Path(path).is_dir():
        raise InputError(f"cannot write {path}: it is a directory")
    if not Path(path).parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {Path(path).parent}")


def write_output(text: str, output: str | None) -> None:
    """Write to the file, all or nothing, or to standard output."""
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    _write_bytes(text.encode(), output)


def write_document(
    document: "Document", form: str, output: str | None = None, *, signatures: bool = False
) -> None:
    """Write a document in a format; text on a terminal gets colours, fits its width, and hides signatures."""
    from tertium.report.tables import print_document, render_document

    if form == "text" and output is None and _is_terminal():
        print_document(document, signatures=signatures)
    else:
        write_output(render_document(document, form), output)


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def write_picture(svg: str, path: str) -> None:
    """Write a drawing, all or nothing; the file's ending, .svg or .png, says how."""
    from tertium.report.charts.pictures import encode_picture

    _write_bytes(encode_picture(svg, path), path)


def _write_bytes(data: bytes, path: str) -> None:
    check_output(path)
    with written_whole(Path(path), InputError) as temporary:
        temporary.write_bytes(data)
