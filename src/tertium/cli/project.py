"""Defaults of options from the project file."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from tertium.consent import refuse_code
from tertium.declarations import CodeKind, CommandOption
from tertium.errors import ConsentError, OptionError, TertiumError, argument, suggest
from tertium.files.paths import exists, split_name
from tertium.files.project import Project, ProjectSearch, find_project, read_project, show_project
from tertium.records import record

NONE = "none"
"""The value of `--config` that ignores project files."""

_ONLY_TYPED = ("config", "programs")  # they give consent


def load_defaults(config: str | None, command: str, options: Mapping[str, CommandOption]) -> "Defaults":
    """Read the defaults of a command: options at the top of the project file, and those of the command's table.

    Options at the top that the command does not have, or takes without a flag, are ignored.

    Parameters
    ----------
    config
        The file that the user named, `none`, or None to search the working folder and those above it.

    Raises
    ------
    OptionError
        If the file names an unknown option or command, or a value does not fit its option.
    """
    search = _find(config)
    project = search.project
    if project is None:
        return Defaults(None, {}, ignored=search.ignored)
    tables = {name: value for name, value in project.content.items() if isinstance(value, dict)}
    _check_commands(project, tables)
    found: dict[str, Any] = {}
    for key, value in project.content.items():
        option = options.get(_name(key))
        if key not in tables and option is not None and not option.opt.is_argument:
            found[option.name] = _convert(project, option, value)
        elif key not in tables:
            _check_shared(project, key)
    of_command = tables.get(command, {})
    for key, value in of_command.items():
        option = options.get(_name(key))
        if option is None:
            raise OptionError(
                f"{_label(project)}: {command} has no option {key!r}; {suggest(_name(key), sorted(options))}"
            )
        found[option.name] = _convert(project, option, value)
    return Defaults(
        project, found, frozenset(map(_name, of_command)), search.ignored, is_named=config is not None
    )


@record
class Defaults:
    """Values of options by name, and the project file that they come from, if there is one.

    Attributes
    ----------
    of_command
        The options in the table of the command, which precede those at the top of the file.
    ignored
        Project files of other users.
    is_named
        Whether the user named the project file.
    """

    project: Project | None
    values: dict[str, Any]
    of_command: frozenset[str] = frozenset()
    ignored: tuple[Path, ...] = ()
    is_named: bool = False

    def choose(self, context: click.Context, options: Mapping[str, CommandOption]) -> dict[str, Any]:
        """Return the values that hold beside the options that were typed.

        Of two options that exclude each other the typed one wins, and then the one in the table of the command.
        """
        typed = {name for name in options if is_typed(context, name)}
        used = {name: value for name, value in self.values.items() if name not in typed}
        ranks = dict.fromkeys(typed, 2) | {name: int(name in self.of_command) for name in used}
        for name, option in options.items():
            for other in option.opt.excludes:
                if name in ranks and other in ranks and ranks[name] != ranks[other]:
                    used.pop(min(name, other, key=ranks.__getitem__), None)
        return used

    def check_consent(self, used: Mapping[str, Any], options: Mapping[str, CommandOption]) -> None:
        """Raise if a value names code, and the user has neither named the project file nor given consent.

        Raises
        ------
        ConsentError
            The message names the project file and the remedy.
        """
        if self.project is None or self.is_named:
            return
        path = _label(self.project)
        with refuse_code(path, f"if you trust it, pass {argument('config', path)} or {argument('programs')}"):
            for name, value in used.items():
                if (kind := options[name].code) is not None:
                    _check_code(kind, value if isinstance(value, list | tuple) else [value])

    def describe(self, used: Collection[str]) -> Iterator[str]:
        """Name the options that have their values from the project file, and the files that are ignored."""
        for path in self.ignored:
            shown = show_project(path)
            yield f"{shown} is ignored, because it belongs to another user; {argument('config', shown)} uses it"
        if self.project is not None and used:
            yield f"{_label(self.project)} sets {', '.join(argument(name) for name in used)}"


def is_typed(context: click.Context, name: str) -> bool:
    """Whether an option was typed on the command line."""
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _check_code(kind: CodeKind, values: Sequence[Any]) -> None:
    """Raise if one of the values names code of this kind; the command reports all other mistakes."""
    texts = [value for value in values if isinstance(value, str)]
    try:
        _CODE[kind](texts)
    except ConsentError:
        raise
    except TertiumError:
        return


def _check_metrics(labels: list[str]) -> None:
    from tertium.catalog import check_labels

    check_labels(labels)


def _check_tokenizers(names: list[str]) -> None:
    from tertium.text.tokenizers import check_user_tokenizer

    for name in names:
        check_user_tokenizer(name)


def _check_parsers(names: list[str]) -> None:
    from tertium.resources.trees.installed_parsers import check_parser

    for name in names:
        check_parser(name)


def _check_clusters(addresses: list[str]) -> None:
    from tertium.engines.engine import check_scheduler

    for address in addresses:
        check_scheduler(address)


_CODE: Mapping[CodeKind, Callable[[list[str]], None]] = {
    "metrics": _check_metrics,
    "tokenizers": _check_tokenizers,
    "parsers": _check_parsers,
    "clusters": _check_clusters,
}


def _find(config: str | None) -> ProjectSearch:
    if config == NONE:
        return ProjectSearch(None)
    if config is not None:
        return ProjectSearch(read_project(Path(config)))
    try:
        return find_project(Path.cwd())
    except OSError:  # the working folder was deleted
        return ProjectSearch(None)


def _is_only_typed(option: CommandOption) -> bool:
    """Whether an option can only be given on the command line: it writes a file, or gives consent."""
    return option.opt.is_argument or option.access in ("write", "update") or option.name in _ONLY_TYPED


def _convert(project: Project, option: CommandOption, value: Any) -> Any:
    """Check a value, and make paths relative to the working folder."""
    if _is_only_typed(option):
        raise OptionError(f"{_label(project)}: {option.name!r} can only be given on the command line")
    many = value if isinstance(value, list) else [value]
    if option.access == "read":
        many = [_locate(project, item) for item in many]
    if isinstance(value, list) and not option.is_list:
        many = [",".join(map(str, many))]
    try:
        if option.is_list:
            return [option.check(item) and item for item in many]
        checked = option.check(many[0])
        return (
            checked[0] if isinstance(checked, tuple) else checked
        )  # a list that the command line takes as one text
    except TertiumError as error:
        raise OptionError(f"{_label(project)}: {error}") from None


def _locate(project: Project, value: Any) -> Any:
    """Return the path of a file that stands relative to the project file."""
    if not isinstance(value, str):
        return value
    name, path = split_name(value, below=project.path.parent)
    found = project.path.parent / path
    if Path(path).is_absolute() or (not exists(str(found).rpartition("#")[0] or found) and not exists(found)):
        return value  # a name such as `contextual`, or a file that is missing: reading it raises
    return os.path.relpath(found) if name is None else f"{name}={os.path.relpath(found)}"


def _check_commands(project: Project, tables: Mapping[str, object]) -> None:
    from tertium.cli.main import find_commands

    for name in tables:
        if name not in find_commands():
            raise OptionError(
                f"{_label(project)}: there is no command {name!r}; {suggest(_name(name), sorted(find_commands()))}"
            )


def _check_shared(project: Project, key: str) -> None:
    """Raise if no command has the option, or if a project file must not set it."""
    name = _name(key)
    named = [option for option in _list_options() if option.name == name]
    if not named:
        known = {option.name for option in _list_options()}
        raise OptionError(f"{_label(project)}: there is no option {key!r}; {suggest(name, sorted(known))}")
    if all(map(_is_only_typed, named)):
        raise OptionError(f"{_label(project)}: {name!r} can only be given on the command line")


def _list_options() -> Iterator[CommandOption]:
    """List the options of all commands, importing one command after the other."""
    from tertium.cli.click_builder import DeclaredCommand
    from tertium.cli.main import build_command, find_commands

    for name in find_commands():
        command = build_command(name)
        if isinstance(command, DeclaredCommand):
            yield from command.options.values()


def _name(key: str) -> str:
    return key.replace("-", "_")


def _label(project: Project) -> str:
    return show_project(project.path)
