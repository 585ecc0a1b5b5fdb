"""Options declared once, as the annotated fields of a frozen dataclass: their help, type, default and bounds."""

import inspect
import re
import sys
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, MISSING, fields
from functools import cached_property
from os import PathLike, fspath
from typing import Annotated, Any, Literal

from tertium.arguments import describe_value
from tertium.decimals import LARGEST_SCORE
from tertium.errors import InputError, OptionError, argument
from tertium.records import record

Group = Literal["Input", "Metrics", "Analysis", "Output", "Resources", "Execution"]
GROUPS: tuple[Group, ...] = typing.get_args(Group)

Completion = Literal["file", "metrics", "columns", "conditions", "labels", "systems", "languages", "tokenizers", "test sets", "names"]  # fmt: skip

CodeKind = Literal["metrics", "tokenizers", "parsers", "clusters"]
"""Values that may name code of the user; a shell completes most of them."""

Access = Literal["read", "write", "update"]
"""The use that a command makes of a file; it updates a journal, which it reads and writes."""


@record
class Opt:
    """The facts about an option in its annotation, besides its type.

    Attributes
    ----------
    help
        One or two sentences, for the help of the command line and for the function's documentation.
    group
        The heading under which the help shows the option.
    flags
        How the command line writes it; `--name` by default.
    is_argument
        Whether the command line takes it without a flag.
    metavar
        The placeholder for its value in the help.
    default
        The default in words, where the value itself would say nothing.
    least, most, above, below
        Bounds of a number: at least, at most, more than and less than this. A whole number is at most 10⁹ unless `most`
        says otherwise, and any other number at most the largest score.
    completes
        What a shell may complete it with; metavars that mention files complete file names.
    code
        The kind of code that its value may name, such as a program that scores; by default that of `completes`. A project
        file needs consent for it.
    excludes
        Options that cannot be combined with it: a typed option of these overrides a default of the project file.
    requires
        Options of which one must be given with it, by name; `search=random` requires that value.
    access
        Whether the command reads, writes or updates the file or folder that the option names. By default it writes
        those of the group Output and reads the others.
    python
        A sentence for the function's documentation only.
    is_many
        Whether the command line takes several values, where the type does not say it.
    is_stream
        Whether `-` stands for standard output; where it does not, no file of that name is written.
    is_single
        Whether the command line takes one value, although Python takes a list.
    in_command
        Whether the command line has it too; some values exist in Python only.
    in_parts
        Whether it can be used where texts are scored in parts.
    is_recorded
        Whether a saved run records it.
    """

    help: str
    group: Group
    _: KW_ONLY
    flags: tuple[str, ...] = ()
    is_argument: bool = False
    metavar: str | None = None
    default: str | None = None
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    completes: Completion | None = None
    code: CodeKind | None = None
    excludes: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    access: Access | None = None
    python: str = ""
    is_many: bool = False
    is_stream: bool = False
    is_single: bool = False
    in_command: bool = True
    in_parts: bool = True
    is_recorded: bool = False


