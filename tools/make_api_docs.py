"""Write docs/api.md, the Python reference, from the declarations of the commands. Run: make docs"""

import inspect
import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import tertium
from tertium import errors
from tertium.cli.click_builder import DeclaredCommand
from tertium.cli.main import build_command, find_commands
from tertium.commands import find_families
from tertium.commands.base.request import list_errors, list_related, name_result
from tertium.commands.base.results import CommandResult, Result
from tertium.declarations import CommandOption, options_of

TARGET = Path(__file__).parent.parent / "docs" / "api.md"
INTRODUCTION = """# Python

Every command has a function with the same options: `tertium score` is `tertium.score`, `tertium vectors convert` is `tertium.vectors.convert`, and
`tertium metrics`, `languages` and `data` are `tertium.list_metrics`, `list_languages` and `list_data`. [The commands](commands.md) describe the options, and so
does `help(tertium.score)`, with examples; an option `--by-length` is the argument `by_length`. This page has what only Python has.

Wherever a function takes a file, it takes a `str` or a path. `tertium.score` also takes texts: a list of strings is one system's
output, a mapping is several systems by name. `tertium.compare` and `tertium.report` also take results.

Work that takes long reports its progress to a listener: `with tertium.use_progress(lambda title, done, total: ...):`.
"""
FOOT = "\n---\n\n*Made from the declarations of the commands by `make docs`.*\n"


def render_page() -> str:
    """Render all families of commands, the other public names, the results and the errors."""
    return (
        "\n".join([INTRODUCTION, *_list_functions(), *_list_own_names(), *_list_results(), *_list_errors()])
        + FOOT
    )


def _find_functions() -> Iterator[tuple[str, str, Any]]:
    """Find the public functions of all families: the title of the family, the name and the function."""
    for family in find_families().values():
        for name in family.public_names:
            value = getattr(tertium, name)
            if isinstance(value, ModuleType):
                yield from (
                    (family.title, f"{name}.{inner}", getattr(value, inner)) for inner in value.__all__
                )
            else:
                yield family.title, name, value


def _list_functions() -> Iterator[str]:
    heading = ""
    commands = {
        entry.python_name or name.replace(" ", "."): name for name, (_, entry) in find_commands().items()
    }
    for title, name, function in _find_functions():
        if title != heading:
            heading = title
            yield f"## {title}\n"
        if not inspect.isclass(function):
            yield from _describe_function(name, function, commands.get(name))


def _describe_function(name: str, function: FunctionType, command: str | None) -> Iterator[str]:
    declared: Any = inspect.unwrap(function)
    yield f"### tertium.{name}\n"
    yield f"{_first_line(function)}\n"
    if not isinstance(declared, type):
        yield f"`{name.rpartition('.')[2]}({_list_parameters(function)})`\n"
        return
    request: Any = declared
    options = options_of(request)
    positional = [f"`{field.name}`" for field in fields(request) if not field.kw_only]
    place = (
        f"; options: [tertium {command}](commands.md#tertium-{command.replace(' ', '-')})" if command else ""
    )
    arguments = f"Positional: {', '.join(positional)}{place}." if positional else f"Keywords only{place}."
    raised = ", ".join(f"[{error.__name__}](#{error.__name__.lower()})" for error in list_errors(declared))
    related = [
        f"[{other}](#tertium{other})"
        for other in list_related(name)
        if not isinstance(getattr(tertium, other), ModuleType)
    ]
    also = f" See also {', '.join(related)}." if related else ""
    if command is None:
        arguments += " Other options are those of the commands."
    yield f"{arguments} Returns {_link_results(declared)}; raises {raised}.{also}\n"
    rows = [line for option in options if (line := _describe_option(option))]
    if rows:
        yield "\n".join(rows) + "\n"


