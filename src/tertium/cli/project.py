"""Defaults of options from the project file."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from tertium.api.command import CommandOption
from tertium.errors import OptionError, TertiumError, argument, suggest
from tertium.files.paths import exists, show_path
from tertium.files.project import Project, find_project, read_project
from tertium.records import record

NONE = "none"
"""The value of `--config` that ignores project files."""


def load_defaults(
    config: str | None, command: str, options: Mapping[str, CommandOption]
) -> "Defaults | None":
    """Read the defaults of a command: options at the top of the project file, and those of the command's table.

    Returns None if there is no project file.

    Parameters
    ----------
    config
        The file that the user named, `none`, or None to search the working folder and those above it.

    Raises
    ------
    OptionError
        If the file names an unknown option or command, or a value does not fit its option.
    """
    project = _find(config)
    if project is None:
        return None
    from tertium.cli.main import ALIASES

    command = ALIASES.get(command, command)
    tables = {name: value for name, value in project.content.items() if isinstance(value, dict)}
    _check_commands(project, tables)
    found: dict[str, Any] = {}
    for key, value in project.content.items():
        if key not in tables and (option := options.get(_name(key))) is not None:
            found[option.name] = _convert(project, option, value)
        elif key not in tables:
            _check_shared(project, key)
    for key, value in tables.get(command, {}).items():
        option = options.get(_name(key))
        if option is None:
            raise OptionError(
                f"{_label(project)}: {command} has no option {key!r}; {suggest(_name(key), sorted(options))}"
            )
        found[option.name] = _convert(project, option, value)
    return Defaults(project, found)


@record
class Defaults:
    """Values of options by name, and the project file that they come from."""

    project: Project
    values: dict[str, Any]

    def describe(self, context: click.Context) -> Iterator[str]:
        """Say which options have their values from the project file, without those that were typed."""
        typed = click.core.ParameterSource.COMMANDLINE
        if used := [name for name in self.values if context.get_parameter_source(name) is not typed]:
            yield f"{_label(self.project)} sets {', '.join(argument(name) for name in used)}"


def _find(config: str | None) -> Project | None:
    if config == NONE:
        return None
    if config is not None:
        return read_project(Path(config))
    try:
        return find_project(Path.cwd())
    except OSError:  # the working folder was deleted
        return None


def _convert(project: Project, option: CommandOption, value: Any) -> Any:
    """Check a value, and make paths relative to the working folder."""
    if option.opt.is_argument or option.access in ("write", "update") or option.name == "config":
        raise OptionError(f"{_label(project)}: {option.name!r} can only be given on the command line")
    many = value if isinstance(value, list) else [value]
    if option.access == "read":
        many = [_locate(project, each) for each in many]
    if isinstance(value, list) and not option.is_list:
        many = [",".join(map(str, many))]
    try:
        return [option.check(each) and each for each in many] if option.is_list else option.check(many[0])
    except TertiumError as error:
        raise OptionError(f"{_label(project)}: {error}") from None


def _locate(project: Project, value: Any) -> Any:
    """Return the path of a file that stands relative to the project file."""
    if not isinstance(value, str):
        return value
    name, equals, path = value.rpartition("=")
    found = project.path.parent / path
    if Path(path).is_absolute() or (not exists(str(found).rpartition("#")[0] or found) and not exists(found)):
        return value  # a name such as `contextual`, or a file that is missing: reading it raises
    return f"{name}{equals}{os.path.relpath(found)}"


def _check_commands(project: Project, tables: Mapping[str, object]) -> None:
    from tertium.cli.main import COMMANDS

    for name in tables:
        if name not in COMMANDS:
            raise OptionError(
                f"{_label(project)}: there is no command {name!r}; {suggest(_name(name), sorted(COMMANDS))}"
            )


def _check_shared(project: Project, key: str) -> None:
    """Raise if no command has the option."""
    from tertium.api.command import options_of
    from tertium.api.meta import MetaRequest
    from tertium.api.score import ScoreRequest
    from tertium.api.segments import SegmentsRequest

    known = {
        each.name for request in (ScoreRequest, MetaRequest, SegmentsRequest) for each in options_of(request)
    }
    if _name(key) not in known:
        advice = suggest(_name(key), sorted(known))
        raise OptionError(f"{_label(project)}: there is no option {key!r}; {advice}")


def _name(key: str) -> str:
    return key.replace("-", "_")


def _label(project: Project) -> str:
    return show_path(os.path.relpath(project.path))
