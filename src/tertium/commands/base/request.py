"""Declares a command once: a frozen dataclass whose fields are its options.

The Python function, its documentation, the checks of values, the click command (`tertium.cli.click_builder`), shell
completion, the settings that a run records and docs/commands.md are derived from the fields.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from functools import wraps
from os import PathLike, fspath
from typing import Any, Generic, ParamSpec, TypeVar

from tertium.commands import find_families
from tertium.declarations import Access, CommandOption, check_requirements, options_of
from tertium.errors import (
    ConsentError,
    InputError,
    MissingExtraError,
    OptionError,
    ResourceError,
    TertiumError,
    UnknownNameError,
    argument,
    suggest,
)
from tertium.files.overwriting import protect_inputs
from tertium.files.paths import split_name

Strings = str | Sequence[str]
"""One text or several; a request holds them as a tuple."""

FilePath = str | PathLike[str]
"""A file's path; a request holds it as a text."""

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)


class Request(Generic[R_co]):
    """A command with all its options; a subclass is a frozen dataclass whose fields are annotated with an `Opt`."""

    def __post_init__(self) -> None:
        for option in options_of(type(self)):
            value = getattr(self, option.name)
            checked = option.check(value)
            if checked is not value:
                object.__setattr__(self, option.name, checked)
        check_requirements(options_of(type(self)), vars(self))

    @property
    def input_paths(self) -> list[str]:
        """The files and folders that the options name and that are read."""
        read = (option.name for option in options_of(type(self)) if option.access == "read")
        return [path for name in read for path in list_paths(getattr(self, name))]

    def run(self) -> R_co:
        """Carry out the command."""
        raise NotImplementedError


def function_of(name: str, request: Callable[P, Request[R_co]]) -> Callable[P, R_co]:
    """Make the Python function of a command: it takes the options of the request and returns its result."""
    declared: Any = request

    @wraps(request, assigned=("__module__",), updated=())
    def call(*args: P.args, **kwargs: P.kwargs) -> R_co:
        _check_keywords(name, declared, kwargs)
        made = request(*args, **kwargs)
        with guard_files(options_of(type(made)), vars(made)):
            return made.run()

    call.__name__ = call.__qualname__ = name
    call.__doc__ = _document(name, declared)
    call.__signature__ = _make_signature(declared)  # type: ignore[attr-defined]
    return call


def _check_keywords(name: str, declared: Any, given: Iterable[str]) -> None:
    """Raise on a keyword that the function does not have, with the most similar one."""
    known = [field.name for field in fields(declared)]
    unknown = next((keyword for keyword in given if keyword not in known), None)
    if unknown is not None:
        shown = [option.name for option in options_of(declared)]
        raise TypeError(f"{name}() has no argument {unknown!r}; {suggest(unknown, shown)}")


def guard_files(options: Iterable[CommandOption], values: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Protect the files that a command reads from being overwritten by the files that it writes.

    Raises
    ------
    OptionError
        If one file is both, or is written twice, or if an option that needs a file names standard output.
    """
    by_access: dict[Access, dict[str, Any]] = {"read": {}, "write": {}, "update": {}}
    for option in options:
        value = values.get(option.name)
        # other types, such as arrays and data frames, hold texts and cannot be compared with "-"
        may_name_files = isinstance(value, str | PathLike | list | tuple | dict)
        if (
            isinstance(value, str)
            and value == "-"
            and option.access in ("write", "update")
            and not option.opt.is_stream
        ):
            raise OptionError(
                f"{argument(option.name)} cannot write to standard output: give the path of a file"
            )
        if option.access is not None and may_name_files and value not in ("-", ()):
            by_access[option.access][argument(option.name)] = value
    if not by_access["write"] and not by_access["update"]:
        return nullcontext()
    return protect_inputs(
        read={name: list(list_paths(value)) for name, value in by_access["read"].items()},
        written={name: fspath(value) for name, value in by_access["write"].items()},
        updated={name: fspath(value) for name, value in by_access["update"].items()},
    )


def guard_output(paths: Iterable[str], target: FilePath) -> AbstractContextManager[None]:
    """Protect these inputs of a result from being overwritten by a file that Python code writes from it."""
    return protect_inputs(
        read={"inputs": list(list_paths(list(paths)))}, written={"this file": fspath(target)}
    )


def list_paths(value: Any) -> Iterator[str]:
    """List the files that a value may name: `FILE`, `NAME=FILE` and `FILE#COLUMN`."""
    if isinstance(value, str | PathLike):
        text = fspath(value)
        for path in (text, split_name(text).path, text.removeprefix("onnx:")):
            yield from filter(None, (path, path.rpartition("#")[0]))
    elif isinstance(value, list | tuple | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from list_paths(item)


def _make_signature(declared: Any) -> inspect.Signature:
    positional = {field.name for field in fields(declared) if not field.kw_only}
    return inspect.Signature(
        [
            inspect.Parameter(
                option.name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD
                if option.name in positional
                else inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if option.is_required else option.default,
                annotation=option.type,
            )
            for option in sorted(options_of(declared), key=lambda option: option.name not in positional)
        ]
    )


def list_errors(declared: Any) -> list[type[TertiumError]]:
    """List the errors that a function may raise, by the options that it has."""
    options = options_of(declared)
    found: list[type[TertiumError]] = [OptionError]
    if any(option.opt.group == "Input" for option in options):
        found.append(InputError)
    if any(option.opt.completes is not None for option in options):
        found.append(UnknownNameError)
    if any(option.opt.group == "Resources" for option in options):
        found += [ResourceError, MissingExtraError]
    if any(option.name == "programs" for option in options):
        found.append(ConsentError)
    return found


def name_result(declared: Any) -> str:
    """Return the name of the class that `run` returns, or several with `|` between them."""
    returned = inspect.get_annotations(declared.run)["return"]
    return returned if isinstance(returned, str) else str(returned.__name__)


def list_related(name: str) -> list[str]:
    """List the other public functions of the family of a function."""
    names = next(
        (family.public_names for family in find_families().values() if name in family.public_names), {}
    )
    return [other for other in names if other != name]


def _document(name: str, declared: Any) -> str:
    """Write the docstring of a command's function: the request's, every option, the result, errors and related functions."""
    summary, _, examples = inspect.cleandoc(declared.__doc__ or "").partition("\nExamples\n")
    lines = [summary.rstrip(), "", "Parameters", "----------"]
    for option in options_of(declared):
        default = f" [default: {option.opt.default}]" if option.opt.default else ""
        text = " ".join(filter(None, (option.opt.help, option.opt.python)))
        lines += [option.name, f"    {text}{default}"]
    lines += ["", "Returns", "-------", name_result(declared), "", "Raises", "------"]
    for error in list_errors(declared):
        lines += [error.__name__, f"    {inspect.getdoc(error)}"]
    if related := list_related(name):
        lines += ["", "See Also", "--------", ", ".join(related)]
    if examples:
        lines += ["", "Examples", examples.rstrip()]
    return "\n".join(lines)