def _describe_option(option: CommandOption) -> str:
    """Describe an option as far as the page of commands does not; "" if that page says everything."""
    if (option.name, option.opt.help) not in HELP:
        return f"- `{option.name}`: {option.opt.help}"
    return f"- `{option.name}`: {option.opt.python}" if option.opt.python else ""


def _list_help() -> set[tuple[str, str]]:
    """List the options on the page of commands, with their help."""
    loaded = [build_command(name) for name in find_commands()]
    return {
        (option.name, option.opt.help)
        for command in loaded
        if isinstance(command, DeclaredCommand)
        for option in command.options.values()
    }


HELP = _list_help()


def _link_results(declared: type) -> str:
    shown = [
        f"[{part}](#class-{part.lower()})" if part in RESULTS else f"`{part}`"
        for part in name_result(declared).split(" | ")
    ]
    return " or ".join(shown)


def _find_results() -> dict[str, type]:
    """Find the classes of results that functions return."""
    found: dict[str, type] = {"Result": Result}
    for _, _, function in _find_functions():
        declared = inspect.unwrap(function)
        if not inspect.isclass(declared) or not hasattr(declared, "run"):
            continue
        for part in name_result(declared).split(" | "):
            value = getattr(sys.modules[declared.__module__], part, None)
            if inspect.isclass(value) and issubclass(value, CommandResult):
                found.setdefault(part, value)
    return found


RESULTS = _find_results()


def _list_results() -> Iterator[str]:
    yield "## Results\n"
    for name, result in RESULTS.items():
        yield f"### class {name}\n"
        base = "" if result is Result or not issubclass(result, Result) else " A [Result](#class-result)."
        yield f"{_first_line(result)}{base}\n"
        rows = [
            f"- `{_name_member(member, value)}`: {_first_line(value)}"
            for member, value in _list_members(result)
        ]
        if rows:
            yield "\n".join(rows) + "\n"


def _list_members(result: type) -> Iterator[tuple[str, Any]]:
    """List the documented public methods and properties of a class, without those of every result."""
    shown = set[str]()
    for owner in result.__mro__:
        if (
            owner.__module__ == "collections.abc"
            or owner in (object, CommandResult)
            or (owner is Result and result is not Result)
        ):
            continue
        for name, value in vars(owner).items():
            is_member = isinstance(value, FunctionType | property) or hasattr(value, "attrname")
            if is_member and not name.startswith("_") and name not in shown and inspect.getdoc(value):
                shown.add(name)
                if name not in vars(Result) or result is Result:
                    yield name, value


def _name_member(name: str, value: Any) -> str:
    return f"{name}()" if isinstance(value, FunctionType) else name


def _list_own_names() -> Iterator[str]:
    yield "## Texts, data and progress\n"
    for name, module in tertium.OWN_NAMES.items():
        value = getattr(import_module(module), name)
        if inspect.isclass(value) and issubclass(value, errors.TertiumError):
            continue
        yield f"### tertium.{name}\n"
        yield f"{_first_line(value)}\n"
        yield f"`{name}({_list_parameters(value)})`\n"


def _list_parameters(value: Any) -> str:
    if not is_dataclass(value):
        return ", ".join(inspect.signature(value).parameters)
    return ", ".join(
        field.name if field.default is MISSING and field.default_factory is MISSING else f"{field.name}=…"
        for field in fields(value)
        if not field.name.startswith("_")
    )


def _list_errors() -> Iterator[str]:
    yield "## Errors\n"
    yield "All are in `tertium.errors`; `tertium.TertiumError` catches every one.\n"
    for name in errors.__all__:
        value: Any = getattr(errors, name)
        if isinstance(value, type) and issubclass(value, errors.TertiumError):
            yield f"### {name}\n"
            yield f"{_first_line(value)} Exit code of the command line: {value.exit_code}.\n"


def _first_line(value: object) -> str:
    """Return the first paragraph of a docstring on one line."""
    return " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())


if __name__ == "__main__":
    TARGET.write_text(render_page(), encoding="utf-8")