@record
class CommandOption:
    """One option of a command: the name, type and default of its field, and what its annotation says."""

    name: str
    type: Any
    default: Any
    opt: Opt

    @property
    def is_required(self) -> bool:
        return self.default is MISSING

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of the command line; none for an argument."""
        return () if self.opt.is_argument else self.opt.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def is_list(self) -> bool:
        """Whether the command line takes several values."""
        return self.opt.is_many or (Sequence[str] in self.alternatives and not self.opt.is_single)

    @property
    def names_file(self) -> bool:
        """Whether the value is a file or a folder: the declaration, the metavar or the type says so."""
        is_text = str in self.alternatives or Sequence[str] in self.alternatives or self.is_list
        return self.opt.access is not None or (
            is_text and (PathLike[str] in self.alternatives or bool(_FILES.search(self.opt.metavar or "")))
        )

    @property
    def access(self) -> Access | None:
        """The use that the command makes of the file or folder; None if the option names none."""
        if not self.names_file:
            return None
        return self.opt.access or ("write" if self.opt.group == "Output" else "read")

    @property
    def code(self) -> CodeKind | None:
        """The kind of code that the value may name; None if it names none."""
        of_completion: Mapping[Completion | None, CodeKind] = {
            "metrics": "metrics",
            "tokenizers": "tokenizers",
        }
        return self.opt.code or of_completion.get(self.opt.completes)

    @property
    def is_flag(self) -> bool:
        return bool in self.alternatives

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values of a closed choice."""
        return tuple(
            value
            for part in self.alternatives
            if typing.get_origin(part) is Literal
            for value in typing.get_args(part)
        )

    @cached_property
    def alternatives(self) -> tuple[Any, ...]:
        """The types that it may have."""
        is_union = typing.get_origin(self.type) in (typing.Union, types.UnionType)
        return typing.get_args(self.type) if is_union else (self.type,)

    def write(self, value: str | None = None) -> str:
        """Write the option as the command line takes it."""
        flag = max(self.flags, key=len) if self.flags else self.opt.metavar or self.name.upper()
        return f"{flag} {value}" if value and self.flags else value or flag

    def check(self, value: Any) -> Any:
        """Return the value as a request holds it; raise if it is of the wrong type or out of bounds."""
        if not all(map(_is_plain, self.alternatives)):
            return value  # the request checks what is not a plain value
        if Sequence[str] in self.alternatives and (value is not None or type(None) not in self.alternatives):
            return check_list(value, self.name)
        if any(_fits(part, value) for part in self.alternatives) and self._is_within(value):
            if isinstance(value, float):
                return float(value)  # NumPy's float64 is a float, but compares like an array
            return fspath(value) if isinstance(value, PathLike) else value
        raise OptionError(f"{argument(self.name)} must be {self.describe(value)}, not {_show(value)}")

    def is_default(self, value: object) -> bool:
        """Whether the option was left out, as far as its value shows."""
        plain = isinstance(value, str | int | float | tuple)
        return value is self.default or (plain and value == self.default)

    @property
    def most(self) -> float | None:
        """The largest number that is allowed, if there is one."""
        if self.opt.most is not None:
            return self.opt.most
        return (
            LARGEST_WHOLE
            if int in self.alternatives
            else LARGEST_SCORE
            if float in self.alternatives
            else None
        )

    def describe(self, value: object = None) -> str:
        """Describe the allowed values in words; the default maximum only if the value is larger."""
        is_larger = isinstance(value, int | float) and self.most is not None and value > self.most
        if self.choices:
            listed = [*map(str, self.choices[:-1])]
            return f"{', '.join(listed)} or {self.choices[-1]}" if listed else str(self.choices[-1])
        named = [
            _TYPE_NAMES[part] for part in self.alternatives if part in _TYPE_NAMES and part is not type(None)
        ]
        bounds = [
            f"{words} {_format_bound(bound)}"
            for words, bound in (
                ("at least", self.opt.least),
                ("at most", self.most if is_larger else self.opt.most),
                ("above", self.opt.above),
                ("below", self.opt.below),
            )
            if bound is not None
        ]
        return " or ".join(named) + (f", {' and '.join(bounds)}" if bounds else "")

    def _is_within(self, value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return True
        opt = self.opt
        if not abs(value) <= sys.float_info.max:  # infinite, not a number, or an integer that no float holds
            return False
        return (
            (opt.least is None or value >= opt.least)
            and (self.most is None or value <= self.most)
            and (opt.above is None or value > opt.above)
            and (opt.below is None or value < opt.below)
        )


# Metavars of files and folders
_FILES = re.compile(r"\b(FILE|FOLDER|RUN|STORE|CORPUS|IN|OUT|NEW|BASE|A B)\b")


def options_of(declared: Any) -> tuple[CommandOption, ...]:
    """List the options that a dataclass declares: its own first, then those that it shares with others."""
    if declared not in _options:
        found = []
        for field in fields(declared):
            if typing.get_origin(field.type) is Annotated:
                hint, *facts = typing.get_args(field.type)
                (opt,) = (fact for fact in facts if isinstance(fact, Opt))
                found.append(CommandOption(field.name, hint, field.default, opt))
        own = inspect.get_annotations(declared)
        shared = [option for option in found if option.name not in own]
        _options[declared] = (*(option for option in found if option.name in own), *shared)
    return _options[declared]


def check_requirements(options: Iterable[CommandOption], values: Mapping[str, Any]) -> None:
    """Raise on an option that is given without the option that it requires.

    Raises
    ------
    OptionError
        The first option that would be ignored; a default of a project file is left out instead.
    """
    for option in options:
        required = option.opt.requires
        if not required or option.is_default(values[option.name]) or _is_met(required, values):
            continue
        named = " or ".join(argument(*requirement.split("=")) for requirement in required)
        raise OptionError(f"{argument(option.name)} requires {named}").about(option.name)


def _is_met(required: Iterable[str], values: Mapping[str, Any]) -> bool:
    parts = (requirement.partition("=") for requirement in required)
    return any(values[name] == value if value else bool(values[name]) for name, _, value in parts)


_options: dict[type, tuple[CommandOption, ...]] = {}


def check_list(value: Any, name: str) -> tuple[str, ...]:
    """Hold one text or several as a tuple; a path counts as text."""
    if isinstance(value, str | PathLike):
        return (fspath(value),)
    try:
        if isinstance(value, bytes | Mapping):
            raise TypeError  # noqa: TRY301 - these can be iterated, but do not hold texts
        items = [fspath(item) if isinstance(item, PathLike) else item for item in value]
    except TypeError:
        raise InputError(
            f"{name} must be a string or a list of strings, not {describe_value(value)}"
        ) from None
    for number, item in enumerate(items):
        if not isinstance(item, str):
            raise InputError(f"{name}[{number}] is {describe_value(item)}, not a string")
    return tuple(items)


_TYPE_NAMES: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    type(None): "None",
}


LARGEST_WHOLE = 10**9


def _format_bound(bound: float) -> str:
    return f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"


def _show(value: object) -> str:
    """Show a wrong value completely, if Python can."""
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - see `describe_value`
        return describe_value(value)


def _is_plain(part: Any) -> bool:
    return part in _TYPE_NAMES or part in (Sequence[str], PathLike[str]) or typing.get_origin(part) is Literal


def _fits(part: Any, value: Any) -> bool:
    if typing.get_origin(part) is Literal:
        return (
            isinstance(value, str | int | float)
            and value in typing.get_args(part)
            and not isinstance(value, bool)
        )
    if part in (int, float):
        numbers = (int, float) if part is float else (int,)
        return isinstance(value, numbers) and not isinstance(value, bool)
    if part == PathLike[str]:
        return isinstance(value, PathLike)
    return part != Sequence[str] and isinstance(value, part)
